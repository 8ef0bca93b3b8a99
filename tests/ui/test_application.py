"""Starting the program for a picture, in a process of its own as the command line does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QImage

_RUN = """
import sys
from pathlib import Path
from quoteview.ui.application import {name}
sys.exit({name}({arguments}))
"""


def start(name: str, arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    environment["QUOTEVIEW_HOME"] = str(home)
    code = _RUN.format(name=name, arguments=arguments)
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_a_picture_of_the_sample_is_taken_without_a_display(tmp_path: Path) -> None:
    picture = tmp_path / "a" / "dark.png"
    done = start(
        "demo", f"screenshot=Path({str(picture)!r}), size=(1200, 760), theme='dark', claim=3, scale=2", tmp_path / "home"
    )
    assert done.returncode == 0, done.stderr
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (2400, 1520)
    assert image.pixelColor(4, 1000).lightness() < 80


def test_a_job_that_is_none_ends_with_one_line_and_code_2(tmp_path: Path) -> None:
    (tmp_path / "job.json").write_bytes(b"{}")
    done = start("run", f"[Path({str(tmp_path)!r})], screenshot=Path({str(tmp_path / 'x.png')!r})", tmp_path / "home")
    assert done.returncode == 2
    assert "job.json" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.png").exists()


def test_the_empty_window_can_be_pictured(tmp_path: Path) -> None:
    picture = tmp_path / "empty.png"
    done = start("run", f"[], screenshot=Path({str(picture)!r}), size=(1000, 700), theme='light'", tmp_path / "home")
    assert done.returncode == 0, done.stderr
    assert QImage(str(picture)).width() == 1000
