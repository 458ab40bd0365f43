#!/bin/sh
# A best expert that changes: losses and weights of the static average and of fixed and variable
# share over 800 trials of 64 experts with 3 shifts (M. Herbster and M. Warmuth 1998).
#
#   docs/examples/shifting_experts.sh FOLDER
#
# Writes weighted_average.svg, weighted_average_weights.svg, …, and all three losses in one picture,
# share_losses.svg. Needs gssl in PATH.
set -eu
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk 'BEGIN { srand(4); for (t = 0; t < 800; ++t) { good = 16 * int(t / 200) + 5; line = "0"
     for (i = 0; i < 64; ++i) line = line "," rand() * (i == good ? 0.158 : 0.5); print line } }' > "$work/shifting.csv"
run() {
  for kind in svg csv; do
    gssl online "$work/shifting.csv" --method "$2" --summary-only --quiet \
      --curve "$work/$1.$kind" --weights "$work/$1_weights.$kind" -o /dev/null
  done
  cp "$work/$1.svg" "$work/$1_weights.svg" "$folder/"
}
run weighted_average weighted-average:prediction=vovk
run fixed_share fixed-share:alpha=0.024,prediction=vovk
run variable_share variable-share:alpha=0.024,prediction=vovk

for name in weighted_average fixed_share variable_share; do
  awk -F, -v name=$name 'NR > 1 { print name, $1, $2 }' "$work/$name.csv"
done | awk '
  { trials[$1] = trials[$1] " " $2; losses[$1] = losses[$1] " " $3
    if ($2 > last) last = $2; if ($3 > most) most = $3; end[$1] = $3 }
  END {
    left = 60; right = 500; top = 20; base = 350
    split("weighted_average fixed_share variable_share", name, " ")
    split("static average,fixed share,variable share", label, ",")
    split("#cc3311 #4477aa #228833", color, " ")
    x = (right - left) / last; y = (base - top) / most
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" viewBox=\"0 0 640 400\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<title>Losses of the static average and of shares</title>"
    print "<rect width=\"640\" height=\"400\" fill=\"white\"/>"
    for (v = 0; v <= most; v += 10) {
      printf "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", left, base - v * y, right, base - v * y
      printf "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", left - 8, base - v * y + 4, v
    }
    for (t = 0; t <= last; t += 200) {
      printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", left + t * x, top, left + t * x, base
      printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", left + t * x, base + 20, t
    }
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">trials; the best expert changes at each line</text>\n", (left + right) / 2, base + 40
    for (i = 1; i <= 3; ++i) {
      n = split(trials[name[i]], at, " "); split(losses[name[i]], lost, " ")
      printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color[i]
      for (k = 1; k <= n; k += 4) printf "%.1f,%.1f ", left + at[k] * x, base - lost[k] * y
      printf "%.1f,%.1f\"/>\n", left + at[n] * x, base - lost[n] * y
      high = base - end[name[i]] * y + 4 + (i == 2 ? -6 : (i == 3 ? 8 : 0))
      printf "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%s, %.1f</text>\n", right + 8, high, color[i], label[i], end[name[i]]
    }
    print "</svg>"
  }' > "$folder/share_losses.svg"
