"""Seconds of the wall and of processors, and the most bytes, of scikit-learn for a case of bench_trees.

FOLDER COLUMNS TREES tree|forest|adaboost
"""

import sys
import time

import numpy
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

folder, columns, trees, name = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
x = numpy.fromfile(folder + "/x.bin").reshape(-1, columns)
y = numpy.fromfile(folder + "/y.bin", dtype=numpy.int32)
learner = {
    "tree": DecisionTreeClassifier(),
    "forest": RandomForestClassifier(trees, n_jobs=2),
    "adaboost": AdaBoostClassifier(n_estimators=50),
}[name]


def fit():
    wall, processor = time.perf_counter(), time.process_time()
    learner.fit(x, y)
    return time.perf_counter() - wall, time.process_time() - processor


seconds = [fit()]
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if "VmHWM" in line)
while seconds[0][0] < 1.0 and len(seconds) < 3:
    seconds.append(fit())
wall, processor = (min(of) for of in zip(*seconds))
print(wall, processor, 1024.0 * peak)
