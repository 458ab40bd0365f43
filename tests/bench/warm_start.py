#!/usr/bin/env python3
"""What a run from yesterday's scores costs beside a fresh one.

    tests/bench/warm_start.py GSSL FOLDER grid SIDE|knn N|rmat SCALE [SHARE] [--only TEXT] [--json FILE]

A graph, ten classes on SHARE of its vertices (0.01), and 0.1 % of its edges changed: around one
place, or anywhere. Prints setup + solve seconds of both, alternating, the least of three.
"""
import json
import os
import subprocess
import sys

import numpy as np

from harness.script import Script

rng = np.random.default_rng(1)


def grid(side):
    at = np.arange(side * side).reshape(side, side)
    return np.concatenate([np.stack([at[:, :-1], at[:, 1:]], -1).reshape(-1, 2),
                           np.stack([at[:-1], at[1:]], -1).reshape(-1, 2)])


def knn(n):
    from scipy.spatial import cKDTree
    points = rng.random((n, 2))
    near = cKDTree(points).query(points, 11)[1][:, 1:]
    pairs = np.sort(np.stack([np.repeat(np.arange(n), 10), near.ravel()], -1), axis=1)
    return np.unique(pairs, axis=0)


def rmat(scale):
    m = 16 << scale
    u, v = np.zeros(m, np.int64), np.zeros(m, np.int64)
    for bit in range(scale):
        draw = rng.random(m)
        u |= (draw > 0.76).astype(np.int64) << bit
        v |= (((draw > 0.57) & (draw <= 0.76)) | (draw > 0.95)).astype(np.int64) << bit
    pairs = np.sort(np.stack([u, v], -1), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def around(edges, count):
    """Edges by breadth-first search from one vertex, all of them there in the end."""
    n = int(edges.max()) + 1
    both = np.concatenate([edges, edges[:, ::-1]])
    order = np.argsort(both[:, 0], kind="stable")
    start = np.searchsorted(both[order, 0], np.arange(n + 1))
    to = both[order, 1]
    start_at = int(edges[len(edges) // 2 + 777][0])
    seen, queue, found = {start_at}, [start_at], set()
    for v in queue:
        for u in to[start[v]:start[v + 1]][:50]:
            found.add((min(v, int(u)), max(v, int(u))))
            if int(u) not in seen:
                seen.add(int(u))
                queue.append(int(u))
        if len(found) >= count:
            break
    return sorted(found)[:count]


def run(gssl, *words):
    summary = "summary.json"
    done = subprocess.run([gssl, "label", "graph.tsv", "labels.tsv", *words, "-o", os.devnull,
                           "--summary", summary, "--quiet"])
    if done.returncode != 0:
        sys.exit(f"gssl label {' '.join(words)}: exit status {done.returncode}")
    with open(summary) as file:
        return json.load(file)


def main():
    bench = Script(__doc__, {"around one place": "changed edges that are near each other",
                             "anywhere": "changed edges at random"})
    bench.parser.add_argument("gssl")
    bench.parser.add_argument("folder")
    bench.parser.add_argument("kind", choices=["grid", "knn", "rmat"])
    bench.parser.add_argument("size", type=int)
    bench.parser.add_argument("share", nargs="?", type=float, default=0.01)
    options = bench.parse()
    gssl, kind, size, share = os.path.abspath(options.gssl), options.kind, options.size, options.share
    if options.json:
        options.json = os.path.abspath(options.json)
    os.chdir(options.folder)
    edges = {"grid": grid, "knn": knn, "rmat": rmat}[kind](size)
    np.savetxt("graph.tsv", edges, "%d")
    vertices = np.unique(edges)
    given = rng.choice(vertices, int(share * len(vertices)), replace=False)
    with open("labels.tsv", "w") as file:
        file.writelines(f"{v} c{rng.integers(10)}\n" for v in given)
    count = max(1, len(edges) // 1000)
    places = {"around one place": around(edges, count),
              "anywhere": edges[rng.choice(len(edges), count, replace=False)].tolist()}
    for where in bench.chosen():
        chosen = places[where]
        with open("changes.txt", "w") as file:
            file.writelines(f"= {u} {v} {rng.uniform(0.2, 3.0):.3f}\n" for u, v in chosen)
        for tolerance in ("1e-10", "1e-6", "1e-4"):
            method = f"harmonic:tolerance={tolerance}"
            run(gssl, "--method", method, "--scores", "before.tsv")
            fresh, warm = [], []
            for _ in range(3):
                a = run(gssl, "--method", method, "--changes", "changes.txt")
                b = run(gssl, "--method", method, "--changes", "changes.txt", "--warm-start",
                        "before.tsv")
                fresh.append(a["seconds"]["setup"] + a["seconds"]["solve"])
                warm.append(b["seconds"]["setup"] + b["seconds"]["solve"])
            start = b["warm_start"]
            print(f"{kind} {size} {where}, tolerance {tolerance}: fresh {min(fresh):.2f} s "
                  f"({a['solver']['used']}), warm {min(warm):.2f} s, ratio "
                  f"{min(warm) / min(fresh):.2f}; first residual {start['first_residual']:.1e}, "
                  f"largest region {start['largest_region']} of {len(vertices)} in "
                  f"{start['rounds']} rounds{', global' if start['global'] else ''}, "
                  f"{start['flips']} flips, bound {b.get('error_bound', float('nan')):.1e}",
                  flush=True)
            bench.beside(where, f"warm start, tolerance {tolerance}", "fresh", min(warm), min(fresh))
    bench.finish()


main()
