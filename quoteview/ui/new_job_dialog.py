"""The dialog for a new job: what was recognised in the files, to be confirmed before anything is locked."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.fetching import as_link, is_link
from quoteview.app.jobs import Jobs
from quoteview.app.proposals import NewJob, Proposal, Use, as_use, recognise, recognise_one, refuse_taken
from quoteview.app.session import Session
from quoteview.core.captions.track import Origin
from quoteview.core.places import documents_folder
from quoteview.ui.elided import ElidedLabel
from quoteview.ui.messages import describe
from quoteview.ui.plain import plain_tip
from quoteview.ui.sizes import resize_within_screen
from quoteview.ui.theme import Theme, set_role

_SHORT_DIGEST = 16


class NewJobDialog(QDialog):
    """Shows each file with format, cues, digest, and the origin and language to confirm; makes the job when accepted.

    Without a caption file a link is asked: `link_confirmed` carries the `NewJob` whose tracks are to be fetched.
    """

    link_confirmed = Signal(object)

    def __init__(
        self, session: Session, theme: Theme, parent: QWidget | None = None, *, files: Sequence[Path] = (), link: str = ""
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = Jobs(1, self)
        self._proposals: list[Proposal] = []
        self.setWindowTitle(self.tr("New job"))
        self.setAccessibleName(self.tr("New job"))
        self.setAcceptDrops(True)
        resize_within_screen(self, theme, 780, 600)
        self.title = QLineEdit(self)
        self.title.setAccessibleName(self.tr("Title"))
        self.link = QLineEdit(link, self)
        self.link.setPlaceholderText(self.tr("Address of the recording, if it has one"))
        self.link.setAccessibleName(self.tr("Link"))
        self.language = QLineEdit(self)
        self.language.setPlaceholderText(self.tr("Language spoken, for example en"))
        self.language.setAccessibleName(self.tr("Language spoken"))
        self.place = QLineEdit(self)
        self.place.setAccessibleName(self.tr("Folder of the job"))
        self.remark = _label("", "muted", self)
        self.make = QPushButton(self.tr("Lock the captions and open"), self)
        self.make.setDefault(True)
        set_role(self.make, "primary")
        self.leave = QPushButton(self.tr("Cancel"), self)
        self._rows = QVBoxLayout()
        self._lay_out()
        self.make.clicked.connect(self._on_accepted)
        self.leave.clicked.connect(self.reject)
        self.title.textEdited.connect(self._on_title_edited)
        self.link.textChanged.connect(self._check)
        self.place.textChanged.connect(self._check)
        self.finished.connect(self._jobs.stop)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._suggest()
        self.add_files(files)

    def add_files(self, files: Sequence[Path]) -> None:
        """Recognise more files, in the background; one that is there already is left out."""
        known = {proposal.path for proposal in self._proposals}
        fresh = [path for path in files if path not in known]
        if fresh:
            self.remark.setText(self.tr("Reading the files…"))
            self._jobs.run(partial(recognise, fresh), self._on_recognised, self._on_failed, sentence=self.tr("reading files"))
        else:
            self._show()

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """What is shown, as it would be used."""
        return tuple(self._proposals)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what was dropped; a link goes into its field."""
        event.acceptProposedAction()
        links = [url.toString() for url in event.mimeData().urls() if is_link(url.toString())]
        if links:
            self.link.setText(links[0])
        self.add_files([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        self._rows.setContentsMargins(0, 0, 4, 0)
        self._rows.setSpacing(8)
        for text, widget in (
            (self.tr("Title"), self.title),
            (self.tr("Link"), self.link),
            (self.tr("Language"), self.language),
        ):
            form.addRow(text, widget)
        place = QHBoxLayout()
        place.setSpacing(8)
        self._choose = QPushButton(self.tr("Choose…"), self)
        self._choose.clicked.connect(self._on_choose_place)
        place.addWidget(self.place, 1)
        place.addWidget(self._choose)
        form.addRow(self.tr("Folder"), place)
        holder = QWidget(self)
        holder.setObjectName("holder")
        holder.setLayout(self._rows)
        scroll = QScrollArea(self)
        scroll.setWidget(holder)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.tr("Files of the job"))
        self.add = QPushButton(self.tr("Add files…"), self)
        self.add.clicked.connect(self._on_add)
        for button in (self._choose, self.add, self.leave):
            button.setAutoDefault(False)
        row = QHBoxLayout()
        row.addWidget(self.add)
        row.addStretch(1)
        row.addWidget(self.leave)
        row.addWidget(self.make)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.remark)
        layout.addLayout(row)

    def _on_recognised(self, found: tuple[Proposal, ...]) -> None:
        self._proposals += found
        if not self.title.isModified():
            self._suggest()
        self._show()

    def _on_failed(self, error: Exception) -> None:
        self._check()
        set_role(self.remark, "danger")
        self.remark.setText(describe(error))

    def _suggest(self) -> None:
        drafts = [proposal for proposal in self._proposals if proposal.use is Use.DRAFT]
        first = next(iter([*drafts, *self._proposals]), None)
        self.title.setText(re.sub("[-_]+", " ", first.path.stem.split(".")[0]).strip().capitalize() if first else "")
        languages = [proposal.language for proposal in self._proposals if proposal.language]
        if not self.language.isModified():
            self.language.setText(languages[0] if languages else "")
        self._on_title_edited(self.title.text())

    def _on_title_edited(self, title: str) -> None:
        if not self.place.isModified():
            self.place.setText(str(suggested_folder(title, self.tr("interview"))))

    def _show(self) -> None:
        before = next((widget.accessibleName() for widget in self.findChildren(QWidget) if widget.hasFocus()), "")
        while (entry := self._rows.takeAt(0)) is not None:
            if (widget := entry.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        rows = [self._row(number, proposal) for number, proposal in enumerate(self._proposals)]
        for row in rows:
            self._rows.addWidget(row)
        self._order_focus(rows, before)
        if not self._proposals:
            self._rows.addWidget(_label(self.tr("Drop caption files, drafts and media here, or add them."), "muted", self))
        self._rows.addStretch(1)
        self._check()

    def _order_focus(self, rows: Sequence[QFrame], before: str) -> None:
        """Let Tab go through the dialog as it is read, and keep the focus where it was in the rows, which are new."""
        inside = [
            widget
            for row in rows
            for widget in row.findChildren(QWidget)
            if isinstance(widget, QComboBox | QLineEdit | QPushButton)
        ]
        order = [self.title, self.link, self.language, self.place, self._choose, *inside, self.add, self.leave, self.make]
        for first, second in itertools.pairwise(order):
            QWidget.setTabOrder(first, second)
        again = next((widget for widget in inside if before and widget.accessibleName() == before), None)
        if again is not None:
            again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _row(self, number: int, proposal: Proposal) -> QFrame:
        row = QFrame(self)
        set_role(row, "pane")
        grid = QGridLayout(row)
        grid.setContentsMargins(14, 10, 12, 10)
        grid.setColumnStretch(0, 1)
        name = ElidedLabel(proposal.path.name, "strong", row, mode=Qt.TextElideMode.ElideMiddle)
        name.setToolTip(plain_tip(str(proposal.path)))
        use = QComboBox(row)
        use.setAccessibleName(self.tr("Use of {file}").format(file=proposal.path.name))
        for choice, text in self._uses():
            use.addItem(text, str(choice))
        use.setCurrentIndex(use.findData(str(proposal.use)))
        use.activated.connect(lambda _index, at=number, box=use: self._on_use_chosen(at, Use(box.currentData())))
        remove = QPushButton(self.tr("Leave out"), row)
        remove.setAutoDefault(False)
        remove.setAccessibleName(self.tr("Leave out {file}").format(file=proposal.path.name))
        set_role(remove, "link")
        remove.clicked.connect(lambda _checked=False, at=number: self._on_removed(at))
        grid.addWidget(name, 0, 0)
        grid.addWidget(use, 0, 1)
        grid.addWidget(remove, 0, 2)
        facts = _label(self._facts(proposal), "danger" if proposal.use is Use.UNUSABLE else "muted", row)
        facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(facts, 1, 0, 1, 3)
        if proposal.use is Use.CAPTIONS:
            grid.addLayout(self._confirmations(number, proposal, row), 2, 0, 1, 3)
        elif proposal.likely_encodings:
            grid.addLayout(self._encodings(number, proposal, row), 2, 0, 1, 3)
        return row

    def _confirmations(self, number: int, proposal: Proposal, row: QWidget) -> QHBoxLayout:
        origin = QComboBox(row)
        origin.setAccessibleName(self.tr("Origin of {file}").format(file=proposal.path.name))
        for choice, text in self._origins():
            origin.addItem(text, str(choice))
        origin.setCurrentIndex(origin.findData(str(proposal.origin)))
        origin.activated.connect(lambda _index, at=number, box=origin: self._replace(at, origin=Origin(box.currentData())))
        language = QLineEdit(proposal.language, row)
        language.setAccessibleName(self.tr("Language of {file}").format(file=proposal.path.name))
        language.setMaximumWidth(130)
        language.setPlaceholderText(self.tr("which language"))
        language.textEdited.connect(lambda text, at=number: self._replace(at, language=text.strip()))
        line = QHBoxLayout()
        for widget in (
            _label(self.tr("These captions are"), "plain", row),
            origin,
            _label(self.tr("in"), "plain", row),
            language,
        ):
            line.addWidget(widget)
        line.addStretch(1)
        return line

    def _encodings(self, number: int, proposal: Proposal, row: QWidget) -> QHBoxLayout:
        encoding = QComboBox(row)
        encoding.setAccessibleName(self.tr("Encoding of {file}").format(file=proposal.path.name))
        encoding.addItems(list(proposal.likely_encodings))
        read = QPushButton(self.tr("Read as this encoding"), row)
        read.setAutoDefault(False)
        read.clicked.connect(lambda _checked=False, at=number, box=encoding: self._on_encoding(at, box.currentText()))
        line = QHBoxLayout()
        line.addWidget(encoding)
        line.addWidget(read)
        line.addStretch(1)
        return line

    def _uses(self) -> tuple[tuple[Use, str], ...]:
        return (
            (Use.CAPTIONS, self.tr("captions")),
            (Use.DRAFT, self.tr("draft")),
            (Use.MEDIA, self.tr("audio or video")),
            (Use.UNUSABLE, self.tr("not used")),
        )

    def _origins(self) -> tuple[tuple[Origin, str], ...]:
        return (
            (Origin.HUMAN, self.tr("written by people")),
            (Origin.AUTOMATIC, self.tr("automatic, from the speech")),
            (Origin.TRANSLATED, self.tr("a machine translation")),
            (Origin.UNKNOWN, self.tr("of unknown origin")),
        )

    def _facts(self, proposal: Proposal) -> str:
        match proposal.use:
            case Use.CAPTIONS:
                one, many = self.tr("1 cue"), self.tr("{cues:,} cues").format(cues=proposal.cues)
                return self.tr("{format} · {cues} · {size:,} bytes · SHA-256 {digest}…").format(
                    format=proposal.format,
                    cues=one if proposal.cues == 1 else many,
                    size=proposal.size,
                    digest=proposal.sha256[:_SHORT_DIGEST],
                )
            case Use.DRAFT:
                return self.tr("a draft · {size:,} bytes").format(size=proposal.size)
            case Use.MEDIA:
                return self.tr("to listen to while reviewing")
            case Use.UNUSABLE if proposal.likely_encodings:
                return self.tr("It is not in UTF-8 and does not say what it is in. Choose; a wrong choice shows in the letters.")
            case Use.UNUSABLE:
                return proposal.remark or self.tr("left out of the job")

    def _on_use_chosen(self, number: int, use: Use) -> None:
        proposal = self._proposals[number]
        self._jobs.run(
            lambda _report: as_use(proposal, use), partial(self._on_reread, number), self._on_failed, sentence="", name="use"
        )

    def _on_encoding(self, number: int, encoding: str) -> None:
        path = self._proposals[number].path
        self._jobs.run(
            lambda _report: recognise_one(path, encoding),
            partial(self._on_reread, number),
            self._on_failed,
            sentence="",
            name="use",
        )

    def _on_reread(self, number: int, proposal: Proposal) -> None:
        if number < len(self._proposals) and self._proposals[number].path == proposal.path:
            self._proposals[number] = proposal
            self._show()

    def _on_removed(self, number: int) -> None:
        del self._proposals[number]
        self._show()
        self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _replace(self, number: int, *, origin: Origin | None = None, language: str | None = None) -> None:
        known = self._proposals[number]
        self._proposals[number] = dataclasses.replace(
            known,
            origin=known.origin if origin is None else origin,
            language=known.language if language is None else language,
        )
        self._check()

    def _check(self) -> None:
        captions = [proposal for proposal in self._proposals if proposal.use is Use.CAPTIONS]
        unknown = [proposal.path.name for proposal in captions if proposal.origin is Origin.UNKNOWN]
        if not captions and not self.link.text().strip():
            said = self.tr("A job needs captions, or the link of a recording that has some.")
        elif not captions:
            said = self.tr("The link is asked which captions it has; you see the list before anything is fetched.")
        elif unknown:
            one = self.tr("Say of {file} where it comes from, if you know it; the label says what is unknown.")
            many = self.tr("Say of {count} files where they come from, if you know it; the label says what is unknown.")
            said = one.format(file=unknown[0]) if len(unknown) == 1 else many.format(count=len(unknown))
        else:
            said = self.tr("The captions are copied byte for byte and locked; the files stay where they are.")
        set_role(self.remark, "muted")
        self.remark.setText(said)
        is_by_link = not captions and bool(as_link(self.link.text()))
        self.make.setText(self.tr("See what the link offers") if is_by_link else self.tr("Lock the captions and open"))
        self.make.setEnabled(bool(captions or is_by_link) and bool(self.place.text().strip()))

    def _on_add(self) -> None:
        dialog = QFileDialog(self, self.tr("Add files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda chosen: self.add_files([Path(path) for path in chosen]))
        dialog.open()

    def _on_choose_place(self) -> None:
        dialog = QFileDialog(self, self.tr("Folder of the job"), self.place.text())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.fileSelected.connect(self._on_place_chosen)
        dialog.open()

    def _on_place_chosen(self, chosen: str) -> None:
        self.place.setText(chosen)
        self.place.setModified(True)

    def _on_accepted(self) -> None:
        proposal = NewJob(
            folder=Path(self.place.text().strip()),
            title=self.title.text().strip(),
            language=self.language.text().strip(),
            source=as_link(self.link.text()) or self.link.text().strip(),
            proposals=tuple(proposal for proposal in self._proposals if proposal.use is not Use.UNUSABLE),
        )
        if not proposal.of_use(Use.CAPTIONS):
            self._make(proposal)  # whether the place is free is found out where the tracks are fetched
            return
        self.make.setEnabled(False)
        self._jobs.run(
            lambda _report: refuse_taken(proposal.folder), lambda _none: self._make(proposal), self._on_failed, sentence=""
        )

    def _make(self, proposal: NewJob) -> None:
        self.accept()
        if proposal.of_use(Use.CAPTIONS):
            self._session.new_job(proposal)
        else:
            self.link_confirmed.emit(proposal)


def job_folder(path: Path) -> Path | None:
    """Return the job's folder for a path that is one, or is its `job.json`; None for anything else."""
    folder = path.parent if path.name == "job.json" else path
    return folder if (folder / "job.json").is_file() else None


def is_draft(path: Path) -> bool:
    """Return whether a file's name is a draft's, so that it may join the open job without a question."""
    return path.suffix.lower() in (".md", ".markdown", ".txt", ".html", ".htm", ".docx", ".odt")


_LONGEST_NAME = 200


def suggested_folder(title: str, otherwise: str) -> Path:
    """Return a free folder for a job of this title, of the other name where nothing of the title can be a file's name."""
    name = re.sub(r'[\\/:*?"<>|\s\x00-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]+', " ", title)[:120]
    name = name.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(". ") or otherwise  # disks count bytes, not letters
    return _free(documents_folder() / f"{name}.quoteview")


def _free(folder: Path) -> Path:
    number, candidate = 2, folder
    while candidate.exists():
        candidate = folder.with_name(f"{folder.stem} {number}{folder.suffix}")
        number += 1
    return candidate


def _label(text: str, role: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(role in ("muted", "danger"))
    set_role(label, role)
    return label
