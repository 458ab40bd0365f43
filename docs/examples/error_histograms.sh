#!/bin/sh
# How far the error of a learner spreads from one training set to the next: histograms of test
# errors over 1,000 random training sets of each size, as one picture.
#
#   docs/examples/error_histograms.sh datasets/breast_cancer/points.csv class nearest-mean > errors.svg
#
# Needs gssl in PATH. Sizes are of breast cancer, 569 rows; 227 other rows measure each time.
set -eu
points=$1 column=$2 method=$3
rows=569 tested=227 repeats=1000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for size in 342 273 205 137 68 34 27 20 14 7; do
  gssl evaluate --points "$points" --label-column "$column" --method "$method" \
    --train "$(awk "BEGIN { print $size / $rows }")" \
    --test "$(awk "BEGIN { print $tested / $rows }")" \
    --repeats $repeats --results "$work/run.json" --quiet -o /dev/null
  # Every trial has its accuracy on a line of its own, after the comparisons.
  sed -n '/"trials": \[/,$ s/^ *"accuracy": \([0-9.]*\),*$/\1/p' "$work/run.json" |
    awk -v size=$size '{ print size, 1 - $1 }'
done | awk '
  { if (!($1 in count)) order[++sizes] = $1
    ++count[$1]; sum[$1] += $2
    b = int($2 * 100); if (b > 59) b = 59
    if (++bins[$1, b] > most[$1]) most[$1] = bins[$1, b] }
  END {
    wide = 640; tall = 56; left = 70; scale = (wide - left - 110) / 60
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", wide, sizes * tall + 40
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    for (i = 1; i <= sizes; ++i) {
      s = order[i]; base = i * tall
      printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d rows</text>\n", left - 8, base - 4, s
      printf "<path d=\"M%d %dH%d\" stroke=\"#999\"/>\n", left, base, left + 60 * scale
      for (b = 0; b < 60; ++b) if ((s, b) in bins) {
        high = bins[s, b] / most[s] * (tall - 14)
        printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#4477aa\"/>\n", left + b * scale, base - high, scale - 1, high
      }
      mean = sum[s] / count[s]
      printf "<path d=\"M%.1f %dV%d\" stroke=\"#cc3311\" stroke-width=\"2\"/>\n", left + 100 * mean * scale, base, base - tall + 10
      printf "<text x=\"%d\" y=\"%d\">mean %.3f</text>\n", left + 60 * scale + 10, base - 4, mean
    }
    for (e = 0; e <= 60; e += 10)
      printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d %%</text>\n", left + e * scale, sizes * tall + 18, e
    printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">test error</text>\n</svg>\n", left + 30 * scale, sizes * tall + 34
  }'
