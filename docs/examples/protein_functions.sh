#!/usr/bin/env bash
# Functions of proteins from who binds to whom: a weighted network, several functions, and how sure each answer is.
#   PATH=build/release/bin:$PATH docs/examples/protein_functions.sh
# The network is generated: complexes of five to twelve proteins that bind inside (scores of 0.4 to 1), chance bindings
# between them (0.1 to 0.5), and a function for each complex. A third of the proteins have a known function.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

awk -v OFS='\t' -v truth="$work/functions.tsv" '
  function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
  function name(p) { return sprintf("Y%04d", p) }
  BEGIN {
    seed = 99
    split("transport ribosome splicing metabolism repair signaling", function_name, " ")
    for (complex = 0; complex < 90; ++complex) {
      size = 5 + random(8)
      does = function_name[1 + random(6)]
      for (i = 0; i < size; ++i) {
        print name(n + i), random(12) ? does : function_name[1 + random(6)] > truth
        for (j = 0; j < i; ++j) if (random(10) < 6) print name(n + i), name(n + j), (40 + random(61)) / 100
      }
      n += size
    }
    for (e = 0; e < n; ++e) print name(random(n)), name(random(n)), (10 + random(41)) / 100
  }' >"$work/binds.tsv"
awk 'NR % 3 == 1' "$work/functions.tsv" >"$work/known.tsv"

# Confidence is made the chance to be right, by known functions that are left out in turn.
gssl label "$work/binds.tsv" "$work/known.tsv" --unknown-labels ignore --calibrate temperature \
  --truth "$work/functions.tsv" --summary "$work/run.json" --quiet -o "$work/answer.tsv"

awk -F '\t' '
  NR == FNR { truth[$1] = $2; next }
  FNR > 1 && $4 == "inferred" {
    sure = $3 >= 0.9 ? "at least 0.9" : $3 >= 0.6 ? "0.6 to 0.9" : "below 0.6"
    n[sure]++; right[sure] += truth[$1] == $2
  }
  END { for (s in n) printf "confidence %-12s %3d proteins, %3.0f %% right\n", s, n[s], 100 * right[s] / n[s] }
' "$work/functions.tsv" "$work/answer.tsv" | sort

# Which known functions the others contradict most: candidates for a second look.
gssl explain "$work/binds.tsv" "$work/known.tsv" --unknown-labels ignore --suspects --top 2 --quiet | cut -f 1-3,5
