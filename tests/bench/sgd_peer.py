"""Rows a second of scikit-learn's SGDClassifier: one pass over rows of 14 values in some 240 columns, in
memory, drawn as bench_online draws them. Processor time of one thread.

    python3 sgd_peer.py perceptron|hinge ROWS        prints the seconds of the pass
"""

import sys
import time

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier

loss, rows = sys.argv[1], int(sys.argv[2])
draw = np.random.default_rng(2)
columns = np.cumsum(1 + draw.integers(0, 16, (rows, 14)), axis=1).astype(np.int32)
values = draw.integers(0, 1000, (rows, 14)) / 1000.0
outcomes = (np.where(columns % 3 == 0, values, -0.5 * values).sum(axis=1) > 0).astype(int)
x = csr_matrix((values.ravel(), columns.ravel(), np.arange(0, 14 * rows + 1, 14)))
# fit() with one pass would also copy and check the rows: partial_fit() does the pass alone.
learner = SGDClassifier(loss=loss, penalty=None, learning_rate="constant", eta0=0.01, shuffle=False)
learner.partial_fit(x[:10], outcomes[:10], classes=[0, 1])
begun = time.process_time()
learner.partial_fit(x, outcomes)
print(time.process_time() - begun)
