#!/usr/bin/env bash
# Begins a learner of each kind by tools/new-learner.sh, in a folder that has of the sources what the
# script changes. Begins anew where there were some.
#   begin_learners.sh SOURCE_FOLDER FOLDER
set -euo pipefail
source_folder="$1" folder="$2"
rm -rf "$folder"
mkdir -p "$folder"
cd "$source_folder"
cp --parents .clang-format tools/new-learner.sh algorithms/CMakeLists.txt algorithms/src/builtin.cpp \
  tests/algorithms/CMakeLists.txt "$folder"
cd "$folder"
mkdir -p algorithms/{src,include/gssl}/{transductive,batch,online}
for kind in transductive inductive online; do
  ./tools/new-learner.sh "$kind" "begun-$kind"
done
