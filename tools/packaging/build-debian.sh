#!/usr/bin/env bash
# Builds the Debian packages from what is committed, and looks at them with lintian.
#   tools/packaging/build-debian.sh FOLDER      packages and sources go there
# Some 10 minutes of processor time; installs nothing: what is missing is named by dpkg-checkbuilddeps.
set -euo pipefail
[ "$#" -eq 1 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 64; }
cd "$(dirname "$0")/../.."
mkdir -p "$1"
out="$(cd "$1" && pwd)"
version="$(sed -n 's/^project(gssl VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
tree="$out/gssl-$version"
rm -rf "$tree"

git archive --format=tar --prefix="gssl-$version/" HEAD | gzip -n >"$out/gssl_$version.orig.tar.gz"
tar -xzf "$out/gssl_$version.orig.tar.gz" -C "$out"
cp -r "$tree/tools/packaging/debian" "$tree/debian"
if [ -n "${DEBEMAIL:-}" ]; then
  sed -i "s/gssl maintainers <[^>]*>/${DEBFULLNAME:-gssl maintainers} <$DEBEMAIL>/" "$tree/debian/control" "$tree/debian/changelog"
fi
cd "$tree"
# debhelper gives the build another home, where ccache would begin anew.
if command -v ccache >/dev/null; then
  CCACHE_DIR="${CCACHE_DIR:-$(ccache --get-config cache_dir)}"
  export CCACHE_DIR
fi
DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-parallel=$(nproc)}" dpkg-buildpackage -us -uc >"$out/build.log" 2>&1 ||
  { tail -n 40 "$out/build.log" >&2; exit 1; }
cd "$out"
rm -rf "$tree"
# The address is of this machine until DEBEMAIL says another, and no bug asks for the package.
lintian --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs --fail-on error,warning "$out"/gssl_"$version"-*.changes
ls -l "$out"/*.deb
