#!/usr/bin/env bash
# Installs what is missing, builds, and runs the whole test suite.
#   tools/test.sh            the release preset
#   tools/test.sh asan       another preset: dev, asan; what follows is for its configuration
set -euo pipefail
cd "$(dirname "$0")/.."
preset="${1:-release}"
# Tests run side by side: a thread that waits leaves its core to the others.
export OMP_WAIT_POLICY=passive
# Two thousand processes start; OpenBLAS would begin threads in each that it is not let use.
export OPENBLAS_NUM_THREADS=1

tools/install-deps.sh
cmake --preset "$preset" "${@:2}"
cmake --build --preset "$preset"
ctest --preset "$preset" -j "$(nproc)" --no-tests=error

# A test without its data passes and says "skipped: why"; here they are counted.
log="build/$preset/Testing/Temporary/LastTest.log"
echo "$(grep -c 'skipped: ' "$log" || true) skipped"
grep -o 'skipped: .*' "$log" | sort | uniq -c || true
