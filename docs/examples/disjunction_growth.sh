#!/usr/bin/env bash
# Few features of many matter: mistakes of winnow grow with the logarithm of their number, those of the perceptron with
# the number itself. Rows of 0 and 1, of which the first three columns decide.
#   PATH=build/release/bin:$PATH docs/examples/disjunction_growth.sh
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# 3,000 rows of $1 features, each 1 in a fifth of them. The generator of random numbers is spelled out: every awk gives
# the same.
rows() {
  awk -v n="$1" '
    function random(k) { seed = (seed * 16807) % 2147483647; return seed % k }
    BEGIN {
      seed = 7 + n
      for (t = 0; t < 3000; ++t) {
        line = ""
        any = 0
        for (i = 1; i <= n; ++i)
          if (random(5) == 0) {
            line = line " " i ":1"
            if (i <= 3) any = 1
          }
        print any line
      }
    }'
}
value() { awk -F'\t' -v name="$2" '$1 == name { print $2 }' "$1"; }

printf 'features\twinnow\tbound\tperceptron\n'
for n in 32 128 512 2048; do
  rows "$n" >"$work/rows"
  gssl online "$work/rows" --method winnow:relevant=1/2/3,threshold="$n" --summary-only --quiet >"$work/winnow"
  gssl online "$work/rows" --method perceptron --summary-only --quiet >"$work/perceptron"
  printf '%s\t%s\t%.0f\t%s\n' "$n" "$(value "$work/winnow" mistakes)" "$(value "$work/winnow" bound)" \
    "$(value "$work/perceptron" mistakes)"
done
