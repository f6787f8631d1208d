"""What a seat plays for, how points are counted and when it ends: in the ruleset's own words, else from its data.

The scenario's words come before those of the optional rules in force, the first of these before the others, and all
before the game's own. Must not guess: what neither words nor data tell is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.play.session import Game
from interpreter.players.telling.vocabulary import Words, cited
from interpreter.runtime.program import Program

_MOST_CITED = 4


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence or two with the paragraphs they come from; `text` is '' where nothing is known."""

    text: str
    cite: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The text with its first paragraphs in brackets."""
        few = self.cite if len(self.cite) <= _MOST_CITED else (*self.cite[: _MOST_CITED - 1], "...")
        return self.text + cited(few)

    @property
    def whole_line(self) -> str:
        """The text with all of its paragraphs in brackets."""
        return self.text + cited(self.cite)


NOTHING = Told("")


def aim_of(game: Game, seat: str, words: Words) -> Told:
    """What whoever sits there plays for; without words of the ruleset, the ends of the game that its seat can reach."""
    whole = _split_from(game.program, seat)
    for said in _sayings(game):
        if found := said["aims"].get(seat) or said["aims"].get(whole):
            return _told(found, words)
    titles = [words.label(level["title"], level["id"]) for level in _levels(game.program, seat)]
    return Told(words.say("to reach: {levels}", levels=words.listed(titles))) if titles else NOTHING


def counting_of(game: Game, words: Words) -> Told:
    """How points are counted; without words of the ruleset, that the highest score wins where scores are kept."""
    if found := _said(game, "counting"):
        return _told(found, words)
    if game.scores():
        return Told(words.say("the seat with the highest score is ahead"))
    return Told(words.say("there is no score; the rules tell who has won"))


def ending_of(game: Game, words: Words) -> Told:
    """How long the game lasts: its last turn, where there is one, and what the ruleset says of its end."""
    say, last = words.say, game.state.last_turn
    length = say("{number} turns; this is turn {turn}", number=last, turn=game.turn) if last is not None else ""
    if found := _said(game, "ending"):
        told = _told(found, words)
        return Told(words.parted(part for part in (length, told.text) if part), told.cite)
    return Told(length or say("until the rules end it; there is no last turn"))


def in_force(game: Game, words: Words) -> Told:
    """The optional rules that are not as the ruleset has them by itself, with what each does; NOTHING for none."""
    told: list[str] = []
    cites: list[str] = []
    for option, value in zip(game.program.data["options"], game.state.options, strict=True):
        if option["type"] != "split" and value not in (option["default"], None):
            named = words.label(option["label"], option["id"])
            shown = named if value is True else words.about(named, words.value(["word"], value))
            told.append(words.about(shown, words.label(option["note"])) if option["note"] else shown)
            cites += option["cites"]
    return Told(words.parted(told), tuple(dict.fromkeys(cites))) if told else NOTHING


def _sayings(game: Game) -> Iterator[Mapping[str, Any]]:
    """Who may tell players of aims, points and ends, whoever is to be believed first."""
    data = game.program.data
    yield from (scenario for scenario in data["scenarios"] if scenario["id"] == game.scenario)
    for option, value in zip(data["options"], game.state.options, strict=True):
        if value != option["default"] if option["type"] == "choice" else value:
            yield option
    yield data


def _said(game: Game, key: str) -> Mapping[str, Any] | None:
    return next((said[key] for said in _sayings(game) if said[key]), None)


def _told(found: Mapping[str, Any], words: Words) -> Told:
    return Told(words.label(found["text"]), tuple(found["cites"]))


def _levels(program: Program, seat: str) -> list[Any]:
    """The ends of the game that are the seat's own."""
    handle = program.handles["seat"][seat]
    return [level for level in program.level_data if level["seat"] == handle]


def _split_from(program: Program, seat: str) -> str:
    """The seat that an optional rule divides into several, of which this is one; '' for none."""
    handle = program.handles["seat"][seat]
    found = (option["splits"] for option in program.data["options"] if handle in option["into"])
    return next((program.ids["seat"][split] for split in found), "")
