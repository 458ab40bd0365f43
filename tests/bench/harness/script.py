"""One way of measuring for benches in Python: what program.hpp is for those in C++.

    bench = Script(__doc__, {"grid": "a square grid", "knn": "neighbors in the plane"})
    bench.parser.add_argument("gssl")
    options = bench.parse()
    for case in bench.chosen():                      # those that --only leaves
        bench.beside(case, "evaluate, wall", "scikit-learn", ours, theirs)
    bench.finish()

Every bench then knows --help, --list, --only TEXT and --json FILE, whose form is that of program.hpp.
"""
import argparse
import importlib.util
import json


class Script:
    def __init__(self, about, cases):
        self.cases = cases  # name → what it is
        self.found = {"figures": [], "absent": []}
        self.options = None
        self.parser = argparse.ArgumentParser(description=about,
                                              formatter_class=argparse.RawDescriptionHelpFormatter)
        lister = type("Lister", (argparse.Action,), {"__call__": lambda *_: self._print_list()})
        self.parser.add_argument("--list", action=lister, nargs=0, help="print the cases and exit")
        self.parser.add_argument("--only", metavar="TEXT", default="",
                                 help="cases whose name holds TEXT")
        self.parser.add_argument("--json", metavar="FILE", help="also write the figures to FILE")

    def _print_list(self):
        for name, about in self.cases.items():
            print(f"{name:24} {about}".rstrip())
        self.parser.exit()

    def parse(self, words=None):
        self.options = self.parser.parse_args(words)
        if not self.chosen():
            self.parser.error(f"--only {self.options.only}: no such case; see --list")
        return self.options

    def chosen(self):
        return [name for name in self.cases if self.options.only in name]

    def value(self, case, figure, ours, unit="s"):
        self.found["figures"].append({"case": case, "figure": figure, "unit": unit, "ours": ours})

    def beside(self, case, figure, peer, ours, theirs, unit="s"):
        """Less is better."""
        self.value(case, figure, ours, unit)
        self.found["figures"][-1].update(peer=peer, theirs=theirs, ratio=ours / theirs)

    def has(self, peer, module):
        """Whether the peer is here; says once that it is not."""
        if importlib.util.find_spec(module) is not None:
            return True
        if peer not in self.found["absent"]:
            print(f"{peer} is not here ({module}); its figures are left out", flush=True)
            self.found["absent"].append(peer)
        return False

    def finish(self):
        if self.options.json:
            with open(self.options.json, "w", encoding="utf-8") as out:
                json.dump(self.found, out)
