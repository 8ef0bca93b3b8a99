#!/bin/sh
# Runs every check of the project: style, types, the core's tests without Qt, and the window's tests without a display.
set -eu
cd "$(dirname "$0")/.."
sh packaging/setup.sh

python=.venv/bin/python
failed=""
run() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    "$@" || failed="$failed
  $name"
}

run "style" "$python" -m ruff check .
run "format" "$python" -m ruff format --check .
run "types" "$python" -m mypy
run "core, fetching and command line, in an environment without Qt" \
    env QUOTEVIEW_TEST_WITHOUT_QT=1 "$python" -m pytest -q -p no:pytest-qt
run "the window, without a display" "$python" -m pytest -q -m qt

if [ -n "$failed" ]; then
    printf '\nFailed:%s\n' "$failed"
    exit 1
fi
printf '\nAll checks passed.\n'
