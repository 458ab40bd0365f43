#!/usr/bin/env bash
# Installs the packages of build-debian.sh in a root of its own, runs debian/tests there, purges the packages, and
# compares the files with those before.
#   tools/packaging/try-debian.sh FOLDER [ROOT.tar [SUITE]]
# As root; needs mmdebstrap. ROOT.tar keeps the root for the next time. SUITE is bookworm unless told.
set -euo pipefail
[ "$#" -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 64; }
packages="$(cd "$1" && pwd)" archive="${2:-}" suite="${3:-bookworm}"
tests="$(cd "$(dirname "$0")/debian/tests" && pwd)"
root="$(mktemp -d /var/tmp/gssl-root.XXXXXX)"
devices="null zero full random urandom"
trap 'for place in proc $(printf "dev/%s " $devices); do umount "$root/$place" 2>/dev/null || true; done; rm -rf --one-file-system "$root" "$root.tar"' EXIT
chmod 755 "$root"

# With what the tests use beside the packages, so that purging leaves what was there.
[ -n "$archive" ] || archive="$root.tar"
[ -s "$archive" ] || mmdebstrap --quiet --variant=apt \
  --include=man-db,bash,zsh,fish,g++,cmake,make,pkgconf,libboost-dev,libeigen3-dev,nlohmann-json3-dev "$suite" "$archive"
tar -xf "$archive" -C "$root" --exclude=./dev/\*
rm -f "$root.tar"
# A minimal root of Debian leaves documentation out; these packages are tried with theirs.
rm -f "$root"/etc/dpkg/dpkg.cfg.d/*excludes
mount -t proc proc "$root/proc"
# The folder may lie where no device can be made, and apt and mpirun need some.
mkdir -p "$root/dev"
install -d -m 1777 "$root/dev/shm"
ln -sfn /proc/self/fd "$root/dev/fd"
for device in $devices; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
# Caches and logs of dpkg, apt and man are not the packages'.
files() {
  (cd "$root" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/dpkg \
    -o -path ./var/lib/apt -o -path ./tmp -o -path ./root \) -prune -o -print | sort)
}

inside apt-get update -q >/dev/null
cp "$packages"/*.deb "$root/tmp"
rm -f "$root"/tmp/*dbgsym*
# What the packages need from the archive first, so that the comparison is of the packages alone.
needed="$(inside sh -c 'apt-get install -s -y --no-install-recommends /tmp/*.deb' | sed -n 's/^Inst \([^ ]*\).*/\1/p')"
own="$(for package in "$root"/tmp/*.deb; do dpkg-deb -f "$package" Package; done)"
mapfile -t others < <(grep -vxF "$own" <<<"$needed")
[ "${#others[@]}" -eq 0 ] || inside apt-get install -y -q --no-install-recommends "${others[@]}" >/dev/null
files >"$root/tmp/before"

inside sh -c 'apt-get install -y -q --no-install-recommends /tmp/*.deb' >/dev/null
for test in cli completions build python mpi; do
  cp "$tests/$test" "$root/tmp/$test"
  inside "/tmp/$test" >/dev/null && echo "try-debian: $test: passed"
done
mapfile -t own <<<"$own"
inside apt-get purge -y -q "${own[@]}" >/dev/null
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || { echo "try-debian: purging leaves the files above" >&2; exit 1; }
echo "try-debian: ${own[*]} installed, tried and purged; nothing is left"
