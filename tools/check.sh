#!/usr/bin/env bash
# What a change must pass before it is merged: format, clang-tidy, build and tests, no SuiteSparse,
# sanitizers, the Python package, gssl-mpi, shared libraries.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-deps.sh --check
mapfile -t files < <(git ls-files '*.cpp' '*.hpp')
clang-format --dry-run --Werror "${files[@]}"

tools/test.sh release
tools/tidy.sh
tools/tidy.sh alone

# Without SuiteSparse three files differ.
cmake --preset release -DGSSL_WITH_SUITESPARSE=OFF
cmake --build --preset release --target test_solve
ctest --preset release -R '^test_solve:' -j "$(nproc)" --no-tests=error
cmake --preset release -DGSSL_WITH_SUITESPARSE=ON

tools/test.sh asan

# The Python package and the program for many machines, against the libraries that are built; and
# gssl as shared libraries. The programs that measure speed are built, and not run.
tools/install-deps.sh --python
tools/install-deps.sh --mpi
cmake --preset release -DGSSL_PYTHON=ON -DGSSL_WITH_MPI=ON -DGSSL_TEST_SHARED=ON \
  -DGSSL_BUILD_BENCHMARKS=ON
cmake --build --preset release
ctest --preset release -R '^(python|test_mpi|mpi|install:.*shared)' -j 1 --no-tests=error
cmake --preset release -DGSSL_PYTHON=OFF -DGSSL_WITH_MPI=OFF -DGSSL_TEST_SHARED=OFF \
  -DGSSL_BUILD_BENCHMARKS=OFF
