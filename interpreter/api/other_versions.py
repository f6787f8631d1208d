"""Messages about a saved game played with other rules than those loaded: what differs, and how to continue.

Compares no rules, and replays nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.files.assets import format_target_name
from interpreter.i18n.translator import Message, mark as _
from interpreter.saves.identity import (
    SCENARIO,
    SCHEME_OF_BYTES,
    Differences,
    Identity,
    compute_identity,
    list_differences,
)
from interpreter.saves.storage import ENDING, format_game_name

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.saves.entries import JournalHeader

_MAX_LISTED_PARTS = 6  # listed parts of one sort
_KINDS = {
    "side": _("the sides"),
    "seat": _("the seats"),
    "place": _("the places of the map"),
    "edge": _("the links between places"),
    "piece": _("the pieces"),
}
_NAMED = {
    "kind": _("the things of the kind `{name}`"),
    "table": _("the chart `{name}`"),
    "value": _("the value `{name}`"),
    "ladder": _("the ladder `{name}`"),
    "die": _("the die `{name}`"),
    "region": _("the region `{name}`"),
    "option": _("the optional rule `{name}`"),
    "condition": _("the condition `{name}`"),
    "watcher": _("the effects of the event `{name}`"),
}
_ALONE = {
    "kinds": _("the kinds of things"),
    "classes": _("the classes of pieces"),
    "game": _("the values of the game"),
    "grid": _("the grid of the map"),
    "options": _("the list of optional rules"),
    "levels": _("the levels of victory"),
    "score": _("the score"),
    "procedure.setup": _("the set-up"),
    "procedure.turn": _("the sequence of play"),
    # whole sorts, for rulesets with very many parts
    "kind": _("things"),
    "table": _("charts"),
    "procedure": _("procedures"),
    "define": _("defines"),
}


def describe_differences(differing: Differences, header: JournalHeader) -> Message:
    """Return a description of the parts of the rules that differ, the first few of each sort.

    `differing`: the parts by sort (changed, new, removed); `header`: the header of the game they are compared
    with.
    """
    changed = _format_differences(differing.changed, header)
    new, removed = _format_differences(differing.new, header), _format_differences(differing.removed, header)
    parts = [changed] if changed else []
    parts += [_("{parts} (new)", parts=new)] if new else []
    parts += [_("{parts} (removed)", parts=removed)] if removed else []
    return Message("{parts}", parts=tuple(parts))


def build_carry_over_command(path: str | PathLike[str], rules: Rules) -> str:
    """Return the command that carries a saved game over to the rules that are loaded."""
    game = format_game_name(Path(path)) if path else "GAME"
    stem = Path(path).name.removesuffix(ENDING) if path else "GAME"
    other = Path(path).with_name(f"{stem}-carried{ENDING}") if game == str(path) else Path(f"{stem}-carried{ENDING}")
    target, save = _quote_spaced(format_target_name(rules.target)), _quote_spaced(str(other))
    return f"grognard replay {_quote_spaced(game)} --rules {target} --save {save}"


def format_refusal(header: JournalHeader, rules: Rules, path: str | PathLike[str]) -> Message:
    """Return why a game (with this header) played with different rules is refused, and what to do."""
    differing = list_differences(header.identity, compute_identity(rules.program, header.scenario))
    return _(
        "{path} was played with a different version of the rules of `{ruleset}`. Changed: {parts}. To carry "
        "the game over to the current rules: {command}. To see the first difference, add --anyway",
        path=path,
        ruleset=header.ruleset,
        parts=describe_differences(differing, header),
        command=build_carry_over_command(path, rules),
    )


def format_difference_remark(header: JournalHeader, rules: Rules) -> Message:
    """Return a remark on the parts of the loaded rules that differ from the rules that a game was played with."""
    differing = list_differences(header.identity, compute_identity(rules.program, header.scenario))
    return _(
        "the current rules differ from the rules of this game. Changed: {parts}",
        parts=describe_differences(differing, header),
    )


def format_uncomparable_remark(identity: Identity) -> Message:
    """Return a remark on a saved game that replays identically, although its rules cannot be compared.

    `identity`: the identity of the rules of the game, computed by another version of the program.
    """
    if identity.scheme == SCHEME_OF_BYTES:
        return _(
            "this file is from an earlier version of grognard, which recorded the bytes of the ruleset, not "
            "their meaning. Whether the rules have changed since is unknown, but every choice, roll and "
            "position in the file is the same with the current rules"
        )
    return _(
        "this file is from another version of grognard, which compares rules differently. Whether the rules "
        "have changed since is unknown, but every choice, roll and position in the file is the same with the "
        "current rules"
    )


def format_divergence(problem: Message, rules: Rules, path: str | PathLike[str]) -> Message:
    """Return why a game cannot be continued: its replay differs from the file, under rules that may have changed.

    `problem`: the first difference; `path`: the file of the game.
    """
    return _(
        "{path} does not replay with the current rules, which may have changed since it was played: "
        "{problem}. To carry the game over up to that point: {command}",
        path=path,
        problem=problem,
        command=build_carry_over_command(path, rules),
    )


def _format_differences(parts: Iterable[str], header: JournalHeader) -> Message | None:
    words = [_describe_part(part, header) for part in parts]
    if not words:
        return None
    if len(words) > _MAX_LISTED_PARTS:
        more = _("{number} more", number=len(words) - _MAX_LISTED_PARTS)
        words = [*words[:_MAX_LISTED_PARTS], more]
    return Message("{parts}", parts=tuple(words))


def _describe_part(part: str, header: JournalHeader) -> Message:
    """Return a part of the rules, as `compute_identity` names it, in words."""
    sort, _dot, name = part.partition(".")
    if part in _ALONE:
        return _ALONE[part]
    if sort == "kind" and name in _KINDS:
        return _KINDS[name]
    if part == SCENARIO:
        return _("the scenario `{name}`", name=header.scenario)
    return Message(_NAMED.get(sort, "`{name}`"), name=name or part)


def _quote_spaced(word: str) -> str:
    return f'"{word}"' if " " in word else word
