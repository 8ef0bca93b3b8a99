"""The lists that one act resolves: every claim is seen first, with its difference in columns, and can be taken out.

Space unticks, Enter applies what stays ticked. Words, numbers and negations are never in such a list.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from quoteview.app.session import Session
from quoteview.app.states import Alike, ListedRepair, Repair
from quoteview.core.drafts.draft import Claim
from quoteview.ui.panel_forms import Form, reason_field
from quoteview.ui.theme import FontRole, Theme


class TickList(QTreeWidget):
    """Claims with a tick, their words now, and their words after the act."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHeaderLabels([self.tr("Quote"), self.tr("Before"), self.tr("After")])
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.setAccessibleName(self.tr("Quotations of this act"))
        self._font = theme.font(FontRole.QUOTE)
        self._font.setPixelSize(theme.pixels(14))

    def fill(self, rows: Sequence[tuple[int, str, str]]) -> None:
        """Show (claim, before, after), all ticked."""
        self.clear()
        for claim_id, before, after in rows:
            row = QTreeWidgetItem([str(claim_id), before, after])
            row.setData(0, Qt.ItemDataRole.UserRole, claim_id)
            row.setCheckState(0, Qt.CheckState.Checked)
            row.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            for column in (1, 2):
                row.setFont(column, self._font)
                row.setToolTip(column, "")
            self.addTopLevelItem(row)
        first = self.topLevelItem(0)
        if first is not None:
            self.setCurrentItem(first)

    def ticked(self) -> list[int]:
        """Return the claims that stayed ticked."""
        rows = [self.topLevelItem(number) for number in range(self.topLevelItemCount())]
        return [int(row.data(0, Qt.ItemDataRole.UserRole)) for row in rows if row and row.checkState(0) == Qt.CheckState.Checked]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space unticks or ticks the row; Enter and Esc are the form's."""
        row = self.currentItem()
        if event.key() == Qt.Key.Key_Space and row is not None:
            is_on = row.checkState(0) == Qt.CheckState.Checked
            row.setCheckState(0, Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.ignore()
        else:
            super().keyPressEvent(event)


class SafeRepairsForm(Form):
    """Every safe repair of the draft; Enter applies what stays ticked, as one step of undo."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        self._listed = session.safe_repairs()
        super().__init__(session, theme, "", parent)
        self.setAccessibleName(self.tr("All safe repairs"))
        self.rows = TickList(theme, self)
        self.rows.fill([(listed.claim, *_columns(listed.repair)) for listed in self._listed])
        self._rows.addWidget(self.rows, 1)
        count = len(self._listed)
        done = self._add_buttons(self.tr("Apply"), self.tr("{count} repairs; Space unticks").format(count=count))
        done.clicked.connect(self._on_done)

    def begin(self) -> None:
        """Begin in the list."""
        self.rows.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter applies."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self._on_done()
        else:
            super().keyPressEvent(event)

    def _on_done(self) -> None:
        ticked = set(self.rows.ticked())
        chosen: list[ListedRepair] = [listed for listed in self._listed if listed.claim in ticked]
        self.closed.emit()
        if chosen:
            self._session.apply_safe_repairs(chosen)


class AlikeForm(Form):
    """The groups that the claim is in; one is resolved in one act, with one reason where it is recorded."""

    def __init__(self, session: Session, claim: Claim, theme: Theme, parent: QWidget) -> None:
        super().__init__(session, theme, "", parent)
        self.setAccessibleName(self.tr("Alike ones together"))
        self._groups = session.alike(claim.id)
        self.group = QComboBox(self)
        self.group.setAccessibleName(self.tr("What they share"))
        for alike in self._groups:
            self.group.addItem(alike.sentence)
        self.rows = TickList(theme, self)
        self.reason = reason_field(self.tr("One reason for all of them"), self)
        self._rows.addWidget(self.group)
        self._rows.addWidget(self.rows, 1)
        self._rows.addWidget(self.reason)
        self.group.setVisible(len(self._groups) > 1)
        self._done = self._add_buttons(self.tr("Resolve these"), self.tr("Space unticks"))
        self._done.clicked.connect(self._on_done)
        self.reason.returnPressed.connect(self._on_done)
        self.group.currentIndexChanged.connect(self._on_group_changed)
        self._on_group_changed(0)

    def begin(self) -> None:
        """Begin in the list."""
        self.rows.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter resolves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self._on_done()
        else:
            super().keyPressEvent(event)

    def _alike(self) -> Alike:
        return self._groups[max(0, self.group.currentIndex())]

    def _on_group_changed(self, _index: int) -> None:
        alike = self._alike()
        self.rows.fill([(claim, *self._row(claim, repair)) for claim, repair in zip(alike.claims, alike.repairs, strict=True)])
        self.reason.setVisible(any(repair is None for repair in alike.repairs))

    def _row(self, claim_id: int, repair: Repair | None) -> tuple[str, str]:
        if repair is not None:
            return _columns(repair)
        claim = self._session.claim(claim_id)
        return (claim.text if claim else "", self.tr("set aside"))

    def _on_done(self) -> None:
        ticked = self.rows.ticked()
        alike, reason = self._alike(), self.reason.text().strip()
        needs_reason = any(self._session.needs_reason(claim) for claim in ticked) and any(r is None for r in alike.repairs)
        if needs_reason and not reason:
            self.reason.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.closed.emit()
        if ticked:
            self._session.resolve_alike(alike, ticked, reason)


def _columns(repair: Repair) -> tuple[str, str]:
    """Return a repair's words before and after in one line each; where only a time changes, its label."""
    before, after = " ".join(repair.before.split()), " ".join(repair.after.split())
    return (before, after) if before or after else ("", repair.label)
