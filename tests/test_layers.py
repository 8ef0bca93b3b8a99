"""Imports point inward only: read from the source with `ast`, so that an import inside a function counts too."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "quoteview"

TEXT_LIBRARIES = {
    "ahocorasick_rs",
    "bagit",
    "charset_normalizer",
    "docx",
    "edlib",
    "jinja2",
    "lxml",
    "markupsafe",
    "platformdirs",
    "pysubs2",
    "rapidfuzz",
    "regex",
}
QT_CORE = {"PySide6.QtCore", "PySide6.QtMultimedia"}
QT_WINDOW = QT_CORE | {"PySide6.QtGui", "PySide6.QtWidgets", "PySide6.QtMultimediaWidgets", "PySide6.QtSvg"}

# layer: (layers of ours it may import, third-party modules it may import)
LAYERS: dict[str, tuple[set[str], set[str]]] = {
    "core": ({"core"}, TEXT_LIBRARIES),
    "fetching": ({"core", "fetching"}, {"yt_dlp"}),
    "app": ({"core", "fetching", "app"}, QT_CORE | {"av", "platformdirs"}),
    "ui": ({"core", "app", "ui"}, QT_WINDOW),
    "command line": ({"core", "fetching", "command line"}, set()),
}
WINDOW_OPENER = PACKAGE / "commands" / "window.py"


def _layer_of_module(module: str) -> str:
    parts = module.split(".")
    if len(parts) == 1:
        return "core"  # quoteview/__init__.py holds the version alone, and every layer may name it
    return parts[1] if parts[1] in ("core", "fetching", "app", "ui") else "command line"


def _layer_of_file(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first if first in LAYERS else "command line"


def _imports(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield (module, whether the import stands inside a function) for every import of a file."""
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in inside
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide their layer"
            if node.module == "PySide6":
                for alias in node.names:
                    yield f"PySide6.{alias.name}", id(node) in inside
            elif node.module == "quoteview":
                for alias in node.names:
                    yield f"quoteview.{alias.name}" if (PACKAGE / alias.name).is_dir() else "quoteview", id(node) in inside
            elif node.module is not None:
                yield node.module, id(node) in inside


def faults_of(path: Path, source: str) -> list[str]:
    """Return one sentence for each import of a file that its layer does not allow."""
    layer = _layer_of_file(path)
    own, foreign = LAYERS[layer]
    faults = []
    for module, in_function in _imports(ast.parse(source)):
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names or top == "__future__":
            continue
        if top == "quoteview":
            target = _layer_of_module(module)
            opens_window = path == WINDOW_OPENER and target == "ui" and in_function
            if target not in own and not opens_window:
                faults.append(f"{path.name} ({layer}) imports {module} ({target})")
        elif top == "PySide6":
            if ".".join(module.split(".")[:2]) not in foreign:
                faults.append(f"{path.name} ({layer}) imports {module}")
        elif top not in foreign:
            faults.append(f"{path.name} ({layer}) imports {module}")
    return faults


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_inward_only(path: Path) -> None:
    assert faults_of(path, path.read_text("utf-8")) == []


def test_recheck_program_uses_the_standard_library_alone() -> None:
    path = PACKAGE / "core" / "bundle" / "recheck.py"
    assert [
        m for m, _ in _imports(ast.parse(path.read_text("utf-8"))) if m.partition(".")[0] not in sys.stdlib_module_names
    ] == []


def test_audit_imports_no_reader() -> None:
    readers = {f"quoteview.core.captions.{p.stem}" for p in (PACKAGE / "core" / "captions").glob("*.py")}
    path = PACKAGE / "core" / "audit.py"
    imported = {m for m, _ in _imports(ast.parse(path.read_text("utf-8")))}
    assert imported & (readers - {"quoteview.core.captions.track"}) == set()


def test_the_rule_notices_an_import_that_points_outward() -> None:
    assert faults_of(PACKAGE / "core" / "made_up.py", "from quoteview.ui import theme") != []
    assert faults_of(PACKAGE / "core" / "made_up.py", "def f():\n    from PySide6.QtCore import QObject") != []
    assert faults_of(PACKAGE / "app" / "made_up.py", "from PySide6 import QtWidgets") != []
    assert faults_of(PACKAGE / "cli.py", "import PySide6.QtCore") != []
    assert faults_of(WINDOW_OPENER, "from quoteview.ui.application import run") != []
    assert faults_of(WINDOW_OPENER, "def f():\n    from quoteview.ui.application import run") == []
    assert faults_of(PACKAGE / "fetching" / "made_up.py", "import yt_dlp\nfrom quoteview.core import errors") == []
