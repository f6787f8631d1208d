"""Creation of games: the scenario, the options and the seats are checked first; and checks of all setups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import get_error_message, mark as _
from interpreter.play import position_editing
from interpreter.play.game import Game
from interpreter.play.template_values import format_template
from interpreter.runtime import machine
from interpreter.runtime.dice import Dice, DiceExhaustedError, DiceSource, ScriptedDice, SeededDice
from interpreter.runtime.errors import RuleFault, RuntimeFault, SetupError
from interpreter.runtime.intrinsics import ASKED
from interpreter.runtime.limits import one_budget
from interpreter.runtime.machine import evaluate
from interpreter.runtime.program import Program
from interpreter.runtime.state import State, clone_state

if TYPE_CHECKING:
    from interpreter.runtime.log_entries import LogEntry

_MAX_MEMOIZED = 16  # first decisions of a ruleset


def find_scenario(program: Program, scenario_id: str | None) -> dict[str, Any] | None:
    """Return the data of the scenario with the id `scenario_id`, or of the default one if it is None.

    Returns None if the ruleset has no scenario. Raises SetupError for an unknown id.
    """
    scenarios = program.data["scenarios"]
    if scenario_id is None:
        return next((s for s in scenarios if s["default"]), scenarios[0] if scenarios else None)
    for scenario in scenarios:
        if scenario["id"] == scenario_id:
            return scenario  # type: ignore[no-any-return]
    hint = suggest_words(scenario_id, [s["id"] for s in scenarios], all_of_them=True)
    raise SetupError("{ruleset} has no scenario `{name}`{hint}", ruleset=program.id, name=scenario_id, hint=hint)


def read_options(program: Program, requested: Iterable[str] | Mapping[str, Any]) -> dict[str, Any]:
    """Parse optional rules to a mapping from id to True, False, a word or the text of a split.

    `requested`: texts such as "name" or "name=value", or values by id. Raises SetupError for an unknown option or
    value.
    """
    if not requested:
        return {}
    if isinstance(requested, Mapping):
        pairs: list[tuple[str, Any]] = list(requested.items())
    else:
        parts = [str(text).partition("=") for text in ([requested] if isinstance(requested, str) else requested)]
        pairs = [(name.strip(), value.strip() if is_stated else True) for name, is_stated, value in parts]
    values: dict[str, Any] = {}
    options = {o["id"]: o for o in program.data["options"]}
    for name, value in pairs:
        if name not in options:
            hint = suggest_words(name, options, all_of_them=True) if options else _("; it has none")
            raise SetupError("{ruleset} has no option `{name}`{hint}", ruleset=program.id, name=name, hint=hint)
        values[name] = _convert_option_value(program, options[name], value)
    return values


def _convert_option_value(program: Program, option: dict[str, Any], value: object) -> object:
    """Return a value of an option as the program uses it; raises SetupError for a value that it cannot have."""
    name = option["id"]
    if option["type"] == "flag":
        words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
        if isinstance(value, bool):
            return value
        if str(value).lower() in words:
            return words[str(value).lower()]
        raise SetupError("option `{name}` must be on or off, found `{value}`", name=name, value=value)
    if option["type"] == "choice":
        if value in option["values"]:
            return value
        raise SetupError(
            "option `{name}` must be one of {values}, found `{value}`",
            name=name,
            values=tuple(option["values"]),
            value=value,
        )
    if value in (False, "", "off", "false", None):
        return ""
    return ",".join(str(x) for x in assign_seats(program, option, value))


def assign_seats(program: Program, option: dict[str, Any], value: object) -> list[int]:
    """Return, for each side of a seat that an optional rule splits, the seat that plays it.

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
            raise SetupError(
                "option `{name}` is for 1 to {most} players, found {players}",
                name=option["id"],
                most=most,
                players=players,
            )
        shares = option["shares"].get(str(players)) or [i * players // len(sides) for i in range(len(sides))]
        return [seats[share] for share in shares]
    handles = text.split(",")  # the form of journals: a seat for each side
    if len(handles) == len(sides) > 1 and all(x in [str(s) for s in seats] for x in handles):
        return [int(x) for x in handles]
    groups = [[w.strip() for w in g.split("+") if w.strip()] for g in text.split("/")]
    if len(groups) > len(seats):
        raise SetupError(
            "option `{name}` is for at most {seats} players, found {groups}",
            name=option["id"],
            seats=len(seats),
            groups=len(groups),
        )
    seats_by_side: dict[int, int] = {}
    for seat, group in zip(seats, groups, strict=False):
        for word in group:
            if word not in ids or ids.index(word) not in sides:
                side_ids = [ids[s] for s in sides]
                raise SetupError(
                    "option `{name}`: `{word}` is not one of the sides to assign; write it as in {example} "
                    "or as a number of players{hint}",
                    name=option["id"],
                    word=word,
                    example=f"{'+'.join(side_ids[:2])}/{'+'.join(side_ids[2:]) or side_ids[-1]}",
                    hint=suggest_words(word, side_ids, all_of_them=True),
                )
            if ids.index(word) in seats_by_side:
                raise SetupError("option `{name}`: `{word}` is assigned to two players", name=option["id"], word=word)
            seats_by_side[ids.index(word)] = seat
    missing = [ids[s] for s in sides if s not in seats_by_side]
    if missing:
        raise SetupError("option `{name}`: no player has {missing}", name=option["id"], missing=tuple(missing))
    return [seats_by_side[s] for s in sides]


def resolve_options(program: Program, scenario: dict[str, Any] | None, chosen: dict[str, Any]) -> tuple[Any, ...]:
    """Return the value of every optional rule: the chosen one, else the scenario's, else the default.

    `scenario`: its data, or None; `chosen`: the result of `read_options`. Raises SetupError if options conflict.
    """
    base = read_options(program, scenario["options"]) if scenario else {}
    values = []
    for option in program.data["options"]:
        name, default = option["id"], option["default"]
        if option["type"] == "split":
            default = _convert_option_value(program, option, default)
        elif option["type"] == "flag":
            default = bool(default)
        values.append(chosen.get(name, base.get(name, default)))
    enabled = {o["id"] for o, v in zip(program.data["options"], values, strict=True) if v not in (False, "", None)}
    for option in program.data["options"]:
        if option["id"] in enabled:
            for needed in option["needs"]:
                if needed not in enabled:
                    raise SetupError(
                        "option `{name}` needs `{needed}`; choose that too", name=option["id"], needed=needed
                    )
            for excluded in option["excludes"]:
                if excluded in enabled:
                    raise SetupError(
                        "options `{name}` and `{other}` cannot be combined; choose one",
                        name=option["id"],
                        other=excluded,
                    )
    return tuple(values)


def build_first_state(program: Program, scenario: str | None, option_values: dict[str, Any], empty: bool) -> State:
    """Return the position a game begins with, before any procedure runs and without dice.

    `option_values`: the result of `read_options`; `empty`: without the scenario's position. Raises SetupError for an
    unknown scenario or option.
    """
    scenario_data, state = find_scenario(program, scenario), program.create_state()
    state.options = resolve_options(program, scenario_data, option_values)
    apply_splits(state)
    if scenario_data is not None:
        state.scenario, state.turn, state.last_turn = scenario_data["id"], scenario_data["turn"], scenario_data["turns"]
        if not empty:
            position_editing.apply_position(state, scenario_data["position"])
    return state


def memoize_first_decision(program: Program, key: tuple[Any, ...], state: State, log: Sequence[LogEntry]) -> None:
    """Memoize a game's first decision for all games with an equal start and any seed, if no die was rolled for it.

    `key`: what such games have in common. Forms that record lookups and coverage are excluded, because every game must
    record its own.
    """
    if (
        program.data["begins"]
        and getattr(state.dice, "counter", None) == 0
        and len(program.memoized_starts) < _MAX_MEMOIZED
    ):
        program.memoized_starts[key] = (clone_state(state), tuple(log))


def apply_splits(state: State) -> None:
    """Assign sides to other seats where an optional rule splits a seat among several players."""
    for option, value in zip(state.program.data["options"], state.options, strict=True):
        if option["type"] == "split" and value:
            sides = state.program.kinds["seat"]["things"][option["splits"]]["members"]
            seats_by_side = dict(zip(sides, map(int, str(value).split(",")), strict=True))
            state.seat_of = tuple(seats_by_side.get(side, seat) for side, seat in enumerate(state.seat_of))


def build_dice_source(dice: Dice, seed: int | None) -> DiceSource:
    """Return a dice source: `dice` itself, scripted dice for a list or mapping of faces, seeded dice for None.

    Raises SetupError for an invalid seed.
    """
    if dice is None:
        try:
            return SeededDice(0 if seed is None else int(seed))
        except (ValueError, TypeError) as fault:
            raise SetupError(
                get_error_message(fault) if isinstance(seed, int) else _("the seed must be a whole number")
            ) from None
    if isinstance(dice, Sequence | Mapping):
        return ScriptedDice(dice)
    return dice


def create_game(
    program: Program,
    scenario: str | None = None,
    options: Iterable[str] | Mapping[str, Any] = (),
    seed: int | None = 0,
    dice: Dice = None,
    record: bool = True,
    empty: bool = False,
    ready: bool = False,
) -> Game:
    """Create a game at its first decision.

    `dice`: a list of faces, a mapping roll name -> faces, or a dice source; else seeded by `seed`. `record`: keep a log
    and the undo history. `empty`: no scenario position and no setup, nothing running. `ready`: run the setup as far as
    it needs no decision and stop before the first turn; `play_on` begins the turn.
    """
    source = build_dice_source(dice, seed)
    option_values = read_options(program, options) if options else {}
    key = (scenario, record, *option_values.items()) if option_values else (scenario, record)
    is_seeded = isinstance(source, SeededDice)
    if not is_seeded:
        program.quick_dice = False
    if is_seeded and not empty and not ready and (memoized := program.memoized_starts.get(key)) is not None:
        state = program.copy_state(memoized[0], program.state_type, source)
        game = Game(state.program, state, state.scenario, seed if dice is None else None, record)
        if record:
            game.get_raw_log().extend(memoized[1])
        return game
    state = build_first_state(program, scenario, option_values, empty)
    state.dice, turns = source, state.last_turn
    state.program = program.apply_options(state.options)
    game = Game(state.program, state, state.scenario, seed if dice is None else None, record)
    if ready:
        game.run(lambda: machine.prepare_first_turn(state, turns, set_up=not empty))
    elif not empty:
        game.run(lambda: machine.begin(state, turns))
        if is_seeded:
            memoize_first_decision(program, key, state, game.get_raw_log())
    return game


class BrokenSetup(NamedTuple):
    """A setup check that the start of a scenario does not satisfy: the ids of both, and the message of the check."""

    scenario: str
    check: str
    message: str


@one_budget()
def find_broken_setups(program: Program) -> list[BrokenSetup]:
    """Return the setup checks that fail, by scenario; after a fault of the rules the remaining checks are left out."""
    failures: list[BrokenSetup] = []
    for scenario in program.data["scenarios"] if program.data["setup_checks"] else ():
        state = _build_setup_state(program, scenario)
        for name, check in program.data["setup_checks"].items():
            for values in _list_subjects(program, check):
                try:
                    message = _find_broken_check(state, name, values)
                except RuleFault as fault:
                    return [*failures, BrokenSetup(scenario["id"], name, f"({fault.message})")]
                if message is not None:
                    failures.append(BrokenSetup(scenario["id"], name, message))
    return failures


def _find_broken_check(state: State, name: str, values: tuple[int, ...]) -> str | None:
    """Return the message of the setup check `name` if it does not hold, or None if it holds.

    `values`: the handle of the thing that is checked, () for the game. Raises RuleFault if a budget is exceeded.
    """
    try:
        if evaluate(state, "setup_check_" + name, *values):
            return None
    except RuleFault as fault:
        if fault.is_exhausted:
            raise
        return f"{format_template(state, 'check.' + name, values)} ({fault.message})"
    return format_template(state, "check." + name, values)


def _build_setup_state(program: Program, scenario: dict[str, Any]) -> State:
    state = build_first_state(program, scenario["id"], {}, empty=False)
    state.dice = ScriptedDice([])
    setup = program.functions.get("p_setup")
    try:
        if setup is not None and setup(state, 0, ()) is ASKED:
            state.pending, state.frames = None, []
    except (DiceExhaustedError, RuntimeFault, RuleFault, ArithmeticError):
        state.frames = []  # the setup stops here; check the position reached so far
    return state


def _list_subjects(program: Program, check: dict[str, Any]) -> list[tuple[int, ...]]:
    """Return the arguments for which a check of the setup runs: one for each thing it is about, or () once."""
    if check["kind"] is None:
        return [()]
    things = program.kinds[check["kind"]]["things"]
    return [(n,) for n, thing in enumerate(things) if check["cls"] in (None, thing["cls"]) and thing["holding"] is None]
