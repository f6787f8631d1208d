"""Convert a saved game into a case.

The choices become steps, and the effects of the last choices become expectations. The case is run before it is
returned. Writes no files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.api.resume import Replay
from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.formats import get_newest_format
from interpreter.documents.reading.merge_files import read_document
from interpreter.documents.reading.yaml_reader import quote_text
from interpreter.play.game import Game
from interpreter.runtime.errors import SetupError
from interpreter.saves import entries as e
from interpreter.tools.cases.case_documents import parse_cases
from interpreter.tools.cases.suite import run_case
from interpreter.tools.cases.yaml_flow import format_flow

# keys of a view that are written separately, or that a case does not state
_NOT_KINDS = ("pieces", "ruleset", "turn", "phase", "decision", "options", "game", "scenario", "phase_values")


def record_case(replay: Replay, rules: Rules, name: str, title: str, last: int = 1) -> str:
    """Return the text of a document with one case that replays a game.

    The case expects what the game's last `last` choices have changed. `name` and `title`: the id and the title of the
    case; `rules` must have been loaded with its checked model. Raises SetupError if a case cannot express the game, or
    if the game has no choices yet.
    """
    game = replay.finish()
    decisions = [entry for entry in replay.entries if isinstance(entry, e.DecisionEntry)]
    if not decisions:
        raise SetupError("nothing has been chosen in this game yet, so it cannot become a case")
    if any(isinstance(entry, e.EditEntry) for entry in replay.entries):
        raise SetupError("the position of this game was changed by hand, which a case cannot record")
    then = _render_expectations(_replay_choices(replay, decisions[:-last]), game)
    text = "\n".join(_iter_lines(replay, decisions, name, title, then)) + "\n"
    document = read_document(Source("case", text), Sink())
    if document is None:
        raise SetupError("this game cannot be written as a case")
    result = run_case(parse_cases(document)[0], rules)
    if not result.ok:
        raise SetupError("this game cannot be written as a case: {fault}", fault=result.faults[0].message)
    return text


def _iter_lines(
    replay: Replay, decisions: list[e.DecisionEntry], name: str, title: str, expectations: list[str]
) -> Iterator[str]:
    header = replay.journal.header
    yield from (
        "kind: cases",
        f"format: {get_newest_format()}",
        "cases:",
        f"  {name}:",
        f"    title: {format_flow(title) if title else name}",
    )
    options = {key: value or True for key, _, value in (option.partition("=") for option in header.options)}
    start_fields = {"scenario": header.scenario, "options": options, "position": "start"}
    yield f"    given: {format_flow({key: value for key, value in start_fields.items() if value})}"
    yield "    when:"
    yield f"      - dice: {format_flow(_collect_faces(replay))}"
    yield "        choices:"
    yield from (f"          - {entry.name}: {quote_text(entry.key)}" for entry in decisions)
    yield "    then:"
    yield from expectations


def _collect_faces(replay: Replay) -> dict[str, list[int]]:
    """Return the faces rolled in the game, in order, by the name of the roll."""
    dice: dict[str, list[int]] = {}
    for entry in replay.entries:
        if isinstance(entry, e.RollEntry):
            dice.setdefault(entry.name, []).extend(entry.faces)
    return dice


def _replay_choices(replay: Replay, decisions: list[e.DecisionEntry]) -> Game:
    """Return a new game in which the recorded decisions `decisions` have been chosen again, with the recorded dice."""
    header = replay.journal.header
    game = replay.rules.start(header.scenario or None, header.options, dice=_collect_faces(replay))
    for entry in decisions:
        game.choose(entry.key)
    return game


def _render_expectations(earlier: Game, game: Game) -> list[str]:
    """Return YAML lines for a case's `then`: the values that differ between two positions, and the decision open now.

    `earlier`: the game before the recorded choices; `game`: the game after them.
    """
    before, now = earlier.view(), game.view()
    lines = []
    for kind, things in now.items():
        if kind not in _NOT_KINDS and isinstance(things, dict):
            changed = {t: c for t, values in things.items() if (c := _compute_diff(before[kind][t], values))}
            lines += [f"      {kind}: {format_flow(changed)}"] if changed else []
    single = {
        piece: changed
        for piece, values in now["pieces"].items()
        if (changed := _compute_diff(before["pieces"][piece], values))
        and not game.program.is_alike[game.program.handles["piece"][piece]]
    }
    lines += [f"      each: {format_flow(single)}"] if single else []
    values = _compute_diff(before["game"], now["game"])
    lines += [f"      game: {format_flow(values)}"] if values else []
    if game.decision is not None:
        lines += [f"      decision: {game.decision.name}", f"      side: {game.decision.side}"]
    return lines or ["      {}"]


def _compute_diff(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in now.items() if before.get(key) != value and key not in ("short", "seat")}
