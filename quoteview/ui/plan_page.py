"""The page that shows a plan before anything is fetched: the table, the recording if it is wanted, the job's title and place."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.fetching import MediaKind, Recording, SourcePlan
from quoteview.app.times import duration
from quoteview.core.captions.track import Origin
from quoteview.ui.new_job_dialog import suggested_folder
from quoteview.ui.plain import plain_tip
from quoteview.ui.plan_tree import PlanTree, size_words
from quoteview.ui.source_notes import words_label
from quoteview.ui.theme import Theme


class PlanPage(QWidget):
    """Shows one `SourcePlan`. `asked` carries the translations that are ticked, `changed` tells of another place or tick."""

    asked = Signal(object)
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.heading = words_label("title", self)
        self.heading.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
        self.facts = words_label("muted", self)
        self.tree = PlanTree(theme, self)
        self.record = QCheckBox(self.tr("Fetch the recording as well, to listen while you review:"), self)
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("What of the recording"))
        self.no_recording = words_label("muted", self)
        self.title = QLineEdit(self)
        self.title.setAccessibleName(self.tr("Title"))
        self.place = QLineEdit(self)
        self.place.setAccessibleName(self.tr("Folder of the job"))
        self.choose = QPushButton(self.tr("Choose…"), self)
        self.choose.setAutoDefault(False)
        self._lay_out()
        self.tree.asked.connect(self.asked)
        self.title.textEdited.connect(self._suggest)
        self.place.textChanged.connect(self.changed)
        self.place.textChanged.connect(lambda place: self.place.setToolTip(plain_tip(place)))
        self.choose.clicked.connect(self._on_choose)
        self.record.toggled.connect(self._on_record_toggled)

    @property
    def folder(self) -> Path:
        """Where the job goes."""
        return Path(self.place.text().strip()).expanduser()

    @property
    def recording(self) -> MediaKind | None:
        """What of the recording is asked for; None for nothing of it."""
        return MediaKind(str(self.kind.currentData())) if self.record.isChecked() else None

    def start(self, plan: SourcePlan, *, title: str, folder: str, has_recording: bool) -> None:
        """Show a plan for the first time, with what was said of the job already; `has_recording` where one was brought."""
        self.title.setText(title or plan.title)
        self.title.setCursorPosition(0)
        self.place.setText(folder)
        self.place.setModified(bool(folder))
        self._suggest(self.title.text())
        self._offer(plan, has_recording=has_recording)
        self.show_plan(plan)

    def show_plan(self, plan: SourcePlan) -> None:
        """Show a plan's tracks, each translation to be ticked; what was said of the job stays."""
        self.heading.setText(plan.title)
        rows = plan.rows()
        length = f"{duration(plan.duration_ms)} · " if plan.duration_ms else ""
        kinds = [
            (self.tr("{count} human"), Origin.HUMAN),
            (self.tr("{count} automatic"), Origin.AUTOMATIC),
            (self.tr("{count} translated"), Origin.TRANSLATED),
        ]
        counts = [(text, sum(row.origin is origin and not row.copy_of for row in rows)) for text, origin in kinds]
        offered = " · ".join(text.format(count=count) for text, count in counts if count)
        self.facts.setText(length + (offered or self.tr("This source offers no captions. Bring a caption file of it instead.")))
        self.tree.fill(rows, is_ticking=True)
        for widget in (self.tree, self.choose, self.title, self.place, *self._labels):
            widget.setVisible(bool(rows))
        self.record.setVisible(bool(rows) and self._can_record)
        self.kind.setVisible(bool(rows) and self._can_record)
        self.no_recording.setVisible(bool(rows) and bool(self.no_recording.text()))

    def show_fetching(self, plan: SourcePlan) -> None:
        """Show only what is fetched, to be told of by progress."""
        kind = self.recording
        self.tree.fill(plan.rows(), is_ticking=False, recording=plan.recording(kind) if kind is not None else None)

    def set_fixed(self, is_fixed: bool) -> None:
        """Let nothing be changed while it is being fetched, or after."""
        for widget in (self.title, self.place, self.choose, self.record):
            widget.setEnabled(not is_fixed)
        self.kind.setEnabled(not is_fixed and self.record.isChecked() and self.kind.count() > 1)

    def _lay_out(self) -> None:
        sound = QHBoxLayout()
        sound.addWidget(self.record)
        sound.addWidget(self.kind)
        sound.addStretch(1)
        place = QHBoxLayout()
        place.setSpacing(8)
        place.addWidget(self.place, 1)
        place.addWidget(self.choose)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.addRow(self.tr("Title"), self.title)
        form.addRow(self.tr("Folder"), place)
        self._labels = [form.labelForField(self.title), form.labelForField(place)]
        self._can_record = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self.heading, self.facts):
            layout.addWidget(widget)
        layout.addWidget(self.tree, 1)
        layout.addLayout(sound)
        layout.addWidget(self.no_recording)
        layout.addLayout(form)
        layout.addStretch(0)

    def _offer(self, plan: SourcePlan, *, has_recording: bool) -> None:
        """List what can be had of the recording, or say why nothing can."""
        self.record.setChecked(False)
        self.kind.clear()
        found = {kind: recording for kind in MediaKind if (recording := plan.recording(kind)) is not None}
        if MediaKind.VIDEO in found and found[MediaKind.VIDEO] == found.get(MediaKind.AUDIO):
            del found[MediaKind.VIDEO]  # sound is not offered alone: the one file is both
        for kind, recording in found.items():
            self.kind.addItem(self._recording_words(recording), str(kind))
        self._can_record = bool(found) and not has_recording
        self.no_recording.setText("")
        if not found and not has_recording:
            self.no_recording.setText(
                self.tr("Its recording cannot be fetched: {reason}.").format(reason=plan.no_recording(MediaKind.AUDIO))
            )

    def _recording_words(self, recording: Recording) -> str:
        what = self.tr("sound") if recording.kind is MediaKind.AUDIO else self.tr("a small video")
        if recording.size is None:
            return self.tr("{what} · {format}, size not told").format(what=what, format=recording.ext)
        size = size_words(recording.size)
        told = self.tr("about {size}").format(size=size) if recording.is_size_about else size
        return self.tr("{what} · {format}, {size}").format(what=what, format=recording.ext, size=told)

    def _on_record_toggled(self, is_on: bool) -> None:
        self.kind.setEnabled(is_on and self.kind.count() > 1)
        self.changed.emit()

    def _suggest(self, title: str) -> None:
        if not self.place.isModified():
            self.place.setText(str(suggested_folder(title, self.tr("interview"))))

    def _on_choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Folder of the job"), self.place.text())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.fileSelected.connect(self._on_chosen)
        dialog.open()

    def _on_chosen(self, folder: str) -> None:
        self.place.setText(folder)
        self.place.setModified(True)
