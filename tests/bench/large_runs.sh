#!/bin/bash
# The runs of docs/scale.md that want the machine for themselves: time and peak memory of each part.
#
#   tests/bench/large_runs.sh BIN FOLDER [SIZE…]
#   tests/bench/large_runs.sh --list              # the sizes
#
# BIN holds gssl and edge_stream (cmake -DGSSL_BUILD_BENCHMARKS=ON); FOLDER takes the files, which
# are removed after each size. All sizes but `trial` by default, with the memory and disk they are
# allowed; an edge that RMAT draws twice is one of weight 1.
# One line a part: what, seconds, peak in GB, exit status, and from the summary method and residual.
set -u
if [ "${1:-}" = --list ]; then
  printf '%-24s %s\n' \
    trial "10M edges of RMAT and of a grid; 4 GB, 1 GB of disk" \
    grid100 "50M vertices, 100M edges; 16 GB, 5 GB" \
    rmat100 "8M vertices, 100M edges; 12 GB, 5 GB" \
    rmat300 "34M vertices, 300M edges; 20 GB, 20 GB" \
    rmat1000 "134M vertices, 1G edges; 16 GB, 50 GB"
  exit
fi
export OMP_WAIT_POLICY=passive
bin=$(realpath "$1")
folder=$(realpath "$2")
shift 2
cd "$folder" || exit 66
export TMPDIR=$folder
[ $# -gt 0 ] || set -- grid100 rmat100 rmat300 rmat1000

# part NAME COMMAND…: runs gssl with a summary and says what it took.
part() {
  local name=$1
  shift
  rm -f summary.json
  "$bin/gssl" "$@" --quiet --threads 2 --summary summary.json > part.out
  local status=$?
  /usr/bin/python3 - "$name" $status << 'END'
import json, sys
try:
    with open("summary.json") as file:
        told = json.load(file)
except OSError:
    sys.exit(f"{sys.argv[1]:28} no summary, exit status {sys.argv[2]}")
solver = told.get("solver") or {}
parts = " ".join(f"{name} {value:.1f}" for name, value in told.get("seconds", {}).items() if value >= 0.05)
line = f"{sys.argv[1]:28} {parts:60} peak {told.get('peak_rss_bytes', 0) / 1e9:6.2f} GB  exit {sys.argv[2]}"
n, m = told.get("n", told.get("vertices")), told.get("m", told.get("edges"))
if n is not None and m is not None:
    line += f"  n {n} m {m} peak/(n+m) {told.get('peak_rss_bytes', 0) / max(1, n + m):.1f}"
if solver:
    line += f"  {solver.get('used', '')} {solver.get('iterations', '')} {solver.get('relative_residual', '')}"
print(line, flush=True)
END
  cat part.out >> outputs.txt
}

# labels N CLASSES: 1,000 vertices of [0, N), a stride apart.
labels() {
  awk -v n="$1" -v k="$2" 'BEGIN { for (i = 0; i < 1000; ++i) print int(i * n / 1000) "\tc" i % k }' \
    > labels.tsv
}

# one NAME LIMIT CLASSES N KIND A B: generate, convert, label.
one() {
  local name=$1 limit=$2 classes=$3 n=$4
  shift 4
  echo "# $name: edge_stream $*, $classes classes, --max-memory $limit"
  labels "$n" "$classes"
  local watch=$SECONDS
  "$bin/edge_stream" "$@" > graph.tsv
  echo "made in $((SECONDS - watch)) s, $(du -h graph.tsv | cut -f1)"
  part "$name convert" convert graph.tsv graph.gssl --duplicates max --max-memory "$limit"
  part "$name info" info graph.gssl
  part "$name estimate" label graph.gssl labels.tsv --estimate --unknown-labels ignore --max-memory "$limit"
  tail -2 outputs.txt
  rm -f graph.tsv
  part "$name label" label graph.gssl labels.tsv -o decided.tsv --unknown-labels ignore \
    --max-memory "$limit"
  rm -f graph.gssl decided.tsv
}

for size in "$@"; do
  case $size in
    trial)
      one rmat10 4G 2 1048576 rmat 20 10000000
      one grid10 4G 10 5000000 grid 2000 2500
      ;;
    grid100) one grid100 16G 10 50000000 grid 5000 10000 ;;
    rmat100) one rmat100 12G 10 8388608 rmat 23 100000000 ;;
    rmat300) one rmat300 20G 2 33554432 rmat 25 300000000 ;;
    rmat1000)
      echo "# rmat1000: through a pipe into compressed rows"
      labels 134217728 2
      watch=$SECONDS
      "$bin/edge_stream" rmat 27 1000000000 |
        part "rmat1000 convert" convert - graph.gssl --duplicates max --compress --max-memory 12G
      echo "made and converted in $((SECONDS - watch)) s, $(du -h graph.gssl | cut -f1)"
      part "rmat1000 info" info graph.gssl
      part "rmat1000 label" label graph.gssl labels.tsv -o decided.tsv \
        --method label-propagation:max_iterations=20 --unknown-labels ignore --max-memory 16G
      rm -f graph.gssl decided.tsv
      ;;
    *)
      echo "large_runs.sh: $size: not a size" >&2
      exit 64
      ;;
  esac
done
rm -f labels.tsv summary.json part.out outputs.txt
