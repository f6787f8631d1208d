"""Random expressions of a wanted type, in the rules language, over the documents of `field`.

Types are written as in the language ("int", "set of place", "maybe unit" ...). Now and then an expression can fault:
tables lack rows for some numbers, and a divisor may be zero. Never makes statements.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

PLACES = tuple(f'place("0{column}0{row}")' for column in (1, 2, 3) for row in (1, 2, 3))
THINGS = {
    "unit": ("red_one", "red_two", "blue_one", "blue_two"),
    "army": ("reds", "blues"),
    "place": PLACES,
    "militia": ('piece("red_band-1")', 'piece("red_band-2")', 'piece("blue_band-1")'),
}
Env = dict[str, str]


@dataclass
class Phrases:
    """A writer of expressions, which may call the declared `defines`, `rules`, `tallies` and `drafts`.

    Each of these maps a name to its parameters, and for `defines` also to its type.
    """

    chance: random.Random
    defines: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tallies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    drafts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    faulty: float = 0.04  # how often an expression that may fault is written
    names: int = 0
    loops: int = 0  # the number of loops around the expression

    def name(self) -> str:
        """Return an unused name."""
        self.names += 1
        return f"x{self.names}"

    def one(self, *written: str) -> str:
        """Return one of several texts."""
        return self.chance.choice(written)

    def write(self, wanted: str, env: Env, depth: int) -> str:
        """Return an expression of a type with at most this depth."""
        makers = (MAKERS if depth > 0 else SHORT)[wanted]
        known = [n for n, ty in env.items() if ty == wanted]
        if known and (depth <= 0 or self.chance.random() < 0.35):
            return self.chance.choice(known)
        if depth > 0 and self.chance.random() < 0.15:
            called = self.call(wanted, env, depth)
            if called:
                return called
        if depth > 0 and self.chance.random() < 0.08 and not wanted.startswith("maybe"):
            return (
                f"(if {self.write('flag', env, depth - 1)} then {self.write(wanted, env, depth - 1)} "
                f"else {self.write(wanted, env, depth - 1)})"
            )
        return self.chance.choice(makers)(self, env, depth - 1)

    def call(self, wanted: str, env: Env, depth: int) -> str:
        """Return a call of a define of this type, or '' if there is none."""
        found = [n for n, (_, ty) in self.defines.items() if ty == wanted]
        if not found or self.loops > 1:
            return ""
        name = self.chance.choice(found)
        params = self.defines[name][0]
        given = ", ".join(self.write(ty, env, min(depth - 1, 1)) for ty in params)
        return f"{name}({given})" if params else name

    def risky(self) -> bool:
        """Return True if an expression that can fault may be written here."""
        return self.chance.random() < self.faulty * 6

    def member(
        self, env: Env, depth: int, kinds: tuple[str, ...] = ("unit", "place", "int", "army", "militia")
    ) -> tuple[str, str, str, Env]:
        """Return a name, the set it iterates over, its type, and the names inside."""
        kind = self.chance.choice(kinds)
        name = self.name()
        many = self.write(
            f"set of {kind}"
            if self.chance.random() < 0.8 and kind != "int"
            else "list of int"
            if (kind == "int")
            else f"set of {kind}",
            env,
            min(depth, 1),
        )
        return name, many, kind, {**env, name: kind}

    def inside(self, wanted: str, env: Env, depth: int) -> str:
        """Return an expression within a loop."""
        self.loops += 1
        made = self.write(wanted, env, min(depth, 2 - self.loops))
        self.loops -= 1
        return made

    def gone_through(
        self, env: Env, depth: int, kinds: tuple[str, ...] = ("unit", "place", "army", "militia")
    ) -> tuple[str, str, Env]:
        """Return `x in S where c`, the type of x, and the names inside."""
        name, many, kind, inner = self.member(env, depth, kinds)
        where = f" where {self.inside('flag', inner, depth)}" if self.chance.random() < 0.8 else ""
        return f"{name} in {many}{where}", kind, inner


Maker = Callable[[Phrases, Env, int], str]


def text(*written: str) -> Maker:
    """Return a maker of one of these texts."""
    return lambda w, env, depth: w.chance.choice(written)


def filled(template: str, *wanted: str) -> Maker:
    """Return a maker of a text with an expression in each hole."""

    def made(w: Phrases, env: Env, depth: int) -> str:
        return template.format(*(w.write(ty, env, depth) for ty in wanted))

    return made


def risky(template: str, safe: str, *wanted: str) -> Maker:
    """Return a maker of a text that may fault, or often of a safe one instead."""

    def made(w: Phrases, env: Env, depth: int) -> str:
        return filled(template if w.risky() else safe, *wanted)(w, env, depth)

    return made


def folded(sort: str, rest: str, wanted: str, *kinds: str) -> Maker:
    """Return a maker of `sort(f for x in S where c)` and its required ending."""

    def made(w: Phrases, env: Env, depth: int) -> str:
        name, many, _kind, inner = w.member(env, depth, kinds or ("unit", "place", "int"))
        where = f" where {w.inside('flag', inner, depth)}" if w.chance.random() < 0.6 else ""
        return sort.format(f"{w.inside(wanted, inner, depth)} for {name} in {many}{where}") + rest

    return made


def counted(w: Phrases, env: Env, depth: int) -> str:
    """Return a count of the members that pass a test."""
    through, _kind, _inner = w.gone_through(env, depth)
    return w.one(f"count({through})", f"count({{{through}}})")


def quantified(w: Phrases, env: Env, depth: int) -> str:
    """Return a quantified test over a set."""
    name, many, _kind, inner = w.member(env, depth)
    sort = w.one("any", "no", "every")
    test = w.inside("flag", inner, depth)
    if sort == "every":
        where = f" where {w.inside('flag', inner, depth)}" if w.chance.random() < 0.5 else ""
        return f"(every {name} in {many}{where} satisfies {test})"
    return f"({sort} {name} in {many} where {test})"


def filter_of(kind: str) -> Maker:
    """Return a maker of `{x in S where c}`, with or without `having`."""

    def made(w: Phrases, env: Env, depth: int) -> str:
        through, _, inner = w.gone_through(env, depth, (kind,))
        having = ""
        if w.chance.random() < 0.3:
            having = f" having {w.one('least', 'most')} {w.inside('int', inner, depth)}"
        return f"{{{through}{having}}}"

    return made


def gathered(kind: str, brackets: str) -> Maker:
    """Return a maker of `{f for x in S where c}`, or of such a list."""

    def made(w: Phrases, env: Env, depth: int) -> str:
        name, many, _kind, inner = w.member(env, depth)
        where = f" where {w.inside('flag', inner, depth)}" if w.chance.random() < 0.5 else ""
        return f"{brackets[0]}{w.inside(kind, inner, depth)} for {name} in {many}{where}{brackets[1]}"

    return made


def searched(head: str, rest: str = "") -> Maker:
    """Return a maker of a search, with its tests and its costs."""

    def made(w: Phrases, env: Env, depth: int) -> str:
        from_, to = w.write("place", env, 0), w.write("place", env, 0)
        if w.chance.random() < 0.2:
            from_ = f"({w.write('set of place', env, 0)})"
        within = f" within {w.one('1', '2', '3', '(value.half * 5)')}" if w.chance.random() < 0.4 else ""
        through = ""
        if w.chance.random() < 0.75:
            name, before = w.name(), w.name()
            inner = {**env, name: "place"}
            after = ""
            if w.chance.random() < 0.3:
                after, inner = f" after {before}", {**inner, before: "place"}
            where = f" where {w.inside('flag', inner, 1)}" if w.chance.random() < 0.7 else ""
            price = w.inside("int", inner, 1)
            cost = f" cost {price if w.risky() else f'abs({price})'}" if w.chance.random() < 0.5 or not where else ""
            through = f" through {name}{after}{where}{cost}"
        return f"({head.format(from_=from_, to=to)}{within}{through}{rest})"

    return made


def closed(kind: str) -> Maker:
    """Return a maker of a chain of linked things."""

    def made(w: Phrases, env: Env, depth: int) -> str:
        one, other = w.name(), w.name()
        inner = {**env, one: kind, other: kind}
        linked = {"unit": f"{one}.army == {other}.army", "place": f"linked({one}, {other})"}[kind]
        test = w.inside("flag", inner, 1)
        joined = w.one(f"{linked} and {test}", f"{test} and {linked}", test)
        return f"(closure of {w.write(f'set of {kind}', env, 0)} over {one}, {other} where {joined})"

    return made


def compared(w: Phrases, env: Env, depth: int) -> str:
    """Return a comparison of two values of one type."""
    kind = w.one(
        "int",
        "number",
        "place",
        "unit",
        "army",
        "direction",
        "mood",
        "weather",
        "set of place",
        "maybe unit",
        "set of unit",
    )
    if kind in ("int", "number") and w.chance.random() < 0.7:
        return f"({w.write(kind, env, depth)} {w.one('<', '<=', '>', '>=')} {w.write(kind, env, depth)})"
    if kind == "mood" and w.chance.random() < 0.6:
        return f"({w.write(kind, env, depth)} {w.one('below', 'above')} {w.write(kind, env, depth)})"
    right = w.write(kind, env, depth)
    if kind in ("set of place", "set of unit") and w.chance.random() < 0.5:
        right = "{}"
    if kind == "maybe unit" and w.chance.random() < 0.6:
        right = "none"
    return f"({w.write(kind, env, depth)} {w.one('==', '!=')} {right})"


def joined(w: Phrases, env: Env, depth: int) -> str:
    """Return several tests, each evaluated only if needed."""
    word = w.one(" and ", " or ")
    parts = [w.write("flag", env, depth) for _ in range(w.chance.randint(2, 3))]
    return f"({word.join(parts)})"


def guarded(w: Phrases, env: Env, depth: int) -> str:
    """Return a test that depends on the one before it."""
    before, after = guard(w, env)
    return w.one(f"({before} and {after})", f"(not {before} or {after})", f"(if {before} then {after} else false)")


def guard(w: Phrases, env: Env) -> tuple[str, str]:
    """Return two tests, of which the second may fault where the first does not hold."""
    number = w.write("int", env, 1)
    thing = w.write("army", env, 0)
    mood = w.write("mood", env, 0)
    return w.chance.choice(
        [
            (f"{number} != 0", f"7 / {number} > 2"),
            (f"{number} in 0..3", f"steps[{number}] > 0"),
            (f"{number} > 0", f"odds[3 / {number}] > 1"),
            (f"{number} > 0", f"(rare_odds[2 / {number}] else 0) > 1"),
            (f"rare_odds has [1 / {number}]", f"(rare_odds[1 / {number}] else 0) > 1"),
            (f"{number} in 1..2", f"owners[{number}] == {thing}"),
            (f"{number} in 1..2", f"arrives({number}) != pile"),
            (f"upkeep has [{thing}, {mood}]", f"(upkeep[{thing}, {mood}].food else 0) > 1"),
            (f"{number} <= 3", f"(gaps[{number}, fair] else 9) < 2"),
            (f"{number} != 0", f"remainder(5, {number}) == 1"),
        ]
    )


def member_test(w: Phrases, env: Env, depth: int) -> str:
    """Return a test of membership in a set."""
    kind = w.one("int", "place", "unit", "army")
    many = w.write("list of int" if kind == "int" else f"set of {kind}", env, depth)
    if kind == "int" and w.chance.random() < 0.5:
        many = f"{w.write('int', env, 0)}..{w.write('int', env, 0)}"
    return f"({w.write(kind, env, depth)} {w.one('in', 'not in')} {many})"


def ruled(w: Phrases, env: Env, depth: int) -> str:
    """Return a rule, a test that a draft is possible, or a plain test."""
    known: list[tuple[str, str, tuple[str, ...]]] = [("", n, p) for n, p in w.rules.items()]
    known += [("possible ", n, p) for n, p in w.drafts.items()]
    if not known or w.loops > 0:
        return compared(w, env, depth)
    word, name, params = w.chance.choice(known)
    return f"{word}{name}({', '.join(w.write(ty, env, 0) for ty in params)})"


def tallied(w: Phrases, env: Env, depth: int) -> str:
    """Return a tally, or a number."""
    if not w.tallies:
        return w.write("int", env, 0)
    name = w.chance.choice(list(w.tallies))
    return f"{name}({', '.join(w.write(ty, env, 0) for ty in w.tallies[name])})"


MAKERS: dict[str, list[Maker]] = {
    "int": [
        text("0", "1", "2", "3", "-1", "value.limit"),
        text("game.total", "turn", "game.once", "game.bout"),
        filled("{}.strength", "unit"),
        filled("{}.worth", "place"),
        filled("{}.mark", "place"),
        filled("{}.weariness", "army"),
        filled("({} + {})", "int", "int"),
        filled("({} - {})", "int", "int"),
        filled("({} * 2)", "int"),
        filled("abs({})", "int"),
        filled("-({})", "int"),
        filled("min({}, {})", "int", "int"),
        filled("max({}, {}, 1)", "int", "int"),
        filled("round_down({})", "number"),
        filled("round_up({})", "number"),
        filled("round_near({})", "number"),
        risky("remainder({}, {})", "remainder({}, {} * 2 + 1)", "int", "int"),
        risky("steps[{}]", "steps[max(min({}, 3), 0)]", "int"),
        risky("odds[{} / {}]", "odds[abs({}) / (abs({}) + 1)]", "int", "int"),
        risky("odds[{} / {} shifted by {}]", "odds[abs({}) / (abs({}) + 1) shifted by {}]", "int", "int", "int"),
        filled("({} else {})", "maybe int", "int"),
        counted,
        filled("count({})", "set of place"),
        filled("count({})", "list of int"),
        filled("sum({})", "list of int"),
        folded("sum({})", "", "int"),
        folded("(max({})", " else 0)", "int"),
        folded("(min({})", " else 9)", "int"),
        filled("({}[{}] else {})", "list of int", "int", "int"),
        searched("distance from {from_} to {to}", " else 9"),
        searched("distance from {from_} to {to}", " else -1"),
        filled("count({} at {})", "set of unit", "place"),
        filled("count(units at {})", "place"),
        tallied,
        tallied,
        filled("turns_between({}, {})", "direction", "direction"),
        filled("{}.size", "pack"),
        text('spaces_between(place("0101"), place("0303"))'),
        risky("column_of({})", "count(neighbours({}))", "place"),
        risky("row_of({})", "count(edges_of({}))", "place"),
        risky("spaces_between({}, {})", "count({{{}, {}}})", "place", "place"),
    ],
    "number": [
        filled("{}", "int"),
        text("value.half", "1 / 2", "3 / 4"),
        text("game.share"),
        filled("{}.pace", "unit"),
        filled("{}.points", "army"),
        filled("({} + {})", "number", "number"),
        filled("({} - {})", "number", "number"),
        filled("({} * {})", "number", "number"),
        filled("({} / 2)", "number"),
        filled("({} / 3)", "int"),
        risky("({} / {})", "({} / (abs({}) + 1))", "number", "int"),
        folded("sum({})", "", "number"),
        filled("(gaps[min({}, 3), {}] else {})", "int", "weather", "number"),
        filled("{}.weight", "pack"),
        risky("(gaps[{}, {}] else 1)", "(gaps[min({}, 3), {}] else 1)", "int", "weather"),
        folded("(max({})", " else 0)", "number"),
    ],
    "flag": [
        text("true", "false", "playing fog", "victory.tired"),
        compared,
        compared,
        compared,
        joined,
        joined,
        guarded,
        guarded,
        member_test,
        quantified,
        quantified,
        ruled,
        filled("(not {})", "flag"),
        filled("{}.burnt", "place"),
        filled("{}.moved", "unit"),
        filled("({} on map)", "unit"),
        filled("linked({}, {})", "place", "place"),
        filled("(edge({}, {}).river else false)", "place", "place"),
        filled("(can advance {}.state)", "unit"),
        filled("{}.worn", "militia"),
        text("(playing length == long)"),
        filled("(gaps has [{}, rain])", "int"),
        filled("({} == none)", "maybe place"),
        filled("({} != none)", "maybe int"),
    ],
    "unit": [text(*THINGS["unit"]), filled("({} else {})", "maybe unit", "unit"), filled("{}.leader", "pack")],
    "militia": [text(*THINGS["militia"]), filled("(first({}) else {})", "set of militia", "militia")],
    "army": [
        text(*THINGS["army"]),
        filled("{}.army", "unit"),
        filled("{}.opponent", "army"),
        filled("({}.held else {})", "place", "army"),
        risky("owners[{}]", "owners[max(min({}, 2), 1)]", "int"),
        filled("(first({}) else {})", "set of army", "army"),
    ],
    "place": [
        text(*PLACES),
        text(*PLACES),
        filled("{}.at", "unit"),
        filled("{}.home", "army"),
        filled("box({})", "army"),
        text("pile"),
        risky("arrives({})", "arrives(max(min({}, 2), 1))", "int"),
        filled("{}.at", "militia"),
        filled("({} else {})", "maybe place", "place"),
    ],
    "direction": [
        text("n", "se", "sw", "s"),
        filled("turned({}, {})", "direction", "int"),
        filled("(direction_to({}, {}) else {})", "place", "place", "direction"),
    ],
    "mood": [
        text("routed", "shaken", "steady"),
        filled("{}.state", "unit"),
        filled("{}.mood", "army"),
        text("game.morale"),
    ],
    "weather": [text("fair", "rain"), text("game.weather")],
    "maybe int": [
        filled("first({})", "list of int"),
        filled("last({})", "list of int"),
        filled("{}[{}]", "list of int", "int"),
        filled("edge({}, {}).toll", "place", "place"),
        filled("costs[{}.terrain, {}]", "place", "army"),
        filled("upkeep[{}, {}].food", "army", "mood"),
        filled("upkeep[{}, {}].rest", "army", "mood"),
        filled("{}.friend.strength", "unit"),
        searched("distance from {from_} to {to}"),
        filled("min({})", "list of int"),
        risky("rare_odds[{} / {}]", "rare_odds[(abs({}) + 1) / (abs({}) + 1)]", "int", "int"),
    ],
    "maybe unit": [
        filled("first({})", "set of unit"),
        filled("last({})", "set of unit"),
        text("game.chosen"),
        filled("{}.friend", "unit"),
        filled("{}[{}]", "set of unit", "int"),
    ],
    "maybe place": [
        filled("step({}, {})", "place", "direction"),
        filled("step({}, {})", "maybe place", "direction"),
        filled("first({})", "set of place"),
        filled("{}.camp", "army"),
        filled("{}.friend.at", "unit"),
    ],
    "set of unit": [
        text("units"),
        filled("(units at {})", "place"),
        filter_of("unit"),
        filter_of("unit"),
        filled("{{{}, {}}}", "unit", "unit"),
        filled("({} + {})", "set of unit", "set of unit"),
        filled("({} - {})", "set of unit", "set of unit"),
        filled("both({}, {})", "set of unit", "set of unit"),
        filled("take({}, {})", "int", "set of unit"),
        gathered("unit", "{}"),
        closed("unit"),
        filled("({} at {})", "set of unit", "place"),
    ],
    "set of militia": [
        text("militias"),
        filled("(militias at {})", "place"),
        filter_of("militia"),
        filled("alike({}, militias)", "militia"),
        filled("take({}, {})", "int", "set of militia"),
    ],
    "set of place": [
        text("places", "hills", "game.seen"),
        filled("neighbours({})", "place"),
        filter_of("place"),
        filter_of("place"),
        searched("reach from {from_}"),
        gathered("place", "{}"),
        closed("place"),
        filled("{{{}, {}}}", "place", "place"),
        filled("({} + {})", "set of place", "set of place"),
        filled("({} - {})", "set of place", "set of place"),
        filled("both({}, {})", "set of place", "set of place"),
        filled('ends_of(edge("0102/0202")) + {{{}}}', "place"),
    ],
    "set of army": [text("armies"), filter_of("army"), gathered("army", "{}"), filled("{{{}}}", "army")],
    "list of int": [
        filled("[{}, {}]", "int", "int"),
        filled("[{}]", "int"),
        filled("({}..{})", "int", "int"),
        text("(0..3)"),
        gathered("int", "[]"),
        filled("({} + {})", "list of int", "list of int"),
        filled("({} - {})", "list of int", "list of int"),
        filled("take({}, {})", "int", "list of int"),
    ],
    "list of place": [
        searched("path from {from_} to {to}", " else []"),
        gathered("place", "[]"),
        filled('ray(place("0101"), {})', "direction"),
        filled("[{}, {}]", "place", "place"),
    ],
    "pack": [
        filled("pack({}, {}, {})", "unit", "int", "number"),
        filled("({} with (size = {}))", "pack", "int"),
        filled("({} with (leader = {}, weight = {}))", "pack", "unit", "number"),
    ],
}
SHORT: dict[str, list[Maker]] = {ty: makers[:2] for ty, makers in MAKERS.items()}
SHORT["int"] = MAKERS["int"][:2]
SHORT["number"] = MAKERS["number"][1:3]
SHORT["flag"] = MAKERS["flag"][:1]
for _type in ("unit", "militia", "army", "direction", "set of unit", "set of militia", "set of place", "set of army"):
    SHORT[_type] = MAKERS[_type][:1]
SHORT["list of int"] = [text("(0..3)", "[1, 2, 2]", "[3]")]
SHORT["list of place"] = [text('[place("0101"), place("0202")]')]
SHORT["maybe int"] = [
    text("first([1, 2])", "last(1..0)", 'edge(place("0102"), place("0202")).toll', "costs[woods, blues]")
]
SHORT["maybe unit"] = [text("game.chosen", "red_one.friend", "first(units)")]
SHORT["maybe place"] = [text("reds.camp", 'step(place("0102"), n)')]
SHORT["mood"] = [text("routed", "shaken", "steady", "game.morale")]
SHORT["weather"] = MAKERS["weather"]
SHORT["pack"] = [text("pack(red_one, 2, 1 / 2)")]
