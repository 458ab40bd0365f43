#!/usr/bin/env python3
"""soft-impute of gssl beside softImpute-ALS in numpy and scipy, on made-up ratings.

  tests/bench/soft_impute_peer.py build/release/bin/gssl [--users 943 --items 1682 --cells 100000]
                                  [--lambda 15] [--path 10] [--list] [--json FILE]

Ratings of half stars: biases, ten directions of taste, noise, and items and users of unequal
popularity. Both minimize 1/2 sum (a - Z)^2 + lambda |Z|_* of the ratings less biases (those of gssl)
along the same lambdas, each started from the one before, on one thread. The peer is T. Hastie, R.
Mazumder, J. Lee, R. Zadeh 2015 (what R's softImpute runs), given the final rank, and ends each
lambda where its objective is within --within of that of gssl, relatively, whose gap is at most 1e-6.
Processor seconds.
"""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402

from harness.script import Script  # noqa: E402


def ratings(users, items, cells, seed=1):
    """Rows, columns, values: distinct cells in random order."""
    random = np.random.default_rng(seed)
    of_user = random.pareto(1.5, users) + 0.3
    of_item = 1.0 / (np.arange(items) + 20) ** 0.9
    draws = int(2.5 * cells)
    key = np.unique(random.choice(users, draws, p=of_user / of_user.sum()).astype(np.int64) * items
                    + random.choice(items, draws, p=of_item / of_item.sum()))
    random.shuffle(key)
    row, column = key[:cells] // items, key[:cells] % items
    weight = np.linspace(0.5, 0.1, 10) ** 0.5
    u = random.normal(size=(users, 10)) * weight
    v = random.normal(size=(items, 10)) * weight
    value = (3.5 + 0.4 * random.normal(size=users)[row] + 0.5 * random.normal(size=items)[column]
             + (u[row] * v[column]).sum(1) + 0.8 * random.normal(size=len(row)))
    return row, column, np.clip(np.round(2.0 * value) / 2.0, 0.5, 5.0)


def without_biases(row, column, value, users, items, penalty=5.0):
    """What the biases of gssl leave: rows and columns in turn until nothing moves."""
    mean = value.mean()
    b, c = np.zeros(users), np.zeros(items)
    rows, columns = np.bincount(row, minlength=users), np.bincount(column, minlength=items)
    for _ in range(1000):
        before = b.copy()
        c = np.bincount(column, value - mean - b[row], items) / (columns + penalty)
        b = np.bincount(row, value - mean - c[column], users) / (rows + penalty)
        if abs(b - before).max() < 1e-12:
            break
    return value - mean - b[row] - c[column]


class Peer:
    """Z = u diag(d) vT, one lambda after another."""

    def __init__(self, row, column, value, shape, rank):
        order = np.lexsort((column, row))
        self.row, self.column, self.value = row[order], column[order], value[order]
        self.left = sp.csr_matrix((self.value, (self.row, self.column)), shape=shape)
        random = np.random.default_rng(0)
        self.u = np.linalg.qr(random.normal(size=(shape[0], rank)))[0]
        self.v = np.zeros((shape[1], rank))
        self.d = np.ones(rank)

    def leave(self, a, b):
        for first in range(0, len(self.value), 1 << 16):
            part = slice(first, first + (1 << 16))
            self.left.data[part] = self.value[part] - np.einsum(
                "ij,ij->i", a[self.row[part]], b[self.column[part]])
        return self.left

    def half(self, u, v, d, left, penalty):
        """The other factor given u: its vectors, those of u turned along, and d."""
        shrink = d / (d * d + penalty)
        b = (left.T @ u) * shrink + v * (d * d * shrink)
        new, square, turn = np.linalg.svd(b * d, full_matrices=False)
        return u @ turn.T, new, np.sqrt(square)

    def objective(self, penalty):
        self.leave(self.u * self.d, self.v * self.d)
        return 0.5 * self.left.data @ self.left.data + penalty * (self.d * self.d).sum()

    def solve(self, penalty, target, within, most=1000):
        for step in range(most):
            if self.objective(penalty) <= target * (1.0 + within):
                return step
            self.u, self.v, self.d = self.half(self.u, self.v, self.d, self.left, penalty)
            left = self.leave(self.u * self.d, self.v * self.d)
            self.v, self.u, self.d = self.half(self.v, self.u, self.d, left.T, penalty)
        return most


def main():
    bench = Script(__doc__, {"ratings": "made-up ratings of half stars, ten lambdas, one thread"})
    bench.parser.add_argument("gssl")
    bench.parser.add_argument("--users", type=int, default=943)
    bench.parser.add_argument("--items", type=int, default=1682)
    bench.parser.add_argument("--cells", type=int, default=100000)
    bench.parser.add_argument("--lambda", type=float, default=15.0, dest="penalty")
    bench.parser.add_argument("--path", type=int, default=10)
    bench.parser.add_argument("--within", type=float, default=1e-4)
    bench.parser.add_argument("--no-peer", action="store_true")
    options = bench.parse()
    row, column, value = ratings(options.users, options.items, options.cells)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "cells").write_text("".join(
            f"u{r} i{c} {v:g}\n" for r, c, v in zip(row, column, value)))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([options.gssl, "complete", folder / "cells", "--method",
                        f"soft-impute:lambda={options.penalty},path={options.path},biases=true",
                        "--top", "1", "-o", os.devnull, "--threads", "1", "--quiet", "--summary",
                        folder / "summary"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = json.loads((folder / "summary").read_text())
    ours = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    case = f"{options.cells} ratings"
    print(f"gssl: {ours:.2f} s, {found['solver']['iterations']} steps, rank {found['rank'][-1]:.0f}, "
          f"objective {found['objective'][-1]:.8g}, gap {found['duality_gap'][-1]:.1e}")
    if options.no_peer:
        bench.value(case, "soft-impute", ours)
        bench.finish()
        return
    left = without_biases(row, column, value, options.users, options.items)
    started = time.process_time()
    peer = Peer(row, column, left, (options.users, options.items), int(found["rank"][-1]) + 5)
    steps = [peer.solve(penalty, target, options.within)
             for penalty, target in zip(found["lambda"], found["objective"])]
    theirs = time.process_time() - started
    print(f"softImpute-ALS in numpy: {theirs:.2f} s, {sum(steps)} steps")
    bench.beside(case, "soft-impute", "numpy", ours, theirs)
    bench.finish()


if __name__ == "__main__":
    main()
