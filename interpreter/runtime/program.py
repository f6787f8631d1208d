"""A linked ruleset: compiled functions and the data they use, ready to be played.

Each program has its own namespace; forms of one ruleset share immutable data.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from types import CodeType
from typing import Any

from interpreter.diagnostics.edge_names import reverse_edge_name
from interpreter.runtime.builtins.graph import Links, inline_tables
from interpreter.runtime.choice_logging import take_sole_end
from interpreter.runtime.compiled_functions import CompiledFunctions
from interpreter.runtime.coverage import Coverage
from interpreter.runtime.dice import DiceSource, SeededDice
from interpreter.runtime.errors import MissingValue
from interpreter.runtime.intrinsics import NAMESPACE
from interpreter.runtime.lazy_options import build_placeholder
from interpreter.runtime.limits import ENTRY, LIMITS, MAX_MEMOIZED_MEMBERS, Meter, hold
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LogEntry, LoggedChoice
from interpreter.runtime.machine import CALLED, ONE_TURN, RULES_FAULTS, p_call, p_one_turn
from interpreter.runtime.plain_data import value_of
from interpreter.runtime.program_info import DecisionInfo, DraftInfo, EventInfo, RequirementInfo
from interpreter.runtime.state import ALL_OWN, State, build_state_class, fill_places
from interpreter.runtime.tables import Chart
from interpreter.runtime.text_lengths import Lengths
from interpreter.runtime.trace import NOTES
from interpreter.runtime.type_aliases import Failures, PlainOption, Snapshot, Value, Values, handle_of

_MAX_MEMOIZED_VALUES = 100_000  # of one expression


class Program:
    """A linked ruleset: compiled functions and data, read-only except for the caches of pure functions.

    `functions` finds compiled functions by purpose, in `namespace`, the globals of the compiled code. `kinds`,
    `tables`, `decisions` and others are the data described in backends/python/ruleset_description.py; `ids[kind]` are
    the ids of the things of a kind in order. `kin`: the same ruleset compiled in another form. `alike_groups`: the
    number of the group of interchangeable pieces that each piece is in, if its attributes that change are equal too.
    """

    def __init__(self, codes: tuple[CodeType, ...], data: dict[str, Any], kin: Program | None = None) -> None:
        self.data = data
        self.codes = codes
        self.id: str = data["id"]
        self.content_hash: str = data["content_hash"]
        self.languages: list[str] = data["languages"] or ["en"]
        self.kinds: dict[str, Any] = data["kinds"]
        self.classes: dict[str, Any] = data["classes"]
        self.ladders: dict[str, Any] = data["ladders"]
        self.dice = {k: tuple(v) for k, v in data["dice"].items()}
        self.decisions = [DecisionInfo.from_data(x) for x in data["decisions"]]
        self.requirements = [RequirementInfo.from_data(x) for x in data["requirements"]]
        self.drafts = {name: DraftInfo.from_data(x) for name, x in data["drafts"].items()}
        self.rules: dict[str, list[int]] = data["rules"]  # the numbers of the requirements of each
        self.events = {name: EventInfo.from_data(x) for name, x in data["events"].items()}
        self.level_data: list[dict[str, Any]] = data["levels"]
        self.suspending = frozenset(data["suspending"])
        # the state slots that the memoized values of each function depend on
        self.memo_inputs = {name: frozenset(read) for name, read in data["memo_inputs"].items()}
        self.counted = frozenset(data["counted"])  # the memo tables whose computation spends step budget
        self.quick_dice = True
        self.memoized_log_entries: dict[
            tuple[int, Any], LoggedChoice
        ] = {}  # log entries that are the same in every position
        self.group_marks: dict[str, tuple[list[Any], list[Any]]] = {}  # attributes that name groups of alike pieces
        self.initial_state: State | None = None
        # memoized starts of games: the state at the first decision and the log up to it
        self.memoized_starts: dict[tuple[Any, ...], tuple[State, tuple[LogEntry, ...]]] = {}
        decides = data["form"] in ("play", "odds")  # only these forms enforce budgets; others replay them
        self.unspent = 0 if decides else -9 * LIMITS.steps
        self.lengths: Lengths | None = None  # greatest lengths of names and texts, computed on first use
        self.meter = Meter(self.clear_static_memos)
        self.localizers: dict[str, Localizer] = {}
        self.exchanged: tuple[Any, ...] = ()  # the pairs of things that have each other's names
        self.appearances: dict[tuple[Any, ...], Program] = {}  # see `with_exchanges`
        self.has_shorts = any(key.startswith("short.") for key in data["worded"])
        self.ids: dict[str, list[str]] = {k: [x["id"] for x in v["things"]] for k, v in self.kinds.items()}
        self.handles = {k: {x: i for i, x in enumerate(v)} for k, v in self.ids.items()}
        self.handles["edge"] |= {
            reverse_edge_name(x): i
            for x, i in self.handles["edge"].items()
            if reverse_edge_name(x) not in self.handles["edge"]
        }
        places = self.kinds["place"]["things"]
        self.place_count = len(places)
        self.on_map = tuple(x["holding"] is None for x in places)
        self.columns: list[tuple[str, str, str, list[Any]]] = data["columns"]  # slot, kind, attribute, initial values
        self.game: list[tuple[str, str, dict[str, Any]]] = data["game"]  # slot, name, attribute
        self.constants: dict[tuple[str, str], Any] = (
            kin.constants if kin else {(k, n): value_of(v) for _, k, n, v in data["constants"]}
        )
        self.slot_of = {(k, n): slot for slot, k, n, _ in self.columns}
        self.game_slot = {n: slot for slot, n, _ in self.game}
        self.state_type = build_state_class([x[0] for x in self.columns], [x[0] for x in self.game])
        self.links: Links = kin.links if kin else _build_links(self.kinds, data["grid"])
        self.charts: dict[str, Chart] = (
            kin.charts if kin else {n: Chart.from_data(n, t) for n, t in data["tables"].items()}
        )
        self.coverage = Coverage()
        self.coverage.numbers = self.requirements
        self.is_alike, self.alike_groups = self._find_alike()
        self.namespace = self._build_namespace()
        self.functions = CompiledFunctions(self.namespace)
        self.namespace["MARK"] = self.alike_groups
        for code in codes:
            exec(code, self.namespace)  # compiled from checked rules; see backends/python
        for name in data["static"]:
            function = self.namespace["d_" + name]
            self.namespace["D_" + name] = LazyTable(function, self.meter)
            self.namespace["d_" + name] = lru_cache(maxsize=100_000)(_wrap_memory_check(function, self.meter))
        # the deciding side: an index into the decision's values, or the function that computes it
        self.deciders: list[int | Callable[..., int]] = [
            self.functions.get_decider(n) if d.decider is None else d.decider for n, d in enumerate(self.decisions)
        ]
        self.alike_key: Callable[[State, int], Hashable] = self.namespace["alike_key"]
        self.alike_to: Callable[[State, int, Sequence[int]], tuple[int, ...]] = self.namespace["alike_to"]
        self.suspended: dict[str, Callable[..., Any]] = {
            CALLED: p_call,
            ONE_TURN: p_one_turn,
            **{n: self.functions.get_procedure(n) for n in data["suspending"]},
        }
        # per draft: the function that computes its initial fields
        self.draft_starts: dict[str, Callable[..., Values]] = {
            n: self.functions.get_draft_start(n) for n in self.drafts
        }
        self.copy_state: Callable[[State, type[State], DiceSource | None], State] = self.namespace["copy_state"]
        self.snapshot_values: Callable[[State, DiceSource], Snapshot] = self.namespace["snapshot_values"]
        self.restore_values: Callable[[State, Snapshot], None] = self.namespace["restore_values"]
        self.forget_places: Callable[[State], None] = self.namespace["forget_places"]
        self.play_turn: Any = self.namespace.get("p_turn")
        self.expire_turn: Callable[[State], None] | None = self.namespace.get("expire_turn")
        self.levels = [(x["seat"], self.functions.find_level(i)) for i, x in enumerate(self.level_data)]

    def clear_static_memos(self) -> None:
        """Clear the memo tables that never expire, because their values hold for all positions."""
        for name in self.data["static"]:
            self.namespace["d_" + name].cache_clear()
            self.namespace["D_" + name].clear()

    def _build_namespace(self) -> dict[str, Any]:
        space: dict[str, Any] = {
            "__builtins__": _PLAIN_BUILTINS,
            **NAMESPACE,
            **NOTES,
            "_sole_end": take_sole_end,
            "_unlisted": build_placeholder,
            "METER": self.meter,
        }
        for slot, kind, name, _ in self.data["constants"]:
            space[slot] = self._explain_missing(kind, name, self.constants[(kind, name)])
        for kind, data in self.kinds.items():
            space[f"ALL_{kind}"] = tuple(i for i, x in enumerate(data["things"]) if x["holding"] is None)
        for cls in self.classes:
            members = tuple(i for i, x in enumerate(self.kinds["piece"]["things"]) if x["cls"] == cls)
            space[f"CLASS_{cls}"] = members
            space[f"IS_{cls}"] = frozenset(members)
        space.update(LINKS=self.links, **inline_tables(self.links), COVERAGE=self.coverage)
        for die, faces in self.dice.items():
            space[f"DIE_{die}"] = faces
        for name, chart in self.charts.items():
            space["T_" + name] = chart
            if all(a.sort in ("keys", "range") for a in chart.axes):
                space[f"CELLS_{name}"] = chart.list_exact_cells()
        return space

    def _explain_missing(self, kind: str, name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the values of an attribute with missing ones replaced by placeholders that fault when they are used.

        The message of the fault says that the thing is off the map. An attribute whose type allows missing values is
        returned unchanged.
        """
        if None not in values or self.kinds[kind]["attributes"][name]["show"][0] == "maybe":
            return values
        template = "`{thing}` is off the map and has no `{name}`; check `on map` first"
        things = self.kinds[kind]["things"]
        return tuple(
            MissingValue(template.format(thing=x["id"], name=name)) if v is None and x["holding"] is not None else v
            for x, v in zip(things, values, strict=True)
        )

    def _find_alike(self) -> tuple[tuple[bool, ...], tuple[int, ...]]:
        """Return, each by piece: whether its class has interchangeable pieces, and the number of its group."""
        pieces = self.kinds["piece"]["things"]
        alike = tuple(bool(x["cls"]) and self.classes[x["cls"]]["alike"] for x in pieces)
        names = [n for n, a in self.kinds["piece"]["attributes"].items() if not a["changes"]]
        marks: list[Any] = []
        numbers: dict[Any, int] = {}
        for i, x in enumerate(pieces):
            constants = (x["cls"], *(self.constants[("piece", n)][i] for n in names)) if alike[i] else ("alone", i)
            marks.append(numbers.setdefault(constants, len(numbers)))
        return alike, tuple(marks)

    # --- names that options exchange ---------------------------------------------------------

    def apply_options(self, options: Sequence[Any]) -> Program:
        """Return a copy of the program in which things have the names that the optional rules in use give them.

        `options`: the value of each optional rule.
        """
        used = [o for o, value in zip(self.data["options"], options, strict=True) if value is True] if options else []
        return self.with_exchanges(tuple((kind, one, other) for o in used for kind, one, other in o["exchanges"]))

    def with_exchanges(self, pairs: tuple[tuple[str, int, int], ...]) -> Program:
        """Return a copy of the program in which things (kind, one, other) swap names; everything else is shared."""
        if pairs == self.exchanged:
            return self
        if pairs not in self.appearances:
            plain = self.appearances[()] if self.exchanged else self
            self.appearances[()], self.appearances[pairs] = plain, plain._with_names_exchanged(pairs)
        return self.appearances[pairs]

    def _with_names_exchanged(self, pairs: tuple[tuple[str, int, int], ...]) -> Program:
        new, kinds = copy(self), dict(self.kinds)
        for kind, one, other in pairs:
            before = kinds[kind]["things"]
            things = list(before)
            for handle, partner in ((one, other), (other, one)):
                thing = before[partner]
                shown = str(thing.get("shown", thing["id"]))
                things[handle] = {**before[handle], "label": self._get_full_label(thing, shown), "shown": shown}
            kinds[kind] = {**kinds[kind], "things": things}
        new.data, new.kinds, new.exchanged = {**self.data, "kinds": kinds}, kinds, pairs
        new.memoized_log_entries, new.localizers, new.memoized_starts, new.initial_state = {}, {}, {}, None
        return new

    def _get_full_label(self, thing: dict[str, Any], shown: str) -> dict[str, str]:
        """Return the name of a thing by language: its label, or else the translations of its id. `shown`: the id."""
        texts = dict(thing["label"])
        for language, locale in self.data["locales"].items():
            if language not in texts and shown in locale["names"]:
                texts[language] = locale["names"][shown]
        return texts or {self.languages[0]: shown}

    def get_shown_id(self, kind: str, identifier: str) -> str:
        """Return the id that names a thing under the optional rules in use, which may exchange names.

        `kind`, `identifier`: kind and id of the thing. Without an exchange it is the thing's own id.
        """
        handle = self.handles.get(kind, {}).get(identifier) if self.exchanged else None
        return identifier if handle is None else str(self.kinds[kind]["things"][handle].get("shown", identifier))

    # --- starting values -------------------------------------------------------------------

    def create_state(self) -> State:
        """Return a state with every attribute at its initial value and every piece at its starting place."""
        if self.initial_state is None:
            self.initial_state = self._create_blank_state()
        return self.copy_state(self.initial_state, self.state_type, None)

    def _create_blank_state(self) -> State:
        state = self.state_type.__new__(self.state_type)
        state.program = self
        state.at = [self.start_of(piece) for piece in range(len(self.ids["piece"]))]
        seats_by_side = {side: seat for seat, x in enumerate(self.kinds["seat"]["things"]) for side in x["members"]}
        state.seat_of = tuple(seats_by_side.get(side, 0) for side in range(len(self.ids["side"])))
        for slot, _, _, values in self.columns:
            setattr(state, slot, [value_of(v) for v in values])
        for slot, _, attribute in self.game:
            setattr(state, slot, value_of(attribute["default"]))
        state.turn = 1
        state.last_turn = None
        state.scenario = None
        state.phase = None
        state.options = ()
        state.frames = []
        state.pending = None
        state.queue = ()
        state.depth = {}
        state.outcome = None
        state.answer = state.ret = state.signal = None
        state.dice = SeededDice(0)
        state.log = None
        state.memo = {}
        state.own = ALL_OWN
        state.spent = self.unspent
        state.draft = ()
        state.on_trial = False
        fill_places(state)
        return state

    def start_of(self, piece: int) -> int:
        """Return the place where a piece starts; the place for pieces off the map if it has none."""
        own: int | None = self.kinds["piece"]["things"][piece]["at"]
        return self.handles["place"]["off_map"] if own is None else own

    # --- queries -----------------------------------------------------------------------------

    def get_draft(self, number: int) -> DraftInfo:
        """Return the draft that a decision builds; fail if it builds none."""
        name = self.decisions[number].draft
        assert name is not None
        return self.drafts[name]

    def list_options(self, state: State, number: int, values: Values) -> list[PlainOption]:
        """Return the legal options of a decision as (number, arguments); the end of a repeated decision is (-1, ())."""
        options = self.functions.get_listing(number)(state, *values)
        if (
            self.decisions[number].is_repeated
            and options
            and self.functions.get_series_end_test(number)(state, *values)
        ):
            options.append((-1, ()))
        return options

    def list_failures(self, state: State, numbers: Sequence[int], args: Values) -> Failures:
        """Return the reasons of the requirements that fail, in the order of `numbers`.

        `args`: the arguments of the functions that test them. A later requirement may depend on an earlier one; after a
        first failure, requirements that cannot be evaluated are skipped.
        """
        reasons: Failures = ()
        for n in numbers:
            try:
                reasons += self.functions.get_requirement(n)(state, *args)
            except RULES_FAULTS:
                if not reasons:
                    raise
        return reasons

    def get_localizer(self, language: str = "") -> Localizer:
        """Return the localizer of a language."""
        language = language or self.languages[0]
        if language not in self.localizers:
            self.localizers[language] = Localizer(self, language)
        return self.localizers[language]

    def format_subject(self, kind: str | None, subject: Value) -> str:
        """Return the id of the thing that dice are rolled for, or the subject itself as text if it is not a thing."""
        if kind and kind in self.ids:
            return str(self.ids[kind][handle_of(subject)])
        return str(subject)

    def get_constant(self, piece: int, name: str) -> Any:  # noqa: ANN401 - of the attribute's type
        """Return a constant attribute of a piece."""
        return self.constants[("piece", name)][piece]


class LazyTable(dict[Any, Any]):
    """Memoized values of a compiled expression by its argument or tuple of arguments, computed on first access."""

    __slots__ = ("compute", "meter")

    def __init__(self, compute: Callable[..., Any], meter: Meter) -> None:
        super().__init__()
        self.compute: Callable[[Any], Any] = compute if compute.__code__.co_argcount == 1 else lambda key: compute(*key)
        self.meter = meter

    def __missing__(self, key: object) -> object:
        if len(self) >= _MAX_MEMOIZED_VALUES:
            self.clear()
        value = self[key] = self.compute(key)
        hold(self.meter, value)
        return value


def _wrap_memory_check(compute: Callable[..., Any], meter: Meter) -> Callable[..., Any]:
    """Wrap a function so that the memory of each value it returns is charged to the meter."""

    def check_held(*args: object) -> object:
        value = compute(*args)
        if value.__class__ is tuple or meter.held > MAX_MEMOIZED_MEMBERS:
            hold(meter, value)
        else:
            meter.held += ENTRY
        return value

    return check_held


def _build_links(kinds: dict[str, Any], grid: Mapping[str, Any] | None) -> Links:
    count = len(kinds["place"]["things"])
    around: list[list[int]] = [[] for _ in range(count)]
    edges: dict[tuple[int, int], int] = {}
    ends: list[tuple[int, int]] = []
    for number, thing in enumerate(kinds["edge"]["things"]):
        a, b = thing["ends"]
        ends.append((a, b))
        edges[(a, b)] = edges[(b, a)] = number
        around[a].append(b)
        around[b].append(a)
    return Links(
        tuple(tuple(sorted(set(x))) for x in around),
        edges,
        tuple(ends),
        tuple(grid["directions"]) if grid else (),
        tuple(tuple(x) for x in grid["neighbours"]) if grid else (),
        tuple(None if x is None else tuple(x) for x in grid["cells"]) if grid else (),
        grid["shape"] if grid else "",
    )


_PLAIN_BUILTINS: dict[str, Any] = {
    builtin.__name__: builtin for builtin in (len, int, range, sum, min, max, any, tuple, abs, next, sorted)
}

__all__ = ["Program", "State", "value_of"]
