"""Where the data files lie that come with quoteview: inside the package once installed, beside it in a work tree."""

from __future__ import annotations

from pathlib import Path

from quoteview.core.errors import StoreError

_PACKAGE = Path(__file__).resolve().parent.parent


def resource(name: str) -> Path:
    """Return the path of a data file or folder such as `sample`; raises `StoreError` where it was not installed."""
    for folder in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        path = folder / name
        if path.exists():
            return path
    raise StoreError(
        str(_PACKAGE / "resources" / name), "a file that comes with quoteview is missing", remedy="Install quoteview again."
    )
