#!/usr/bin/env bash
# Three of a hundred given labels are wrong: gssl explain finds them and says what they should be.
#   PATH=build/release/bin:$PATH docs/examples/find_wrong_labels.sh datasets/digits
set -euo pipefail
digits="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# right LABELS: how many of them are as in truth.tsv.
right() {
  awk -F '\t' 'NR == FNR { truth[$1] = $2; next } FNR > 1 { n++; right += truth[$1] == $2 }
    END { printf "%d of %d labels are right\n", right, n }' "$digits/truth.tsv" "$1"
}

# The first hundred digits, as someone labels them who takes a 4 for a 9, a 1 for a 7 and a 3 for an 8.
awk -F '\t' -v OFS='\t' '
  FNR > 101 { exit }
  $1 == 64 { $2 = 9 }
  $1 == 56 { $2 = 7 }
  $1 == 59 { $2 = 8 }
  { print }' "$digits/truth.tsv" >"$work/given.tsv"
right "$work/given.tsv"

# A table, the most suspect first: rank, node, label, suspicion, others_say, …
gssl explain "$digits/edges.tsv" "$work/given.tsv" --suspects --top 3 --quiet -o "$work/suspects.tsv"
cut -f 1-3,5 "$work/suspects.tsv"

# What the other labels say instead.
awk -F '\t' -v OFS='\t' 'NR == FNR { if (FNR > 1) say[$2] = $5; next } $1 in say { $2 = say[$1] } { print }' \
  "$work/suspects.tsv" "$work/given.tsv" >"$work/mended.tsv"
right "$work/mended.tsv"
