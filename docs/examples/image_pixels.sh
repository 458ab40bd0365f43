#!/usr/bin/env bash
# Cuts a flower out of a photograph by a few strokes of the pen: pixels are vertices, neighbors of like color are close.
#   PATH=build/release/bin:$PATH docs/examples/image_pixels.sh datasets/flower [CUT_OUT.ppm]
set -euo pipefail
picture="$1/flower.ppm" scribbles="$1/scribbles.tsv"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cut_out="${2:-$work/cut_out.ppm}"

# The numbers of a plain PPM, one a line: P3, width, height, 255, then red, green, blue of each pixel.
sed 's/#.*//' "$picture" | tr -s ' \t' '\n' | grep . >"$work/numbers"
width="$(sed -n 2p "$work/numbers")" height="$(sed -n 3p "$work/numbers")"

# An edge from each pixel to the one on its right and the one below, of weight exp(-|difference of color|^2 / 2 s^2).
# Pixels are numbered from 0, row by row. 1e-6 keeps an edge where the colors are far apart.
sed 1,4d "$work/numbers" | awk -v w="$width" -v s=12 '
  function weight(a, b,   d, c) {
    d = 0
    for (c = 0; c < 3; ++c) d += (v[3 * a + c] - v[3 * b + c]) ^ 2
    return exp(-d / (2 * s * s)) + 1e-6
  }
  { v[NR - 1] = $1 }
  END {
    n = NR / 3
    for (p = 0; p < n; ++p) {
      if (p % w < w - 1) print p, p + 1, weight(p, p + 1)
      if (p + w < n) print p, p + w, weight(p, p + w)
    }
  }' >"$work/edges.txt"

# The strokes as labels of the pixels that they cover.
awk -F '\t' -v OFS='\t' -v w="$width" '
  NR > 1 {
    steps = 200
    for (i = 0; i <= steps; ++i)
      label[int($2 + ($4 - $2) * i / steps + 0.5) + w * int($3 + ($5 - $3) * i / steps + 0.5)] = $1
  }
  END { for (p in label) print p, label[p] }' "$scribbles" | sort -n >"$work/labels.tsv"

gssl label "$work/edges.txt" "$work/labels.tsv" --method harmonic --quiet -o "$work/labelled.tsv"

echo "$width x $height pixels, $(wc -l <"$work/labels.tsv") of them under the pen"
sed 1d "$work/labelled.tsv" | cut -f 2 | sort | uniq -c | awk '{ n = $1; $1 = ""; print $0 ": " n " pixels" }'

# What is no flower in gray and darker.
{
  printf 'P3\n%d %d\n255\n' "$width" "$height"
  awk -F '\t' 'NR == FNR { label[$1] = $2; next } { v[FNR - 5] = $1 }
    END {
      for (p = 0; 3 * p < FNR - 4; ++p) {
        r = v[3 * p]; g = v[3 * p + 1]; b = v[3 * p + 2]
        if (label[p] != "flower") r = g = b = int((r + g + b) / 6)
        print r, g, b
      }
    }' "$work/labelled.tsv" "$work/numbers"
} >"$cut_out"
