from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from quoteview.app.watching import FileWatch


def test_a_file_replaced_twice_removed_and_put_back_is_told_each_time(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "draft.txt"
    file.write_bytes(b"one")
    watch = FileWatch()
    watch.watch([file])
    for content in (b"two", b"one", b"two"):
        with qtbot.waitSignal(watch.touched, timeout=3000):
            fresh = tmp_path / "draft.tmp"
            fresh.write_bytes(content)
            fresh.replace(file)
    with qtbot.waitSignal(watch.touched, timeout=3000):
        file.unlink()
    with qtbot.waitSignal(watch.touched, timeout=3000):
        file.write_bytes(b"one")


def test_a_file_written_in_place_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "draft.txt"
    file.write_bytes(b"one")
    watch = FileWatch()
    watch.watch([file])
    with qtbot.waitSignal(watch.touched, timeout=3000):
        file.write_bytes(b"three")


def test_nothing_is_told_of_files_no_longer_watched(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "draft.txt"
    file.write_bytes(b"one")
    watch = FileWatch()
    watch.watch([file])
    watch.watch([])
    with qtbot.assertNotEmitted(watch.touched, wait=300):
        file.write_bytes(b"two")
