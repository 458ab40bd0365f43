#!/usr/bin/env bash
# Installs every Debian 12 package that gssl needs to build, run and test. Safe to run again.
#   tools/install-deps.sh            what building and testing need
#   tools/install-deps.sh --check    also the formatter and linter of tools/check.sh, and the browser that looks at
#                                    pages of --report
#   tools/install-deps.sh --docs     also what the targets site and api need
#   tools/install-deps.sh --packages also what tools/packaging needs
#   tools/install-deps.sh --bench    also the optional peers of tests/bench: hypre (with an MPI), SciPy, igraph,
#                                    FAISS, hnswlib, scikit-learn, LIBSVM, LIBLINEAR, mlpack (inside an R package)
#   tools/install-deps.sh --mpi      also what gssl-mpi needs: PETSc, SLEPc, hypre, Open MPI
#   tools/install-deps.sh --python   also what the Python package is built and tested with
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache pkgconf git
  libeigen3-dev libspectra-dev libsuitesparse-dev libboost-dev libboost-graph-dev libopenblas-dev
  libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libisal-dev libzstd-dev libbz2-dev liblzma-dev
  libexpat1-dev libnanoflann-dev catch2
  python3 graphviz
)
usage() { sed -n '2,11s/^# \{0,1\}//p' "$0"; }
[ "$#" -le 1 ] || { usage >&2; exit 64; }
case "${1:-}" in
  "") ;;
  --check) packages+=(clang-format clang-tidy chromium) ;;
  --docs) packages+=(pandoc mandoc doxygen) ;;
  --packages)
    packages+=(debhelper devscripts dh-python lintian mmdebstrap pandoc mandoc doxygen petsc-dev libpetsc-real-dev
              slepc-dev libslepc-real-dev libopenmpi-dev python3-dev python3-numpy pybind11-dev) ;;
  --bench)
    packages+=(libhypre-dev python3-scipy libigraph-dev libfaiss-dev libhnswlib-dev
              python3-sklearn python3-igraph libsvm-tools liblinear-dev r-cran-rcppmlpack) ;;
  --mpi) packages+=(petsc-dev libpetsc-real-dev slepc-dev libslepc-real-dev libhypre-dev libopenmpi-dev openmpi-bin) ;;
  --python)
    packages+=(python3-dev python3-venv python3-pip python3-numpy pybind11-dev python3-scipy
              python3-sklearn python3-networkx python3-igraph) ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 64 ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "install-deps: run as root or install sudo" >&2; exit 1; }
  root=(sudo)
fi
echo "install-deps: installing ${missing[*]}" >&2
"${root[@]}" apt-get update -q
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
