"""Starting a game: scenario, optional rules and seats, checked before anything is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.runtime.faults import SetupError
from interpreter.runtime.program import Program
from interpreter.source.suggestion import did_you_mean


def find_scenario(program: Program, wanted: str | None) -> dict[str, Any] | None:
    """The scenario by id, or the default one (None when the ruleset has no scenario)."""
    scenarios = program.data["scenarios"]
    if wanted is None:
        return next((s for s in scenarios if s["default"]), scenarios[0] if scenarios else None)
    for scenario in scenarios:
        if scenario["id"] == wanted:
            return scenario  # type: ignore[no-any-return]
    known = [s["id"] for s in scenarios]
    raise SetupError(f"{program.id} has no scenario `{wanted}`; " + (did_you_mean(wanted, known) or
                     "known: " + ", ".join(known)))


def read_options(program: Program, given: Iterable[str] | Mapping[str, Any]) -> dict[str, Any]:
    """Options as a mapping id -> True, False, word or text of a split."""
    out: dict[str, Any] = {}
    pairs: list[tuple[str, Any]]
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        pairs = []
        for text in [given] if isinstance(given, str) else given:
            name, eq, value = str(text).partition("=")
            pairs.append((name.strip(), value.strip() if eq else True))
    known = {o["id"]: o for o in program.data["options"]}
    for name, value in pairs:
        if name not in known:
            hint = did_you_mean(name, known) or ("known: " + ", ".join(known) if known else "it has none")
            raise SetupError(f"{program.id} has no option `{name}`; {hint}")
        out[name] = _option_value(program, known[name], value)
    return out


def _option_value(program: Program, option: dict[str, Any], value: Any) -> Any:
    name = option["id"]
    if option["type"] == "flag":
        words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
        if isinstance(value, bool):
            return value
        if str(value).lower() in words:
            return words[str(value).lower()]
        raise SetupError(f"option `{name}` is either on or off, found `{value}`")
    if option["type"] == "choice":
        if value in option["values"]:
            return value
        raise SetupError(f"option `{name}` must be one of {', '.join(option['values'])}, found `{value}`")
    if value in (False, "", "off", "false", None):
        return ""
    return ",".join(str(x) for x in split_of(program, option, value))


def split_of(program: Program, option: dict[str, Any], value: Any) -> list[int]:
    """For each side of the split seat, the seat that takes it.

    `value`: True (as many players as possible), a number of players, or groups of side ids such as "a+b/c".
    """
    sides = program.kinds["seat"]["things"][option["splits"]]["members"]
    seats = option["into"]
    ids = program.ids["side"]
    text = str(value)
    if value is True or text.lower() in ("true", "on", "yes"):
        text = str(min(len(seats), len(sides)))
    if text.isascii() and text.isdigit() and len(text) < 10:
        players = int(text)
        most = min(len(seats), len(sides))
        if not 1 <= players <= most:
            raise SetupError(f"option `{option['id']}` is for 1 to {most} players, found {players}")
        return [seats[i * players // len(sides)] for i in range(len(sides))]
    noted = text.split(",")  # as journals write it: a seat for each side
    if len(noted) == len(sides) > 1 and all(x in [str(s) for s in seats] for x in noted):
        return [int(x) for x in noted]
    groups = [[w.strip() for w in g.split("+") if w.strip()] for g in text.split("/")]
    if len(groups) > len(seats):
        raise SetupError(f"option `{option['id']}` is for at most {len(seats)} players, found {len(groups)}")
    found: dict[int, int] = {}
    for seat, group in zip(seats, groups, strict=False):
        for word in group:
            if word not in ids or ids.index(word) not in sides:
                known = [ids[s] for s in sides]
                raise SetupError(f"option `{option['id']}`: `{word}` is not one of the sides to be shared out, as in "
                                 f"{'+'.join(known[:2])}/{'+'.join(known[2:]) or known[-1]} or in a number of players; "
                                 + (did_you_mean(word, known) or "known here: " + ", ".join(known)))
            if ids.index(word) in found:
                raise SetupError(f"option `{option['id']}`: `{word}` is given to two players")
            found[ids.index(word)] = seat
    missing = [ids[s] for s in sides if s not in found]
    if missing:
        raise SetupError(f"option `{option['id']}`: nobody has {', '.join(missing)}")
    return [found[s] for s in sides]


def settle_options(program: Program, scenario: dict[str, Any] | None, given: dict[str, Any]) -> tuple[Any, ...]:
    """The value of every option: given, else the scenario's, else the default; needs and excludes checked."""
    base = read_options(program, scenario["options"]) if scenario else {}
    values = []
    for option in program.data["options"]:
        name = option["id"]
        default = option["default"]
        if option["type"] == "split" and default in (None, False):
            default = ""
        elif option["type"] == "split":
            default = _option_value(program, option, default)
        values.append(given.get(name, base.get(name, bool(default) if option["type"] == "flag" else default)))
    on = {o["id"] for o, v in zip(program.data["options"], values, strict=True) if v not in (False, "", None)}
    for option in program.data["options"]:
        if option["id"] in on:
            for needed in option["needs"]:
                if needed not in on:
                    raise SetupError(f"option `{option['id']}` needs `{needed}`; switch that on too")
            for other in option["excludes"]:
                if other in on:
                    raise SetupError(f"options `{option['id']}` and `{other}` exclude each other; choose one")
    return tuple(values)


def apply_splits(state: Any) -> None:
    """Seat the sides as the split options say."""
    for option, value in zip(state.program.data["options"], state.options, strict=True):
        if option["type"] == "split" and value:
            sides = state.program.kinds["seat"]["things"][option["splits"]]["members"]
            for side, seat in zip(sides, str(value).split(","), strict=True):
                state.seat_of[side] = int(seat)


def option_texts(program: Program, values: tuple[Any, ...]) -> tuple[str, ...]:
    """Options that are not at their default, as they would be given."""
    out = []
    for option, value in zip(program.data["options"], values, strict=True):
        if option["type"] == "flag":
            if value != bool(option["default"]):
                out.append(option["id"] if value else f"{option['id']}=off")
        elif value != (option["default"] or ""):
            out.append(f"{option['id']}={value}")
    return tuple(out)
