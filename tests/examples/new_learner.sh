#!/usr/bin/env bash
# tools/new-learner.sh enters a learner in every list, and refuses what it cannot begin.
#   new_learner.sh SOURCE_FOLDER
set -euo pipefail
copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
"$(dirname "$0")/begin_learners.sh" "$1" "$copy"
cd "$copy"

for kind in transductive inductive online; do
  test "$(grep -c "begun_$kind" algorithms/src/builtin.cpp)" -eq 2
  test "$(grep -c "begun_$kind" algorithms/CMakeLists.txt)" -eq 2
  test "$(grep -c "test_begun_$kind" tests/algorithms/CMakeLists.txt)" -eq 1
done
! ./tools/new-learner.sh inductive begun-inductive 2> message  # never over a file that is there
grep -q "exists: choose another name" message
! ./tools/new-learner.sh solver mine 2> message
grep -q "KIND: transductive, inductive or online" message
