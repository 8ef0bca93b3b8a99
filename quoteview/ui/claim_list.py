"""The list of claims with tabs and counts, sortable and filterable: what is to do stands first."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetricsF, QIcon, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.claim_model import AnyIndex, ClaimFilter, ClaimModel, ClaimRole, ClaimSort
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes, ClaimState
from quoteview.ui.signs import Glyph, glyph_icon, paint_sign, sign_icon
from quoteview.ui.theme import FontRole, Theme, set_role

_TABS: tuple[ClaimState | None, ...] = (
    ClaimState.TO_DO,
    None,
    ClaimState.EXACT,
    ClaimState.SET_ASIDE,
    ClaimState.EXCEPTION,
    ClaimState.TO_VERIFY,
)
_RARE = frozenset({ClaimState.EXCEPTION, ClaimState.TO_VERIFY, ClaimState.SET_ASIDE})
_BETWEEN_TABS, _BESIDE_TABS = 10, 20
_ROW = 31
_SIGN = 14


class ClaimList(QFrame):
    """The tabs and the list under them. The selected claim is always that of the selection."""

    action_requested = Signal(str)

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._theme = theme
        self.setAccessibleName(self.tr("Quotations"))
        set_role(self, "pane")
        self.setMinimumWidth(230)
        self._model = ClaimModel(session, self)
        self._filter = ClaimFilter(self._model, self)
        self._tab: ClaimState | None = ClaimState.TO_DO
        self._word, self._speaker = "", ""
        self._named: tuple[object, ...] = ()
        self._lit: tuple[int | None, int | None] = (None, None)
        self.rows = _Rows(selection, self)
        self.rows.setModel(self._filter)
        self.rows.setItemDelegate(_RowPainter(selection, theme, self.rows))
        self._empty = QLabel(self)
        self._empty.setTextFormat(Qt.TextFormat.PlainText)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._empty.setMargin(14)
        set_role(self._empty, "muted")
        self._lay_out()
        self.setFocusProxy(self.rows)
        self.rows.chosen.connect(selection.select_claim)
        selection.claim_changed.connect(self._on_selection_claim_changed)
        selection.hover_changed.connect(self._on_selection_hover_changed)
        session.changed.connect(self._on_session_changed)
        theme.changed.connect(self._on_theme_changed)
        self._show_tab(ClaimState.TO_DO)

    def show_tab(self, state: ClaimState | None) -> None:
        """Show one tab: the claims of a state, or all."""
        self._show_tab(state)

    def _lay_out(self) -> None:
        head = QFrame(self)
        set_role(head, "header")
        bar = QHBoxLayout(head)
        bar.setContentsMargins(12, 2, 6, 0)
        bar.setSpacing(_BETWEEN_TABS)
        self._group = QButtonGroup(self)
        self._buttons: list[QPushButton] = []
        for number, state in enumerate(_TABS):
            button = QPushButton(head)
            button.setCheckable(True)
            set_role(button, "tab")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            self._group.addButton(button, number)
            button.clicked.connect(lambda _checked=False, wanted=state: self._show_tab(wanted))
            bar.addWidget(button)
            self._buttons.append(button)
        bar.addStretch(1)
        self._more = QToolButton(head)
        self._more.setIcon(glyph_icon(Glyph.MORE, self._theme, "muted"))
        self._more.setAccessibleName(self.tr("Sort and filter"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self._more)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._more.setMenu(self._menu)
        bar.addWidget(self._more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 3)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(self.rows, 1)
        layout.addWidget(self._empty, 1)

    def _show_tab(self, state: ClaimState | None) -> None:
        self._tab = state
        self._buttons[_TABS.index(state)].setChecked(True)
        self._apply_filter()

    def _apply_filter(self) -> None:
        self._filter.show_only(self._tab, self._word, self._speaker)
        self._refresh()
        self._on_selection_claim_changed()

    def _refresh(self) -> None:
        self._name_tabs()
        is_empty = self._filter.rowCount() == 0
        self.rows.setVisible(not is_empty)
        self._empty.setVisible(is_empty)
        self._empty.setText(self._empty_words())

    def _name_tabs(self) -> None:
        """Write names and counts on the tabs; where they do not fit, the rarer ones show their sign for the name."""
        counts = self._session.counts
        names: dict[ClaimState | None, str] = {  # in the order of the tabs
            ClaimState.TO_DO: self.tr("To do"),
            None: self.tr("All"),
            ClaimState.EXACT: self.tr("Exact"),
            ClaimState.SET_ASIDE: self.tr("Set aside"),
            ClaimState.EXCEPTION: self.tr("Exceptions"),
            ClaimState.TO_VERIFY: self.tr("To verify"),
        }
        words = [f"{name} {counts.total if state is None else counts.of(state)}" for state, name in names.items()]
        is_shown = [state not in _RARE or counts.of(state) > 0 or state is self._tab for state in _TABS]
        named = (tuple(words), tuple(is_shown), self.width(), self._theme.text_percent)
        if named == self._named:
            return
        self._named = named
        for button, text, shows in zip(self._buttons, words, is_shown, strict=True):
            button.setText(text)
            button.setIcon(QIcon())
            button.setToolTip("")
            button.setAccessibleName(text)
            button.setVisible(shows)
        room = self.width() - self._more.sizeHint().width() - _BESIDE_TABS
        for state in (ClaimState.TO_VERIFY, ClaimState.EXCEPTION, ClaimState.SET_ASIDE, ClaimState.EXACT):
            shown = [button for button in self._buttons if not button.isHidden()]
            if sum(button.sizeHint().width() + _BETWEEN_TABS for button in shown) <= room:
                break
            self._shorten(self._buttons[_TABS.index(state)], state, counts.of(state))

    def _shorten(self, button: QPushButton, state: ClaimState, count: int) -> None:
        """Show a tab as its sign and count."""
        button.setToolTip(button.text())
        button.setText(str(count))
        button.setIcon(sign_icon(state, self._theme))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Name the tabs as the width allows."""
        super().resizeEvent(event)
        self._name_tabs()

    def _empty_words(self) -> str:
        if self._session.draft is None:
            return self.tr("Add a draft to check its quotations.")
        if not self._session.claims:
            return self.tr(
                'No quotations found, nothing to check. Recognised are “…”, "…", ‘…’, «…», „…“, 「…」 and block quotations.'
            )
        if self._session.counts.to_verify == len(self._session.claims):
            return self.tr("Not known yet what is to do: the quotations are still to verify.")
        if self._tab is ClaimState.TO_DO and not (self._word or self._speaker):
            return self.tr("Nothing to do. The gates below say whether the label can be given (L).")
        return self.tr("No quotation here.")

    def _fill_menu(self) -> None:
        self._menu.clear()
        group = QActionGroup(self._menu)
        for order, words in (
            (ClaimSort.DRAFT, self.tr("In the draft's order")),
            (ClaimSort.TIME, self.tr("By time")),
            (ClaimSort.WORD, self.tr("By verdict")),
        ):
            self._add(group, words, self._filter.order is order, lambda _on=False, wanted=order: self._filter.order_by(wanted))
        self._menu.addSeparator()
        self._add_filters(ClaimRole.WORD, self._word, self.tr("Any verdict"), self._set_word)
        self._menu.addSeparator()
        self._add_filters(ClaimRole.SPEAKER, self._speaker, self.tr("Any speaker"), self._set_speaker)

    def _add_filters(self, role: ClaimRole, chosen: str, any_words: str, choose: object) -> None:
        assert callable(choose)
        found = {str(self._model.index(row).data(role)) for row in range(self._model.rowCount())} - {""}
        group = QActionGroup(self._menu)
        self._add(group, any_words, not chosen, lambda _on=False: choose(""))
        for word in sorted(found):
            self._add(group, word.replace("_", " "), word == chosen, lambda _on=False, wanted=word: choose(wanted))

    def _add(self, group: QActionGroup, words: str, is_chosen: bool, slot: object) -> None:
        action = QAction(words, self._menu)
        action.setCheckable(True)
        action.setChecked(is_chosen)
        group.addAction(action)
        action.triggered.connect(slot)
        self._menu.addAction(action)

    def _set_word(self, word: str) -> None:
        self._word = word
        self._apply_filter()

    def _set_speaker(self, speaker: str) -> None:
        self._speaker = speaker
        self._apply_filter()

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.JOB | Changes.SWITCHED):
            self._word, self._speaker = "", ""
            self._filter.show_only(self._tab)
        if changes & (Changes.JOB | Changes.SWITCHED | Changes.VERDICTS | Changes.RESOLUTIONS | Changes.DRAFT | Changes.LOCK):
            self._refresh()
            self._on_selection_claim_changed()

    def _on_selection_claim_changed(self) -> None:
        claim_id = self._selection.claim_id
        index = self._filter.mapFromSource(self._model.index(self._model.row_of(claim_id))) if claim_id else QModelIndex()
        self.rows.follow(index)
        self._update_rows(claim_id)

    def _on_selection_hover_changed(self) -> None:
        self._update_rows(self._selection.hovered_id)

    def _update_rows(self, claim_id: int | None) -> None:
        """Draw a claim's row again, and those that were lit before it: all others look as they did."""
        for one in {claim_id, *self._lit} - {None}:
            self.rows.update(self._filter.mapFromSource(self._model.index(self._model.row_of(one or 0))))
        self._lit = (self._selection.claim_id, self._selection.hovered_id)

    def _on_theme_changed(self) -> None:
        self._more.setIcon(glyph_icon(Glyph.MORE, self._theme, "muted"))
        self._named = ()
        self._name_tabs()
        self.rows.scheduleDelayedItemsLayout()


class _Rows(QListView):
    """The rows; `chosen` carries the id of a claim that a person picked."""

    chosen = Signal(int)

    def __init__(self, selection: Selection, parent: QWidget) -> None:
        super().__init__(parent)
        self._selection = selection
        self._is_following = False
        self.setAccessibleName(self.tr("List of quotations"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)

    def follow(self, index: AnyIndex) -> None:
        """Show a row as the selected one without reporting it as a choice."""
        self._is_following = True
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        else:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        self._is_following = False

    def rowsAboutToBeRemoved(self, parent: AnyIndex, start: int, end: int) -> None:
        """Let the list go to a neighbour of a row that leaves it: nobody chose that one."""
        is_following, self._is_following = self._is_following, True
        super().rowsAboutToBeRemoved(parent, start, end)
        self._is_following = is_following

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Report a row that a person went to."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._is_following:
            self.chosen.emit(int(current.data(ClaimRole.CLAIM_ID)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which claim is under the pointer."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._selection.hover(int(index.data(ClaimRole.CLAIM_ID)) if index.isValid() else None)

    def leaveEvent(self, event: QEvent) -> None:
        """No claim is under the pointer any more."""
        super().leaveEvent(event)
        self._selection.hover(None)

    def keyboardSearch(self, search: str) -> None:
        """Letters are actions here, not a search."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pages and Home and End walk the list; everything else is the actions'."""
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End):
            super().keyPressEvent(event)
        else:
            event.ignore()


class _RowPainter(QStyledItemDelegate):
    """Paints one claim: sign, time, the beginning of its words, and the verdict's word as a tag."""

    def __init__(self, selection: Selection, theme: Theme, parent: _Rows) -> None:
        super().__init__(parent)
        self._rows = parent
        self._selection = selection
        self._theme = theme
        self._take_fonts()
        theme.changed.connect(self._take_fonts)

    def _take_fonts(self) -> None:
        """Take the theme's fonts with their metrics once: asking for them costs more than a row's drawing."""
        theme = self._theme
        self._serif = theme.font(FontRole.QUOTE)
        self._serif.setPixelSize(theme.pixels(14))
        self._mono, self._small = theme.font(FontRole.MONO), theme.font(FontRole.SMALL)
        self._mono_metrics, self._small_metrics = QFontMetricsF(self._mono), QFontMetricsF(self._small)
        self._serif_metrics = QFontMetricsF(self._serif)
        self._time_width = self._mono_metrics.horizontalAdvance("00:00")

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the height of a row."""
        return QSize(200, self._theme.pixels(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw the row."""
        rect: QRect = option.rect
        claim_id = int(index.data(ClaimRole.CLAIM_ID))
        state: ClaimState = index.data(ClaimRole.STATE)
        colors = self._theme.palette
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if claim_id == self._selection.claim_id:
            painter.fillRect(rect, colors.color("accent_soft"))
            if self._rows.hasFocus():
                painter.setPen(QPen(colors.color("focus"), 1))
                painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))
        elif claim_id == self._selection.hovered_id:
            painter.fillRect(rect, colors.color("raised"))
        size = self._theme.pixels(_SIGN)
        paint_sign(painter, QRectF(rect.left() + 12, rect.center().y() - size / 2 + 0.5, size, size), state, self._theme)
        self._paint_words(painter, rect, index)
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        colors = self._theme.palette
        left = rect.left() + 12 + self._theme.pixels(_SIGN) + 10
        painter.setFont(self._mono)
        painter.setPen(colors.color("muted"))
        time = str(index.data(ClaimRole.TIME)) or "—"
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(left, rect.top(), rect.width(), rect.height()), middle, time)
        left += round(max(self._time_width, self._mono_metrics.horizontalAdvance(time)) + 12)
        tag = str(index.data(ClaimRole.WORD)).replace("_", " ")
        tag_width = self._small_metrics.horizontalAdvance(tag)
        painter.setFont(self._small)
        painter.drawText(QPointF(rect.right() - 12 - tag_width, rect.center().y() + self._small_metrics.ascent() / 2 - 1), tag)
        painter.setFont(self._serif)
        painter.setPen(colors.color("text"))
        words = " ".join(str(index.data(Qt.ItemDataRole.DisplayRole))[:200].split())
        room = rect.right() - 24 - tag_width - left
        shown = self._serif_metrics.elidedText(f"“{words}”", Qt.TextElideMode.ElideRight, max(20.0, room))
        painter.drawText(QRectF(left, rect.top(), room, rect.height()), middle, shown)
