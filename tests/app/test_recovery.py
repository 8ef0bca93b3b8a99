from __future__ import annotations

from pathlib import Path

from quoteview.app import recovery
from quoteview.app.settings import recovery_folder


def test_unsaved_text_comes_back_byte_for_byte(tmp_path: Path) -> None:
    draft = tmp_path / "ä draft.md"
    text = "\ufeff“a”\r\n\u2028\n".encode()
    recovery.keep(draft, "0" * 64, text)
    found = recovery.find(draft)
    assert found is not None
    assert (found.base, found.text) == ("0" * 64, text)


def test_a_dropped_text_is_gone_and_dropping_twice_is_fine(tmp_path: Path) -> None:
    recovery.keep(tmp_path / "a.md", "", b"x")
    recovery.drop(tmp_path / "a.md")
    recovery.drop(tmp_path / "a.md")
    assert recovery.find(tmp_path / "a.md") is None


def test_another_drafts_text_is_not_taken(tmp_path: Path) -> None:
    recovery.keep(tmp_path / "a.md", "", b"x")
    assert recovery.find(tmp_path / "b.md") is None


def test_a_damaged_recovery_file_counts_as_none(tmp_path: Path) -> None:
    recovery.keep(tmp_path / "a.md", "", b"x")
    next(recovery_folder().iterdir()).write_bytes(b"{not json\nx")
    assert recovery.find(tmp_path / "a.md") is None
