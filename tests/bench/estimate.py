#!/usr/bin/env python3
"""Whether --estimate holds: its bounds of memory beside the peak of the same run.

    tests/bench/estimate.py GSSL FOLDER [--only GRAPH] [--verbs TEXT] [--json FILE]

Makes the graphs in FOLDER, once. Runs every verb on every graph with --estimate and for real, and
prints the two bounds, the peak that the system measured, how far the bounds are from it, and "ok"
where the low bound is not above the peak and the high one not below. Ends with status 1 if one is.
"""
import pathlib
import resource
import subprocess
import sys

import numpy as np

from harness.script import Script

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAPHS = {
    "karate": "34 vertices, 2 classes",
    "digits": "1797 vertices, near neighbors, 10 classes",
    "near-points": "3000 rows of words, near neighbors, 7 classes",
    "rmat": "2^16 vertices, R-MAT, 10 classes",
    "grid": "300 by 300, 10 classes",
    "grid3d": "40 by 40 by 40, 100 classes",
    "knn": "20,000 points in the plane, 10 neighbors, 1000 classes",
    "planted": "20,000 vertices in 100 classes",
    "rows": "4000 rows of 20 columns, 3 classes",
}
CLASSES = {"karate": 2, "digits": 10, "near-points": 7, "rmat": 10, "grid": 10, "grid3d": 100,
           "knn": 1000, "planted": 100, "rows": 3}
# Words after the verb; {g} is the graph, {l} its labels, {v} a vertex, {w} another.
VERBS = {f"label {name}": f"label {{g}} {{l}} --method {name}" for name in
         ("harmonic", "poisson", "local-global", "label-propagation", "p-laplacian", "eigenvector",
          "auto")}
VERBS |= {
    "label harmonic --scores": "label {g} {l} --method harmonic --scores {null}",
    "spectrum": "spectrum {g} -k 10",
    "cluster": "cluster {g} -k 10",
    "cluster kernel-k-means": "cluster {g} -k 5 --method kernel-k-means",
    "resistance --from": "resistance {g} --from {v}",
    "resistance --edges": "resistance {g} --edges --epsilon 0.3",
    "kernel --node": "kernel {g} --node {v}",
    "kernel --diagonal": "kernel {g} --diagonal --method regularized",
    "kernel normalize": "kernel {g} --node {v} --method normalize(pseudoinverse)",
    "cut": "cut {g} --source {v} --sink {w}",
    "explain": "explain {g} {l} --node {v}",
}
ROW_VERBS = {f"fit {name}": f"fit {{g}} {{l}} --method {name}" for name in
             ("nearest-mean", "svm", "kernel-ridge", "tree", "forest")}
ROW_VERBS |= {"predict": "predict {m} {g}", "embed": "embed {g} --kernel gaussian(beta=0.1)",
              "build": "build {g} --knn 10", "complete": "complete {c}",
              "evaluate": "evaluate --points {g} {l} --folds 3 --method nearest-mean --method tree"}
# Hours or a dense matrix, on the graphs named.
TOO_LONG = {"label p-laplacian": {"grid3d", "knn", "planted"},
            "kernel normalize": {"rmat", "grid", "grid3d", "knn", "planted"},
            "kernel --diagonal": {"rmat", "grid3d", "planted"},
            "cluster kernel-k-means": {"rmat", "grid", "grid3d", "knn", "planted"},
            "resistance --edges": {"rmat", "planted"}}

# A small program between, since the system begins the count of a child at the size of its parent.
MEASURE = ("import resource,subprocess,sys\n"
           "done=subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)\n"
           "print(done.returncode,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")


def unique_edges(pairs):
    pairs = np.sort(pairs, axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def neighbors(points, k):
    from scipy.spatial import cKDTree
    near = cKDTree(points).query(points, k + 1)[1][:, 1:]
    return unique_edges(np.stack([np.repeat(np.arange(len(points)), k), near.ravel()], -1))


def rmat(rng, scale, edges):
    u, v = np.zeros(edges, np.int64), np.zeros(edges, np.int64)
    for bit in range(scale):
        draw = rng.random(edges)
        u |= (draw > 0.76).astype(np.int64) << bit
        v |= (((draw > 0.57) & (draw <= 0.76)) | (draw > 0.95)).astype(np.int64) << bit
    return unique_edges(np.stack([u, v], -1))


def lattice(*sides):
    at = np.arange(int(np.prod(sides))).reshape(sides)
    pairs = []
    for axis in range(len(sides)):
        first = np.take(at, range(sides[axis] - 1), axis)
        second = np.take(at, range(1, sides[axis]), axis)
        pairs.append(np.stack([first.ravel(), second.ravel()], -1))
    return np.concatenate(pairs)


def planted(rng, n, classes):
    inside = rng.integers(n, size=(8 * n, 2))
    inside[:, 1] = inside[:, 0] - inside[:, 0] % classes + inside[:, 1] % classes
    return unique_edges(np.concatenate([np.minimum(inside, n - 1), rng.integers(n, size=(n, 2))]))


def edges_of(name):
    rng = np.random.default_rng(3)
    if name == "karate":
        import networkx
        return np.array([(u, v) for u, v in networkx.karate_club_graph().edges()])
    if name == "digits":
        return np.loadtxt(ROOT / "datasets/digits/edges.tsv", skiprows=1, usecols=(0, 1)).astype(int)
    if name == "near-points":
        return neighbors(rng.random((3000, 8)) ** 4, 10)
    if name == "rmat":
        return rmat(rng, 16, 16 << 16)
    if name == "grid":
        return lattice(300, 300)
    if name == "grid3d":
        return lattice(40, 40, 40)
    if name == "knn":
        return neighbors(rng.random((20000, 2)), 10)
    return planted(rng, 20000, 100)


def make_rows(gssl, folder):
    """A table, its labels, a model of it, and cells of a matrix."""
    table, labels, model, cells = (folder / f"rows{end}" for end in
                                   (".csv", ".labels.tsv", ".model", ".cells.tsv"))
    if not cells.exists():
        rng = np.random.default_rng(6)
        of = rng.integers(3, size=4000)
        values = rng.normal(size=(3, 20))[of] + rng.normal(size=(4000, 20))
        np.savetxt(table, values, "%.5f", ",")
        labels.write_text("".join(f"{i}\tc{k}\n" for i, k in enumerate(of)))
        subprocess.run([gssl, "fit", table, labels, "--method", "nearest-mean", "-o", model,
                        "--quiet"], check=True)
        known = np.argwhere(rng.random((1000, 300)) < 0.1)
        of_cell = rng.normal(size=(1000, 3)) @ rng.normal(size=(3, 300))
        np.savetxt(cells, np.column_stack([known, of_cell[tuple(known.T)]]), "%d %d %.4f")
    return {"g": table, "l": labels, "m": model, "c": cells}


def make(folder, name):
    """The paths of the graph and of its labels, and two vertices."""
    graph, labels = folder / f"{name}.tsv", folder / f"{name}.labels.tsv"
    if not labels.exists():
        edges = edges_of(name)
        vertices = np.unique(edges)
        np.savetxt(graph, edges, "%d")
        rng = np.random.default_rng(4)
        classes = CLASSES[name]
        count = max(2 * classes, len(vertices) // 100)
        chosen = rng.permutation(vertices)[:count]
        lines = [f"{v}\tc{i % classes}" for i, v in enumerate(chosen)]
        labels.write_text("\n".join(lines) + "\n")
    with graph.open() as first:
        v = first.readline().split()[0]
    with labels.open() as lines:
        others = [line.split()[0] for line in lines]
    return {"g": graph, "l": labels, "v": v, "w": next(u for u in others if u != v),
            "null": "/dev/null"}


def bounds(words):
    done = subprocess.run([*words, "-o", "/dev/null", "--estimate", "--quiet"], capture_output=True, check=False,
                          text=True)
    for line in done.stdout.split("\n"):
        if line.startswith("peak_memory_bytes"):
            return [float(cell) for cell in line.split("\t")[1:3]]
    return None


def peak(words):
    done = subprocess.run([sys.executable, "-S", "-c", MEASURE, *words, "-o", "/dev/null"],
                          capture_output=True, check=True, text=True)
    status, kilobytes = (int(word) for word in done.stdout.split())
    return 1024.0 * kilobytes if status in (0, 1) else None


def main():
    bench = Script(__doc__, GRAPHS)
    bench.parser.add_argument("gssl")
    bench.parser.add_argument("folder", type=pathlib.Path)
    bench.parser.add_argument("--verbs", default="", help="verbs whose name holds this text")
    options = bench.parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    wrong = total = 0
    print(f"{'graph':12} {'verb':26} {'lower':>8} {'peak':>8} {'upper':>8}  MB  lower   upper")
    for name in bench.chosen():
        rows = name == "rows"
        files = make_rows(options.gssl, options.folder) if rows else make(options.folder, name)
        for verb, form in (ROW_VERBS if rows else VERBS).items():
            if options.verbs not in verb or name in TOO_LONG.get(verb, ()):
                continue
            words = [options.gssl] + [word.format(**files) for word in form.split()]
            told, measured = bounds(words), peak(words)
            if told is None or measured is None:
                print(f"{name:12} {verb:26} {'-' if measured is None else 'no estimate'}")
                continue
            low, high = told
            good = low <= measured <= high
            total += 1
            wrong += not good
            print(f"{name:12} {verb:26} {low / 1e6:8.1f} {measured / 1e6:8.1f} {high / 1e6:8.1f}  "
                  f"   {low / measured - 1:+6.0%} {high / measured - 1:+6.0%} "
                  f"{'ok' if good else 'WRONG'}", flush=True)
            bench.value(f"{name} {verb}", "lower over peak", low / measured, "")
            bench.value(f"{name} {verb}", "upper over peak", high / measured, "")
    bench.finish()
    print(f"{total - wrong} of {total} ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
