#!/bin/bash
# Published protocols and reference accuracies, made by one recipe: the SSL-book sets with their
# twelve splits, Cora with the Planetoid split, USPS 3 against 8, the ESL's zip codes, and batch
# learners on a9a, spambase, mushrooms, breast cancer, USPS and digits.
#
#   tests/bench/protocols.sh DATA REFERENCE [GSSL] [PART…]
#   tests/bench/protocols.sh --list                              # the parts
#
# DATA and REFERENCE hold the files as their READMEs say. Writes one table of TAB-separated fields:
# set, protocol, method, measured, published (a dash where there is none). Shares in percent.
set -euo pipefail
if [ "${1:-}" = --list ]; then
  printf '%-24s %s\n' \
    ssl "the SSL-book sets with their twelve splits" \
    cora "Cora with the Planetoid split" \
    usps "USPS 3 against 8, ten label sets at five rates" \
    esl "zip codes of The Elements of Statistical Learning" \
    batch "batch learners beside scikit-learn"
  exit
fi
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

zip_rows() {
  zcat "$data/points/usps/plain/zip.train.gz" >"$work/zip.train"
  zcat "$data/points/usps/zip.test.gz" >"$work/zip.test"
}

esl() {
  local k published
  zip_rows
  for part in train test; do
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

# The same beside a scikit-learn estimator on these files, and a published figure where there is one:
# SET PROTOCOL METHOD ESTIMATOR PUBLISHED TRAIN TEST COLUMN [--standardize]; COLUMN 0: libsvm rows.
# PUBLISHED is a dash where there is none.
beside() {
  local set=$1 protocol=$2 method=$3 estimator=$4 published=$5 train=$6 test=$7 column=$8
  shift 8
  local found label=()
  ((column == 0)) || label=(--label-column "$column")
  found=$(/usr/bin/python3 "$(dirname "$0")/sklearn_accuracy.py" "$train" "$test" "$column" \
    "$estimator" "$@")
  "$gssl" fit "$train" --method "$method" "${label[@]}" "$@" --quiet -o "$work/model"
  "$gssl" predict "$work/model" "$test" "${label[@]}" --quiet -o "$work/out" \
    --summary "$work/run.json"
  row "$set" "$protocol" "$method" "$(percent "$(value "$work/run.json" accuracy)")" \
    "$published; scikit-learn $found"
}

# Ten folds, row i in fold i mod 10: the mean of the figures of beside().
folds() {
  local set=$1 method=$2 estimator=$3 published=$4 file=$5 column=$6 fold
  shift 6
  for fold in 0 1 2 3 4 5 6 7 8 9; do
    awk -v f="$fold" '(NR - 1) % 10 != f' "$file" >"$work/fold.train"
    awk -v f="$fold" '(NR - 1) % 10 == f' "$file" >"$work/fold.test"
    beside "$set" "10 folds, i mod 10" "$method" "$estimator" "$published" "$work/fold.train" \
      "$work/fold.test" "$column" "$@"
  done | awk -F'\t' -v OFS='\t' '{ a += $4; n = split($5, words, " "); b += words[n]; sub(/ [^ ]*$/, "", $5); keep = $5; first = $1; second = $2; third = $3 }
    END { printf "%s\t%s\t%s\t%.2f\t%s %.2f\n", first, second, third, a / NR, keep, b / NR }'
}

batch() {
  local points=$data/points method estimator published
  while IFS='>' read -r method estimator published; do
    beside a9a "test file" "$method" "$estimator" "$published" "$points/a9a/a9a" "$points/a9a/a9a.t" 0
  done <<'LEARNERS'
linear-svm:bias=none>LinearSVC(loss="hinge",fit_intercept=False,max_iter=20000)>85.0 (LIBLINEAR)
linear-svm:bias=none,loss=squared-hinge>LinearSVC(fit_intercept=False,dual=False)>84.94
logistic:bias=none>LogisticRegression(fit_intercept=False,max_iter=1000)>84.99
adaboost:rounds=100>AdaBoostClassifier(n_estimators=100,algorithm="SAMME")>-
LEARNERS
  # The split of The Elements of Statistical Learning, whose figures these are.
  for part in 0 1; do
    paste -d ' ' <(tr -d ' ' <"$points/spambase/spam.traintest") "$points/spambase/spam.data" |
      awk -v p=$part '$1 == p { sub(/^[01] /, ""); print }' >"$work/spam.$part"
  done
  while IFS='>' read -r method estimator published; do
    beside spambase "test rows of ESL" "$method" "$estimator" "$published" "$work/spam.0" \
      "$work/spam.1" 58 --standardize
  done <<'LEARNERS'
tree:prune=cross-validation>DecisionTreeClassifier(ccp_alpha=0.001)>91.3
logistic>LogisticRegression(max_iter=5000)>92.4
bagging:rounds=200>BaggingClassifier(n_estimators=200,n_jobs=2)>94.6
forest:trees=500>RandomForestClassifier(500,n_jobs=2)>95.12
adaboost:rounds=200>AdaBoostClassifier(n_estimators=200,algorithm="SAMME")>-
svm:c=10>SVC(C=10)>-
LEARNERS
  while IFS='>' read -r method estimator published; do
    beside mushrooms "test file" "$method" "$estimator" "$published" \
      "$points/mushroom/agaricus.txt.train" "$points/mushroom/agaricus.txt.test" 0
  done <<'LEARNERS'
tree>DecisionTreeClassifier()>100 (rules of the data set's notes)
linear-svm>LinearSVC()>-
nearest-mean>NearestCentroid()>-
LEARNERS
  tail -n +2 "$points/sklearn/breast_cancer.csv" >"$work/cancer"
  while IFS='>' read -r method estimator published; do
    folds "breast cancer" "$method" "$estimator" "$published" "$work/cancer" 31 --standardize
  done <<'LEARNERS'
linear-svm>LinearSVC(loss="hinge",max_iter=100000)>97.5 (notes of the data set)
svm>SVC()>-
tree>DecisionTreeClassifier()>91.39 to 92.97
adaboost:rounds=50>AdaBoostClassifier(n_estimators=50,algorithm="SAMME")>-
forest:trees=100>RandomForestClassifier(100)>-
nearest-mean>NearestCentroid()>-
LEARNERS
  [ -s "$work/zip.train" ] || zip_rows
  while IFS='>' read -r method estimator published; do
    beside USPS "test file" "$method" "$estimator" "$published" "$work/zip.train" "$work/zip.test" 1
  done <<'LEARNERS'
k-nearest:k=1>KNeighborsClassifier(1)>94.37
svm:kernel=gaussian(beta=0.013),c=10>SVC(C=10,gamma=0.013)>95.8
forest:trees=100>RandomForestClassifier(100,n_jobs=2)>-
LEARNERS
  zcat "$points/sklearn/digits.csv.gz" | awk 'NR <= 898' >"$work/digits.train"
  zcat "$points/sklearn/digits.csv.gz" | awk 'NR > 898' >"$work/digits.test"
  while IFS='>' read -r method estimator published; do
    beside digits "second half" "$method" "$estimator" "$published" "$work/digits.train" \
      "$work/digits.test" 65
  done <<'LEARNERS'
svm:kernel=gaussian(beta=0.001)>SVC(gamma=0.001)>97 (scikit-learn's example)
k-nearest:k=3>KNeighborsClassifier(3)>-
forest:trees=100>RandomForestClassifier(100)>-
LEARNERS
}

row set protocol method measured published
for part in $parts; do "$part"; done
