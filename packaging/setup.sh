#!/bin/sh
# Makes .venv with the project and its development tools, and installs what Qt needs from the system.
# Nothing is done again while pyproject.toml and this script are unchanged and the environment works.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "quoteview set-up: $*" >&2; }

usable() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in ${QUOTEVIEW_PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14 python; do
        if usable "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

install_packages() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >&2 && return 0
    apt-get update -q >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >&2
}

# What PySide6's wheels leave to the system, then the fonts for scripts beyond Latin (Debian's names).
qt_packages="libgl1 libegl1 libxkbcommon0 libglib2.0-0 libfontconfig1 libdbus-1-3 libpulse0
    libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0
    fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"

missing_packages() {
    for package in $qt_packages; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
    done
}

system_libraries() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "not a Debian system: the window needs GL, EGL, xkbcommon, GLib, fontconfig, D-Bus, PulseAudio and xcb-cursor libraries."
        return 0
    fi
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    if can_install; then
        say "installing the system libraries and fonts that the window needs"
        # shellcheck disable=SC2086  # a list of package names, to be split
        install_packages $missing || say "could not install all of them; the window may not start."
    else
        say "the window needs packages that are missing. Install them with: sudo apt-get install $missing"
    fi
}

stamp=.venv/quoteview-set-up
wanted=$(cat pyproject.toml packaging/setup.sh | cksum)
if [ -x .venv/bin/quoteview ] && [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ] \
    && .venv/bin/python -c 'import quoteview, pysubs2, pytest' >/dev/null 2>&1; then
    .venv/bin/python -m compileall -q quoteview
    exit 0
fi

if ! [ -x .venv/bin/python ] || ! usable .venv/bin/python; then
    if ! python=$(find_python); then
        if can_install; then
            install_packages python3 python3-venv
        fi
        python=$(find_python) || {
            say "no Python 3.11 or newer with venv was found. Install one (Debian: sudo apt-get install python3 python3-venv) or name it: QUOTEVIEW_PYTHON=/path/to/python3 sh packaging/setup.sh"
            exit 2
        }
    fi
    say "making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
fi
say "installing quoteview and what it needs (the first time this takes some minutes)"
.venv/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' >&2
# Where PYTHONDONTWRITEBYTECODE is set, each start would compile every module anew.
.venv/bin/python -m compileall -q quoteview
system_libraries
printf '%s\n' "$wanted" >"$stamp"
