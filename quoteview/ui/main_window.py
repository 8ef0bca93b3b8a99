"""The main window: it lays out the areas and plugs in the widgets; it decides nothing.

Each area is one widget class in its own module, made with `(session, selection, theme, parent)`:

- `transcript_view.TranscriptView`, `draft_view.DraftView`: the panes, each with its own head.
- `ribbons.Ribbons`: the gap between the panes. It is also given the panes by `join(transcript, draft)`,
  which both offer `claim_rect(claim_id) -> QRectF | None` (in their own coordinates, also for claims that
  are scrolled out of sight) and the signal `view_moved`.
- `overview_strip.OverviewStrip`: the recording's length with a mark for each claim.
- `claim_list.ClaimList`, `resolve_panel.ResolvePanel`, `gates_bar.GatesBar`: below.

Dialogs (`label_dialog.LabelDialog`, `evidence_dialog.EvidenceDialog`) are made with the same four and shown
with `open()`. A widget asks for an action of the table by its signal `action_requested(str)`, which carries
the action's id (`quoteview.ui.actions.ActionId`); ids of repairs are those of `states.RepairKind`.

What the panes and panels offer to the actions: `TranscriptView.show_find()`, `ResolvePanel.start_edit()`,
`.start_accept()`, `.start_set_aside()`, `.start_retract()`, `.start_alike()`, `.start_safe_repairs()`, and on both
panes `bring_into_view(claim_id)`. Each widget sets its accessible name and is a landmark for screen readers.

Below 1,000 logical pixels one pane shows at a time and F6 switches; the ribbons give way first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from quoteview import __version__
from quoteview.app.fetching import Fetcher, is_link
from quoteview.app.player import Player
from quoteview.app.proposals import NewJob, Use
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.app.states import Changes, Phase, Saving
from quoteview.core.joblock import NotHeld
from quoteview.ui import messages
from quoteview.ui.actions import ActionId, Actions, MenuId, PlainKeys
from quoteview.ui.banners import Banners
from quoteview.ui.changes_dialog import ChangesDialog
from quoteview.ui.claim_list import ClaimList
from quoteview.ui.commands import Commands
from quoteview.ui.draft_view import DraftView
from quoteview.ui.evidence_dialog import EvidenceDialog
from quoteview.ui.fetch_dialog import FetchDialog, Wanted
from quoteview.ui.gates_bar import GatesBar
from quoteview.ui.header import Header
from quoteview.ui.new_job_dialog import NewJobDialog
from quoteview.ui.overview_strip import OverviewStrip
from quoteview.ui.resolve_panel import ResolvePanel
from quoteview.ui.ribbons import Ribbons
from quoteview.ui.settings_dialog import SettingsDialog
from quoteview.ui.start_page import StartPage
from quoteview.ui.theme import Theme, ThemeKind, set_role
from quoteview.ui.transcript_view import TranscriptView

ONE_PANE_BELOW = 1_000
"""Narrower than this many logical pixels, two panes would have fewer than 45 characters a line."""

_RIBBONS_WIDTH = 96
_USUAL_SIZE = (1440, 900)
_LOW_BELOW = 520
"""The window's height at 100 % text under which what frames the text takes less room."""
_SMALLEST = (420, 320)


class MainWindow(QMainWindow):
    """The window of one session."""

    def __init__(self, session: Session, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.settings, self.theme = session, settings, theme
        self.selection = Selection(session, self)
        self.player = Player(self)
        self.fetcher = Fetcher(settings, self)
        self.setWindowTitle("quoteview")
        self.setAcceptDrops(True)
        self.actions_table = Actions(session, settings, self)
        self.commands = Commands(self)
        self._build_areas()
        self._lay_out()
        self._build_menus()
        self._connect()
        self._pane = "transcript"
        self._focus_waits = False
        self._restore_geometry()
        self._on_session_changed(Changes.JOB | Changes.SAVING)

    # -- what actions call ------------------------------------------------------------------

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open a job; propose a new one for caption files or media; add drafts to the open job."""
        from quoteview.ui.new_job_dialog import is_draft, job_folder

        folder = next((found for path in paths if (found := job_folder(path)) is not None), None)
        if folder is not None:
            self.session.open(folder)
        elif self.session.may_change and paths and all(is_draft(path) for path in paths):
            self.session.add_drafts(paths)
        elif paths:
            self.start_new_job(paths)

    def start_new_job(self, paths: Sequence[Path], link: str = "") -> None:
        """Show the dialog for a new job with what was dropped."""
        dialog = NewJobDialog(self.session, self.theme, self, files=paths, link=link)
        dialog.link_confirmed.connect(self._on_link_confirmed)
        dialog.open()

    def start_fetch(self, wanted: Wanted) -> None:
        """Show the dialog that asks a link what it offers and makes a job of it."""
        dialog = FetchDialog(self.session, self.fetcher, self.theme, self, wanted=wanted)
        dialog.settings_requested.connect(lambda: self.show_settings(dialog))
        dialog.files_requested.connect(self.start_new_job)
        dialog.open()

    def look_for_changes(self) -> None:
        """Compare the open job's tracks with what its source has now."""
        dialog = ChangesDialog(self.session, self.fetcher, self.theme, self)
        dialog.settings_requested.connect(lambda: self.show_settings(dialog))
        dialog.open()

    def show_settings(self, above: QWidget | None = None) -> None:
        """Show the settings, above the dialog that asks for them where one does."""
        dialog = SettingsDialog(self.session, self.settings, self.fetcher, self.theme, above or self)
        dialog.theme_chosen.connect(self.choose_theme)
        dialog.percent_chosen.connect(self.set_text_percent)
        dialog.open()

    def open_sample(self) -> None:
        """Open a fresh copy of the sample job."""
        self.session.open_sample()

    def choose_theme(self, kind: ThemeKind) -> None:
        """Use and keep another theme."""
        self.settings.theme = kind
        self.theme.choose(kind)

    def set_text_percent(self, percent: int) -> None:
        """Use and keep another size of text."""
        self.theme.set_text_percent(percent)
        self.settings.text_percent = self.theme.text_percent

    def toggle_ribbons(self) -> None:
        """Show or leave out the faint ribbons of the other claims."""
        self.settings.shows_all_ribbons = not self.settings.shows_all_ribbons
        self.ribbons.set_shows_all(self.settings.shows_all_ribbons)

    def bring_into_view(self) -> None:
        """Scroll the selected claim into view in both panes."""
        claim_id = self.selection.claim_id
        if claim_id is not None:
            self.transcript.bring_into_view(claim_id)
            self.draft.bring_into_view(claim_id)

    def walk_panes(self, step: int) -> None:
        """Give the focus to the next area: list, panel, draft, transcript. In a narrow window it shows the pane."""
        stops: list[QWidget] = [self.claim_list, self.resolve_panel, self.draft, self.transcript]
        focus = QApplication.focusWidget()
        here = next((at for at, stop in enumerate(stops) if focus is not None and _is_in(focus, stop)), -1 if step > 0 else 0)
        stop = stops[(here + step) % len(stops)]
        if stop is self.draft or stop is self.transcript:
            self.show_pane("draft" if stop is self.draft else "transcript")
        stop.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_pane(self, name: str) -> None:
        """Show a pane, "transcript" or "draft", where only one fits."""
        self._pane = name
        self._fold()

    def show_evidence(self) -> None:
        """Show the raw bytes behind the selected claim."""
        EvidenceDialog(self.session, self.selection, self.theme, self).open()

    def show_label(self) -> None:
        """Show the label and what it says."""
        from quoteview.ui.label_dialog import LabelDialog  # it brings the bundle's parts, which no start needs

        LabelDialog(self.session, self.selection, self.theme, self).open()

    def show_about(self) -> None:
        """Say which version this is and what it checks."""
        text = self.tr(
            "quoteview {version}\n\nHolds every quotation of a draft against the locked captions of its recording. "
            "A verdict is about the captions, not about the voice."
        ).format(version=__version__)
        messages.show_text(self.tr("About quoteview"), text, self)

    def say(self, text: str) -> None:
        """Say something in the foot of the window, and to a screen reader."""
        self._said.setText(text)
        self._said.setAccessibleName(text)

    # -- building -----------------------------------------------------------------------------

    def _build_areas(self) -> None:
        session, selection, theme = self.session, self.selection, self.theme
        self.stack = QStackedWidget(self)
        self.start_page = StartPage(self.settings, theme, self.stack)
        self.work = QWidget(self.stack)
        self.work.setObjectName("window_body")
        self.header = Header(session, self.player, theme, self)
        self.banners = Banners(session, theme, self)
        self.strip = OverviewStrip(session, selection, theme, self.work)
        self.panes = QSplitter(Qt.Orientation.Horizontal, self.work)
        self.transcript = TranscriptView(session, selection, theme, self.panes)
        self.ribbons = Ribbons(session, selection, theme, self.panes)
        self.draft = DraftView(session, selection, theme, self.panes)
        self.ribbons.join(self.transcript, self.draft)
        self.below = QSplitter(Qt.Orientation.Horizontal, self.work)
        self.claim_list = ClaimList(session, selection, theme, self.below)
        self.resolve_panel = ResolvePanel(session, selection, theme, self.below)
        self.gates_bar = GatesBar(session, selection, theme, self)
        self._said = _foot_label(self)
        self._saved = _foot_label(self)

    def _lay_out(self) -> None:
        for pane in (self.transcript, self.ribbons, self.draft):
            self.panes.addWidget(pane)
        self.panes.setChildrenCollapsible(False)
        self.panes.setHandleWidth(1)
        self.panes.setSizes([560, _RIBBONS_WIDTH, 730])
        self.panes.setStretchFactor(0, 3)
        self.panes.setStretchFactor(1, 0)
        self.panes.setStretchFactor(2, 4)
        self.below.addWidget(self.claim_list)
        self.below.addWidget(self.resolve_panel)
        self.below.setChildrenCollapsible(False)
        self.below.setHandleWidth(14)
        self.below.setSizes([330, 1056])
        self.below.setStretchFactor(1, 1)
        self.rows = QSplitter(Qt.Orientation.Vertical, self.work)
        self.rows.addWidget(self.panes)
        self.rows.addWidget(self.below)
        self.rows.setChildrenCollapsible(False)
        self.rows.setHandleWidth(12)
        self.rows.setStretchFactor(0, 1)
        self.rows.setStretchFactor(1, 0)
        self.rows.setSizes([482, 226])
        self._inner = inner = QVBoxLayout(self.work)
        inner.addWidget(self.strip)
        inner.addWidget(self.rows, 1)
        self.stack.addWidget(self.start_page)
        self.stack.addWidget(self.work)
        body = QWidget(self)
        body.setObjectName("window_body")
        outer = QVBoxLayout(body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        for widget in (self.header, self.banners):
            outer.addWidget(widget)
        outer.addWidget(self.stack, 1)
        body.setMinimumSize(*_SMALLEST)
        self.setCentralWidget(body)
        foot = self.statusBar()
        foot.setSizeGripEnabled(False)
        foot.setMinimumWidth(_SMALLEST[0])
        foot.setContentsMargins(0, 0, 20, 0)
        foot.addWidget(self.gates_bar, 1)
        foot.addPermanentWidget(self._said)
        foot.addPermanentWidget(self._saved)

    def _build_menus(self) -> None:
        for menu_id in MenuId:
            menu = self.menuBar().addMenu(QCoreApplication.translate("Actions", menu_id.value))
            self.actions_table.fill(menu, menu_id)

    def _connect(self) -> None:
        self.actions_table.requested.connect(self.commands.carry_out)
        asking = (
            self.header,
            self.banners,
            self.start_page,
            self.transcript,
            self.draft,
            self.claim_list,
            self.resolve_panel,
            self.gates_bar,
        )
        for widget in asking:
            widget.action_requested.connect(self.actions_table.request)
        self.start_page.job_chosen.connect(self.session.open)
        self.start_page.link_pasted.connect(lambda link: self.start_fetch(Wanted(link)))
        self.banners.show_file_requested.connect(self._on_show_file_requested)
        self.selection.claim_changed.connect(self._on_claim_changed)
        self.session.changed.connect(self._on_session_changed)
        self._plain_keys = PlainKeys(
            self.actions_table, lambda: [self.claim_list, self.resolve_panel, self.transcript, self.strip], self
        )
        self.ribbons.set_shows_all(self.settings.shows_all_ribbons)
        QWidget.setTabOrder(self.claim_list, self.resolve_panel)
        QWidget.setTabOrder(self.resolve_panel, self.draft)
        QWidget.setTabOrder(self.draft, self.transcript)

    # -- following the session ------------------------------------------------------------------

    def _on_session_changed(self, changes: Changes) -> None:
        session = self.session
        if Changes.JOB in changes:
            self._show_phase()
        if changes & (Changes.JOB | Changes.SAVING | Changes.PROGRESS):
            self._saved.setText(self._saved_text())
        if changes & (Changes.JOB | Changes.SWITCHED | Changes.SAVING):
            self._show_title()
        if Changes.FAULT in changes and isinstance(session.fault, NotHeld):
            self._offer_to_look(session.fault)
        elif Changes.FAULT in changes and session.fault is not None:
            messages.show_error(session.fault, self)
        if Changes.REVIEWER in changes and session.waits_for_reviewer:
            messages.ask_name("", session.set_reviewer, self)

    def _show_phase(self) -> None:
        is_open = self.session.phase in (Phase.CHECKING, Phase.READY, Phase.LOCK_BROKEN)
        was_open = self.stack.currentWidget() is self.work
        self.stack.setCurrentWidget(self.work if is_open else self.start_page)
        for widget in (self.header, self.gates_bar, self._saved):
            widget.setVisible(is_open)
        if not is_open:
            self.start_page.refresh()
        folder, job = self.session.folder, self.session.job
        self.player.set_media(folder / job.media if folder and job and job.media else None)
        if (is_open and not was_open) or (self._focus_waits and self.resolve_panel.hasFocus()):
            has_rows = self.claim_list.rows.isVisibleTo(self.claim_list)  # none while it is checked what is to do
            (self.claim_list if has_rows else self.resolve_panel).setFocus(Qt.FocusReason.OtherFocusReason)
        self._focus_waits = self.session.phase is Phase.CHECKING
        self._fold()

    def _show_title(self) -> None:
        job, drafts, here = self.session.job, self.session.drafts, self.session.draft_index
        if job is None:
            self.setWindowTitle("quoteview")
            return
        draft = f"{drafts[here].name} · " if 0 <= here < len(drafts) else ""
        self.setWindowTitle(f"{draft}{job.title} — quoteview[*]")
        self.setWindowModified(any(known.is_unsaved for known in drafts))

    def _saved_text(self) -> str:
        progress = self.session.progress
        if progress is not None and progress.sentence:
            count = f" {progress.done:,}/{progress.total:,}" if progress.total else ""
            return self.tr("{work}{count} · Esc stops").format(work=progress.sentence, count=count)
        if self.session.is_read_only:
            return self.tr("read-only: nothing is written")
        words = {
            Saving.SAVED: self.tr("everything saved"),
            Saving.UNSAVED: self.tr("unsaved text (Ctrl+S)"),
            Saving.WRITING: self.tr("saving…"),
            Saving.FAILED: self.tr("not saved"),
        }
        return words[self.session.saving]

    def _offer_to_look(self, error: NotHeld) -> None:
        """Say who has the job, and offer to look at it all the same; where it is looked at already, only say it."""
        if self.session.is_read_only:
            messages.show_error(error, self)
            return
        folder = Path(error.path)
        choices = {self.tr("Open read-only"): lambda: self.session.open_read_only(folder)}
        messages.ask(self.tr("The job is open elsewhere"), str(error), choices, self)

    def _on_claim_changed(self) -> None:
        self.actions_table.select(self.selection.claim_id)
        self.say("")

    def _on_link_confirmed(self, proposal: NewJob) -> None:
        media = next((str(one.path.absolute()) for one in proposal.of_use(Use.MEDIA)), "")
        drafts = tuple(one.path for one in proposal.of_use(Use.DRAFT))
        self.start_fetch(
            Wanted(proposal.source, proposal.title, str(proposal.folder), proposal.language, media=media, drafts=drafts)
        )

    def _on_show_file_requested(self, file: str) -> None:
        folder = self.session.folder
        if folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str((folder / file).parent)))

    # -- sizes, drops, closing ---------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold what no longer fits."""
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        width = self.width() * 100 // self.theme.text_percent
        has_both = width >= ONE_PANE_BELOW
        self.ribbons.setVisible(has_both)
        self.transcript.setVisible(has_both or self._pane == "transcript")
        self.draft.setVisible(has_both or self._pane == "draft")
        height = self.height() * 100 // self.theme.text_percent
        is_low = height < _LOW_BELOW
        self.strip.setFixedHeight(self.theme.pixels(24 if is_low else 74 if self.height() >= 760 and has_both else 40))
        self._inner.setContentsMargins(20, 6 if is_low else 12, 20, 2 if is_low else 6)
        self._inner.setSpacing(6 if is_low else 12)
        self.rows.setHandleWidth(6 if is_low else 12)
        for pane in (self.header, self.transcript.head, self.draft.head, self.resolve_panel):
            pane.set_low(is_low)
        self.below.setOrientation(Qt.Orientation.Horizontal)
        self.claim_list.setVisible(has_both)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and links."""
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()
            self.start_page.set_dragging(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forget what was dragged over the window."""
        self.start_page.set_dragging(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self.start_page.set_dragging(False)
        urls = event.mimeData().urls()
        files = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        links = [url.toString() for url in urls if not url.isLocalFile()] or [event.mimeData().text().strip()]
        event.acceptProposedAction()
        if files:
            self.open_paths(files)
        elif is_link(links[0]):
            self.start_fetch(Wanted(links[0]))

    def changeEvent(self, event: QEvent) -> None:
        """Look at the draft's file again when the window comes to the front: not every change elsewhere is told."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.session.look_outside()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep geometry, finish writing, and close; unsaved text stays in its recovery file and is offered again."""
        self.settings.set_geometry("window", self.saveGeometry())
        for name, splitter in (("panes", self.panes), ("below", self.below), ("rows", self.rows)):
            self.settings.set_geometry(name, splitter.saveState())
        self.player.stop()
        self.fetcher.shut_down()
        self.session.shut_down()
        self.settings.flush()
        event.accept()

    def _restore_geometry(self) -> None:
        self.resize(*_USUAL_SIZE)
        kept: QByteArray = self.settings.geometry("window")
        if not kept.isEmpty():
            self.restoreGeometry(kept)
        for name, splitter in (("panes", self.panes), ("below", self.below), ("rows", self.rows)):
            state = self.settings.geometry(name)
            if not state.isEmpty():
                splitter.restoreState(state)


def _is_in(widget: QWidget, area: QWidget) -> bool:
    return widget is area or area.isAncestorOf(widget)


def _foot_label(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_role(label, "muted")
    return label


__all__ = ["ONE_PANE_BELOW", "ActionId", "MainWindow"]
