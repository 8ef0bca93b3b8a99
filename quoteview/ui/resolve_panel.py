"""The panel for the selected claim: what is wrong in a sentence, both wordings, and each way to resolve it with its key.

Enter does the first repair offered. For words, numbers, negations and what was not found that is to
listen, never to rewrite; accepting is never the first. Where everything is green the panel becomes the way to
the label: the gates as a list with their evidence, and the button.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from quoteview.app.claim_model import verdict_word
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes, ClaimState, Phase, Repair, RepairKind
from quoteview.app.times import clock, duration
from quoteview.core.verdicts import LONG_CUE_MS, Match, VerdictKind
from quoteview.ui.difference_lines import DifferenceLines, Stretch, Style, draft_line, exact_line, source_line
from quoteview.ui.folding_buttons import FoldingButtons
from quoteview.ui.key_button import KeyButton
from quoteview.ui.panel_forms import AcceptForm, AsideForm, EditForm, Form, RetractForm
from quoteview.ui.panel_gates import GateLines
from quoteview.ui.panel_lists import AlikeForm, SafeRepairsForm
from quoteview.ui.signs import sign_icon
from quoteview.ui.theme import Theme, set_role

_KEYS = {
    RepairKind.SOURCE_WORDS: "W",
    RepairKind.TIME: "T",
    RepairKind.SPLIT: "S",
    RepairKind.NARROW: "I",
    RepairKind.EDIT: "E",
    RepairKind.SET_ASIDE: "N",
    RepairKind.RETRACT: "R",
    RepairKind.ACCEPT: "A",
    RepairKind.LISTEN: "Space",
}
"""The usual key of each repair, shown on its button; a person's own keys are told by the menus."""


_ONE_ROW_BELOW, _TWO_ROWS_BELOW = 190, 260
"""Heights of the panel, at 100 % text, under which fewer rows of buttons are shown."""


class ResolvePanel(QFrame):
    """The panel. `action_requested` carries the id of an action; forms for words of a person open inside it."""

    action_requested = Signal(str)

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._theme = theme
        self.setAccessibleName(self.tr("Resolve"))
        set_role(self, "pane")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(420)
        self._sign = QLabel(self)
        self._title = _label("strong", self)
        self._sentence = _label("muted", self)
        self._sentence.setWordWrap(True)
        self._lines = DifferenceLines(theme, self)
        self._facts = _label("small", self)
        self._facts.setWordWrap(True)
        self._gates = GateLines(theme, self)
        self._gates.hide()
        self._buttons = FoldingButtons(theme, self)
        self._stack = QStackedWidget(self)
        self._form: Form | None = None
        self._repairs: tuple[Repair, ...] = ()
        self._shown: tuple[int | None, int] = (None, -1)
        self._offers: tuple[tuple[str, str, str], ...] = ()
        self._shown_buttons: list[KeyButton] = []
        self._lay_out()
        session.changed.connect(self._on_session_changed)
        selection.claim_changed.connect(self._on_selection_claim_changed)
        theme.changed.connect(self.refresh)
        self.refresh()

    # -- forms that actions open --------------------------------------------------------------

    def start_edit(self) -> None:
        """Open the line edit for the claim's words, with the verdict live as they are typed."""
        self._open(lambda claim: EditForm(self._session, claim, self._theme, self))

    def start_accept(self) -> None:
        """Open the form for an exception: its class and its reason."""
        self._open(lambda claim: AcceptForm(self._session, claim, self._theme, self))

    def start_set_aside(self) -> None:
        """Open the form for the reason that setting this claim aside needs."""
        self._open(lambda claim: AsideForm(self._session, claim, self._theme, self))

    def start_retract(self) -> None:
        """Ask whether the words stay; Enter keeps them."""
        self._open(lambda claim: RetractForm(self._session, claim, self._theme, self))

    def start_alike(self) -> None:
        """List the claims that share something with this one, for one act after the list is seen."""
        claim_id = self._selection.claim_id
        if claim_id is not None and self._session.alike(claim_id):
            self._open(lambda claim: AlikeForm(self._session, claim, self._theme, self))

    def start_safe_repairs(self) -> None:
        """List every safe repair of the draft, ticked, before and after in columns."""
        if self._session.safe_repairs():
            self._show_form(SafeRepairsForm(self._session, self._theme, self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave a low panel to the wordings: of the buttons one row or two stay, the others fold into a menu."""
        super().resizeEvent(event)
        height = self.height() * 100 // self._theme.text_percent
        self._buttons.set_rows(1 if height < _ONE_ROW_BELOW else 2 if height < _TWO_ROWS_BELOW else 3)

    def set_low(self, is_low: bool) -> None:
        """Take less room around the wordings, in a window that has little."""
        self._page.setSpacing(4 if is_low else 8)
        edge = 6 if is_low else 12
        self._layout.setContentsMargins(18, edge, 18, edge)

    # -- showing ---------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the selected claim, or the way to the label."""
        claim_id = self._selection.claim_id
        self._shown = (claim_id, self._session.stamp)
        claim = self._session.claim(claim_id) if claim_id is not None else None
        if claim is None:
            self._show_nothing()
            return
        state = self._session.state(claim.id)
        self._gates.show_gates(())
        self._lines.show()
        self._sign.setPixmap(sign_icon(state, self._theme).pixmap(self._theme.pixels(16), self._theme.pixels(16)))
        self._title.setText(self._title_of(claim.id, state))
        sentences = (self._session.reopened(claim.id), self._session.sentence(claim.id), self._session.consequences(claim.id))
        self._sentence.setText(" ".join(sentence for sentence in sentences if sentence))
        self._lines.show_lines(self._wordings(claim.id))
        self._facts.setText(self._facts_of(claim.id))
        self._facts.setVisible(bool(self._facts.text()))
        self._fill_buttons(self._session.repairs(claim.id) if self._session.phase is Phase.READY else (), claim.id)
        self.setAccessibleDescription(f"{self._title.text()}. {self._sentence.text()}")

    def _title_of(self, claim_id: int, state: ClaimState) -> str:
        total = self._session.counts.total
        word = verdict_word(self._session, claim_id).replace("_", " ")
        verdict = self._session.verdict(claim_id)
        if verdict is not None and verdict.kind is VerdictKind.ALTERED:
            word = self.tr("altered") + f" · {word}"
        where = self.tr("quote {number} of {total}").format(number=claim_id, total=total)
        to_do = self._session.to_do()
        if state is ClaimState.TO_DO and claim_id in to_do:
            place = self.tr("To do {number} of {total}").format(number=to_do.index(claim_id) + 1, total=len(to_do))
            return f"{place} · {where} · {word}"
        return f"{self._theme.look(state).word.capitalize()} · {where}" + ("" if state is ClaimState.EXACT else f" · {word}")

    def _wordings(self, claim_id: int) -> list[tuple[str, tuple[Stretch, ...]]]:
        claim, verdict = self._session.claim(claim_id), self._session.verdict(claim_id)
        if claim is None:
            return []
        claimed_ms = claim.claimed_ms
        time = f"  [{clock(claimed_ms)}]" if claimed_ms is not None else ""
        ends = (Stretch("“", Style.CONTEXT), Stretch("”" + time, Style.CONTEXT))
        draft = (self.tr("Draft"), (ends[0], *draft_line(claim.text, verdict), ends[1]))
        if verdict is None:
            return [draft]
        if verdict.match is not None and verdict.nearest is None:
            found = verdict.match
            return [draft, (self.tr("Captions"), exact_line(claim.text, found.before, found.after))]
        captions = source_line(verdict)
        return [draft, (self.tr("Captions"), captions)] if captions else [draft]

    def _facts_of(self, claim_id: int) -> str:
        claim, verdict = self._session.claim(claim_id), self._session.verdict(claim_id)
        found = self._session.match(claim_id)
        if claim is None or verdict is None:
            return ""
        facts = [*self._where(found), *self._others(claim_id, found)]
        facts += [note for note in (*claim.notes, *verdict.notes) if note]
        if verdict.also_in:
            names = ", ".join(verdict.also_in)
            facts.append(self.tr("also so, in time, in {tracks}").format(tracks=names))
        if found is not None:
            facts.append(self.tr("evidence X"))
        return " · ".join(facts)

    def _where(self, found: Match | None) -> list[str]:
        if found is None:
            return []
        evidence = found.evidence
        isolated = [f"\u2068{speaker}\u2069" for speaker in evidence.speakers]  # a name may run from right to left
        facts = [", ".join(isolated)] if isolated else []
        facts.append(f"{clock(evidence.time.start_ms, tenths=True)} – {clock(evidence.time.end_ms, tenths=True)}")
        first, last = evidence.cues
        if found.offset_ms:
            side = self.tr("{length} before cue {cue}") if found.offset_ms < 0 else self.tr("{length} after cue {cue}")
            facts.append(side.format(length=duration(abs(found.offset_ms)), cue=first + 1))
        elif first == last:
            facts.append(self.tr("cue {number}").format(number=first + 1))
        if first != last:
            length = duration(evidence.time.end_ms - evidence.time.start_ms)
            facts.append(self.tr("{count} cues, {length}").format(count=abs(last - first) + 1, length=length))
        if evidence.first_cue.end_ms - evidence.first_cue.start_ms > LONG_CUE_MS:
            length = duration(evidence.first_cue.end_ms - evidence.first_cue.start_ms)
            facts.append(self.tr("time known to {length}").format(length=length))
        if not evidence.is_word_time_known:
            facts.append(self.tr("these words have no time of their own"))
        return facts

    def _others(self, claim_id: int, found: Match | None) -> list[str]:
        if found is None:
            return []
        others = [other for other in self._session.claims_at_cue(found.evidence.cues[0]) if other != claim_id]
        return [self.tr("also quote {numbers}").format(numbers=", ".join(str(other) for other in others[:4]))] if others else []

    def _fill_buttons(self, repairs: tuple[Repair, ...], claim_id: int) -> None:
        """Show the ways to resolve; buttons that stay the same are kept, and with them the focus on one."""
        self._repairs = repairs
        offers = [
            (repair.label, self.tr("Enter") if number == 0 else _KEYS.get(repair.kind, ""), "" if number else "primary")
            for number, repair in enumerate(repairs)
        ]
        if not repairs and self._session.match(claim_id) is not None:
            offers += [(self.tr("Play"), "Space", ""), (self.tr("Evidence"), "X", "")]
        alike = self._session.alike(claim_id) if repairs else ()
        if alike:
            offers.append((self.tr("{count} alike…").format(count=len(alike[0].claims)), "G", "link"))
        self._show_offers(tuple(offers))

    def _show_offers(self, offers: tuple[tuple[str, str, str], ...], *, is_enabled: bool = True) -> None:
        """Show these buttons. One with the same key and role at the same place is kept and takes the new words."""
        if offers != self._offers:
            self._let_go_of_focus(offers)
            self._offers = offers
            same = [
                (one.key, one.property("role") or "") == offer[1:]
                for one, offer in zip(self._shown_buttons, offers, strict=False)
            ]
            kept = same.index(False) if False in same else len(same)
            if kept < max(len(offers), len(self._shown_buttons)):
                self._buttons.hide()  # laid out once, when all are there
            self._drop_buttons(kept)
            for button, (words, _, _) in zip(self._shown_buttons, offers, strict=False):
                if button.text() != words:
                    button.setText(words)
            for number, (words, key, role) in enumerate(offers[kept:], kept):
                button = KeyButton(words, key, self._theme, self._buttons, role=role)
                button.clicked.connect(lambda _checked=False, chosen=number: self._on_button_clicked(chosen))
                self._shown_buttons.append(button)
                self._buttons.add(button)
            self._buttons.fold()
        for button in self._shown_buttons:
            button.setEnabled(is_enabled)
        self._buttons.setVisible(bool(offers))

    def _let_go_of_focus(self, offers: tuple[tuple[str, str, str], ...]) -> None:
        """Keep the focus in the panel, where plain keys act, rather than on a button that will say something else."""
        focus = QApplication.focusWidget()
        for number, button in enumerate(self._shown_buttons):
            if button is focus and offers[number : number + 1] != self._offers[number : number + 1]:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drop_buttons(self, kept: int) -> None:
        """Take the buttons away from the one of this number on."""
        for button in self._shown_buttons[kept:]:
            self._buttons.drop(button)
        del self._shown_buttons[kept:]

    def _on_button_clicked(self, number: int) -> None:
        claim_id = self._selection.claim_id
        if number < len(self._repairs) and claim_id is not None:
            self._carry_out(claim_id, self._repairs[number])
            return
        asked = {"G": "alike", "Space": "play", "X": "evidence", "L": "label"}
        self.action_requested.emit(asked[self._offers[number][1]])

    def _carry_out(self, claim_id: int, repair: Repair) -> None:
        """Do what a button says. To retract asks first, by button as by key."""
        if repair.is_edit and repair.kind is not RepairKind.RETRACT:
            self._session.apply(claim_id, repair)
        else:
            self.action_requested.emit(str(repair.kind))

    def _show_nothing(self) -> None:
        """No claim is selected: the gates as a list with their evidence, and the way to the label."""
        counts = self._session.counts
        refusal = self._session.label_refusal
        is_whole = not refusal and counts.total > 0
        state = ClaimState.EXACT if is_whole else ClaimState.TO_DO if counts.to_do else ClaimState.TO_VERIFY
        self._sign.setPixmap(sign_icon(state, self._theme).pixmap(self._theme.pixels(16), self._theme.pixels(16)))
        self._title.setText(self.tr("Every gate is open") if not refusal else self.tr("No quotation selected"))
        if counts.to_verify and counts.to_verify == counts.total:
            self._title.setText(self.tr("To verify"))
        if refusal and counts.total and not counts.to_do and not counts.to_verify:
            self._title.setText(self.tr("Nothing left to do"))
        self._sentence.setText(refusal)
        self._lines.show_lines([])
        self._lines.hide()
        self._facts.setText("")
        self._facts.hide()
        self._gates.show_gates(self._session.gates)
        self._repairs = ()
        self._show_offers(((self.tr("Label verified…"), "L", "primary"),), is_enabled=not refusal)
        self.setAccessibleDescription(f"{self._title.text()}. {refusal}")

    # -- forms ----------------------------------------------------------------------------------

    def _open(self, make: object) -> None:
        assert callable(make)
        claim_id = self._selection.claim_id
        claim = self._session.claim(claim_id) if claim_id is not None else None
        if claim is not None and self._session.may_change:
            self._show_form(make(claim))

    def _show_form(self, form: Form) -> None:
        self._close_form()
        self._form = form
        form.closed.connect(self._on_form_closed)
        self._stack.addWidget(form)
        self._stack.setCurrentWidget(form)
        form.begin()

    def _close_form(self) -> None:
        if self._form is not None:
            form, self._form = self._form, None
            self._stack.setCurrentIndex(0)
            self._stack.removeWidget(form)
            form.deleteLater()

    def _on_form_closed(self) -> None:
        self._close_form()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.JOB | Changes.SWITCHED | Changes.LOCK):
            self._close_form()
        idle = Changes.PROGRESS | Changes.SAVING
        if self._selection.claim_id is not None:
            idle |= Changes.GATES | Changes.HISTORY
        if changes & ~idle:
            self.refresh()

    def _on_selection_claim_changed(self) -> None:
        self._close_form()
        if self._shown != (self._selection.claim_id, self._session.stamp):
            self.refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(9)
        head.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._title, 0, Qt.AlignmentFlag.AlignTop)
        head.addSpacing(12)
        head.addWidget(self._sentence, 1, Qt.AlignmentFlag.AlignTop)
        body = QWidget(self)
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(4)
        inner.addWidget(self._lines)
        inner.addWidget(self._facts)
        inner.addWidget(self._gates)
        inner.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(body)
        review = QWidget(self)
        self._page = page = QVBoxLayout(review)
        page.setContentsMargins(0, 0, 0, 0)
        page.addLayout(head)
        page.addWidget(scroll, 1)
        page.addWidget(self._buttons)
        self._stack.addWidget(review)
        self._layout = layout = QVBoxLayout(self)
        layout.addWidget(self._stack)
        self.set_low(False)


def _label(role: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_role(label, role)
    return label
