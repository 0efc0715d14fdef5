# Shared by the scripts of this folder; POSIX sh, sourced with $root set to the repository.
#
#   need PACKAGE CHECK...   notes PACKAGE as missing unless CHECK succeeds
#   install_missing         as root installs what is missing; otherwise prints the line that would and exits 3
#   step "text" command...  runs the command; silent if it succeeds, else shows its output and exits 1
#   configure DIR option... runs cmake once for each set of options
#   debian_mirror           where to get Debian from
#   debian_root FOLDER RELEASE PACKAGE...  makes a root filesystem of a Debian release

: "${root:?}"

missing=

have_command() { command -v "$1" >/dev/null 2>&1; }
have_file() { [ -e "$1" ]; }
have_library() { /sbin/ldconfig -p | grep -q "[[:space:]]$1 "; }
have_module() { pkg-config --exists "$1" 2>/dev/null; }
# A header that the compiler finds, wherever that is (multiarch folders differ).
have_header() { have_command cc && echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1; }
have_cxx_header() { have_command c++ && echo "#include <$1>" | c++ -E -x c++ - >/dev/null 2>&1; }
have_cmake() {
  have_command cmake || return 1
  cmake --version | awk 'NR == 1 { split($3, v, "."); exit !(v[1] > 3 || (v[1] == 3 && v[2] >= 25)) }'
}

need() {
  package=$1
  shift
  "$@" || missing="$missing $package"
}

# What every build needs. --no-install-recommends leaves out the C library's headers, so they are named.
need_to_build() {
  need gcc have_command cc
  need libc6-dev have_header stdio.h
  need cmake have_cmake
  need ninja-build have_command ninja
  need pkg-config have_command pkg-config
  need libffi-dev have_module libffi
  need libdw-dev have_module libdw # optional for the library, but without it the checker cannot name lines
}

system_name() { (. /etc/os-release 2>/dev/null && echo "$ID $VERSION_ID"); }

install_missing() {
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086
  set -- $missing
  case $(system_name) in
  "debian 12" | "debian 13" | "ubuntu 24.04") ;;
  *) echo "$0: this system is '$(system_name)'; these scripts know Debian 12, Debian 13 and Ubuntu 24.04" >&2 ;;
  esac
  line="apt-get update && apt-get install -y --no-install-recommends $*"
  if ! have_command apt-get; then
    echo "$0: missing, by the names Debian gives them: $*" >&2
    echo "$0: there is no apt-get here to install them with" >&2
    exit 3
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "$0: missing packages: $*" >&2
    echo "Run this as root, then run $0 again:" >&2
    echo "  $line" >&2
    exit 3
  fi
  export DEBIAN_FRONTEND=noninteractive
  step "Install $*" sh -c "$line"
}

step() {
  title=$1
  shift
  printf '%s ...' "$title"
  log=$(mktemp)
  start=$(date +%s)
  if "$@" >"$log" 2>&1 </dev/null; then
    echo " $(($(date +%s) - start)) s"
    rm -f "$log"
  else
    status=$?
    echo " failed (exit code $status): $*"
    cat "$log"
    rm -f "$log"
    exit 1
  fi
}

jobs() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# Ninja runs cmake again by itself when a CMake file changes, so here only a change of the options counts.
configure() {
  dir=$1
  shift
  stamp="$dir/configured-with.txt"
  if [ -f "$dir/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$*" ]; then
    return 0
  fi
  mkdir -p "$dir"
  rm -f "$stamp"
  step "Configure $dir" cmake -S "$root" -B "$dir" -G Ninja "$@"
  printf '%s' "$*" >"$stamp"
}

# $WARPPORT_MIRROR, or where this machine's apt takes Debian from, or Debian's own.
debian_mirror() {
  found=${WARPPORT_MIRROR:-}
  case $(system_name) in
  debian*)
    [ -n "$found" ] || found=$(sed -n 's/^URIs: *\(http[^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)*\(http[^ ]*\) .*/\2/p' \
      /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | grep -v security | head -n 1)
    ;;
  esac
  echo "${found:-http://deb.debian.org/debian}"
}

# Needs root and debootstrap. FOLDER/.ready says that it is finished, and then nothing is done. @PACKAGE is taken from the release's backports.
debian_root() {
  [ ! -e "$1/.ready" ] || return 0
  folder=$1 release=$2
  shift 2
  mirror=$(debian_mirror)
  plain=
  newer=
  for package; do
    case $package in @*) newer="$newer ${package#@}" ;; *) plain="$plain $package" ;; esac
  done
  rm -rf "$folder" && mkdir -p "$(dirname "$folder")" && debootstrap --variant=minbase "$release" "$folder" "$mirror" || return 1
  [ -z "$newer" ] || echo "deb $mirror $release-backports main" >>"$folder/etc/apt/sources.list"
  # Services must not start, and old release files are fine.
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod +x "$folder/usr/sbin/policy-rc.d"
  echo 'Acquire::Check-Valid-Until "false"; Acquire::Languages "none"; APT::Install-Recommends "false";' >"$folder/etc/apt/apt.conf.d/50warpport"
  chroot "$folder" apt-get update || return 1
  # shellcheck disable=SC2086
  chroot "$folder" env DEBIAN_FRONTEND=noninteractive apt-get install -y $plain || return 1
  # shellcheck disable=SC2086
  [ -z "$newer" ] || chroot "$folder" env DEBIAN_FRONTEND=noninteractive apt-get install -y -t "$release-backports" $newer || return 1
  chroot "$folder" apt-get clean
  touch "$folder/.ready"
}
