"""What import costs, and what a wheel holds."""

import os
import re
import subprocess
import sys
import unittest

import gssl


def python(code):
    return subprocess.run([sys.executable, "-B", "-c", code], check=True,
                          capture_output=True).stdout.decode()


class Package(unittest.TestCase):
    def test_import_loads_nothing_before_it_is_used(self):
        loaded = ("print([m for m in ('numpy', 'scipy', 'sklearn', 'pandas', 'networkx', 'igraph',\n"
                  "       'gssl._gssl', 'gssl.learners', 'gssl._models') if m in sys.modules])")
        self.assertEqual(python("import sys, gssl\n" + loaded).strip(), "[]")
        self.assertEqual(python("import sys, gssl\ngssl.label\n" + loaded).strip(),
                         "['numpy', 'gssl._gssl']")

    def test_import_is_quick(self):
        """At most 0.15 s are promised; less than NumPy alone takes is what can be held on any machine."""
        def seconds(module):
            return min(float(python("import time\nbegin = time.process_time()\n"
                                    f"import {module}\nprint(time.process_time() - begin)"))
                       for _ in range(3))
        self.assertLess(seconds("gssl"), 0.5 * seconds("numpy"))

    def test_every_name_is_there_and_the_star_brings_it(self):
        for name in (*gssl.__all__, "__version__", "estimators", "learners"):
            self.assertIsNotNone(getattr(gssl, name), name)
        self.assertEqual(python("from gssl import *\nprint(label.__name__, Graph.__name__)").split(),
                         ["label", "Graph"])

    def test_version_and_stubs(self):
        with open("CMakeLists.txt", encoding="utf-8") as file:
            version = re.search(r"project\(gssl VERSION ([0-9.]+)", file.read())[1]
        self.assertEqual(gssl.__version__, version)
        folder = os.path.dirname(gssl.__file__)
        for name in ("py.typed", "learners.pyi", "__init__.pyi"):
            self.assertTrue(os.path.exists(os.path.join(folder, name)), name)

    def test_the_stub_names_what_there_is(self):
        with open(os.path.join(os.path.dirname(gssl.__file__), "__init__.pyi")) as file:
            stub = file.read()
        for name in gssl.__all__:
            self.assertRegex(stub, rf"(def|class) {name}\b")

    def test_dir_and_unknown_names(self):
        self.assertIn("estimators", dir(gssl))
        with self.assertRaises(AttributeError):
            gssl.no_such_thing

    def test_a_plug_in_that_is_none(self):
        with self.assertRaises(gssl.Error):
            gssl.load_plugin("README.md")


if __name__ == "__main__":
    unittest.main()
