"""The table of what a source offers: each track with its origin, what is done with it and why, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from quoteview.app.fetching import RECORDING, MediaKind, PlanRow, Recording
from quoteview.core.captions.track import Origin
from quoteview.core.job import Standing, TrackRecord
from quoteview.ui.plain import plain_tip
from quoteview.ui.theme import FontRole, Theme, set_role

_TRACK, _LANGUAGE, _ORIGIN, _FORMAT, _WHAT, _WHY = range(6)
_KEY = int(Qt.ItemDataRole.UserRole)


class PlanTree(QTreeWidget):
    """The tracks of a source; machine translations stand below one line, each with a tick to ask for it."""

    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._items: dict[str, QTreeWidgetItem] = {}
        self._is_filling = False
        self.setAccessibleName(self.tr("Tracks of the source"))
        set_role(self, "table")
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHeaderLabels(
            [self.tr("Track"), self.tr("Language"), self.tr("Origin"), self.tr("Format"), self.tr("What is done"), self.tr("Why")]
        )
        header = self.header()
        header.setStretchLastSection(True)
        for column in range(_WHY):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.itemChanged.connect(self._on_item_changed)

    def fill(self, rows: Sequence[PlanRow], *, is_ticking: bool, recording: Recording | None = None) -> None:
        """Show the tracks; `is_ticking` lets translations be asked for, otherwise only what is fetched of them is listed.

        `recording` is the file that is fetched after the tracks, None for none.
        """
        self._is_filling = True
        self.clear()
        self._items = {}
        translated = [row for row in rows if row.origin is Origin.TRANSLATED]
        for row in rows:
            if row.origin is not Origin.TRANSLATED or (row.is_planned and not is_ticking):
                self._add(row, self.invisibleRootItem())
        if translated and is_ticking:
            head = QTreeWidgetItem(self, [self._heading(len(translated))])
            head.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            head.setFirstColumnSpanned(True)
            head.setForeground(_TRACK, self._theme.palette.color("muted"))
            for row in translated:
                if not row.copy_of:
                    self._add(row, head).setCheckState(
                        _TRACK, Qt.CheckState.Checked if row.is_planned else Qt.CheckState.Unchecked
                    )
        if recording is not None:
            self._add_recording(recording)
        first = self.topLevelItem(0)
        if first is not None:
            self.setCurrentItem(first)
        self._is_filling = False

    def show_progress(self, track_id: str, done: int, total: int) -> None:
        """Say of a track how far it is; bytes in all are 0 where unknown."""
        words = self.tr("asking…")
        if done:
            words = (
                self.tr("{done} of {total}").format(done=size_words(done), total=size_words(total)) if total else size_words(done)
            )
        self._say(track_id, words, None, "accent")

    def show_arrival(self, record: TrackRecord) -> None:
        """Say of a track that it is locked, or why it was not obtained."""
        if record.lock is not None:
            self._say(record.id, self.tr("locked, {size}").format(size=size_words(record.lock.size)), None, "text")
        elif record.standing is Standing.NOT_OBTAINED:
            self._say(record.id, self.tr("not obtained"), record.reason, "to_do")

    def text_of(self, track_id: str) -> str:
        """Return what stands in a track's row, for a screen reader and for tests."""
        item = self._items[track_id]
        return " · ".join(item.text(column) for column in range(self.columnCount()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc are the dialog's; everything else walks, opens and ticks."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _add(self, row: PlanRow, parent: QTreeWidgetItem) -> QTreeWidgetItem:
        language = f"{row.language} · {row.name}" if row.name and row.name != row.language else row.language
        what = self.tr("fetch and lock") if row.is_planned else self.tr("only listed")
        item = QTreeWidgetItem(parent, [row.id, language, self._origin(row.origin), row.format, what, row.why])
        item.setData(_TRACK, _KEY, row.key)
        item.setForeground(_WHY, self._theme.palette.color("muted"))
        item.setToolTip(_WHY, plain_tip(row.why))
        item.setToolTip(_LANGUAGE, plain_tip(language))
        if row.is_planned:
            item.setFont(_WHAT, self._theme.font(FontRole.STRONG))
        self._items[row.id] = item
        return item

    def _add_recording(self, recording: Recording) -> None:
        what = self.tr("sound") if recording.kind is MediaKind.AUDIO else self.tr("video")
        texts = [self.tr("recording"), "", what, recording.ext, self.tr("fetch"), self.tr("to listen while you review")]
        item = QTreeWidgetItem(self.invisibleRootItem(), texts)
        item.setForeground(_WHY, self._theme.palette.color("muted"))
        item.setFont(_WHAT, self._theme.font(FontRole.STRONG))
        self._items[RECORDING] = item

    def _heading(self, count: int) -> str:
        return self.tr("{count} machine translations, only listed: tick those that you want as well").format(count=count)

    def _origin(self, origin: Origin) -> str:
        words = {
            Origin.HUMAN: self.tr("human"),
            Origin.AUTOMATIC: self.tr("automatic"),
            Origin.TRANSLATED: self.tr("translated"),
            Origin.UNKNOWN: self.tr("unknown"),
        }
        return words[origin]

    def _say(self, track_id: str, what: str, why: str | None, color: str) -> None:
        item = self._items.get(track_id)
        if item is None:
            return
        item.setText(_WHAT, what)
        item.setForeground(_WHAT, self._theme.palette.color(color))
        if why is not None:
            item.setText(_WHY, why)
            item.setToolTip(_WHY, plain_tip(why))
            item.setForeground(_WHY, self._theme.palette.color("text"))
        self.scrollToItem(item)

    def _on_item_changed(self, changed: QTreeWidgetItem, column: int) -> None:
        parent = changed.parent()
        if self._is_filling or parent is None or column != _TRACK:
            return
        self._is_filling = True
        is_on = changed.checkState(_TRACK) == Qt.CheckState.Checked
        changed.setText(_WHAT, self.tr("fetch and lock") if is_on else self.tr("only listed"))
        changed.setFont(_WHAT, self._theme.font(FontRole.STRONG if is_on else FontRole.UI))
        self._is_filling = False
        children = [child for number in range(parent.childCount()) if (child := parent.child(number)) is not None]
        self.asked.emit([str(one.data(_TRACK, _KEY)) for one in children if one.checkState(_TRACK) == Qt.CheckState.Checked])


def size_words(count: int) -> str:
    """Return a size in bytes as a person reads it: `65 B`, `48 kB`, `4.2 MB`."""
    if count < 10_000:
        return f"{count:,} B"
    return f"{count / 1000:,.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:,.1f} MB"
