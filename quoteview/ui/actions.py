"""The one table of everything that can be done: text, usual keys, where it is allowed, and what it calls.

Menus, the palette (Ctrl+K) and the page of keys (F1) are made from it. Keys without Ctrl, Alt or Meta
(letters, Space, Enter, arrows; F keys are not among them) act only while the claim list, the resolve
panel or the transcript has the focus, never while text is being typed, and Space and Enter press a
focused button instead. A key that is held down repeats nothing but walking. A person's own keys, kept
in the settings, replace the usual ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.app.states import Changes, Phase, RepairKind


class MenuId(StrEnum):
    """The menus, in the order of the menu bar; the value is the untranslated title."""

    FILE = "&File"
    EDIT = "&Edit"
    GO = "&Go"
    RESOLVE = "&Resolve"
    LISTEN = "&Listen"
    VERIFY = "&Verify"
    VIEW = "&View"
    HELP = "&Help"


class When(Enum):
    """What must be so for an action to be allowed; `is_met` decides."""

    ALWAYS = auto()
    JOB = auto()
    DRAFT = auto()
    CLAIM = auto()
    RESOLVABLE = auto()
    SAFE_REPAIRS = auto()
    UNDO = auto()
    REDO = auto()
    SEVERAL_DRAFTS = auto()
    RUNNING = auto()
    CHANGEABLE = auto()
    OWN_CLAIM = auto()
    LOOKED_AT = auto()
    LOCK_BROKEN = auto()


class ActionId(StrEnum):
    """Every action; those of repairs have the values of `RepairKind`."""

    NEW_JOB = "new_job"
    NEW_FROM_LINK = "new_from_link"
    OPEN_JOB = "open_job"
    OPEN_SAMPLE = "open_sample"
    OPEN_FOR_EDITING = "open_for_editing"
    OPEN_READ_ONLY = "open_read_only"
    ADD_DRAFTS = "add_drafts"
    SAVE = "save"
    NEXT_DRAFT = "next_draft"
    PREVIOUS_DRAFT = "previous_draft"
    DRAFT_1 = "draft_1"
    DRAFT_2 = "draft_2"
    DRAFT_3 = "draft_3"
    DRAFT_4 = "draft_4"
    DRAFT_5 = "draft_5"
    DRAFT_6 = "draft_6"
    DRAFT_7 = "draft_7"
    DRAFT_8 = "draft_8"
    DRAFT_9 = "draft_9"
    OPEN_IN_EDITOR = "open_in_editor"
    SHOW_FOLDER = "show_folder"
    LOOK_FOR_CHANGES = "look_for_changes"
    CLOSE_JOB = "close_job"
    QUIT = "quit"
    UNDO = "undo"
    REDO = "redo"
    FIND = "find"
    REVIEWER = "reviewer"
    SETTINGS = "settings"
    NEXT_TO_DO = "next_to_do"
    PREVIOUS_TO_DO = "previous_to_do"
    NEXT_CLAIM = "next_claim"
    PREVIOUS_CLAIM = "previous_claim"
    BRING_INTO_VIEW = "bring_into_view"
    NEXT_PANE = "next_pane"
    PREVIOUS_PANE = "previous_pane"
    FIRST_REPAIR = "first_repair"
    SAFE_REPAIRS = "safe_repairs"
    SOURCE_WORDS = RepairKind.SOURCE_WORDS.value
    MARK_OUT = RepairKind.MARK_OUT.value
    TIME = RepairKind.TIME.value
    SPLIT = RepairKind.SPLIT.value
    NARROW = RepairKind.NARROW.value
    CLOSE_MARK = RepairKind.CLOSE.value
    EDIT_CLAIM = RepairKind.EDIT.value
    SET_ASIDE = RepairKind.SET_ASIDE.value
    RETRACT = RepairKind.RETRACT.value
    CUT_OUT = RepairKind.CUT_OUT.value
    ACCEPT = RepairKind.ACCEPT.value
    ALIKE = "alike"
    PLAY = RepairKind.LISTEN.value
    PLAY_ON = "play_on"
    BACK = "back"
    LOOP = "loop"
    EVIDENCE = "evidence"
    RECHECK = "recheck"
    LABEL = "label"
    CANCEL = "cancel"
    THEME_SYSTEM = "theme_system"
    THEME_LIGHT = "theme_light"
    THEME_DARK = "theme_dark"
    THEME_CONTRAST = "theme_contrast"
    TEXT_LARGER = "text_larger"
    TEXT_SMALLER = "text_smaller"
    TEXT_USUAL = "text_usual"
    ALL_RIBBONS = "all_ribbons"
    PALETTE = "palette"
    KEYS = "keys"
    ABOUT = "about"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One row of the table. `text` is the source text for translation; `keys` are portable, the first is shown.

    `repeats` says that holding the key down may do it again: walking only. `is_listed` False keeps it out of menus.
    """

    id: ActionId
    menu: MenuId
    text: str
    keys: tuple[str, ...] = ()
    when: When = When.ALWAYS
    repeats: bool = False
    is_listed: bool = True
    starts_section: bool = False

    @property
    def title(self) -> str:
        """The translated text."""
        return QCoreApplication.translate("Actions", self.text)


def _t(text: str) -> str:
    return str(QT_TRANSLATE_NOOP("Actions", text))


def _draft_switch(number: int) -> ActionSpec:
    text = _t("Switch to draft %1").replace("%1", str(number))
    return ActionSpec(ActionId(f"draft_{number}"), MenuId.FILE, text, (f"Ctrl+{number}",), When.SEVERAL_DRAFTS, is_listed=False)


_F, _E, _G, _R = MenuId.FILE, MenuId.EDIT, MenuId.GO, MenuId.RESOLVE
_L, _V, _W, _H = MenuId.LISTEN, MenuId.VERIFY, MenuId.VIEW, MenuId.HELP

TABLE: tuple[ActionSpec, ...] = (
    ActionSpec(ActionId.NEW_JOB, _F, _t("New job…"), ("Ctrl+N",)),
    ActionSpec(ActionId.NEW_FROM_LINK, _F, _t("New job from a link…"), ("Ctrl+Shift+N",)),
    ActionSpec(ActionId.OPEN_JOB, _F, _t("Open a job…"), ("Ctrl+O",)),
    ActionSpec(ActionId.OPEN_SAMPLE, _F, _t("Open the sample job")),
    ActionSpec(ActionId.OPEN_FOR_EDITING, _F, _t("Open for editing"), (), When.LOOKED_AT),
    ActionSpec(ActionId.OPEN_READ_ONLY, _F, _t("Open read-only"), (), When.LOCK_BROKEN),
    ActionSpec(ActionId.ADD_DRAFTS, _F, _t("Add drafts…"), ("Ctrl+Shift+O",), When.CHANGEABLE, starts_section=True),
    ActionSpec(ActionId.SAVE, _F, _t("Save the draft"), ("Ctrl+S",), When.CHANGEABLE),
    ActionSpec(ActionId.NEXT_DRAFT, _F, _t("Next draft"), ("Ctrl+Tab",), When.SEVERAL_DRAFTS),
    ActionSpec(ActionId.PREVIOUS_DRAFT, _F, _t("Draft before"), ("Ctrl+Shift+Tab",), When.SEVERAL_DRAFTS),
    *(_draft_switch(number) for number in range(1, 10)),
    ActionSpec(ActionId.OPEN_IN_EDITOR, _F, _t("Open the draft in its editor"), ("Ctrl+Shift+E",), When.DRAFT),
    ActionSpec(ActionId.SHOW_FOLDER, _F, _t("Show the job's folder"), (), When.JOB),
    ActionSpec(ActionId.LOOK_FOR_CHANGES, _F, _t("Look for changes at the source…"), (), When.CHANGEABLE),
    ActionSpec(ActionId.CLOSE_JOB, _F, _t("Close the job"), ("Ctrl+W",), When.JOB, starts_section=True),
    ActionSpec(ActionId.QUIT, _F, _t("Quit"), ("Ctrl+Q",)),
    ActionSpec(ActionId.UNDO, _E, _t("Undo"), ("Ctrl+Z",), When.UNDO, repeats=True),
    ActionSpec(ActionId.REDO, _E, _t("Redo"), ("Ctrl+Shift+Z",), When.REDO, repeats=True),
    ActionSpec(ActionId.FIND, _E, _t("Find in the transcript…"), ("Ctrl+F",), When.JOB, starts_section=True),
    ActionSpec(ActionId.REVIEWER, _E, _t("Who is reviewing…"), (), starts_section=True),
    ActionSpec(ActionId.SETTINGS, _E, _t("Settings…"), ("Ctrl+,",)),
    ActionSpec(ActionId.NEXT_TO_DO, _G, _t("Next to do"), ("J", "F8"), When.DRAFT, repeats=True),
    ActionSpec(ActionId.PREVIOUS_TO_DO, _G, _t("Back to the one before"), ("K", "Shift+F8"), When.DRAFT, repeats=True),
    ActionSpec(ActionId.NEXT_CLAIM, _G, _t("Next quotation"), ("Down",), When.DRAFT, repeats=True),
    ActionSpec(ActionId.PREVIOUS_CLAIM, _G, _t("Quotation before"), ("Up",), When.DRAFT, repeats=True),
    ActionSpec(ActionId.BRING_INTO_VIEW, _G, _t("Bring it into view in all panes"), (".",), When.CLAIM),
    ActionSpec(ActionId.NEXT_PANE, _G, _t("Next pane"), ("F6",), When.JOB, starts_section=True),
    ActionSpec(ActionId.PREVIOUS_PANE, _G, _t("Pane before"), ("Shift+F6",), When.JOB),
    ActionSpec(ActionId.FIRST_REPAIR, _R, _t("First repair offered"), ("Return",), When.RESOLVABLE),
    ActionSpec(ActionId.SAFE_REPAIRS, _R, _t("All safe repairs…"), ("Shift+Return",), When.SAFE_REPAIRS),
    ActionSpec(ActionId.SOURCE_WORDS, _R, _t("Use the captions' words"), ("W",), When.RESOLVABLE, starts_section=True),
    ActionSpec(ActionId.MARK_OUT, _R, _t("Move the mark outside"), (), When.RESOLVABLE),
    ActionSpec(ActionId.TIME, _R, _t("Correct the time"), ("T",), When.RESOLVABLE),
    ActionSpec(ActionId.SPLIT, _R, _t("Split at the cut"), ("S",), When.RESOLVABLE),
    ActionSpec(ActionId.NARROW, _R, _t("Narrow to the longest exact run"), ("I",), When.RESOLVABLE),
    ActionSpec(ActionId.CLOSE_MARK, _R, _t("Place the closing mark"), (), When.RESOLVABLE),
    ActionSpec(ActionId.EDIT_CLAIM, _R, _t("Edit this quotation…"), ("E",), When.OWN_CLAIM),
    ActionSpec(ActionId.SET_ASIDE, _R, _t("Set aside: not from this recording"), ("N",), When.OWN_CLAIM, starts_section=True),
    ActionSpec(ActionId.RETRACT, _R, _t("Retract, keeping the words…"), ("R",), When.OWN_CLAIM),
    ActionSpec(ActionId.CUT_OUT, _R, _t("Retract, cutting the words"), (), When.OWN_CLAIM),
    ActionSpec(ActionId.ACCEPT, _R, _t("Accept with a reason…"), ("A",), When.RESOLVABLE),
    ActionSpec(ActionId.ALIKE, _R, _t("Group alike ones…"), ("G",), When.OWN_CLAIM, starts_section=True),
    ActionSpec(ActionId.PLAY, _L, _t("Play the quotation"), ("Space",), When.CLAIM),
    ActionSpec(ActionId.PLAY_ON, _L, _t("Play on from the quotation"), ("Shift+Space",), When.JOB),
    ActionSpec(ActionId.BACK, _L, _t("Back 2 s and slower"), (",",), When.JOB),
    ActionSpec(ActionId.LOOP, _L, _t("Loop the quotation"), ("Ctrl+L",), When.JOB),
    ActionSpec(ActionId.EVIDENCE, _V, _t("Evidence…"), ("X",), When.CLAIM),
    ActionSpec(ActionId.RECHECK, _V, _t("Check everything again"), ("F5",), When.JOB),
    ActionSpec(ActionId.CANCEL, _V, _t("Stop what is running"), ("Esc",), When.RUNNING),
    ActionSpec(ActionId.LABEL, _V, _t("Label verified…"), ("L",), When.DRAFT, starts_section=True),
    ActionSpec(ActionId.THEME_SYSTEM, _W, _t("Colours of the system")),
    ActionSpec(ActionId.THEME_LIGHT, _W, _t("Light")),
    ActionSpec(ActionId.THEME_DARK, _W, _t("Dark")),
    ActionSpec(ActionId.THEME_CONTRAST, _W, _t("High contrast")),
    ActionSpec(ActionId.TEXT_LARGER, _W, _t("Larger text"), ("Ctrl++", "Ctrl+="), starts_section=True, repeats=True),
    ActionSpec(ActionId.TEXT_SMALLER, _W, _t("Smaller text"), ("Ctrl+-",), repeats=True),
    ActionSpec(ActionId.TEXT_USUAL, _W, _t("Usual text size"), ("Ctrl+0",)),
    ActionSpec(ActionId.ALL_RIBBONS, _W, _t("Ribbons for all quotations, faintly"), (), starts_section=True),
    ActionSpec(ActionId.PALETTE, _H, _t("Find a command…"), ("Ctrl+K",)),
    ActionSpec(ActionId.KEYS, _H, _t("Keys"), ("F1",)),
    ActionSpec(ActionId.ABOUT, _H, _t("About quoteview"), (), starts_section=True),
)

MENU_TITLES = tuple(QT_TRANSLATE_NOOP("Actions", menu.value) for menu in MenuId)


def is_met(when: When, session: Session, claim_id: int | None) -> bool:
    """Return whether an action with this condition is allowed now, for the selected claim."""
    has_job = session.phase in (Phase.READY, Phase.LOCK_BROKEN)
    is_ready = session.phase is Phase.READY and session.draft is not None
    match when:
        case When.ALWAYS:
            return True
        case When.JOB:
            return has_job
        case When.DRAFT:
            return has_job and session.draft is not None
        case When.CLAIM:
            return is_ready and claim_id is not None
        case When.RESOLVABLE:
            return is_ready and claim_id is not None and bool(session.repairs(claim_id))
        case When.SAFE_REPAIRS:
            return is_ready and session.has_safe_repairs
        case When.UNDO:
            return bool(session.undo_name)
        case When.REDO:
            return bool(session.redo_name)
        case When.SEVERAL_DRAFTS:
            return has_job and len(session.drafts) > 1
        case When.RUNNING:
            return session.progress is not None
        case When.CHANGEABLE:
            return has_job and not session.is_read_only
        case When.OWN_CLAIM:
            return session.may_change and session.draft is not None and claim_id is not None
        case When.LOOKED_AT:
            return session.is_read_only
        case When.LOCK_BROKEN:
            return session.phase is Phase.LOCK_BROKEN and not session.is_read_only


class Actions(QObject):
    """The table as QActions. `requested` carries the id of an action that is allowed and was asked for, by key or menu."""

    requested = Signal(str)

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._claim_id: int | None = None
        self._actions = {spec.id: self._made(spec, window) for spec in TABLE}
        self._plain_keys: dict[str, ActionId] = {}
        self.read_keys()
        session.changed.connect(self._on_session_changed)
        self.refresh()

    def action(self, action_id: str) -> QAction:
        """Return the QAction of an id."""
        return self._actions[ActionId(action_id)]

    def specs(self) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield every row of the table with its QAction."""
        for spec in TABLE:
            yield spec, self._actions[spec.id]

    def key_text(self, action_id: str) -> str:
        """Return the first key of an action as the platform writes it, "" where it has none."""
        keys = self.keys(ActionId(action_id))
        return key_name(keys[0]) if keys else ""

    def keys(self, action_id: ActionId) -> tuple[str, ...]:
        """Return the keys of an action in portable form: a person's own, else the usual ones."""
        own = self._settings.keys(action_id)
        if own is not None:
            return (own,) if own else ()
        return next(spec.keys for spec in TABLE if spec.id == action_id)

    def set_key(self, action_id: ActionId, sequence: str | None) -> ActionId | None:
        """Give an action another key, "" for none, None for the usual ones. Return the action that has it already, if any.

        Nothing is changed where another action has the key.
        """
        wanted = sequence if sequence is not None else ""
        for spec in TABLE:
            if wanted and spec.id != action_id and wanted in self.keys(spec.id):
                return spec.id
        self._settings.set_keys(action_id, sequence)
        self.read_keys()
        return None

    def read_keys(self) -> None:
        """Take the keys from the settings again."""
        self._plain_keys = {}
        for spec in TABLE:
            keys = self.keys(spec.id)
            chords = [key for key in keys if not is_plain(key)]
            self._plain_keys |= {key: spec.id for key in keys if is_plain(key)}
            action = self._actions[spec.id]
            only_shown = not chords
            action.setShortcuts([QKeySequence(key) for key in (keys if only_shown else chords)])
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut if only_shown else Qt.ShortcutContext.WindowShortcut)

    def fill(self, menu: QMenu, menu_id: MenuId) -> None:
        """Put the actions of one menu into it, in the order of the table."""
        for spec in TABLE:
            if spec.menu is menu_id and spec.is_listed:
                if spec.starts_section:
                    menu.addSeparator()
                menu.addAction(self._actions[spec.id])

    def select(self, claim_id: int | None) -> None:
        """Say which claim actions are about."""
        self._claim_id = claim_id
        self.refresh()

    def request(self, action_id: str) -> None:
        """Ask for an action as its key would: nothing happens where it is not allowed."""
        spec = next(spec for spec in TABLE if spec.id == action_id)
        if is_met(spec.when, self._session, self._claim_id):
            self.requested.emit(str(action_id))

    def refresh(self) -> None:
        """Enable what is allowed now, and name what undo and redo would do."""
        met = {when: is_met(when, self._session, self._claim_id) for when in When}
        for spec in TABLE:
            self._actions[spec.id].setEnabled(met[spec.when])
        for action_id, name in ((ActionId.UNDO, self._session.undo_name), (ActionId.REDO, self._session.redo_name)):
            title = self._spec(action_id).title
            self._actions[action_id].setText(f"{title}: {_escaped(name)}" if name else title)

    def on_key(self, event: QKeyEvent, focus: QWidget) -> bool:
        """Do what a plain key asks for while a reviewing widget has the focus; return whether it was one."""
        action_id = self._plain_keys.get(_portable(event))
        if action_id is None or types_text(focus):
            return False
        pressing = event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if pressing and event.modifiers() == Qt.KeyboardModifier.NoModifier and isinstance(focus, QAbstractButton):
            return False
        if event.isAutoRepeat() and not self._spec(action_id).repeats:
            return True
        self.request(action_id)
        return True

    def _spec(self, action_id: ActionId) -> ActionSpec:
        return next(spec for spec in TABLE if spec.id == action_id)

    def _made(self, spec: ActionSpec, window: QWidget) -> QAction:
        action = QAction(spec.title, self)
        action.setAutoRepeat(spec.repeats)
        action.triggered.connect(lambda _checked=False, action_id=str(spec.id): self.request(action_id))
        window.addAction(action)
        return action

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & ~(Changes.PROGRESS | Changes.SAVING) or Changes.PROGRESS in changes:
            self.refresh()


class PlainKeys(QObject):
    """Hands plain keys to the actions while a widget of a reviewing area has the focus.

    It filters only the widget that has the focus, so that other events of the program never pass through it.
    """

    def __init__(self, actions: Actions, areas: Callable[[], list[QWidget]], parent: QObject) -> None:
        super().__init__(parent)
        self._actions = actions
        self._areas = areas
        self._focus: QWidget | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a key press that is an action's plain key."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(watched, QWidget):
            return self._actions.on_key(event, watched)
        return False

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if new is None or has_own_keys(new):
            return
        if any(area is new or area.isAncestorOf(new) for area in self._areas()):
            new.installEventFilter(self)


def has_own_keys(widget: QWidget) -> bool:
    """Return whether a widget stands in a form that uses plain keys for itself: its `own_keys` property is true."""
    at: QWidget | None = widget
    while at is not None:
        if at.property("own_keys"):
            return True
        at = at.parentWidget()
    return False


def types_text(widget: QWidget) -> bool:
    """Return whether keys typed into a widget are text."""
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return not widget.isReadOnly()
    return isinstance(widget, QLineEdit | QAbstractSpinBox) or (isinstance(widget, QComboBox) and widget.isEditable())


def is_plain(key: str) -> bool:
    """Return whether a portable key is one without Ctrl, Alt or Meta, and not a function key or Escape."""
    base = key.removeprefix("Shift+")
    is_function = base == "Esc" or (base.startswith("F") and base[1:].isdecimal())
    return bool(base) and not is_function and not any(f"{modifier}+" in key for modifier in ("Ctrl", "Alt", "Meta"))


def key_name(portable: str) -> str:
    """Return a key as people and platforms write it: “Enter” for Return, else the native name."""
    return QKeySequence(portable).toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "Enter")


def _portable(event: QKeyEvent) -> str:
    text = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
    name = text.removeprefix("Num+")
    return name[: -len("Enter")] + "Return" if name in ("Enter", "Shift+Enter") else name


def _escaped(text: str) -> str:
    return text.replace("&", "&&")
