#!/usr/bin/env bash
# What a change must pass before it is merged: format, clang-tidy, build and tests, sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-deps.sh --check
mapfile -t files < <(git ls-files '*.cpp' '*.hpp')
clang-format --dry-run --Werror "${files[@]}"

tools/test.sh release
tools/tidy.sh

tools/test.sh asan
