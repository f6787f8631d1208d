"""Objectives of a seat, scoring and the end of the game, in the ruleset's own words or derived from its data.

The scenario's words have precedence, then those of the optional rules in force in order, then the game's own. Facts
that neither words nor data give are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.play.game import Game
from interpreter.play.lines import Line, cite_few
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.program import Program

_MAX_CITED = 4


@dataclass(frozen=True, slots=True)
class ObjectiveText:
    """A sentence or two with the paragraphs they come from; `text` is '' if nothing is known."""

    text: str
    cite: tuple[str, ...] = ()

    def format_line(self, heading: str, localizer: Localizer, cites_all: bool = False) -> Line:
        """Return the text after `heading` ('' for none) as a line with its first citations, or with all of them."""
        text = localizer.prefix_topic(heading, self.text) if heading else self.text
        return cite_few(text, self.cite, len(self.cite) if cites_all else _MAX_CITED)


NOTHING = ObjectiveText("")


def build_aim_text(game: Game, seat: str, localizer: Localizer) -> ObjectiveText:
    """Return the aim of a seat; if the ruleset has no text for it, the victory levels that the seat can reach."""
    parent_seat = _find_parent_seat(game.program, seat)
    for source in _iter_text_sources(game):
        if entry := source["aims"].get(seat) or source["aims"].get(parent_seat):
            return _to_objective_text(entry, localizer)
    titles = [localizer.translate_label(level["title"], level["id"]) for level in _list_levels(game.program, seat)]
    return ObjectiveText(localizer.say("to reach: {levels}", levels=localizer.join_list(titles))) if titles else NOTHING


def build_scoring_text(game: Game, localizer: Localizer) -> ObjectiveText:
    """Return how points are counted; if the ruleset has no text for it, that the highest score wins."""
    if entry := _find_text(game, "counting"):
        return _to_objective_text(entry, localizer)
    if game.scores():
        return ObjectiveText(localizer.say("the seat with the highest score is ahead"))
    return ObjectiveText(localizer.say("no points are counted; the rules decide the winner"))


def build_ending_text(game: Game, localizer: Localizer) -> ObjectiveText:
    """Return the length of the game: its last turn, if any, and the ruleset's text about the end."""
    say, last = localizer.say, game.state.last_turn
    length = say("{number} (turn|turns); this is turn {turn}", number=last, turn=game.turn) if last is not None else ""
    if entry := _find_text(game, "ending"):
        text = _to_objective_text(entry, localizer)
        return ObjectiveText(localizer.join_texts(part for part in (length, text.text) if part), text.cite)
    return ObjectiveText(length or say("no turn limit: the rules end the game"))


def build_optional_rules_text(game: Game, localizer: Localizer) -> ObjectiveText:
    """Return the optional rules that differ from their defaults, with their effects; NOTHING if none does."""
    texts: list[str] = []
    cites: list[str] = []
    for option, value in zip(game.program.data["options"], game.state.options, strict=True):
        if option["type"] != "split" and value not in (option["default"], None):
            label = localizer.translate_label(option["label"], option["id"])
            option_text = (
                label if value is True else localizer.prefix_topic(label, localizer.format_id_value(["word"], value))
            )
            texts.append(
                localizer.prefix_topic(option_text, localizer.translate_label(option["note"]))
                if option["note"]
                else option_text
            )
            cites += option["cites"]
    return ObjectiveText(localizer.join_texts(texts), tuple(dict.fromkeys(cites))) if texts else NOTHING


def _iter_text_sources(game: Game) -> Iterator[Mapping[str, Any]]:
    """Yield the data that may hold texts about aims, points and ends: scenario, chosen optional rules, ruleset."""
    data = game.program.data
    yield from (scenario for scenario in data["scenarios"] if scenario["id"] == game.scenario)
    for option, value in zip(data["options"], game.state.options, strict=True):
        if value != option["default"] if option["type"] == "choice" else value:
            yield option
    yield data


def _find_text(game: Game, key: str) -> Mapping[str, Any] | None:
    return next((source[key] for source in _iter_text_sources(game) if source[key]), None)


def _to_objective_text(entry: Mapping[str, Any], localizer: Localizer) -> ObjectiveText:
    return ObjectiveText(localizer.translate_label(entry["text"]), tuple(entry["cites"]))


def _list_levels(program: Program, seat: str) -> list[Any]:
    """Return the victory levels of the seat."""
    handle = program.handles["seat"][seat]
    return [level for level in program.level_data if level["seat"] == handle]


def _find_parent_seat(program: Program, seat: str) -> str:
    """Return the seat that an optional rule splits into several including this one, or ''."""
    handle = program.handles["seat"][seat]
    seats = (option["splits"] for option in program.data["options"] if handle in option["into"])
    return next((program.ids["seat"][split] for split in seats), "")
