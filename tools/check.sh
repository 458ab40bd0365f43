#!/usr/bin/env bash
# What a change must pass before it is merged: format, clang-tidy, build and tests, sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-deps.sh --check
mapfile -t files < <(git ls-files '*.cpp' '*.hpp')
clang-format --dry-run --Werror "${files[@]}"

tools/test.sh release
# The dev preset has none of GCC's precompiled headers, which clang cannot read.
cmake --preset dev
mapfile -t sources < <(git ls-files 'libgraph/src/*.cpp' 'algorithms/src/*.cpp' 'io/src/*.cpp' 'tools/*.cpp')
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p build/dev --quiet --extra-arg=-Wno-unknown-warning-option

tools/test.sh asan
