#!/usr/bin/env bash
# prints.sh FILE COMMAND…: succeeds if COMMAND does and prints what is in FILE.
set -euo pipefail
"${@:2}" | diff -u "$1" -
