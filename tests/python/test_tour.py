"""Runs the fenced python blocks of docs/ and of the README, in order; where a block is followed by one
of text, that is what it prints."""

import contextlib
import glob
import io
import os
import re
import tempfile
import unittest
import warnings

try:
    import networkx  # noqa: F401
    import sklearn  # noqa: F401
except ImportError:
    raise SystemExit(print("skipped: scikit-learn or NetworkX is not there"))

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(path):
    """(line, code, what it prints or None)."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = [(text.count("\n", 0, m.start()) + 2, m[1], m[2]) for m in FENCE.finditer(text)]
    for i, (line, language, code) in enumerate(found):
        if language == "python":
            after = found[i + 1] if i + 1 < len(found) else (0, "", "")
            yield line, code, after[2] if after[1] == "text" else None


class Tour(unittest.TestCase):
    def run_page(self, path):
        names, run = {}, 0
        for line, code, expected in blocks(path):
            out = io.StringIO()
            with contextlib.redirect_stdout(out), warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                exec(compile("\n" * (line - 1) + code, path, "exec"), names)  # noqa: S102
            if expected is not None:
                self.assertEqual(out.getvalue(), expected, f"{path}:{line}")
            run += 1
        return run

    def test_tour(self):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TOUR"] = folder
            self.assertGreater(self.run_page("docs/python.md"), 7)

    def test_other_pages(self):
        pages = [page for page in sorted(glob.glob("docs/*.md")) if page != "docs/python.md"]
        self.assertGreater(sum(self.run_page(page) for page in pages), 0)

    def test_readme(self):
        self.assertEqual(self.run_page("README.md"), 1)


if __name__ == "__main__":
    unittest.main()
