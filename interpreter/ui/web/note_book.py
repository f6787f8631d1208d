"""The notes of a served game: saved with the game, limited for each asker, and shown with their authors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from interpreter.api.autosave import MAX_NOTE_BYTES, Autosave, NoRoomError
from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.runtime.localizer import Localizer
from interpreter.saves.entries import NoteEntry
from interpreter.saves.journal import measure_line
from interpreter.ui.web.participants import find_only_side

_MAX_NOTES, _MAX_NOTE_BYTES = 1_000, MAX_NOTE_BYTES // 4  # of one asker


@dataclass(frozen=True, slots=True)
class NoteQuota:
    """The room for notes that one asker has used: bytes of the journal, and the number of notes."""

    bytes: int = 0
    count: int = 0

    @property
    def is_exceeded(self) -> bool:
        """Return whether an asker may use less room than this."""
        return self.bytes > _MAX_NOTE_BYTES or self.count > _MAX_NOTES


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Display form of a note. All fields but `text` are '' if they are unknown.

    `by`: the author; `where`: the moment of the game; `made`: the time; `side`: the id of the author's side.
    """

    text: str
    by: str = ""
    where: str = ""
    made: str = ""
    side: str = ""


class NoteBook:
    """The notes of one game. The authors are known for notes of this session only."""

    def __init__(self, autosave: Autosave) -> None:
        self._autosave = autosave
        self._quotas: dict[str, NoteQuota] = {}  # by asker
        self._written: dict[int, ChatMessage] = {}  # by the number of the note; `by` is the seat of the author

    def add(self, asker: str, text: str, seat: str, where: str, localizer: Localizer) -> None:
        """Save a note.

        `asker`: the id of the requester, whose room for notes is limited; `seat`: the seat that makes the note, '' for
        the host; `where`: the moment of the game. Raises NoRoomError if the asker or the file has no room for it.
        """
        by = localizer.get_thing_name("seat", seat) if seat else localizer.say("host")
        used, size = (
            self._quotas.get(asker, NoteQuota()),
            measure_line(NoteEntry(self._autosave.format_note(text, where, by))),
        )
        quota = NoteQuota(used.bytes + size, used.count + 1)
        if quota.is_exceeded:
            raise NoRoomError(_("the space for notes of one seat in a game is full"))
        self._autosave.save_note(text, where, by)
        made = datetime.now(UTC).strftime("%H:%M UTC")
        self._written[len(self._autosave.notes) - 1] = ChatMessage(text, seat, where, made)
        self._quotas[asker] = quota

    def list_messages(self, names: Mapping[str, str], game: Game, localizer: Localizer) -> list[ChatMessage]:
        """Return the notes of a game; the author of a note from an earlier session is part of its text.

        `names`: the names of the players by seat, '' for the host.
        """
        messages = []
        for number, text in enumerate(self._autosave.notes):
            message = self._written.get(number)
            if message is None:
                messages.append(ChatMessage(text))
                continue
            name = names.get(message.by) or (
                localizer.get_thing_name("seat", message.by) if message.by else localizer.say("host")
            )
            messages.append(replace(message, by=name, side=find_only_side(game, message.by) if message.by else ""))
        return messages
