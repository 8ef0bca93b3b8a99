"""What each action of the table calls. Nothing is decided here: session, selection and widgets do the work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog

from quoteview.app.fetching import is_link
from quoteview.app.states import Changes, RepairKind, Saving
from quoteview.ui import messages
from quoteview.ui.actions import ActionId
from quoteview.ui.fetch_dialog import Wanted
from quoteview.ui.keys_page import KeysPage
from quoteview.ui.palette import CommandPalette
from quoteview.ui.theme import ThemeKind

if TYPE_CHECKING:
    from quoteview.ui.main_window import MainWindow

_THEMES = {
    ActionId.THEME_SYSTEM: ThemeKind.SYSTEM,
    ActionId.THEME_LIGHT: ThemeKind.LIGHT,
    ActionId.THEME_DARK: ThemeKind.DARK,
    ActionId.THEME_CONTRAST: ThemeKind.HIGH_CONTRAST,
}
_DIRECT = (
    ActionId.SOURCE_WORDS,
    ActionId.MARK_OUT,
    ActionId.TIME,
    ActionId.SPLIT,
    ActionId.NARROW,
    ActionId.CLOSE_MARK,
)
_TEXT_STEP = 10


class Commands(QObject):
    """Carries actions out for one main window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._selection = window.selection
        self._wants_label = False
        window.session.changed.connect(self._on_session_changed)

    def carry_out(self, action_id: str) -> None:
        """Carry out an action that is allowed."""
        action = ActionId(action_id)
        if action in _THEMES:
            self._window.choose_theme(_THEMES[action])
        elif action in _DIRECT:
            self._apply(RepairKind(action_id))
        elif action_id.startswith("draft_"):
            self._switch(int(action_id.removeprefix("draft_")) - 1)
        elif not self._walk(action) and not self._resolve(action) and not self._listen(action):
            self._rest(action)

    def _walk(self, action: ActionId) -> bool:
        match action:
            case ActionId.NEXT_TO_DO:
                self._selection.next_to_do()
            case ActionId.PREVIOUS_TO_DO:
                self._selection.previous_to_do()
            case ActionId.NEXT_CLAIM:
                self._selection.next_claim()
            case ActionId.PREVIOUS_CLAIM:
                self._selection.previous_claim()
            case ActionId.BRING_INTO_VIEW:
                self._window.bring_into_view()
            case ActionId.NEXT_PANE:
                self._window.walk_panes(1)
            case ActionId.PREVIOUS_PANE:
                self._window.walk_panes(-1)
            case ActionId.NEXT_DRAFT:
                self._switch((self._session.draft_index + 1) % len(self._session.drafts))
            case ActionId.PREVIOUS_DRAFT:
                self._switch((self._session.draft_index - 1) % len(self._session.drafts))
            case _:
                return False
        return True

    def _resolve(self, action: ActionId) -> bool:
        panel = self._window.resolve_panel
        match action:
            case ActionId.FIRST_REPAIR:
                self._first_repair()
            case ActionId.SAFE_REPAIRS:
                panel.start_safe_repairs()
            case ActionId.EDIT_CLAIM:
                panel.start_edit()
            case ActionId.ACCEPT:
                panel.start_accept()
            case ActionId.SET_ASIDE:
                self._set_aside()
            case ActionId.RETRACT:
                panel.start_retract()
            case ActionId.CUT_OUT:
                self._cut_out()
            case ActionId.ALIKE:
                panel.start_alike()
            case _:
                return False
        return True

    def _listen(self, action: ActionId) -> bool:
        player = self._window.player
        match action:
            case ActionId.PLAY:
                self._play()
            case ActionId.PLAY_ON:
                span = self._moment()
                player.play(span[0] if span else player.position_ms)
            case ActionId.BACK:
                player.back()
            case ActionId.LOOP:
                player.is_looping = not player.is_looping
                player.changed.emit()
            case _:
                return False
        if player.absence:
            self._window.say(player.absence)
        return True

    def _rest(self, action: ActionId) -> None:
        session, window = self._session, self._window
        match action:
            case ActionId.NEW_JOB:
                window.start_new_job([])
            case ActionId.NEW_FROM_LINK:
                window.start_fetch(Wanted(_link_on_clipboard()))
            case ActionId.LOOK_FOR_CHANGES:
                window.look_for_changes()
            case ActionId.SETTINGS:
                window.show_settings()
            case ActionId.OPEN_JOB:
                self._open_job()
            case ActionId.OPEN_SAMPLE:
                window.open_sample()
            case ActionId.OPEN_FOR_EDITING:
                session.open_for_editing()
            case ActionId.OPEN_READ_ONLY:
                self._open_read_only()
            case ActionId.ADD_DRAFTS:
                self._add_drafts()
            case ActionId.SAVE:
                session.save()
            case ActionId.OPEN_IN_EDITOR:
                self._open_in_editor()
            case ActionId.SHOW_FOLDER:
                self._open_path(session.folder)
            case ActionId.CLOSE_JOB:
                session.close_job()
            case ActionId.QUIT:
                window.close()
            case ActionId.UNDO:
                session.undo()
            case ActionId.REDO:
                session.redo()
            case ActionId.FIND:
                window.show_pane("transcript")
                window.transcript.show_find()
            case ActionId.REVIEWER:
                messages.ask_name(session.reviewer, session.set_reviewer, window)
            case ActionId.EVIDENCE:
                window.show_evidence()
            case ActionId.RECHECK:
                session.recheck()
            case ActionId.CANCEL:
                session.cancel()
            case ActionId.LABEL:
                self._label()
            case _:
                self._look(action)

    def _look(self, action: ActionId) -> None:
        window = self._window
        match action:
            case ActionId.TEXT_LARGER:
                window.set_text_percent(window.theme.text_percent + _TEXT_STEP)
            case ActionId.TEXT_SMALLER:
                window.set_text_percent(window.theme.text_percent - _TEXT_STEP)
            case ActionId.TEXT_USUAL:
                window.set_text_percent(100)
            case ActionId.ALL_RIBBONS:
                window.toggle_ribbons()
            case ActionId.PALETTE:
                CommandPalette(window.actions_table, window.theme, window).open()
            case ActionId.KEYS:
                KeysPage(window.actions_table, window.theme, window).open()
            case ActionId.ABOUT:
                window.show_about()
            case _:
                raise ValueError(f"no command for the action {action}")

    def _first_repair(self) -> None:
        claim_id = self._selection.claim_id
        repair = self._session.first_repair(claim_id) if claim_id is not None else None
        if claim_id is None or repair is None:
            return
        if repair.is_edit:
            self._session.apply(claim_id, repair)
        else:
            self.carry_out(repair.kind)

    def _apply(self, kind: RepairKind) -> None:
        claim_id = self._selection.claim_id
        if claim_id is None:
            return
        for repair in self._session.repairs(claim_id):
            if repair.kind is kind and repair.is_edit:
                self._session.apply(claim_id, repair)
                return
        self._window.say(self.tr("This is not offered for this quotation."))

    def _cut_out(self) -> None:
        claim_id = self._selection.claim_id
        if claim_id is not None:
            self._session.retract(claim_id, keep_words=False)

    def _set_aside(self) -> None:
        claim_id = self._selection.claim_id
        if claim_id is None:
            return
        if self._session.needs_reason(claim_id):
            self._window.resolve_panel.start_set_aside()
        else:
            self._session.set_aside(claim_id)

    def _moment(self) -> tuple[int, int] | None:
        claim_id = self._selection.claim_id
        if claim_id is None:
            return None
        found = self._session.match(claim_id)
        if found is not None:
            return found.evidence.time
        claim = self._session.claim(claim_id)
        if claim is not None and claim.claimed is not None and claim.claimed.start_ms is not None:
            return claim.claimed.start_ms, claim.claimed.start_ms + 10_000
        return None

    def _play(self) -> None:
        span = self._moment()
        if span is None:
            self._window.say(self.tr("Neither the draft nor the captions give a time for this quotation."))
            return
        self._window.player.play(span[0], span[1])
        self._window.bring_into_view()

    def _switch(self, index: int) -> None:
        if 0 <= index < len(self._session.drafts):
            self._session.switch_draft(index)

    def _label(self) -> None:
        refusal = self._session.label_refusal
        if refusal:
            self._window.say(refusal)
        elif self._is_on_disk():
            self._window.show_label()
        else:
            self._wants_label = True
            self._session.save()

    def _on_session_changed(self, changes: Changes) -> None:
        """Show the label once the text it would be about is in its file; give up where saving did not succeed."""
        if not self._wants_label:
            return
        if changes & (Changes.FAULT | Changes.DRAFT | Changes.JOB):
            self._wants_label = False
        elif Changes.SAVING in changes and self._is_on_disk():
            self._wants_label = False
            self._window.show_label()

    def _is_on_disk(self) -> bool:
        drafts, here = self._session.drafts, self._session.draft_index
        return 0 <= here < len(drafts) and not drafts[here].is_unsaved and self._session.saving is not Saving.WRITING

    def _open_job(self) -> None:
        dialog = QFileDialog(self._window, self.tr("Open a job"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, False)
        dialog.fileSelected.connect(lambda chosen: self._window.open_paths([Path(chosen)]))
        dialog.open()

    def _open_read_only(self) -> None:
        folder = self._session.folder
        if folder is not None:
            self._session.open_read_only(folder)

    def _add_drafts(self) -> None:
        dialog = QFileDialog(self._window, self.tr("Add drafts"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda chosen: self._session.add_drafts([Path(path) for path in chosen]))
        dialog.open()

    def _open_in_editor(self) -> None:
        drafts, here = self._session.drafts, self._session.draft_index
        folder = self._session.folder
        if folder is not None and 0 <= here < len(drafts):
            self._session.save()
            self._open_path(folder / drafts[here].path)

    def _open_path(self, path: Path | None) -> None:
        if path is not None and not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            QApplication.clipboard().setText(str(path))
            self._window.say(self.tr("No program opens {path} here; its place is on the clipboard.").format(path=path))


def _link_on_clipboard() -> str:
    text = QApplication.clipboard().text().strip()
    return text if is_link(text) else ""
