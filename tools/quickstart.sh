#!/usr/bin/env bash
# From a fresh clone to an answer: installs, builds, and labels 1,797 handwritten digits from 10 of them.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-deps.sh
cmake --preset release -DGSSL_BUILD_TESTS=OFF
cmake --build --preset release
gssl=build/release/bin/gssl

out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
echo
echo "\$ gssl label datasets/digits/edges.tsv datasets/digits/labels.tsv --truth datasets/digits/truth.tsv"
"$gssl" label datasets/digits/edges.tsv datasets/digits/labels.tsv \
  --truth datasets/digits/truth.tsv -o "$out/digits.tsv"
echo
head -n 6 "$out/digits.tsv"
echo "…"
