"""Render a position as plain text: the pending decision, and every value that differs from its default.

For people who watch an agent and for records of games; agents read arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.environments.env_state import EnvState
from interpreter.runtime.option_keys import format_piece_group
from interpreter.runtime.pending import PendingChance, get_pending_decision
from interpreter.runtime.program import Program
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import DisplayType
from interpreter.runtime.value_ids import to_value_id


def format_position(env_state: EnvState) -> str:
    """Return the position and the words of the option being chosen as text; equal states have equal texts."""
    state = env_state.state
    phase = f", {state.phase}" if state.phase else ""
    return "\n".join([f"turn {state.turn}{phase}", *_iter_pending_lines(env_state), *_iter_things(state)])


def _iter_pending_lines(env_state: EnvState) -> Iterator[str]:
    """Yield lines for what is pending: dice, a decision, or the end of the game."""
    state, program = env_state.state, env_state.setting.program
    pending = state.pending
    if isinstance(pending, PendingChance):
        fallen = f": {' '.join(map(str, env_state.faces))}" if env_state.faces else ""
        yield f"chance: {pending.name}{fallen}"
    elif env_state.is_over:
        yield "cut short" if env_state.is_cut else "over"
        yield f"returns: {' '.join(f'{value:g}' for value in env_state.returns())}"
    else:
        pending = get_pending_decision(state)
        decision = program.decisions[pending.number]
        arguments = [
            f"{name} {_format_value(program, show, value)}"
            for (name, show), value in zip(decision.given, pending.values, strict=True)
        ]
        about = f" ({', '.join(arguments)})" if arguments else ""
        yield f"{program.ids['seat'][env_state.seat]} decides {decision.address}{about}"
        if env_state.words_so_far:
            yield "said: " + ", ".join(env_state.setting.codec.meaning(word) for word in env_state.words_so_far)


def _format_value(program: Program, show: DisplayType, value: object) -> str:
    """Format a value of the type `show` by the ids of the rules; a set in braces, a missing value as "none"."""
    word = to_value_id(program, show, value)
    if isinstance(word, tuple):
        return "{" + ", ".join(map(str, word)) + "}"
    return "none" if word is None else str(word)


def _iter_things(state: State) -> Iterator[str]:
    """Yield lines for the values of the game, the things and the pieces, without the pending decision."""
    program = state.program
    for slot, name, attribute in program.game:
        yield f"{name}: {_format_value(program, attribute['show'], getattr(state, slot))}"
    changed = _list_changed(state)
    for kind in program.kinds:
        if kind not in ("piece", "place"):
            for thing, name in enumerate(program.ids[kind]):
                if (kind, thing) in changed:
                    yield f"{kind} {name}: {' '.join(changed[kind, thing])}"
    yield from _iter_places(state, changed)


def _list_changed(state: State) -> dict[tuple[str, int], list[str]]:
    """Return the attributes of things that differ from their initial values, as texts by (kind, handle).

    Interchangeable pieces are left out; they are described as groups.
    """
    program, lines = state.program, dict[tuple[str, int], list[str]]()
    blank = program.initial_state or program.create_state()
    for slot, kind, name, _start in program.columns:
        values, before = getattr(state, slot), getattr(blank, slot)
        if values == before:
            continue
        show = program.kinds[kind]["attributes"][name]["show"]
        for thing, value in enumerate(values):
            if value != before[thing] and not (kind == "piece" and program.is_alike[thing]):
                lines.setdefault((kind, thing), []).append(f"{name}={_format_value(program, show, value)}")
    return lines


def _iter_places(state: State, changed: dict[tuple[str, int], list[str]]) -> Iterator[str]:
    """Yield a line for each place with pieces or changed values; `changed`: as `_list_changed` returns it."""
    program = state.program
    for place, name in enumerate(program.ids["place"]):
        if not state.occ[place] and ("place", place) not in changed:
            continue  # most are empty
        words = [" ".join(changed.get(("place", place), ()))]
        groups: dict[Any, list[int]] = {}
        for piece in sorted(state.occ[place]):
            if program.is_alike[piece]:
                groups.setdefault(program.alike_key(state, piece), []).append(piece)
            else:
                values = " ".join(changed.get(("piece", piece), ()))
                words.append(program.ids["piece"][piece] + (f" ({values})" if values else ""))
        groups_with_counts = [
            (format_piece_group(state, pieces[0]).rpartition("@")[0], len(pieces)) for pieces in groups.values()
        ]
        words += [f"{count} {group}" for group, count in sorted(groups_with_counts)]
        line = ", ".join(word for word in words if word)
        if line:
            yield f"{name}: {line}"
