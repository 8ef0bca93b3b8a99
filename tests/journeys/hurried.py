"""A hurried editor: random acts on the window by mouse and key, from a seed, for as many steps as asked for.

Every step is one that a person can take: an action of the table by its key or from its menu, words typed or pasted
into whatever has the focus, a click anywhere, a dialog answered or closed, and what other programs do to the files
meanwhile. Nothing is waited for unless the dice say so.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState, Phase
from quoteview.core.errors import QuoteviewError
from quoteview.core.job import Job
from quoteview.ui.actions import ActionId, is_plain
from quoteview.ui.label_dialog import LabelDialog
from quoteview.ui.main_window import MainWindow
from quoteview.ui.palette import CommandPalette
from quoteview.ui.settings_dialog import SettingsDialog

_PIECES = ("a", "e", " ", "the ", "“", "”", "’", ", ", "—", "\u00a0", "é", "🌊", "not ", "15 ", "[0:13]", "> ", "\n", "\u2028")
_EDIT_KEYS = (
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Return,
    Qt.Key.Key_Left,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Down,
)
KEYS = {
    "Esc": Qt.Key.Key_Escape,
    ".": Qt.Key.Key_Period,
    ",": Qt.Key.Key_Comma,
    "=": Qt.Key.Key_Equal,
    "-": Qt.Key.Key_Minus,
}
"""Keys whose portable name is not Qt's."""

_DANGEROUS = frozenset({ActionId.QUIT, ActionId.CLOSE_JOB, ActionId.OPEN_SAMPLE})
"""Rarer than others, or hardly any work would be done in an hour."""

_REFUSED = frozenset({ActionId.LOOK_FOR_CHANGES, ActionId.NEW_FROM_LINK})
"""They ask the network once a link is given; their dialogs have tests of their own."""


class HurriedEditor:
    """Walks through one job at random. `steps` has what was done, the last one last."""

    def __init__(self, seed: int, folder: Path, open_window: Callable[..., MainWindow], qtbot: QtBot) -> None:
        self.steps: list[str] = []
        self.window = open_window(folder)
        self._dice = random.Random(seed)
        self._folder, self._open_window, self._qtbot = folder, open_window, qtbot
        self._broken: dict[Path, bytes] = {}
        self._gone: dict[Path, bytes] = {}
        self._ways: list[tuple[int, str, Callable[[], None]]] = [
            (30, "action", self._act),
            (22, "type", self._type),
            (12, "click", self._click),
            (8, "repair", self._repair),
            (6, "undo", self._undo),
            (4, "save", lambda: self._request(ActionId.SAVE)),
            (4, "switch", lambda: self._request(ActionId.NEXT_DRAFT)),
            (3, "outside", self._change_outside),
            (2, "lock", self._break_lock),
            (3, "look", lambda: self.window.session.look_outside()),
            (2, "resize", self._resize),
            (8, "settle", self.settle),
        ]
        self.settle()

    def walk(self, count: int) -> None:
        """Take so many steps."""
        weights = [weight for weight, _, _ in self._ways]
        for _ in range(count):
            _, name, way = self._dice.choices(self._ways, weights)[0]
            if (dialog := self._dialog()) is not None:
                name, way = f"answer {type(dialog).__name__}", lambda: self._answer(dialog)
            self.steps.append(name)
            way()
            QCoreApplication.processEvents()
            self._come_back()
            self._look_right()

    def settle(self) -> None:
        """Wait until nothing is left to do by itself."""
        self._qtbot.waitUntil(lambda: self.window.session.is_settled, timeout=30_000)

    def come_to_an_end(self) -> None:
        """Close what is open, put everything back that other programs did, and save every draft."""
        for _ in range(50):
            if (dialog := self._dialog()) is None:
                break
            dialog.reject()
            QCoreApplication.processEvents()
        self._mend()
        self._come_back()
        session = self.window.session
        if session.folder != self._folder:
            session.open(self._folder)
            self._qtbot.waitUntil(lambda: session.folder == self._folder, timeout=10_000)
        self.settle()
        session.look_outside()
        self.settle()
        self._qtbot.waitUntil(lambda: session.phase is Phase.READY, timeout=10_000)
        for index in range(len(session.drafts)):
            session.switch_draft(index)
            self.settle()
            session.keep_mine(index)
            session.save()
            self.settle()

    # -- what a person does ---------------------------------------------------------------------

    def _act(self) -> None:
        """Ask for any action that is allowed, by its key where it has one, else from the menu."""
        table = self.window.actions_table
        allowed = [spec for spec, action in table.specs() if action.isEnabled() and spec.id not in _REFUSED]
        spec = self._dice.choice(allowed)
        if spec.id in _DANGEROUS and self._dice.random() < 0.8:
            return
        self.steps.append(f"  {spec.id}")
        keys = table.keys(spec.id)
        focus = QApplication.focusWidget()
        if not keys or focus is None or self._dice.random() < 0.5:
            table.action(spec.id).trigger()
            return
        if is_plain(keys[0]):
            focus = self.window.claim_list
            focus.setFocus()
        press(focus, keys[0])

    def _request(self, action: ActionId) -> None:
        self.window.actions_table.request(action)

    def _undo(self) -> None:
        for _ in range(self._dice.randint(1, 6)):
            self._request(ActionId.UNDO if self._dice.random() < 0.65 else ActionId.REDO)

    def _repair(self) -> None:
        """Do the likeliest thing: go to what is to do, and resolve it one way or another, now and then at once many."""
        self._request(ActionId.NEXT_TO_DO)
        wanted = self._dice.choice(
            (
                ActionId.FIRST_REPAIR,
                ActionId.SOURCE_WORDS,
                ActionId.TIME,
                ActionId.SPLIT,
                ActionId.SET_ASIDE,
                ActionId.ACCEPT,
                ActionId.RETRACT,
                ActionId.EDIT_CLAIM,
                ActionId.SAFE_REPAIRS,
                ActionId.ALIKE,
                ActionId.CUT_OUT,
            )
        )
        self.steps.append(f"  {wanted} of {self.window.selection.claim_id}")
        self._request(wanted)
        if self._dice.random() < 0.7 and self.window.resolve_panel.isAncestorOf(QApplication.focusWidget() or self.window):
            self._type()
            press(QApplication.focusWidget() or self.window, "Return")

    def _type(self) -> None:
        """Type, paste, cut or delete in the draft, or in whatever else takes text."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QLineEdit):
            self._words_into(focus)
            if self._dice.random() < 0.3:
                press(focus, self._dice.choice(("Return", "Esc")))
            return
        editor = self.window.draft.editor
        if not editor.isVisible():
            self.window.show_pane("draft")
        editor.setFocus()
        end = editor.document().characterCount() - 1
        cursor = editor.textCursor()
        cursor.setPosition(self._caret(self._dice.randint(0, end)))
        if self._dice.random() < 0.3:
            cursor.setPosition(
                self._caret(min(end, cursor.position() + self._dice.randint(0, 40))), QTextCursor.MoveMode.KeepAnchor
            )
        editor.setTextCursor(cursor)
        what = self._dice.random()
        if what < 0.6:
            self._words_into(editor)
        elif what < 0.8:
            QTest.keyClick(editor, self._dice.choice(_EDIT_KEYS))
        else:
            QTest.keyClick(
                editor, self._dice.choice((Qt.Key.Key_X, Qt.Key.Key_C, Qt.Key.Key_V)), Qt.KeyboardModifier.ControlModifier
            )

    def _caret(self, position: int) -> int:
        """Return a place where a caret can stand: never between the two halves of an emoji."""
        is_half = 0xDC00 <= ord(self.window.draft.editor.document().characterAt(position)) < 0xE000
        return position - 1 if is_half else position

    def _words_into(self, widget: QWidget) -> None:
        for _ in range(self._dice.randint(1, 5)):
            words = self._dice.choice(_PIECES)
            if words.isascii() and words.isprintable():
                QTest.keyClicks(widget, words)
                continue
            event = QInputMethodEvent()
            event.setCommitString(words)
            QApplication.sendEvent(widget, event)

    def _click(self) -> None:
        """Click somewhere: on a button, in a list, in the text, on a banner."""
        window = self.window
        areas: list[QWidget] = [
            window.claim_list,
            window.transcript,
            window.draft,
            window.strip,
            window.resolve_panel,
            window.gates_bar,
            window.ribbons,
            window.banners,
            window.start_page,
        ]
        area = self._dice.choice([area for area in areas if area.isVisible()] or [window])
        places = [area, *(found for found in area.findChildren(QWidget) if found.isVisible() and found.isEnabled())]
        place = self._dice.choice(places)
        if isinstance(place, QToolButton) and place.menu() is not None:
            return  # its menu waits in a loop of its own
        if isinstance(place, QAbstractButton) and "sample" in place.text() and self._dice.random() < 0.8:
            return
        if isinstance(place, QAbstractScrollArea):
            place = place.viewport()
        self.steps.append(f"  {type(area).__name__}: {type(place).__name__} {getattr(place, 'text', str)()!r:.40}")
        spot = QPoint(self._dice.randrange(max(1, place.width())), self._dice.randrange(max(1, place.height())))
        if isinstance(place, QAbstractButton):
            spot = place.rect().center()
        QTest.mouseMove(place, spot)
        QTest.mouseClick(place, Qt.MouseButton.LeftButton, pos=spot)

    def _resize(self) -> None:
        self.window.resize(self._dice.choice((1440, 1280, 980, 700)), self._dice.choice((900, 720, 500)))

    # -- dialogs ----------------------------------------------------------------------------------

    def _dialog(self) -> QDialog | None:
        shown = [top for top in QApplication.topLevelWidgets() if isinstance(top, QDialog) and top.isVisible()]
        return shown[-1] if shown else None

    def _answer(self, dialog: QDialog) -> None:
        """Do something in a dialog, or close it."""
        if isinstance(dialog, QInputDialog) and self._dice.random() < 0.8:
            dialog.setTextValue(self._dice.choice(("Ada", "Ben", " ")))
            dialog.accept()
        elif isinstance(dialog, CommandPalette) and self._dice.random() < 0.6:
            QTest.keyClicks(_focus_of(dialog), self._dice.choice(("undo", "theme", "set aside", "label", "next", "x")))
            press(_focus_of(dialog), "Return")
        elif isinstance(dialog, LabelDialog) and self._dice.random() < 0.7:
            self._qtbot.waitUntil(lambda: self.window.session.is_settled, timeout=30_000)
            press(_focus_of(dialog), "Return")
        elif isinstance(dialog, QMessageBox | QFileDialog | SettingsDialog) or self._dice.random() < 0.7:
            dialog.reject()
        else:
            press(_focus_of(dialog), self._dice.choice(("Tab", "Down", "Up", "Esc")))

    # -- what other programs do ----------------------------------------------------------------------

    def _change_outside(self) -> None:
        """Replace, remove or put back a draft's file, as another editor would."""
        job = self._job()
        if job is None:
            return
        path = self._folder / self._dice.choice(job.drafts).path
        if path in self._gone:
            write_over(path, self._gone.pop(path))
            return
        content = path.read_bytes()
        if self._dice.random() < 0.2:
            self._gone[path] = content
            path.unlink()
            self.steps.append(f"  {path.name} removed")
            return
        at = self._dice.randint(0, len(content.decode()))
        text = content.decode()
        write_over(path, (text[:at] + self._dice.choice(_PIECES) + text[at:]).encode())
        self.steps.append(f"  {path.name} replaced")

    def _break_lock(self) -> None:
        """Flip a byte of a locked file, or put all of them back."""
        job = self._job()
        if self._broken or job is None:
            self._mend_locks()
            return
        lock = self._dice.choice([record.lock for record in job.locked if record.lock])
        path = self._folder / lock.file
        content = path.read_bytes()
        self._broken[path] = content
        at = self._dice.randrange(len(content))
        write_over(path, content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])

    def _mend_locks(self) -> None:
        while self._broken:
            path, content = self._broken.popitem()
            write_over(path, content)

    def _mend(self) -> None:
        self._mend_locks()
        while self._gone:
            path, content = self._gone.popitem()
            write_over(path, content)

    def _job(self) -> Job | None:
        return self.window.session.job if self.window.session.folder == self._folder else None

    # -- what must hold at any moment -----------------------------------------------------------------

    def _come_back(self) -> None:
        """Open the job again where the window was closed, or shows another one or none."""
        window, session = self.window, self.window.session
        if not window.isVisible():
            self.steps.append("started again")
            self._mend_locks()
            self.window = self._open_window(self._folder)
        elif session.phase is Phase.EMPTY or (session.folder != self._folder and session.phase is not Phase.LOADING):
            if self._dialog() is None and self._dice.random() < 0.5:
                self.steps.append("opened again")
                session.open(self._folder)
        elif not self.window.isActiveWindow() and self._dialog() is None:
            self.window.activateWindow()

    def _look_right(self) -> None:
        session = self.window.session
        fault = session.fault
        if fault is not None and not isinstance(fault, QuoteviewError):
            raise AssertionError(f"a programming error was told: {fault!r}") from fault
        if session.phase is not Phase.READY:
            assert all(state is ClaimState.TO_VERIFY for state in session.states)
            assert session.label_refusal
        shown, held = shown_text(self.window), session.text.document_text if session.text is not None else ""
        assert shown == held.replace("\u2029", "\n"), f"shown {_around(shown, held)!r}, held {_around(held, shown)!r}"


def _around(text: str, other: str) -> str:
    """Return the part of a text around its first difference from another."""
    at = next((at for at, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), min(len(text), len(other)))
    return text[max(0, at - 20) : at + 40]


def shown_text(window: MainWindow) -> str:
    """Return what the draft's editor holds, line by line, as its document has it."""
    lines, block = [], window.draft.editor.document().begin()
    while block.isValid():
        lines.append(block.text())
        block = block.next()
    return "\n".join(lines)


def press(widget: QWidget, key: str) -> None:
    """Press a key by its portable name."""
    *modifiers, name = key.replace("++", "+Plus").split("+")
    held = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        held |= {"Ctrl": Qt.KeyboardModifier.ControlModifier, "Shift": Qt.KeyboardModifier.ShiftModifier}[modifier]
    QTest.keyClick(widget, KEYS[name] if name in KEYS else Qt.Key[f"Key_{name}"], held)


def _focus_of(dialog: QDialog) -> QWidget:
    focus = QApplication.focusWidget()
    return focus if focus is not None and dialog.isAncestorOf(focus) else dialog


def write_over(path: Path, content: bytes) -> None:
    """Put other bytes in a file's place at once, as careful programs save."""
    beside = path.with_name(f"~{path.name}.new")
    beside.write_bytes(content)
    beside.replace(path)
