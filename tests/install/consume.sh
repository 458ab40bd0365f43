#!/usr/bin/env bash
# Builds and runs the consumer program against gssl taken in one of three ways.
#   consume.sh find_package|add_subdirectory|pkg-config BUILD_DIR SOURCE_DIR
set -euo pipefail
how="$1" build="$2" source="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
here="$source/tests/install/consumer"

case "$how" in
  find_package | pkg-config) cmake --install "$build" --prefix "$work/prefix" >/dev/null ;;
esac
case "$how" in
  find_package | add_subdirectory)
    # With the flags and the ccache mode of the release preset, so that its objects are there already.
    export CCACHE_DEPEND=1
    cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGSSL_WARNINGS_AS_ERRORS=ON \
      "-DCMAKE_CXX_COMPILER_LAUNCHER=$(command -v ccache || true)" "-DGSSL_HOW=$how" \
      "-DGSSL_SOURCE_DIR=$source" "-DCMAKE_PREFIX_PATH=$work/prefix" >"$work/log" ||
      { cat "$work/log"; exit 1; }
    cmake --build "$work/build" --target consumer >"$work/log" || { cat "$work/log"; exit 1; }
    consumer="$(find "$work/build" -name consumer -type f -perm -u+x | head -n 1)" ;;
  pkg-config)
    pc="$(dirname "$(find "$work/prefix" -name gssl.pc)")"
    # An installed tree moves with its prefix; --define-prefix follows it.
    read -ra flags < <(PKG_CONFIG_PATH="$pc" pkg-config --define-variable=prefix="$work/prefix" --cflags --libs gssl)
    g++ "$here/main.cpp" -o "$work/consumer" "${flags[@]}"
    consumer="$work/consumer" ;;
esac
answer="$("$consumer")"
[ "$answer" = "metis 0.75" ] || { echo "consumer printed: $answer; expected: metis 0.75"; exit 1; }
