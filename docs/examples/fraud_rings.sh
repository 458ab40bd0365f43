#!/usr/bin/env bash
# Fraud rings: accounts that share devices and cards. From eight known cases gssl finds the other members of the rings.
#   PATH=build/release/bin:$PATH docs/examples/fraud_rings.sh
# The data are generated: 2,000 honest accounts, and four rings of 15 that share few devices and cards among them.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Lines "account thing", and who is of a ring. The generator of random numbers is spelled out: every awk gives the same.
awk -v OFS='\t' -v truth="$work/truth.tsv" '
  function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
  BEGIN {
    seed = 2026
    for (a = 0; a < 2000; ++a) {                      # a device and a card of their own, some shared at home
      print "a" a, "device" int(a / 2) * 2 + random(2)
      print "a" a, "card" (random(4) ? a : int(a / 3) * 3)
      if (random(2)) print "a" a, "shop-terminal" random(40)
      print "a" a, "honest" > truth
    }
    for (r = 0; r < 4; ++r)
      for (m = 0; m < 15; ++m) {
        a = "r" r "-" m
        print a, "ring" r "-device" random(4)
        print a, "ring" r "-card" random(4)
        if (random(2)) print a, "shop-terminal" random(40)  # they go shopping, too
        print a, "fraud" > truth
      }
  }' >"$work/pairs.tsv"

# A thing that many use says little: each use weighs one over the number of users.
awk -F '\t' -v OFS='\t' 'NR == FNR { users[$2]++; next } { print $1, $2, 1 / users[$2] }' \
  "$work/pairs.tsv" "$work/pairs.tsv" >"$work/uses.tsv"

# What is known: two members of each ring, and every tenth honest account, which was checked.
awk -F '\t' '$2 == "fraud" && $1 ~ /-[07]$/ || $2 == "honest" && substr($1, 2) % 10 == 0' \
  "$work/truth.tsv" >"$work/known.tsv"

# Accounts and things are two kinds of vertices: u:a17 and v:device16.
awk -v OFS='\t' '{ print "u:" $1, $2 }' "$work/known.tsv" >"$work/labels.tsv"
# Classes of very different size: plain harmonic scores, whose classes need no shares.
gssl label "$work/uses.tsv" "$work/labels.tsv" --bipartite --method harmonic --quiet --scores "$work/scores.tsv" -o "$work/answer.tsv"

# Among the accounts that were not known.
awk -F '\t' '
  FILENAME ~ /truth/ { truth["u:" $1] = $2; next }
  FNR > 1 && $4 == "inferred" && $1 in truth {
    if ($2 == "fraud") { said++; right += truth[$1] == "fraud" }
    members += truth[$1] == "fraud"
  }
  END { printf "%d of the %d other members are found, %d honest accounts are suspected\n", right, members, said - right }
' "$work/truth.tsv" "$work/answer.tsv"

# Why one of them, in the words of the graph: the known cases it hangs on.
gssl explain "$work/uses.tsv" "$work/labels.tsv" --bipartite --node u:r2-4 --top 2 --quiet | cut -f 1-3
