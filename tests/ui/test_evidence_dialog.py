"""The evidence for a claim: the locked bytes with its ranges lit, the digest computed again, and the ledger."""

from __future__ import annotations

import hashlib

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from quoteview.ui.evidence_dialog import EvidenceDialog, LedgerBar
from quoteview.ui.main_window import MainWindow


def opened(window: MainWindow, claim: int) -> EvidenceDialog:
    window.selection.select_claim(claim)
    QTest.keyClick(window.claim_list.rows, Qt.Key.Key_X)
    return next(dialog for dialog in window.findChildren(EvidenceDialog) if dialog.isVisible())


def test_the_bytes_of_the_match_are_lit_as_they_lie_in_the_file(window: MainWindow) -> None:
    dialog = opened(window, 1)
    found = window.session.match(1)
    track = window.session.track(window.session.reference_id)
    assert found is not None
    assert track is not None
    view = dialog.findChildren(QPlainTextEdit)[0]
    lit = [selection.cursor.selectedText() for selection in view.extraSelections()]
    cells = "".join(piece for piece in lit if len(piece) == 2)
    for span in found.evidence.bytes:
        assert track.source.data[span.start : span.end].hex() in cells
    text = dialog.as_text()
    assert f"{found.evidence.bytes[0].start}–{found.evidence.bytes[0].end}" in text


def test_the_digest_is_the_file_s_own_and_can_be_computed_again(window: MainWindow, qtbot: QtBot) -> None:
    dialog = opened(window, 1)
    track, folder = window.session.track(window.session.reference_id), window.session.folder
    assert track is not None
    assert folder is not None
    digest = hashlib.sha256((folder / track.source.lock.file).read_bytes()).hexdigest()
    qtbot.waitUntil(lambda: dialog.as_text().count(digest) == 2, timeout=10_000)
    again = next(button for button in dialog.findChildren(QPushButton) if "again" in button.text())
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.is_settled and dialog.as_text().count(digest) == 2, timeout=20_000)


def test_the_ledger_s_counts_add_up_and_all_of_it_can_be_copied(window: MainWindow) -> None:
    dialog = opened(window, 1)
    track = window.session.track(window.session.reference_id)
    assert track is not None
    totals = track.ledger.totals()
    assert sum(totals.values()) == len(track.source.data)
    assert f"{len(track.source.data):,} in all" in dialog.as_text()
    bar = dialog.findChildren(LedgerBar)[0]
    assert bar.accessibleDescription() == ", ".join(f"{name} {count}" for name, count in totals.items())
    copy = next(button for button in dialog.findChildren(QPushButton) if button.text().startswith("Copy"))
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == dialog.as_text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
