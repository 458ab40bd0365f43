#!/usr/bin/env bash
# Topics of papers from their citations: which learner, how many labels, and which papers to read next.
#   PATH=build/release/bin:$PATH docs/examples/paper_topics.sh [EDGES TOPICS]
# Without files, 1,500 papers on five topics are generated that cite mostly their own topic; with Cora's edges and
# topics as EDGES and TOPICS the same commands run on Cora.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
edges="${1:-$work/edges.tsv}" topics="${2:-$work/topics.tsv}"

[ "$#" -ge 2 ] || awk -v OFS='\t' -v topics="$topics" '
  function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
  BEGIN {
    seed = 7
    split("databases learning networks theory vision", name, " ")
    for (p = 0; p < 1500; ++p) {
      topic[p] = 1 + random(5)
      print p, name[topic[p]] > topics
      cites = p ? 1 + random(4) : 0
      for (c = 0; c < cites; ++c) {
        own = random(5) > 0  # four citations of five stay in the topic
        for (attempt = 0; attempt < 40; ++attempt) {
          q = random(p)
          if ((topic[q] == topic[p]) == own) { print p, q; break }
        }
      }
    }
  }' >"$edges"

# Four learners at 2 and 10 labels of each topic, each measured on the same ten draws of labels.
gssl evaluate "$edges" "$topics" --labels-per-class 2,10 --repeats 10 --quiet \
  --method auto --method harmonic --method poisson --method local-global |
  awk -F '\t' 'NR > 1 { printf "%-14s %2d labels a topic: %2.0f %% right, %s\n", $1, $2, 100 * $4, $10 }'

# Which papers someone should read and label next, where two of each topic are known.
awk -F '\t' '++seen[$2] <= 2' "$topics" >"$work/known.tsv"
gssl ask "$edges" "$work/known.tsv" -n 3 --quiet | cut -f 1,2
