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

What the panes and panels offer to the actions, by duck-free plain methods: `TranscriptView.show_find()`,
`DraftView.setFocus()`, `ResolvePanel.start_edit()`, `.start_accept()`, `.start_set_aside()`,
`.start_retract()`, `.start_alike()`, `.start_safe_repairs()`, `ClaimList.setFocus()`, and on both panes
`bring_into_view(claim_id)`. Each widget sets its accessible name and is a landmark for screen readers.
"""
