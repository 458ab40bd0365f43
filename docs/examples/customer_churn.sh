#!/usr/bin/env bash
# Which customers will leave: a table of customers, a model of it, and the answers for new rows.
#   PATH=build/release/bin:$PATH docs/examples/customer_churn.sh
# The table is generated: months with us, calls to support, gigabytes, price, and who left.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

awk -v OFS=, '
  function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
  BEGIN {
    seed = 5
    for (c = 0; c < 1200; ++c) {
      file = c < 800 ? "customers.csv" : "new.csv"
      if (c == 0 || c == 800) print "id,months,calls,gigabytes,price,left" > file
      months = 1 + random(60); calls = random(8); gigabytes = random(200); price = 10 + random(40)
      leaves = calls * 12 + price - months - gigabytes / 8 + random(30) > 50 && random(12)
      print "c" c, months, calls, gigabytes, price, leaves ? "yes" : "no" > file
    }
  }'

# Which learner: ten folds, all on the same ones.
gssl evaluate --points customers.csv --id-column id --label-column left --folds 10 --quiet \
  --method nearest-mean --method "k-nearest:k=5|15" --method logistic --method forest:trees=50 |
  awk -F '\t' 'NR > 1 { printf "%-12s %.0f %% right, %s\n", $1, 100 * $4, $10 }'

# A model of all rows, with a chance for each class, and the new customers.
gssl fit customers.csv --id-column id --label-column left --method forest:trees=50 --quiet -o churn.model
gssl predict churn.model new.csv --id-column id --label-column left --quiet -o answer.tsv
awk -F '\t' 'NR > 1 { n[$2]++ } END { printf "of %d new customers %d will leave\n", n["yes"] + n["no"], n["yes"] }' answer.tsv
awk -F '[,\t]' 'NR == FNR { left[$1] = $6; next } FNR > 1 { n++; right += left[$1] == $2 }
  END { printf "%.0f %% of the answers are right\n", 100 * right / n }' new.csv answer.tsv
