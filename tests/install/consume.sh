#!/usr/bin/env bash
# Builds and runs the consumer program against gssl taken in one of four ways; as a subdirectory it
# is compiled and its link is planned, since all libraries would have to be compiled once more.
#   consume.sh find_package|add_subdirectory|shared|pkg-config BUILD_DIR SOURCE_DIR
set -euo pipefail
how="$1" build="$2" source="$3"
# A build folder beside the one that was tested, where a compiler cache that knows relative paths
# finds the same objects.
work="$(mktemp -d "$build.consume.XXXXXX")"
trap 'rm -rf "$work"' EXIT
here="$source/tests/install/consumer"

fail() { echo "consume: $*"; exit 1; }

# With the flags and the ccache modes of the release preset, so that its objects are there already.
export CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR="$source"
configure() {  # SOURCE BUILD options…
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGSSL_WARNINGS_AS_ERRORS=ON \
    "-DCMAKE_CXX_COMPILER_LAUNCHER=$(command -v ccache || true)" "${@:3}" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
}
build() {  # BUILD targets…
  cmake --build "$1" --target "${@:2}" >"$work/log" || { cat "$work/log"; exit 1; }
}

# An installed tree moves with its prefix, and nothing in it knows where it was built.
install_and_move() {
  cmake --install "$1" --prefix "$work/first" >/dev/null
  mv "$work/first" "$work/prefix"
  grep -rlE "$work/first|$source/" "$work/prefix" --include='*.cmake' --include='*.pc' &&
    fail "the files above name a place that is gone"
  if grep -q '^CMAKE_BUILD_TYPE:.*=Release' "$1/CMakeCache.txt"; then
    grep -rlaE '/(libgraph|algorithms|io)/(src|include)/' "$work/prefix" &&
      fail "the files above name the sources that they were built from"
  fi
  return 0
}

consumer="$work/consumer"
case "$how" in
  find_package)
    install_and_move "$build"
    configure "$here" "$work" "-DCMAKE_PREFIX_PATH=$work/prefix"
    build "$work" consumer ;;
  add_subdirectory)
    configure "$here" "$work" "-DGSSL_SOURCE_DIR=$source"
    build "$work" CMakeFiles/consumer.dir/main.cpp.o
    ninja -C "$work" -n consumer >"$work/log" || { cat "$work/log"; exit 1; }
    exit 0 ;;
  shared)
    # Hidden symbols are what many projects compile with; they must still find those of gssl.
    # Precompiled as in the build before: its objects are in the compiler's cache.
    precompile="-D$(grep '^GSSL_PRECOMPILE:' "$build/CMakeCache.txt")"
    hidden=(-DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON)
    configure "$source" "$work" -DBUILD_SHARED_LIBS=ON "$precompile" "${hidden[@]}" \
      -DGSSL_BUILD_TESTS=OFF -DGSSL_BUILD_TOOLS=OFF
    build "$work" gssl_graph gssl_algorithms gssl_io
    install_and_move "$work"
    configure "$here" "$work/own" "-DCMAKE_PREFIX_PATH=$work/prefix" "${hidden[@]}"
    build "$work/own" consumer
    consumer="$work/own/consumer"
    ldd "$consumer" | grep -q "libgssl_graph.so.*$work/prefix" || fail "no shared library is linked" ;;
  pkg-config)
    install_and_move "$build"
    pc="$(dirname "$(find "$work/prefix" -name gssl.pc)")"
    read -ra flags < <(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs gssl)
    # A pragma that is not known would be a parallel loop that is not parallel.
    g++ -Wall -Werror "$here/main.cpp" -o "$consumer" "${flags[@]}" ;;
esac
answer="$("$consumer")"
[ "$answer" = "metis 0.75 65" ] || fail "consumer printed: $answer; expected: metis 0.75 65"
