"""The evidence for a claim: the locked bytes with its ranges lit, the digest computed again, and the ledger."""

from __future__ import annotations

import hashlib

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton
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


def test_the_quotation_what_is_said_of_it_and_the_self_test_stand_beside_the_bytes(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)
    altered = next(claim.id for claim in window.session.claims if "curly" in window.session.sentence(claim.id))
    text = opened(window, altered).as_text()
    claim, verdict = window.session.claim(altered), window.session.verdict(altered)
    assert claim is not None
    assert verdict is not None
    assert verdict.nearest is not None
    assert f"Quotation: {claim.text}" in text
    assert f"Verdict: {window.session.sentence(altered)}" in text
    assert f"In the captions: {verdict.nearest.text}" in text
    assert "planted changes caught" in text


def test_of_what_was_not_found_no_bytes_are_shown_and_that_is_said(window: MainWindow) -> None:
    missing = next(claim.id for claim in window.session.claims if window.session.match(claim.id) is None)
    dialog = opened(window, missing)
    assert not dialog.findChildren(QPlainTextEdit)[0].isVisible()
    assert any("No bytes" in label.text() for label in dialog.findChildren(QLabel))
