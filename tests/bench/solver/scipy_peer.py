"""One system solved by SciPy, for bench_solver: reads it from a folder, leaves the answer there and
prints times, iterations and memory as JSON. Loading is not timed.

    python3 scipy_peer.py FOLDER scipy-cg|scipy-splu TOLERANCE COLUMNS
"""
import inspect
import json
import sys
import time

import numpy as np
import scipy.sparse
import scipy.sparse.linalg


def high_water_mark():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM"):
                return 1024.0 * float(line.split()[1])
    return 0.0


folder, method, tolerance, columns = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
offset = np.fromfile(folder + "/offset", dtype=np.int64)
n = len(offset) - 1
a = scipy.sparse.csr_matrix(
    (
        np.fromfile(folder + "/value", dtype=np.float64),
        np.fromfile(folder + "/column", dtype=np.int32),
        offset.astype(np.int32) if offset[-1] < 2**31 else offset,
    ),
    shape=(n, n),
)
b = np.fromfile(folder + "/b", dtype=np.float64).reshape(n, columns)
x = np.zeros((n, columns))
if method == "scipy-splu":
    a = a.tocsc()

with open("/proc/self/clear_refs", "w") as refs:
    refs.write("5")
memory = high_water_mark()
wall, cpu = time.perf_counter(), time.process_time()
iterations = 0
if method == "scipy-splu":
#What SuperLU's guide advises for a symmetric, diagonally dominant matrix.
    factor = scipy.sparse.linalg.splu(
        a,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    setup = time.perf_counter() - wall
    x = factor.solve(b)
else:
    jacobi = scipy.sparse.diags(1.0 / a.diagonal())
    setup = time.perf_counter() - wall
    known = inspect.signature(scipy.sparse.linalg.cg).parameters
    stop = {"rtol" if "rtol" in known else "tol": tolerance, "atol": 0.0}
    for j in range(columns):
        steps = []
        x[:, j], _ = scipy.sparse.linalg.cg(
            a, b[:, j], M=jacobi, maxiter=1000000, callback=lambda _: steps.append(1), **stop
        )
        iterations = max(iterations, len(steps))
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
memory = high_water_mark() - memory
np.ascontiguousarray(x).tofile(folder + "/x")
print(
    json.dumps(
        {"setup": setup, "wall": wall, "cpu": cpu, "iterations": iterations, "memory": memory}
    )
)
