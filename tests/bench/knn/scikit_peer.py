"""Exact neighbor lists by scikit-learn, for bench_knn: prints wall and processor seconds.

    python3 scikit_peer.py FILE COLUMNS K THREADS      FILE: rows of 4-byte floats
"""
import os
import sys
import time

path, columns, k, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = str(threads)

import numpy as np
from sklearn.neighbors import NearestNeighbors

x = np.fromfile(path, dtype=np.float32).reshape(-1, columns)
wall, cpu = time.perf_counter(), time.process_time()
search = NearestNeighbors(n_neighbors=k + 1, algorithm="brute", n_jobs=threads).fit(x)
search.kneighbors(x)
print(time.perf_counter() - wall, time.process_time() - cpu)
