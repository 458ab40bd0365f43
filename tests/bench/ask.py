#!/usr/bin/env python3
"""What asking is worth: the learning curves of `gssl ask --simulate` beside random questions.

    tests/bench/ask.py GSSL FOLDER [--criterion NAME ...] [--repeats N] [--only SET] [--json FILE]

FOLDER holds graphs as NAME/plain/NAME.edges.txt and NAME.labels.txt, one class a line for the
vertices 0, 1, … (-1: none); the digits of the repository are the first set. From one label of each
class, as many questions a round as there are classes, ten rounds, harmonic. Prints the mean accuracy
over the curve in percent, and how much more than random questions from the same starts that is.
"""
import os
import random
import subprocess
import tempfile

from harness.script import Script

HERE = os.path.dirname(os.path.abspath(__file__))
GRAPHS = ["karate", "dolphins", "football", "polbooks", "eu-core", "news_2cl_1", "news_3cl_1_0.1",
          "polblogs", "cora"]


def truth_of(name):
    """(vertex, class) of each line, which holds both or the class alone."""
    with open(name, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith(("#", "node"))]
    pairs = [row if len(row) == 2 else [str(v), row[0]] for v, row in enumerate(rows)]
    return [(vertex, name) for vertex, name in pairs if name != "-1"]


def curve(gssl, edges, truth, criterion, repeats, folder):
    """Means over the curve: of the criterion, and of random questions."""
    rng = random.Random(7)
    by_class = {}
    for vertex, name in truth:
        by_class.setdefault(name, []).append(vertex)
    labels, answers = os.path.join(folder, "labels"), os.path.join(folder, "truth")
    with open(labels, "w", encoding="utf-8") as file:
        for name, vertices in sorted(by_class.items()):
            file.write(f"{rng.choice(vertices)} {name}\n")
    with open(answers, "w", encoding="utf-8") as file:
        file.writelines(f"{vertex} {name}\n" for vertex, name in truth)
    classes = len(by_class)
    words = [gssl, "ask", edges, labels, "--simulate", "--truth", answers, "-n", str(classes),
             "--budget", str(min(10 * classes, len(truth) // 3)), "--repeats", str(repeats),
             "--criterion", criterion, "--unknown-labels", "ignore", "--quiet"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    sums = {}
    for row in text.splitlines():
        cells = row.split("\t")
        if cells[0].isdigit() and cells[0] != "0":
            sums.setdefault(cells[1].split(":")[0], []).append(float(cells[2]))
    mean = {name: 100.0 * sum(values) / len(values) for name, values in sums.items()}
    return mean[criterion.split(":")[0]], mean["random"]


def main():
    bench = Script(__doc__, {"digits": "of the repository"} | {name: "of FOLDER" for name in GRAPHS})
    bench.parser.add_argument("gssl")
    bench.parser.add_argument("folder")
    bench.parser.add_argument("--criterion", action="append")
    bench.parser.add_argument("--repeats", type=int, default=20)
    options = bench.parse()
    criteria = options.criterion or ["model-change", "model-change-v-opt", "v-opt", "margin"]
    digits = os.path.join(HERE, "..", "..", "datasets", "digits")
    sets = [("digits", os.path.join(digits, "edges.tsv"), os.path.join(digits, "truth.tsv"))]
    for name in GRAPHS:
        plain = os.path.join(options.folder, name, "plain")
        sets.append((name, os.path.join(plain, name + ".edges.txt"),
                     os.path.join(plain, name + ".labels.txt")))
    print("set\tcriterion\tcurve\trandom\tmore")
    for name, edges, truth in sets:
        if name not in bench.chosen():
            continue
        if not os.path.exists(edges):
            print(f"{name} is not in {options.folder}; left out")
            continue
        for criterion in criteria:
            with tempfile.TemporaryDirectory() as folder:
                own, chance = curve(options.gssl, edges, truth_of(truth), criterion,
                                    options.repeats, folder)
            print(f"{name}\t{criterion}\t{own:.1f}\t{chance:.1f}\t{own - chance:+.1f}", flush=True)
            bench.beside(name, criterion, "random questions", 100.0 - own, 100.0 - chance, "% wrong")
    bench.finish()


if __name__ == "__main__":
    main()
