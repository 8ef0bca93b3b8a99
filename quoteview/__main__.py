"""Runs `quoteview` as a program: `python -m quoteview` and the installed command are the same."""

from __future__ import annotations

import sys

from quoteview.cli import main as run


def main() -> None:
    """Run the command line and end the process with its exit code."""
    sys.exit(run())


if __name__ == "__main__":
    main()
