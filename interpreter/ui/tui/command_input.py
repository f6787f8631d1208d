"""Command line below the map: its keys steer map and lists while it is empty, and edit text otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Input

_STEERING = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "tab": "next",
    "shift+tab": "previous",
    "plus": "nearer",
    "minus": "farther",
    "equals_sign": "nearer",
    "escape": "back",
    "enter": "take",
    "home": "middle",
    "end": "end",
    "full_stop": "again",
    "greater_than_sign": "forward",
}
_ALWAYS = {"pageup": "page_up", "pagedown": "page_down"}


class CommandInput(Input):
    """A one-line input with history; `known` are the words that Tab completes."""

    @dataclass
    class Steered(Message):
        """Message that `CommandInput` posts when a key is pressed that steers the screen, such as an arrow key.

        `what`: the action, such as "up", "next", "nearer" or "take".
        """

        what: str

    def __init__(self, id: str) -> None:
        super().__init__(compact=True, select_on_focus=False, id=id)
        self.cursor_blink = False
        self.known: Sequence[str] = ()
        self._before: list[str] = []
        self._at = 0

    async def _on_key(self, event: events.Key) -> None:
        """Handle a key: pass steering keys to the application; edit the line, browse its history or complete a word."""
        what = _ALWAYS.get(event.key) or (_STEERING.get(event.key) if not self.value else None)
        if what is not None:
            event.prevent_default()
            event.stop()
            self.post_message(self.Steered(what))
            return
        match event.key:
            case "up" | "down":
                self._recall(-1 if event.key == "up" else 1)
            case "tab":
                self._complete()
            case "escape":
                self.value = ""
            case _:
                await super()._on_key(event)
                return
        event.prevent_default()
        event.stop()

    def remember(self, line: str) -> None:
        """Add a line to the history."""
        if line and (not self._before or self._before[-1] != line):
            self._before.append(line)
        self._at = len(self._before)

    def _recall(self, step: int) -> None:
        """Show the line entered `step` lines later (negative: earlier); past the newest one, an empty line."""
        if self._before:
            self._at = max(0, min(len(self._before), self._at + step))
            self.value = self._before[self._at] if self._at < len(self._before) else ""
            self.cursor_position = len(self.value)

    def _complete(self) -> None:
        """Complete the last word, or as much as all matching words share."""
        start = self.value.rfind(";") + 1
        start += len(self.value[start:]) - len(self.value[start:].lstrip())
        for begin in (start, self.value.rfind(" ") + 1):
            typed = self.value[begin:].casefold()
            completions = [word for word in self.known if typed and word.casefold().startswith(typed)]
            if completions:
                shared = completions[0]
                while not all(word.casefold().startswith(shared.casefold()) for word in completions):
                    shared = shared[:-1]
                self.value = self.value[:begin] + shared
                self.cursor_position = len(self.value)
                return
