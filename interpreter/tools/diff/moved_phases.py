"""Phases that a ruleset has in another place than the one it is compared with: one move, not a loss and a gain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.checker.variants.syntax_rewrite import find_parts
from interpreter.i18n.translator import Message, mark as _
from interpreter.language import syntax as s
from interpreter.tools.diff.difference import Difference
from interpreter.tools.diff.rule_text import shape_of

Compare = Callable[[Any, Any, tuple[str, ...]], Iterator[Difference]]


def with_moves(
    found: Sequence[Difference], before: Sequence[s.Item], now: Sequence[s.Item], compare: Compare
) -> Iterator[Difference]:
    """Yield the differences, with each phase removed in one place and added in another as one move.

    `compare` finds the differences inside a phase that was both moved and changed.
    """
    old, new = _phases(before), _phases(now)
    gone = {name for d in found if d.what == "gone" and (name := _phase_of(d, old)) is not None}
    moved = {name for d in found if d.what == "new" and (name := _phase_of(d, new)) in gone and name is not None}
    for difference in found:
        name = _phase_of(difference, new if difference.what == "new" else old)
        if name is None or name not in moved:
            yield difference
        elif difference.what == "new":
            told = _place(name, now)
            yield Difference("rules", "changed", difference.path, told, difference.span, None, str(told))
            if shape_of(old[name]) != shape_of(new[name]):
                yield from compare(old[name], new[name], tuple(difference.path.split(".")))


def _phases(items: Sequence[s.Item]) -> dict[str, s.PhaseStmt]:
    held = [item for item in items if isinstance(item, s.ProcedureDecl | s.SequenceDecl)]
    return {phase.name: phase for item in held for phase in find_parts(item, s.PhaseStmt)}


def _phase_of(difference: Difference, phases: dict[str, s.PhaseStmt]) -> str | None:
    """Return the name of the phase that a difference takes away or brings, or None."""
    name = difference.path.rpartition(".")[2]
    phase = phases.get(name)
    return name if phase is not None and phase.span == difference.span and difference.what != "changed" else None


def _place(name: str, items: Sequence[s.Item]) -> Message:
    """Return a description of the phase's position relative to its neighbours."""
    held = [item for item in items if isinstance(item, s.ProcedureDecl | s.SequenceDecl)]
    for block in (block for item in held for block in find_parts(item, s.Block)):
        names = [part.name for part in block.items if isinstance(part, s.PhaseStmt)]
        if name in names:
            at = names.index(name)
            if at > 0:
                return _("the phase `{name}` has moved: it now comes after `{other}`", name=name, other=names[at - 1])
            if len(names) > 1:
                return _("the phase `{name}` has moved: it now comes before `{other}`", name=name, other=names[1])
    return _("the phase `{name}` has moved", name=name)
