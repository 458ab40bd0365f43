#!/usr/bin/env bash
# tools/new-learner.sh begins a learner of each kind in a copy of the tree; what it writes compiles.
#   new_learner.sh SOURCE_FOLDER COMPILER
set -euo pipefail
source_folder="$1" compiler="$2"
copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
cd "$source_folder"
cp -r --parents .clang-format tools/new-learner.sh algorithms libgraph/include tests/algorithms "$copy"
cd "$copy"

for kind in transductive inductive online; do
  ./tools/new-learner.sh "$kind" "begun-$kind"
  test "$(grep -c "begun_$kind" algorithms/src/builtin.cpp)" -eq 2
  test "$(grep -c "begun_$kind" algorithms/CMakeLists.txt)" -eq 2
  "$compiler" -std=c++20 -fopenmp -fsyntax-only -Wall -Wextra -Werror -Ialgorithms/include -Ialgorithms/src \
    -Ilibgraph/include algorithms/src/*/"begun_$kind.cpp"
done
! ./tools/new-learner.sh inductive begun-inductive 2> message  # never over a file that is there
grep -q "exists: choose another name" message
! ./tools/new-learner.sh solver mine 2> message
grep -q "KIND: transductive, inductive or online" message
