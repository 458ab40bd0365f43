#!/bin/bash
# Published protocols and reference accuracies, made by one recipe: the SSL-book sets with their
# twelve splits, Cora with the Planetoid split, USPS 3 against 8, the ESL's zip codes, and batch
# learners on a9a, spambase, mushrooms, breast cancer, USPS and digits.
#
#   tests/bench/protocols.sh DATA REFERENCE [GSSL] [PART…]     # parts: ssl cora usps esl batch
#
# DATA and REFERENCE hold the files as their READMEs say. Writes one table of TAB-separated fields:
# set, protocol, method, measured, published (a dash where there is none). Shares in percent.
set -euo pipefail
data=$1 reference=$2 gssl=${3:-gssl}
shift $(($# < 3 ? $# : 3))
parts=${*:-ssl cora usps esl batch}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { printf '%s\t%s\t%s\t%s\t%s\n' "$@"; }
percent() { awk -v x="$1" 'BEGIN { printf "%.2f", 100 * x }'; }
# Of a JSON summary one number.
value() { sed -n "s/^ *\"$2\": \([-0-9.e+]*\),*$/\1/p" "$1" | head -1; }

# Accuracies of several methods on the same trials: SET PROTOCOL, then the arguments of evaluate.
# PUBLISHED holds "method=figure" by semicolons.
trials() {
  local set=$1 protocol=$2 published=$3
  shift 3
  "$gssl" evaluate "$@" --quiet -o "$work/table"
  tail -n +2 "$work/table" | while IFS=$'\t' read -r method _ _ accuracy _; do
    row "$set" "$protocol" "$method" "$(percent "$accuracy")" \
      "$(tr ';' '\n' <<<"$published" | awk -F'>' -v m="$method" '$1 == m { f = $2 } END { print f == "" ? "-" : f }')"
  done
}

# A model learned on one file and measured on another: SET METHOD PUBLISHED TRAIN TEST, then options.
held_out() {
  local set=$1 method=$2 published=$3 train=$4 test=$5
  shift 5
  "$gssl" fit "$train" --method "$method" "$@" --quiet -o "$work/model"
  "$gssl" predict "$work/model" "$test" "$@" --quiet -o "$work/out" --summary "$work/run.json"
  row "$set" "test file" "$method" "$(percent "$(value "$work/run.json" accuracy)")" "$published"
}

ssl() {
  local name labels nearest
  while read -r name labels nearest; do
    trials "$name" "12 published splits, $labels labels" "k-nearest:k=1>$nearest" \
      --points "$data/points/ssl_book/plain/$name.csv.gz" --label-column 1 \
      --splits "$data/points/ssl_book/plain/$name.labeled$labels.txt" --knn 10 \
      --method k-nearest:k=1 --method harmonic --method harmonic:mass=cmn --method poisson \
      --method auto
  done <<'SETS'
digit1 10 76.53
digit1 100 93.88
usps2_5_vs_rest 10 80.18
usps2_5_vs_rest 100 92.36
bci 10 51.26
bci 100 55.17
g241c 10 55.95
g241c 100 59.72
SETS
}

cora() {
  local plain=$data/graphs/cora/plain method published
  awk '{ print NR - 1 "\t" $1 }' "$plain/cora.labels.txt" >"$work/all"
  for part in train test; do
    awk 'NR == FNR { wanted[$1]; next } $1 in wanted' "$plain/cora.$part.txt" "$work/all" \
      >"$work/$part"
  done
  while read -r method published; do
    "$gssl" label "$plain/cora.edges.txt" "$work/train" --truth "$work/test" --method "$method" \
      --quiet -o "$work/out" --summary "$work/run.json"
    row cora "Planetoid split" "$method" "$(percent "$(value "$work/run.json" accuracy)")" \
      "$published"
  done <<'METHODS'
harmonic 71.7
harmonic:mass=cmn 73.6
local-global:alpha=0.99 68.9
poisson -
auto -
METHODS
}

usps() {
  local labels plain masses
  zcat "$data/points/usps/plain/zip.train.gz" | awk '$1 == 3 || $1 == 8' >"$work/points"
  while read -r labels plain masses; do
    trials "USPS 3 against 8" "10 label sets, $labels a class" \
      "harmonic>$plain;harmonic:mass=cmn>$masses" --points "$work/points" --label-column 1 \
      --splits "$reference/points/usps38.labelled_${labels}_per_class.txt" --knn 10 \
      --weights unit --method harmonic --method harmonic:mass=cmn --method auto
  done <<'RATES'
1 55.1 94.9
2 72.5 95.1
4 93.5 95.2
8 94.7 95.5
16 94.9 95.6
RATES
}

esl() {
  local k published
  for part in train test; do
    local file=$data/points/usps/plain/zip.train.gz
    [ $part = test ] && file=$data/points/usps/zip.test.gz
    zcat "$file" >"$work/zip.$part"
    awk '$1 == 2 || $1 == 3' "$work/zip.$part" >"$work/two.$part"
  done
  while read -r k published; do
    held_out "zip 2 against 3" "k-nearest:k=$k" "$published" "$work/two.train" "$work/two.test" \
      --label-column 1
  done <<'NEIGHBORS'
1 97.53
3 96.98
5 96.98
7 96.70
15 96.15
NEIGHBORS
  held_out "zip 2 against 3" least-squares 95.88 "$work/two.train" "$work/two.test" --label-column 1
  held_out USPS k-nearest:k=1 94.37 "$work/zip.train" "$work/zip.test" --label-column 1
}

batch() {
  local points=$data/points
  held_out a9a linear-svm 85.0 "$points/a9a/a9a" "$points/a9a/a9a.t"
  held_out a9a logistic 85.0 "$points/a9a/a9a" "$points/a9a/a9a.t"
  held_out mushrooms tree 100 "$points/mushroom/agaricus.txt.train" \
    "$points/mushroom/agaricus.txt.test"
  trials spambase "10 folds" "" --points "$points/spambase/spam.data" --label-column 58 \
    --folds 10 --method tree --method forest:trees=100 --method adaboost:rounds=100 \
    --method logistic
  tail -n +2 "$points/sklearn/breast_cancer.csv" >"$work/cancer"
  trials "breast cancer" "10 folds" "" --points "$work/cancer" --label-column 31 --folds 10 \
    --method nearest-mean --method forest:trees=100 --method svm --method adaboost:rounds=50
  trials digits "10 folds" "" --points "$points/sklearn/digits.csv.gz" --label-column 65 \
    --folds 10 --method k-nearest:k=3 --method 'svm:kernel=gaussian(beta=0.001)' \
    --method forest:trees=100
}

row set protocol method measured published
for part in $parts; do "$part"; done
