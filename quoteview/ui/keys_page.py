"""The page of keys (F1): every action with its key, by menu, each changeable."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from quoteview.ui.actions import ActionId, Actions, MenuId, key_name
from quoteview.ui.sizes import resize_within_screen
from quoteview.ui.theme import Theme, set_role

_ID = int(Qt.ItemDataRole.UserRole)


class KeysPage(QDialog):
    """A table of actions and keys with a line below to give the chosen action another one."""

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.setWindowTitle(self.tr("Keys"))
        self.setAccessibleName(self.tr("Keys"))
        resize_within_screen(self, theme, 640, 660)
        hint = QLabel(
            self.tr("Single keys act while the list, the panel or the transcript has the focus, not while you type."), self
        )
        hint.setTextFormat(Qt.TextFormat.PlainText)
        hint.setWordWrap(True)
        set_role(hint, "muted")
        self.tree = QTreeWidget(self)
        self.tree.setAccessibleName(self.tr("Actions and their keys"))
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels([self.tr("Action"), self.tr("Key")])
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.setAllColumnsShowFocus(True)
        set_role(self.tree, "table")
        self.edit = QKeySequenceEdit(self)
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName(self.tr("New key for the chosen action"))
        self.set_button = QPushButton(self.tr("Use this key"), self)
        self.usual_button = QPushButton(self.tr("Usual key"), self)
        self.remark = QLabel(self)
        self.remark.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self.remark, "danger")
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setDefault(True)
        self.close_button.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(10)
        layout.addWidget(hint)
        layout.addWidget(self.tree)
        row = QHBoxLayout()
        for widget in (self.edit, self.set_button, self.usual_button):
            row.addWidget(widget)
        for button in (self.set_button, self.usual_button):
            button.setAutoDefault(False)
        below = QHBoxLayout()
        below.addWidget(self.remark, 1)
        below.addWidget(self.close_button)
        layout.addLayout(row)
        layout.addLayout(below)
        self.set_button.clicked.connect(self._on_set)
        self.usual_button.clicked.connect(self._on_usual)
        self.tree.currentItemChanged.connect(self._on_current_changed)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill()

    def _fill(self) -> None:
        self.tree.clear()
        for menu in MenuId:
            title = QCoreApplication.translate("Actions", menu.value).replace("&", "")
            head = QTreeWidgetItem(self.tree, [title, ""])
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for spec, _action in self._actions.specs():
                if spec.menu is menu:
                    keys = "   ".join(key_name(key) for key in self._actions.keys(spec.id))
                    row = QTreeWidgetItem(head, [spec.title, keys])
                    row.setData(0, _ID, str(spec.id))
            head.setExpanded(True)
        self._on_current_changed()

    def _chosen(self) -> ActionId | None:
        row = self.tree.currentItem()
        action_id = row.data(0, _ID) if row is not None else None
        return ActionId(action_id) if action_id else None

    def _on_current_changed(self) -> None:
        chosen = self._chosen()
        for widget in (self.edit, self.set_button, self.usual_button):
            widget.setEnabled(chosen is not None)
        keys = self._actions.keys(chosen) if chosen else ()
        self.edit.setKeySequence(QKeySequence(keys[0] if keys else ""))
        self.remark.setText("")

    def _on_set(self) -> None:
        self._change(self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText))

    def _on_usual(self) -> None:
        self._change(None)

    def _change(self, key: str | None) -> None:
        chosen = self._chosen()
        if chosen is None:
            return
        holder = self._actions.set_key(chosen, key)
        if holder is not None:
            title = next(spec.title for spec, _action in self._actions.specs() if spec.id == holder)
            self.remark.setText(self.tr("“{action}” has this key already.").format(action=title))
            return
        row = self.tree.currentItem()
        if row is not None:
            row.setText(1, "   ".join(key_name(known) for known in self._actions.keys(chosen)))
        self.remark.setText("")
