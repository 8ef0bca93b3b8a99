"""Hides PySide6 from a program that a test starts: on the path only where QUOTEVIEW_TEST_WITHOUT_QT is set."""

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType


class _NoQt(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ModuleNotFoundError(f"No module named {fullname!r} (hidden for these tests)", name=fullname)
        return None


sys.meta_path.insert(0, _NoQt())
