"""Questions about odds as they are typed: a position, a procedure and its arguments.

Must not work odds out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.runtime.faults import SetupError
from interpreter.source.diagnostic import Sink
from interpreter.source.guessing import guess
from interpreter.words.speech import Sentence
from interpreter.words.speech import mark as _

if TYPE_CHECKING:
    from interpreter.facade.rules import Rules
    from interpreter.play.session import Game


@dataclass(frozen=True, slots=True)
class Position:
    """A game as it stands, and the call with which a case goes on, if it came from one."""

    game: Game
    call: tuple[str, dict[str, Any]] | None


def find_position(rules: Rules, text: str) -> Position:
    """The position of a saved game, or of a case: FILE:ID, or ID alone; SetupError when there is none."""
    if Path(text).is_file():
        from interpreter.facade.resuming import open_replay

        replay = open_replay(text, target=rules.target)
        game = replay.finish()
        if replay.divergence is not None:
            raise SetupError(_("{path} does not replay: {problem}", path=text, problem=replay.divergence.message))
        return Position(game, None)
    return _of_case(rules, text)


def _of_case(rules: Rules, text: str) -> Position:
    from interpreter.tools.cases.case_documents import collect_cases
    from interpreter.tools.cases.case_runs import start_case
    from interpreter.tools.cases.name_checks import check_names

    sink = Sink()
    cases = collect_cases(rules.target, sink)
    file, parted, wanted = text.rpartition(":")
    found = [c for c in cases if c.id == wanted and (not parted or c.span.file.endswith(file))]
    if not found:
        hint = guess(wanted, [c.id for c in cases]) or _(
            "; give the file of a journal, or FILE:ID of a case under tests/"
        )
        raise SetupError(_("there is neither a saved game nor a case `{text}`{hint}", text=text, hint=hint))
    case = found[0]
    model = rules.model
    assert model is not None
    check_names([case], model, sink)
    if sink.has_errors:
        fault = next(d for d in sink.sorted() if d.severity == "error")
        raise SetupError(_("the case `{case}` is not right: {fault}", case=case.id, fault=fault.message))
    try:
        game = start_case(case, rules, model)
    except ValueError as problem:
        raise SetupError(
            _("the position of `{case}` cannot be set up: {problem}", case=case.id, problem=problem)
        ) from None
    first = case.steps[0] if case.steps else None
    call = (first.name, dict(first.args)) if first is not None and first.sort == "call" else None
    return Position(game, call)


def read_arguments(rules: Rules, procedure: str, given: Iterable[str]) -> dict[str, Any]:
    """Arguments from words like `u=guards` and `targets=hill,ford`; SetupError for what cannot be read."""
    known = rules.program.data["procedures"]
    if procedure not in known:
        raise SetupError(
            _(
                "there is no procedure `{procedure}`{hint}",
                procedure=procedure,
                hint=guess(procedure, known, all_of_them=True),
            )
        )
    shows = dict(known[procedure]["params"])
    found: dict[str, Any] = {}
    for word in given:
        name, parted, value = word.partition("=")
        if not parted:
            raise SetupError(
                _(
                    "`{word}`: expected ARGUMENT=VALUE; `{procedure}` takes {wanted}",
                    word=word,
                    procedure=procedure,
                    wanted=_takes(shows),
                )
            )
        if name not in shows:
            raise SetupError(
                _(
                    "`{procedure}` has no argument `{name}`; it takes {wanted}",
                    procedure=procedure,
                    name=name,
                    wanted=_takes(shows),
                )
            )
        if name in found:
            raise SetupError(_("`{name}` is given twice; several values are written {name}=a,b", name=name))
        found[name] = _read(shows[name], value.strip())
    missing = [n for n in shows if n not in found]
    if missing:
        raise SetupError(
            _(
                "`{procedure}` also needs {missing}; it takes {wanted}",
                procedure=procedure,
                missing=tuple(missing),
                wanted=_takes(shows),
            )
        )
    return found


def _takes(shows: dict[str, Any]) -> Sentence | str:
    return ", ".join(f"{n}={_sort(s)}" for n, s in shows.items()) or _("no arguments")


def _sort(show: Any) -> str:
    match show[0]:
        case "thing":
            return str(show[1]).upper()
        case "many":
            return f"{_sort(show[1])},..."
        case "rung" | "maybe":
            return str(show[1]).upper() if show[0] == "rung" else _sort(show[1])
        case "int" | "number":
            return "NUMBER"
        case "flag":
            return "yes|no"
    return "VALUE"


def _read(show: Any, text: str) -> Any:
    match show[0]:
        case "many":
            inside = text.removeprefix("{").removesuffix("}")
            return [_read(show[1], w.strip()) for w in inside.replace(";", ",").split(",") if w.strip()]
        case "maybe":
            return None if text in ("", "nothing") else _read(show[1], text)
        case "int" | "number":
            try:
                number = Fraction(text)
            except (ValueError, ZeroDivisionError):
                return text
            return number.numerator if number.denominator == 1 else number
    return text
