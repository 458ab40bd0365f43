#!/usr/bin/env python3
"""Parses the recipes of this folder and compares them with CMakeLists.txt: one version, and a dependency for each
package that is found there. What the linters of the three collections ask for besides is looked at as far as it needs
no network: order, and the fields that must be there.

  check-recipes.py SOURCE_FOLDER
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
here = source / "tools" / "packaging"
wrong = []

# find_package and find_path of CMakeLists.txt -> what each recipe calls it.
NAMES = {
    "Eigen3": ("eigen", "eigen", "eigen3", "libeigen3-dev"),
    "Spectra": ("spectralib", "spectra", "spectra", "libspectra-dev"),
    "Boost": ("libboost-devel", "boost", "boost-graph", "libboost-dev"),
    "ZLIB": ("zlib", "zlib", "zlib", "zlib1g-dev"),
    "ISAL": ("isa-l", "isa-l", "isal", "libisal-dev"),
    "Zstd": ("zstd", "zstd", "zstd", "libzstd-dev"),
    "nlohmann_json": ("nlohmann_json", "nlohmann-json", "nlohmann-json", "nlohmann-json3-dev"),
    "CHOLMOD": ("suitesparse", "suite-sparse", "suitesparse-cholmod", "libsuitesparse-dev"),
    "BZip2": ("bzip2", "bzip2", "bzip2", "libbz2-dev"),
    "LibLZMA": ("liblzma-devel", "xz", "liblzma", "liblzma-dev"),
    "EXPAT": ("expat", "expat", "expat", "libexpat1-dev"),
    "CLI11": ("cli11", "cli11", "cli11", "libcli11-dev"),
    "fmt": ("fmt", "fmt", "fmt", "libfmt-dev"),
}
WITH_THE_COMPILER = {"OpenMP", "Threads"}

lists = (source / "CMakeLists.txt").read_text() + (source / "tools" / "CMakeLists.txt").read_text()
version = re.search(r"project\(gssl VERSION ([\d.]+)", lists).group(1)
found = set(re.findall(r"find_package\((\w+)[^)]*REQUIRED", lists)) | {"Spectra"}

texts = {
    "conda/meta.yaml": (here / "conda" / "meta.yaml").read_text(),
    "homebrew/gssl.rb": (here / "homebrew" / "gssl.rb").read_text(),
    "vcpkg/gssl/vcpkg.json": (here / "vcpkg" / "gssl" / "vcpkg.json").read_text(),
    "debian/control": (here / "debian" / "control").read_text(),
}
for package in sorted(found - WITH_THE_COMPILER):
    if package not in NAMES:
        wrong.append(f"{package}: is found by CMakeLists.txt, and no recipe has it")
        continue
    for (recipe, text), name in zip(texts.items(), NAMES[package]):
        if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
            wrong.append(f"{recipe}: {name} is missing, which CMakeLists.txt finds as {package}")

for recipe, pattern in (("conda/meta.yaml", r'version = "([\d.]+)"'), ("homebrew/gssl.rb", r"gssl-([\d.]+)\.tar"),
                        ("vcpkg/gssl/vcpkg.json", r'"version": "([\d.]+)"')):
    told = re.search(pattern, texts[recipe]).group(1)
    if told != version:
        wrong.append(f"{recipe}: version {told}, CMakeLists.txt has {version}")
if not (here / "debian" / "changelog").read_text().startswith(f"gssl ({version}-"):
    wrong.append(f"debian/changelog: its first version is not {version}")


def in_order(recipe, what, names):
    if names != sorted(names):
        wrong.append(f"{recipe}: {what} are not in order: {', '.join(names)}")


def check_vcpkg(text):
    """As `vcpkg format-manifest` leaves a port."""
    port = json.loads(text)
    for what, listed in (("dependencies", port["dependencies"]), *((f"dependencies of {name}", one["dependencies"])
                                                                   for name, one in port["features"].items())):
        in_order("vcpkg/gssl/vcpkg.json", what, [one if isinstance(one, str) else one["name"] for one in listed])
    in_order("vcpkg/gssl/vcpkg.json", "features", list(port["features"]))
    if text != json.dumps(port, indent=2, ensure_ascii=False) + "\n":
        wrong.append("vcpkg/gssl/vcpkg.json: must be laid out with two blanks a level")


def check_homebrew(text):
    """As `brew style` has the order of a formula."""
    for what, pattern in (("what it is built with", r'depends_on "([^"]+)" => :build'),
                          ("what it needs", r'depends_on [":]([\w-]+)"?\n')):
        in_order("homebrew/gssl.rb", what, re.findall(pattern, text))
    fields = re.findall(r"^  (desc|homepage|url|sha256|license|depends_on|def install|test do)\b", text, re.M)
    if list(dict.fromkeys(fields)) != ["desc", "homepage", "url", "sha256", "license", "depends_on", "def install",
                                       "test do"]:
        wrong.append(f"homebrew/gssl.rb: its fields are {list(dict.fromkeys(fields))}")
    description = re.search(r'desc "([^"]+)"', text).group(1)
    if len("gssl: " + description) > 80 or re.match(r"(?i)(an?|the|gssl)\b", description) or description.endswith("."):
        wrong.append("homebrew/gssl.rb: desc must be short, without an article or a full stop")


def check_conda(recipe):
    """As `conda-smithy recipe-lint` asks of a recipe."""
    sections = ["package", "source", "build", "requirements", "test", "about", "extra"]
    if list(recipe) != sections:
        wrong.append(f"conda/meta.yaml: its sections are {list(recipe)}, must be {sections}")
        return
    if list(recipe["requirements"]) != ["build", "host", "run"]:
        wrong.append("conda/meta.yaml: requirements must be build, host, run")
    for section, field in (("source", "sha256"), ("build", "number"), ("test", "commands"), ("about", "home"),
                           ("about", "summary"), ("about", "license"), ("about", "license_file"),
                           ("extra", "recipe-maintainers")):
        if field not in recipe[section]:
            wrong.append(f"conda/meta.yaml: {section} has no {field}")
    for version in re.findall(r"^    - [\w-]+( *[<>=][^\n]*)", texts["conda/meta.yaml"], re.M):
        if not re.fullmatch(r" [<>=]+[\d.]+", version):
            wrong.append(f"conda/meta.yaml: '{version}' must have one blank before and none inside")


check_vcpkg(texts["vcpkg/gssl/vcpkg.json"])
check_homebrew(texts["homebrew/gssl.rb"])
try:
    import yaml
    check_conda(yaml.safe_load(re.sub(r"\{\{.*?\}\}", "x", re.sub(r"\{%.*?%\}", "", texts["conda/meta.yaml"]))))
except ImportError:
    print("check-recipes: no yaml here, conda/meta.yaml is compared but not parsed")
if shutil.which("ruby"):
    wrong += [] if subprocess.run(["ruby", "-c", here / "homebrew" / "gssl.rb"], capture_output=True).returncode == 0 \
        else ["homebrew/gssl.rb: is no Ruby"]
else:
    print("check-recipes: no ruby here, homebrew/gssl.rb is compared but not parsed")
for script in ("build-debian.sh", "try-debian.sh", "debian/tests/cli", "debian/tests/build", "debian/tests/completions",
               "debian/tests/python", "debian/tests/mpi"):
    if subprocess.run(["bash", "-n", here / script]).returncode != 0:
        wrong.append(f"{script}: is no shell")

for line in wrong:
    print(f"check-recipes: {line}", file=sys.stderr)
sys.exit(1 if wrong else 0)
