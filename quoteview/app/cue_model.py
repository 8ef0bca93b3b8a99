"""The transcript as a list model: one row a cue of the track shown, in the order of its file."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from quoteview.app.session import Session
from quoteview.app.states import Changes
from quoteview.app.times import clock
from quoteview.core.captions.track import Cue

AnyIndex = QModelIndex | QPersistentModelIndex


class CueRole(IntEnum):
    """What a row gives besides its text (`DisplayRole`). CUE is the `Cue`, TIME its start as `12:34.120`,
    SPEAKER the voices it names, CLAIMS the ids of the claims whose match touches it."""

    CUE = Qt.ItemDataRole.UserRole
    TIME = Qt.ItemDataRole.UserRole + 1
    SPEAKER = Qt.ItemDataRole.UserRole + 2
    CLAIMS = Qt.ItemDataRole.UserRole + 3


class CueModel(QAbstractListModel):
    """Rows are made when they are asked for, so 100,000 cost nothing until they are seen. Row and cue index are the same."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._cues: tuple[Cue, ...] = session.cues
        session.changed.connect(self._on_session_changed)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - the signature of Qt
        """Return the number of cues."""
        return 0 if parent.isValid() else len(self._cues)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return one of a cue's facts by role."""
        if not index.isValid() or index.row() >= len(self._cues):
            return None
        cue = self._cues[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cue.text
            case CueRole.CUE:
                return cue
            case CueRole.TIME:
                return clock(cue.time.start_ms, thousandths=True)
            case CueRole.SPEAKER:
                return ", ".join(cue.speakers)
            case CueRole.CLAIMS:
                return self._claims(index.row())
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{clock(cue.time.start_ms)} {cue.text}"
        return None

    def _claims(self, row: int) -> tuple[int, ...]:
        if self._session.shown_track_id != self._session.reference_id:
            return ()
        return self._session.claims_at_cue(row)

    def _on_session_changed(self, changes: Changes) -> None:
        if self._session.cues is not self._cues:
            self.beginResetModel()
            self._cues = self._session.cues
            self.endResetModel()
        elif self._cues and changes & (Changes.VERDICTS | Changes.SWITCHED | Changes.LOCK):
            self.dataChanged.emit(self.index(0), self.index(len(self._cues) - 1), [int(CueRole.CLAIMS)])
