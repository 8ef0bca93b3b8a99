#!/bin/sh
# Shows the product at work on a copy of the sample job: the verdicts on the terminal, then the window where there is a display.
set -eu
cd "$(dirname "$0")/.."
sh packaging/setup.sh

quoteview=.venv/bin/quoteview
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

sample=resources/sample
"$quoteview" new "$place/sample.quoteview" --title "The tide book" \
    --captions "$sample/tide-book.human.vtt,origin=human,language=en" \
    --captions "$sample/tide-book.auto.json3,origin=automatic,language=en" \
    --draft "$sample/draft-one.md" --draft "$sample/draft-two.md"
# A draft with red quotations closes a gate, which is exit code 1 and what the sample is there to show.
"$quoteview" check "$place/sample.quoteview" || [ $? -eq 1 ]

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
    "$quoteview" demo
else
    mkdir -p build
    QT_QPA_PLATFORM=offscreen "$quoteview" demo --screenshot build/quoteview-demo.png --size 1440x900
    printf '\nThere is no display here, so the window stays shut; its picture is build/quoteview-demo.png\n'
fi
