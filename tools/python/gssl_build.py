"""Builds the wheel of gssl: the package, the module and the command. A build backend (PEP 517) that
needs CMake and a compiler, and nothing of Python but what is standard.

    pip install .                                              # builds in build/wheel
    pip install . --config-settings=build-dir=build/release    # from a build folder that is there
"""

import base64
import hashlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUMMARY = "Labels the vertices of a graph from a few given labels"


def _version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(gssl VERSION ([0-9.]+)", file.read())[1]


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _metadata():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    return (f"Metadata-Version: 2.1\nName: gssl\nVersion: {_version()}\nSummary: {SUMMARY}\n"
            # pybind11 before 2.12, as in Debian 12, knows the dtypes of NumPy 1.
            "License: BSD-3-Clause\nRequires-Python: >=3.9\nRequires-Dist: numpy < 2\n"
            "Provides-Extra: sklearn\nRequires-Dist: scikit-learn >= 1.0; extra == 'sklearn'\n"
            "Description-Content-Type: text/markdown\n\n" + readme)


def _wheel_file():
    return ("Wheel-Version: 1.0\nGenerator: gssl_build\nRoot-Is-Purelib: false\n"
            f"Tag: {_tag()}\n")


def _build(settings):
    """The build folder, with the package laid out and the command built."""
    asked = (settings or {}).get("build-dir")
    folder = os.path.join(ROOT, asked or os.path.join("build", "wheel"))
    configure = ["cmake", "-S", ROOT, "-B", folder, "-DGSSL_PYTHON=ON"]
    if not asked:
        # Without SuiteSparse the wheel needs the C++ and OpenMP libraries alone.
        configure += [f"-DPython_EXECUTABLE={sys.executable}", "-G", "Ninja",
                      "-DCMAKE_BUILD_TYPE=Release", "-DGSSL_BUILD_TESTS=OFF",
                      "-DGSSL_WITH_SUITESPARSE=OFF", "-DGSSL_PRECOMPILE=whole"]
    subprocess.run(configure, check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", folder, "--target", "gssl_python_package", "gssl"],
                   check=True, stdout=sys.stderr)
    return folder


class _Archive:
    """A wheel that is written file by file, and its record."""

    def __init__(self, path):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record = []

    def add(self, name, data, mode=0o644):
        info = zipfile.ZipInfo(name, date_time=(2000, 1, 1, 0, 0, 0))
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, name):
        lines = "\n".join([*self._record, f"{name},,"]) + "\n"
        self._zip.writestr(zipfile.ZipInfo(name, date_time=(2000, 1, 1, 0, 0, 0)), lines)
        self._zip.close()


def _read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = _build(config_settings)
    info = f"gssl-{_version()}.dist-info"
    name = f"gssl-{_version()}-{_tag()}.whl"
    archive = _Archive(os.path.join(wheel_directory, name))
    package = os.path.join(folder, "python", "gssl")
    for file in sorted(os.listdir(package)):
        if file.endswith((".py", ".pyi", ".so")) or file == "py.typed":
            archive.add(f"gssl/{file}", _read(package, file))
    archive.add(f"gssl-{_version()}.data/scripts/gssl", _read(folder, "bin", "gssl"), 0o755)
    archive.add(f"{info}/METADATA", _metadata().encode())
    archive.add(f"{info}/WHEEL", _wheel_file().encode())
    archive.add(f"{info}/LICENSE", _read(ROOT, "LICENSE"))
    archive.close(f"{info}/RECORD")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = f"gssl-{_version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, info))
    for name, text in (("METADATA", _metadata()), ("WHEEL", _wheel_file())):
        with open(os.path.join(metadata_directory, info, name), "w", encoding="utf-8") as file:
            file.write(text)
    return info


def build_sdist(sdist_directory, config_settings=None):
    stem = f"gssl-{_version()}"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    path = os.path.join(sdist_directory, stem + ".tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        for file in files.stdout.decode().rstrip("\0").split("\0"):
            archive.add(os.path.join(ROOT, file), f"{stem}/{file}", recursive=False)
        info = tarfile.TarInfo(f"{stem}/PKG-INFO")
        data = _metadata().encode()
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return stem + ".tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel
