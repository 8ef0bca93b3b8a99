"""Where log, settings and caches live: platformdirs' places, or all below QUOTEVIEW_HOME where that is set."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_NAME = "quoteview"


def settings_folder() -> Path:
    """Return the folder of settings and the list of recent jobs; it need not exist."""
    return _home("settings") or Path(platformdirs.user_config_dir(_NAME, appauthor=False))


def log_file() -> Path:
    """Return the file that unexpected errors are written to; it need not exist."""
    return (_home("log") or Path(platformdirs.user_log_dir(_NAME, appauthor=False))) / "quoteview.log"


def cache_folder() -> Path:
    """Return the folder of what can be made again; it need not exist."""
    return _home("cache") or Path(platformdirs.user_cache_dir(_NAME, appauthor=False))


def documents_folder() -> Path:
    """Return the folder in which new jobs are proposed; it need not exist."""
    return _home("jobs") or Path(platformdirs.user_documents_dir()) / _NAME


def _home(part: str) -> Path | None:
    home = os.environ.get("QUOTEVIEW_HOME")
    return Path(home) / part if home else None
