#!/usr/bin/env bash
# What quickstart and test share: installing what is missing, and building. Sourced, not run.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# Debian's names; the README names what other systems need.
packages=(
  g++ cmake ninja-build ccache pkg-config
  libtorch-dev libopenblas0-pthread libtbb-dev libzip-dev libexpected-dev
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libspdlog-dev
  catch2 libbenchmark-dev python3-numpy python3-torch
)

say() { printf '== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

missing_packages() {
  local installed package
  installed=$(dpkg-query -W -f '${Package} ${Status}\n' "${packages[@]}" 2>/dev/null || true)
  for package in "${packages[@]}"; do
    grep -qxF "$package install ok installed" <<<"$installed" || printf '%s\n' "$package"
  done
}

# Runs a command as root: directly, or by sudo, which may ask for a password on a terminal only.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

install_missing() {
  if [ -n "${GOUNKI_NO_INSTALL:-}" ]; then
    say "GOUNKI_NO_INSTALL is set: nothing is installed"
    return
  fi
  local how="install them yourself and set GOUNKI_NO_INSTALL=1: ${packages[*]}"
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    die "cannot install the packages, this system has no apt-get; $how"
  fi

  local missing
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -eq 0 ]; then
    say "all ${#packages[@]} packages are installed"
    return
  fi
  how="install them yourself: apt-get install ${missing[*]}"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    die "cannot install packages, you are not root and there is no sudo; $how"
  fi

  say "installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q ||
    say "the package lists could not be updated; trying with those that are there"
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install the packages (its reason is above: no network, no right to, or a full disk?); $how"
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -eq 0 ] || die "still missing after apt-get: ${missing[*]}"
}

# As many compilers as there are cores, but no more than memory holds: one that reads LibTorch's
# headers takes up to 2 GiB.
build_jobs() {
  local cores memory_mib
  cores=$(nproc)
  memory_mib=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  local jobs=$((memory_mib / 2048))
  [ "$jobs" -le "$cores" ] || jobs=$cores
  [ "$jobs" -ge 1 ] || jobs=1
  printf '%s\n' "$jobs"
}

# The preset that both scripts build, so that nothing is built twice.
preset=${GOUNKI_PRESET:-release}
build=$root/build/$preset

# build_targets [TARGET …]: all without one.
build_targets() {
  local jobs target_options=()
  jobs=$(build_jobs)
  [ $# -eq 0 ] || target_options=(--target "$@")
  say "building with preset $preset, $jobs at a time"
  cd "$root"
  if [ ! -e "$build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=Ninja
  fi
  cmake --preset "$preset" || die "cmake could not configure the build in $build"
  cmake --build --preset "$preset" --parallel "$jobs" "${target_options[@]}" ||
    die "the build in $build failed"
}
