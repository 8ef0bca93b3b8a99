"""Where the files are that come with the program: inside the package when it is installed, beside it in a work tree."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def resource(name: str) -> Path:
    """Return the path of a file or folder of `resources/`; raises FileNotFoundError where it did not come along."""
    for folder in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"resources/{name}")
