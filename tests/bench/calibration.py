#!/usr/bin/env python3
"""How far confidence is from the share right, before and after --calibrate, at 10 labels a class.

    tests/bench/calibration.py GSSL GRAPH TRUTH [SPEC [SETS [FIRST]]] [--only TEXT] [--json FILE]

Over SETS random label sets (20), drawn by the seeds FIRST (0) and on: the expected calibration error of all their
vertices together, in 15 bins of equal count, and the mean of that of each set alone, which holds the chance of its
few labels as well. Then the reliability table of docs/labels.md: of the answers of all sets with a confidence in each
tenth the share that is right, and how many there are.
"""
import csv
import random
import subprocess
import tempfile
from collections import defaultdict

from harness.script import Script

LABELS, BINS, WIDTH_BINS = 10, 15, 10


def error(pairs):
    pairs = sorted(pairs)
    n = len(pairs)
    parts = [pairs[b * n // BINS:(b + 1) * n // BINS] for b in range(BINS)]
    return sum(abs(sum(right - p for p, right in part)) for part in parts) / n


def answers(gssl, graph, given, truth, spec, more):
    with tempfile.NamedTemporaryFile("w+") as labels, tempfile.NamedTemporaryFile("w+") as out:
        labels.write("".join(f"{v}\t{k}\n" for v, k in given))
        labels.flush()
        subprocess.run([gssl, "label", graph, labels.name, "--method", spec, "--quiet", "-o", out.name, *more],
                       check=True, stderr=subprocess.DEVNULL)
        with open(out.name) as table:  # another file under that name by now
            rows = csv.DictReader(table, delimiter="\t")
            return [(float(r["confidence"]), float(r["label"] == truth[r["node"]])) for r in rows
                    if r["status"] == "inferred" and r["node"] in truth]


def width_bins(pairs):
    bins = [[] for _ in range(WIDTH_BINS)]
    for p, right in pairs:
        bins[min(int(p * WIDTH_BINS), WIDTH_BINS - 1)].append((p, right))
    return bins


def cell(part):
    return f"{sum(right for _, right in part) / len(part):.2f} ({len(part)})" if part else ""


def table(found):
    rows = [["confidence", *found], ["---"] * (1 + len(found))]
    for b, parts in enumerate(zip(*map(width_bins, found.values()))):
        rows.append([f"{b / WIDTH_BINS:.1f} to {(b + 1) / WIDTH_BINS:.1f}", *map(cell, parts)])
    for row in rows:
        print("| " + " | ".join(row) + " |")


def main():
    ways = {"as it is": [], "temperature": ["--calibrate", "temperature"],
            "isotonic": ["--calibrate", "isotonic"]}
    bench = Script(__doc__, {name: " ".join(words) for name, words in ways.items()})
    for name in ("gssl", "graph", "truth"):
        bench.parser.add_argument(name)
    bench.parser.add_argument("spec", nargs="?", default="auto")
    bench.parser.add_argument("sets", nargs="?", type=int, default=20)
    bench.parser.add_argument("first", nargs="?", type=int, default=0)
    options = bench.parse()
    gssl, graph, file = options.gssl, options.graph, options.truth
    spec, sets, first = options.spec, options.sets, options.first
    joined = {word for line in open(graph) for word in line.replace("#gssl-vertex", "").split()[:2]}
    truth = dict(line.split()[:2] for line in open(file))
    truth = {v: k for v, k in truth.items() if v in joined and k != "label"}
    of_class = defaultdict(list)
    for v, k in truth.items():
        of_class[k].append(v)
    tables = {}
    for name in bench.chosen():
        more, found = ways[name], []
        for seed in range(first, first + sets):
            draw = random.Random(seed)
            given = [(v, k) for k in sorted(of_class) for v in draw.sample(of_class[k], LABELS)]
            found.append(answers(gssl, graph, given, truth, spec, more))
        alone = [error(one) for one in found]
        print(f"{spec}, {name}: {error(sum(found, [])):.3f} of all sets, "
              f"{sum(alone) / sets:.3f} a set ({min(alone):.3f} to {max(alone):.3f})", flush=True)
        tables[name] = sum(found, [])
        bench.value(name, "error of all sets", error(sum(found, [])), "")
        bench.value(name, "error of a set", sum(alone) / sets, "")
    table(tables)
    bench.finish()


if __name__ == "__main__":
    main()
