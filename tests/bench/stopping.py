#!/usr/bin/env python3
"""How soon each verb and learner ends after --time-limit, and after one SIGTERM.

    tests/bench/stopping.py GSSL FOLDER [--only WORD] [--graphs rmat,knn,classes]
                            [--after SECONDS] [--ways limit,signal] [--what all|learners|verbs]
                            [--json FILE]

Makes in FOLDER, once: an RMAT graph of 3M edges, a 10-nearest-neighbor graph of 200,000 points, and
162,000 points with 1000 classes. Runs every learner that `gssl label` takes and every verb, prints
how long each went on after it was told to stop, and ends with status 1 if one took more than a
second beside writing. Seconds are of wall; where the machine is busy those of the processor decide,
if they are fewer.
"""
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np

from harness.script import Script

ALLOWED = 1.0
HOPELESS = 90.0  # seconds after which a run is killed
CLASSES = {"rmat": 10, "knn": 10, "classes": 1000}


def rmat(rng, scale=18, edges=3_300_000):
    u, v = np.zeros(edges, np.int64), np.zeros(edges, np.int64)
    for bit in range(scale):
        draw = rng.random(edges)
        u |= (draw > 0.76).astype(np.int64) << bit
        v |= (((draw > 0.57) & (draw <= 0.76)) | (draw > 0.95)).astype(np.int64) << bit
    pairs = np.sort(np.stack([u, v], -1), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def clouds(rng, rows, columns, classes):
    of = rng.integers(classes, size=rows)
    return rng.normal(scale=2.0, size=(classes, columns))[of] + rng.normal(size=(rows, columns)), of


def knn(points, k):
    from scipy.spatial import cKDTree
    near = cKDTree(points).query(points, k + 1, workers=2)[1][:, 1:]
    pairs = np.sort(np.stack([np.repeat(np.arange(len(points)), k), near.ravel()], -1), axis=1)
    return np.unique(pairs, axis=0)


def write_lines(name, rows, form="%d"):
    np.savetxt(name + ".part", rows, form)
    os.rename(name + ".part", name)


def make_graph(gssl, kind):
    rng = np.random.default_rng(7)
    if kind == "rmat":
        edges = rmat(rng)
        of = rng.integers(CLASSES[kind], size=int(edges.max()) + 1)
        present = np.unique(edges)
    else:
        n, columns = (200_000, 8) if kind == "knn" else (162_000, 4)
        points, of = clouds(rng, n, columns, CLASSES[kind])
        if kind == "knn":
            np.save("points.npy", points)
        edges = knn(points, 10 if kind == "knn" else 25)
        present = np.arange(n)
    write_lines(f"{kind}.tsv", edges)
    given = np.concatenate([rng.permutation(present[of[present] == k])[:5]
                            for k in range(CLASSES[kind])])
    write_lines(f"{kind}.labels", np.stack([given, of[given]], -1))
    write_lines(f"{kind}.truth", np.stack([present, of[present]], -1))
    write_lines(f"{kind}.pairs", np.stack([present[1:2001], present[-2000:]], -1))
    write_lines(f"{kind}.stream",
                np.stack([rng.choice(present, 50_000), of[rng.choice(present, 50_000)]], -1))
    ends = [str(edges[0][0]), str(edges[-1][1])]
    subprocess.run([gssl, "convert", f"{kind}.tsv", f"{kind}.gssl", "--quiet"], check=True)
    with open(f"{kind}.json", "w") as file:
        json.dump({"ends": ends, "n": len(present), "m": len(edges)}, file)


def make_tables(rng):
    points, of = clouds(rng, 60_000, 40, 10)
    np.savetxt("rows.csv.part", np.column_stack([points, of]), "%.4f," * 40 + "c%d",
               header=",".join(f"x{i}" for i in range(40)) + ",class", comments="")
    os.rename("rows.csv.part", "rows.csv")
    np.savetxt("half.csv", np.column_stack([points, of % 2]), "%.4f," * 40 + "h%d",
               header=",".join(f"x{i}" for i in range(40)) + ",half", comments="")
    cells = np.stack([rng.integers(60_000, size=2_000_000), rng.integers(9_000, size=2_000_000),
                      rng.integers(1, 6, size=2_000_000)], -1)
    cells = cells[np.unique(cells[:, 0] * 9_000 + cells[:, 1], return_index=True)[1]]
    write_lines("cells.tsv", cells)


LEARNER_FORMS = [
    "harmonic:mass=cmn", "harmonic:soft=10", "harmonic:solver=cholesky",
    "harmonic:solver=multigrid", "harmonic:solver=approximate-cholesky",
    "harmonic:solver=consensus,tolerance=1e-14", "p-laplacian:p=1.2", "p-laplacian:p=8",
    "p-laplacian:p=inf", "p-laplacian:form=game",
    "kernel-ridge:kernel=diffusion(time=2)", "svm:kernel=diffusion(time=2)"]


def graph_verbs(kind, ends):
    graph, labels = f"{kind}.gssl", f"{kind}.labels"
    cases = [["cluster", graph, "-k", "10"], ["cluster", graph, "-k", "auto"],
             ["cluster", graph, "-k", "10", "--method", "kernel-k-means"],
             ["cut", graph, "--global"], ["cut", graph, "--source", ends[0], "--sink", ends[1]],
             ["spectrum", graph, "-k", "40"],
             ["spectrum", graph, "-k", "10", "--method", "inversion"],
             ["explain", graph, labels, "--node", ends[1]], ["explain", graph, labels, "--suspects"],
             ["kernel", graph, "--node", ends[0]], ["kernel", graph, "--diagonal"],
             ["kernel", graph, "--node", ends[0], "--method", "diffusion:time=50"],
             ["evaluate", graph, f"{kind}.truth", "--labels-per-class", "1,5",
              "--method", "harmonic", "--method", "p-laplacian", "--method", "volume-mbo"],
             ["convert", f"{kind}.tsv", "out.mtx"], ["info", f"{kind}.tsv"],
             ["build", "--graph", graph, "--mst"], ["build", "--graph", graph, "--spt", ends[0]],
             ["fit", "--graph", graph, labels, "--method", "harmonic"],
             ["label", graph, labels, "--calibrate", "temperature"],
             ["label", graph, labels, "--scores", "out.scores", "--method", "harmonic"]]
    cases += [["ask", graph, labels, "-n", "3", "--criterion", name]
              for name in ("model-change", "model-change-v-opt", "v-opt", "sigma-opt", "margin",
                           "v-opt:rank=0")]
    cases += [["resistance", graph, *words] for words in (
        ["--edges"], ["--edges", "--epsilon", "0.1"], ["--edges", "--method", "factor"],
        ["--total"], ["--total", "--epsilon", "0.1"], ["--diagonal"], ["--from", ends[0]],
        ["--pairs", f"{kind}.pairs"], ["--pairs", f"{kind}.pairs", "--method", "solves"],
        ["--pairs", f"{kind}.pairs", "--p", "3"], ["--hitting", ends[0]],
        ["--absorption", ends[0], "--absorption", ends[1]])]
    cases += [["online", f"{kind}.stream", "--graph", graph, "--method", name, "--classes",
               ",".join(str(k) for k in range(CLASSES[kind]))]
              for name in ("graph-perceptron", "seminorm")]
    return cases


def table_verbs():
    points = ["--points", "points.npy"]
    cases = [["build", "points.npy", "--knn", "30"], ["build", "points.npy", "--mst"],
             ["build", "points.npy", "--epsilon", "2.5"],
             ["build", "points.npy", "--knn", "10", "--approximate"],
             ["label", *points, "knn.labels", "--knn", "10"],
             ["label", *points, "knn.labels", "--method", "eigenfunction:bins=500"],
             ["complete", "cells.tsv", "--top", "3"],
             ["complete", "cells.tsv", "--method", "soft-impute:lambda=5,path=10", "--top", "3"]]
    cases += [["fit", "rows.csv", "--label-column", "class", "--method", name]
              for name in ("svm", "kernel-ridge", "forest", "tree", "adaboost", "bagging",
                           "majority-boost", "linear-svm", "logistic", "least-squares",
                           "ridge:lambda=path", "parzen", "k-nearest", "nearest-mean")]
    cases += [["evaluate", "--points", "rows.csv", "--label-column", "class", "--folds", "5",
               "--method", "svm:c=1|10"],
              ["online", "half.csv", "--label-column", "half", "--method", "kernel-perceptron",
               "--passes", "50"],
              ["online", "half.csv", "--label-column", "half", "--method", "perceptron",
               "--passes", "500"]]
    return cases


def labelers(gssl):
    """Learners of classes on a graph."""
    rows = subprocess.run([gssl, "learners"], capture_output=True, text=True, check=True).stdout
    return [row.split("\t")[0] for row in rows.splitlines()[1:]
            if "transductive" in row.split("\t")[1] and not row.startswith("svr\t")]


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def takes_limit(gssl, verb, known={}):
    if verb not in known:
        text = subprocess.run([gssl, verb, "--help"], capture_output=True, text=True).stdout
        known[verb] = "--time-limit" in text
    return known[verb]


def run(gssl, words, way, after):
    """(how it ended, seconds of wall and of the processor after it was told, seconds of writing)"""
    words = [gssl, *words, "--threads", "2", "--summary", "run.json", "--quiet"]
    if words[1] != "convert":
        words += ["-o", "out.tsv"]
    if way == "limit":
        words += ["--time-limit", str(after)]
    if os.path.exists("run.json"):
        os.remove("run.json")
    start = time.monotonic()
    with open("run.err", "w") as errors:
        child = subprocess.Popen(words, stdout=errors, stderr=errors)
    used = told = None
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        now = time.monotonic() - start
        if pid:
            break
        if used is None and now >= after:
            used, told = processor_seconds(child.pid), now
            if way == "signal":
                os.kill(child.pid, signal.SIGTERM)
        if now > after + HOPELESS:
            os.kill(child.pid, signal.SIGKILL)
        time.sleep(0.005)
    child.returncode = os.waitstatus_to_exitcode(status)
    try:
        with open("run.json") as file:
            writing = json.load(file).get("seconds", {}).get("write", 0.0)
    except (OSError, ValueError):
        writing = 0.0
    if used is None:
        return child.returncode, None, None, writing
    return (child.returncode, now - told,
            usage.ru_utime + usage.ru_stime - used, writing)


def cases(gssl, kinds, what):
    found = []
    for kind in kinds:
        with open(f"{kind}.json") as file:
            ends = json.load(file)["ends"]
        for name in labelers(gssl) + LEARNER_FORMS if what != "verbs" else []:
            found.append([kind, ["label", f"{kind}.gssl", f"{kind}.labels", "--method", name]])
        if what != "learners" and kind != "classes":
            found += [[kind, words] for words in graph_verbs(kind, ends)]
    if what != "learners" and "knn" in kinds:
        found += [["rows", words] for words in table_verbs()]
    return found


def main():
    verbs = list(dict.fromkeys(words[0] for words in graph_verbs("knn", ["0", "1"]) + table_verbs()))
    bench = Script(__doc__, {"label --method": "every learner on a graph"} |
                   {verb: "on each graph or table" for verb in verbs})
    parser = bench.parser
    parser.set_defaults(only="")
    parser.add_argument("gssl")
    parser.add_argument("folder")
    parser.add_argument("--graphs", default="rmat,knn,classes")
    parser.add_argument("--after", type=float, default=2.0)
    parser.add_argument("--ways", default="limit,signal")
    parser.add_argument("--what", choices=["all", "learners", "verbs"], default="all")
    options = parser.parse_args()
    bench.options = options
    if options.json:
        options.json = os.path.abspath(options.json)
    gssl = os.path.abspath(options.gssl)
    os.makedirs(options.folder, exist_ok=True)
    os.chdir(options.folder)
    kinds = options.graphs.split(",")
    for kind in kinds:
        if not os.path.exists(f"{kind}.json"):
            make_graph(gssl, kind)
    if "knn" in kinds and not os.path.exists("cells.tsv"):
        make_tables(np.random.default_rng(8))
    missed = 0
    print("graph\tway\tstatus\tlate\tprocessor\twrite\tcommand")
    for kind, words in cases(gssl, kinds, options.what):
        if options.only not in " ".join(words):
            continue
        for way in options.ways.split(","):
            if way == "limit" and not takes_limit(gssl, words[0]):
                continue
            status, late, used, writing = run(gssl, words, way, options.after)
            miss = late is not None and min(late, used) > ALLOWED + writing
            failed = status not in (0, 1, -signal.SIGTERM, 71)
            missed += miss or failed
            if late is not None:
                bench.value(f"{kind} {' '.join(words)}", f"late after {way}", late)
            numbers = "\t\t" if late is None else f"{late:.2f}\t{used:.2f}\t"
            print(f"{kind}\t{way}\t{status}\t{numbers}{writing:.2f}\t{' '.join(words)[:140]}"
                  f"{'  MISS' if miss else ''}{'  FAILED' if failed else ''}", flush=True)
    bench.finish()
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
