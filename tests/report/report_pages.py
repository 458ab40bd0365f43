#!/usr/bin/env python3
"""Writes pages of --report and looks at them.

    report_pages.py GSSL SOURCE                     # what they weigh, hold and load
    report_pages.py GSSL SOURCE --browser CHROMIUM  # how wide and how legible they are

Pages of digits come from the repository; those of Cora and polblogs from SOURCE/../shared/data, and are
left out, which is said, where that is not there. Exit status 77: the browser does not start here.
"""
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile

import browser_probe

LARGEST_PAGE = 1_000_000
MOST_UNBROKEN = 18  # bytes of a cell that stays on one line where there is room for columns
VOID = {"meta", "br", "hr", "img", "input", "link", "rect", "circle", "line", "path", "polyline", "polygon"}
# Longer than any column, with nowhere to break, and no friend of careless pages.
LONG = "a_class_name_that_goes_on_without_a_blank_" * 4
HOSTILE = '"><img onerror=x>'


class Whole(html.parser.HTMLParser):
    """Every element is closed, in order; no script, no address, no handler."""

    def __init__(self):
        super().__init__()
        self.open, self.faults = [], []

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "iframe", "object", "link", "img"):
            self.faults.append(f"element {tag}")
        for name, value in attributes:
            if name.startswith("on") or name in ("src", "href") or "url(" in (value or ""):
                self.faults.append(f"{tag} with {name}={value}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        if tag not in VOID:
            self.faults.append(f"{tag} closes itself")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes another element")


def faults_of(name, page):
    parser = Whole()
    parser.feed(page)
    faults = parser.faults + [f"<{tag}> is left open" for tag in parser.open]
    weight = len(page.encode())
    print(f"{name}: {weight // 1000} kB")
    if weight > LARGEST_PAGE:
        faults.append(f"{weight} bytes; at most {LARGEST_PAGE}")
    if re.search(r"https?://", page):
        faults.append("an address")
    if "<svg" not in page or "<table" not in page:
        faults.append("no picture or no table")
    for cell in re.findall(r"<td data-h=[^>]*>(.*?)</td>", page):
        if len(re.sub(r"<[^>]*>", "", cell).encode()) <= MOST_UNBROKEN:
            faults.append(f"a short cell that may break: {cell}")
    for legend in re.findall(r'<ul class="legend">(.*?)</ul>', page, re.DOTALL):
        marks = [re.sub(r"var\(--c\d\)", "", mark) for mark in re.findall(r"<svg[^>]*>(.*?)</svg>", legend, re.DOTALL)]
        if len(set(marks)) < len(marks):
            faults.append("marks that color alone tells apart")
    return [f"{name}: {fault}" for fault in faults]


class Pages:
    def __init__(self, gssl, source, work):
        self.gssl, self.source, self.work, self.made = gssl, source, work, {}

    def add(self, name, *arguments):
        path = self.work / f"{name}.html"
        command = [self.gssl, *map(str, arguments), "--report", str(path), "--quiet", "-o", "/dev/null"]
        subprocess.run(command, cwd=self.source, check=True)
        self.made[name] = path.read_text()

    def text(self, name, lines):
        path = self.work / name
        path.write_text("".join(line + "\n" for line in lines))
        return path

    def digits(self):
        graph, truth = "datasets/digits/edges.tsv", "datasets/digits/truth.tsv"
        self.add("digits-evaluate", "evaluate", graph, truth, "--labels-per-class", "1,5", "--repeats", 5,
                 "--method", "harmonic:soft=0|1", "--method", "poisson", "--method", "auto", "--method", "spectral")
        self.add("digits-label", "label", graph, "datasets/digits/labels.tsv", "--truth", truth)
        self.add("digits-cluster", "cluster", graph, "--count", 10)
        self.add("digits-explain", "explain", graph, "datasets/digits/labels.tsv", "--suspects")
        self.add("digits-folds", "evaluate", "--points", "datasets/iris/points.csv", "--label-column", "class",
                 "--folds", 5, "--method", "nearest-mean", "--method", "svm:c=1|10")

    def names(self):
        edges = [f"{LONG}{i} {LONG}{i + 1}" for i in range(9)]
        truth = [f"{LONG}{i}\t" + (LONG if i < 5 else '"' + HOSTILE.replace('"', '""') + '"') for i in range(10)]
        graph, labels = self.text("long", edges), self.text("truth", truth)
        self.add("names-evaluate", "evaluate", graph, labels, "--labels-per-class", "1,2", "--repeats", 3,
                 "--method", "harmonic", "--method", "poisson")
        self.add("names-label", "label", graph, self.text("two", [truth[0], truth[9]]), "--truth", labels)
        self.add("names-explain", "explain", graph, self.text("two", [truth[0], truth[9]]),
                 "--node", f"{LONG}4")

    def shared(self, name, given_every):
        plain = self.source.parent / "shared" / "data" / "graphs" / name / "plain"
        if not plain.is_dir():
            print(f"skipped: {name}: no {plain}")
            return
        graph = plain / f"{name}.edges.txt"
        joined = {word for line in graph.read_text().splitlines() for word in line.split()[:2]}
        labels = (plain / f"{name}.labels.txt").read_text().split()
        lines = [f"{i}\t{k}" for i, k in enumerate(labels) if str(i) in joined]
        truth, given = self.text(f"{name}.truth", lines), self.text(f"{name}.given", lines[::given_every])
        self.add(f"{name}-label", "label", graph, given, "--truth", truth)
        self.add(f"{name}-evaluate", "evaluate", graph, truth, "--repeats", 5, "--method", "harmonic",
                 "--method", "poisson")
        self.add(f"{name}-sure", "label", graph, given, "--truth", truth, "--calibrate", "temperature",
                 "--min-confidence", 0.5)
        self.add(f"{name}-explain", "explain", graph, given, "--suspects")
        self.add(f"{name}-cluster", "cluster", graph, "--count", len(set(labels)))


def main():
    gssl, source = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        pages = Pages(gssl, source, work)
        pages.digits()
        pages.names()
        pages.shared("cora", 20)
        pages.shared("polblogs", 60)
        if "--browser" in sys.argv:
            browser = sys.argv[sys.argv.index("--browser") + 1]
            faults = browser_probe.faults_of(browser, pages.made, work)
        else:
            faults = [fault for name, page in pages.made.items() for fault in faults_of(name, page)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
