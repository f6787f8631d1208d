"""Random rulesets: defines, rules, tallies, drafts, watchers and a turn of phases, made from a seed.

All output passes the checker. Does not know its meaning.
"""

from __future__ import annotations

import random

from tests.witness.phrases import Env, Phrases, guard

TYPES = (
    "int",
    "int",
    "number",
    "flag",
    "flag",
    "unit",
    "place",
    "army",
    "maybe int",
    "maybe unit",
    "set of unit",
    "set of place",
    "list of int",
    "mood",
    "pack",
)
PARAMS = ("unit", "place", "int", "army", "flag", "mood", "set of unit", "number")
DOMAINS = {
    "unit": ("units", "units", "{y in units where y on map}"),
    "place": ("places", "places", "hills"),
    "int": ("0..2", "1..3", "[2, 0, 2]"),
    "army": ("armies",),
    "militia": ("militias", "militias"),
}
SETTABLE = (
    ("game.total", "int"),
    ("game.share", "number"),
    ("game.once", "int"),
    ("game.bout", "int"),
    ("game.weather", "weather"),
    ("game.morale", "mood"),
    ("game.chosen", "maybe unit"),
    ("game.seen", "set of place"),
)
ATTRIBUTES = (
    ("unit", "strength", "int"),
    ("unit", "state", "mood"),
    ("unit", "friend", "maybe unit"),
    ("unit", "moved", "flag"),
    ("place", "mark", "int"),
    ("place", "burnt", "flag"),
    ("army", "camp", "maybe place"),
    ("army", "weariness", "int"),
    ("army", "points", "number"),
    ("militia", "worn", "flag"),
)
HEAD = """\
record pack: leader: unit, size: int, weight: number
event note(k: int) "{k}"
event seen(u: unit, p: place)
"""


class Writer:
    """Writes one ruleset."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.phrases = Phrases(self.chance, faulty=self.chance.choice((0.0, 0.01, 0.04)))
        self.procedures: dict[str, tuple[tuple[str, ...], str]] = {}
        self.fields: dict[str, str] = {}  # the first field of each draft
        self.choices = 0
        self.locals: set[str] = set()  # names that may be set

    def ruleset(self) -> str:
        """Return the rules as text."""
        made = [HEAD]
        for number in range(self.chance.randint(5, 9)):
            made.append(
                self.chance.choice((self.define, self.define, self.define, self.rule, self.tally, self.draft))(
                    f"a{number}"
                )
            )
        for number in range(self.chance.randint(1, 3)):
            made.append(self.procedure(f"b{number}"))
        made += [self.watcher() for _ in range(self.chance.randint(0, 2))]
        made.append(self.turn())
        return "\n".join(made)

    def expression(self, wanted: str, env: Env, depth: int = 3) -> str:
        """Return an expression of a type."""
        return self.phrases.write(wanted, env, depth)

    def params(self, most: int = 2) -> tuple[tuple[str, ...], Env, str]:
        """Return the types of parameters, their names, and their text."""
        kinds = tuple(self.chance.choice(PARAMS) for _ in range(self.chance.randint(0, most)))
        env = {self.phrases.name(): kind for kind in kinds}
        return kinds, env, ", ".join(f"{n}: {kind}" for n, kind in env.items())

    # --- items --------------------------------------------------------------------------------

    def define(self, name: str) -> str:
        kinds, env, written = self.params(3)
        wanted = self.chance.choice(TYPES)
        value = self.expression(wanted, env, 4)
        self.phrases.defines[name] = (kinds, wanted)
        return f"define {name}{f'({written})' if written else ''} -> {wanted} = {value}"

    def requirements(self, env: Env, most: int = 3) -> list[str]:
        """Return requirements in an order that may matter."""
        out: list[str] = []
        for _ in range(self.chance.randint(0, most)):
            if self.chance.random() < 0.35:
                before, after = guard(self.phrases, env)
                out += [f'require {before} "no"', f'require {after} "no"']
            else:
                out.append(f'require {self.expression("flag", env, 2)} "no"')
        return [line for line in out if line != 'require false "no"']

    def preferences(self, env: Env) -> list[str]:
        """Return a preference or two, or often none."""
        out = []
        while self.chance.random() < 0.25:
            sort = self.chance.choice(("", "least ", "most "))
            out.append(f"prefer {sort}{self.expression('flag' if not sort else 'int', env, 2)}")
        return out

    def rule(self, name: str) -> str:
        kinds, env, written = self.params()
        lines = self.requirements(env) or ['require true "no"']
        self.phrases.rules[name] = kinds
        return "\n".join([f"rule {name}({written}):", *indented(lines)])

    def tally(self, name: str) -> str:
        kinds, env, written = self.params()
        lines = []
        for number in range(self.chance.randint(1, 3)):
            test = f" if {self.expression('flag', env, 2)}" if self.chance.random() < 0.6 else ""
            lines.append(f'{self.chance.choice("+-")} {self.expression("int", env, 2)}{test} "line {number}"')
        if self.chance.random() < 0.4:
            lines.append(f"no more than {self.expression('int', env, 1)}")
        if self.chance.random() < 0.3:
            lines.append("no less than -2")
        self.phrases.tallies[name] = kinds
        return "\n".join([f"tally {name}({written}) -> int:", *indented(lines)])

    def draft(self, name: str) -> str:
        kinds, env, written = self.params()
        here, spent, met = (self.phrases.name() for _ in range(3))
        fields = {here: "place", spent: "int", met: "set of place"}
        inner = {**env, **fields}
        unordered = " unordered" if self.chance.random() < 0.25 else ""
        lines = [
            f"draft {name}({written}){unordered} starting {here} = {self.expression('place', env, 1)}, "
            f"{spent} = 0, {met} = {{{self.expression('place', env, 0)}}}:"
        ]
        for number in range(self.chance.randint(1, 2)):
            lines += indented(self.step(number, inner, here, spent, met))
        for line in self.requirements(inner, 1):
            lines.append(f"    finish {line}")
        if self.chance.random() < 0.25:
            lines.append(
                f"    offer prefer {self.chance.choice(('least ', 'most '))}{self.expression('int', inner, 1)}"
            )
        if self.chance.random() < 0.5:
            lines.append(
                f"    offer distinct by {here}"
                + (f", apart = {self.expression('flag', inner, 1)}" if self.chance.random() < 0.4 else "")
            )
        if self.chance.random() < 0.3:
            lines.append(f"    offer cheapest {self.chance.choice((spent, self.expression('int', inner, 1)))}")
        self.phrases.drafts[name] = kinds
        self.fields[name] = here
        return "\n".join(lines)

    def step(self, number: int, env: Env, here: str, spent: str, met: str) -> list[str]:
        """Return a step of a draft that goes from place to place."""
        to = self.phrases.name()
        domain = self.chance.choice((f"neighbours({here})", f"neighbours({here}) - {met}", "places", "hills"))
        inner = {**env, to: "place"}
        remembers = self.chance.random() < 0.5  # then no step is for nothing: there would be very many states
        cost = "1" if remembers else self.chance.choice(("1", f"abs({self.expression('int', inner, 1)})"))
        now = [f"{here} = {to}", f"{spent} = {spent} + {cost}"]
        if remembers:
            now.append(f"{met} = {met} + {{{to}}}")
        stop = self.chance.choice(("", "", " then stop", f" then stop if {self.expression('flag', inner, 1)}"))
        lines = [
            f'require {spent} < {self.chance.randint(1, 3)} "no"',
            *self.requirements(inner, 2),
            *self.preferences(inner),
        ]
        return [f"option go{number}({to} in {domain}) now {', '.join(now)}{stop}:", *indented(lines)]

    def procedure(self, name: str) -> str:
        kinds, env, written = self.params()
        deep = self.chance.random() < 0.2
        self.phrases.loops = 0
        body = self.block(dict(env), 2, inside_procedure=True)
        if deep and not kinds:
            body = [f"if {self.expression('flag', {}, 2)}: {name}()", *body]
        result = self.chance.random() < 0.3
        if result:
            body.append(f"return {self.expression('int', env, 2)}")
        self.procedures[name] = (kinds, "int" if result else "")
        most = " at most 3 deep" if deep and not kinds else ""
        return "\n".join([f"procedure {name}({written}){' -> int' if result else ''}{most}:", *indented(body)])

    def watcher(self) -> str:
        one, other, third = (self.phrases.name() for _ in range(3))
        head, env = self.chance.choice(
            (
                (f"note({one})", {one: "int"}),
                (f"seen({one}, {other})", {one: "unit", other: "place"}),
                (f"moved({one}, {other}, {third})", {other: "place", third: "place"}),
            )
        )
        where = f" where {self.expression('flag', env, 2)}" if self.chance.random() < 0.6 else ""
        body = [line for _ in range(self.chance.randint(1, 2)) for line in self.change(env, moves=False)]
        return "\n".join([f"whenever {head}{where}:", *indented(body)])

    def turn(self) -> str:
        lines = ["turn:"]
        for phase in ("first", "second"):
            title = "" if self.chance.random() < 0.7 else ' "{turn}"'
            lines += [f"    phase {phase}{title}:", *indented(self.block({}, 3, longest=4), 2)]
        return "\n".join(lines) + "\n"

    # --- statements ------------------------------------------------------------------------------

    def block(self, env: Env, depth: int, inside_procedure: bool = False, longest: int = 3) -> list[str]:
        """Statements; names that they declare hold to the end of the block."""
        env, out = dict(env), []
        for _ in range(self.chance.randint(1, longest)):
            out += self.statement(env, depth, inside_procedure)
        return out

    def statement(self, env: Env, depth: int, inside_procedure: bool) -> list[str]:
        """Return one statement and the statements nested in it."""
        sorts = [self.change, self.change, self.change, self.let, self.local, self.report, self.roll, self.draw]
        if depth > 0:
            sorts += [
                lambda e: self.branch(e, depth - 1),
                lambda e: self.loop(e, depth - 1),
                lambda e: self.choose(e, depth - 1),
                lambda e: self.choose(e, depth - 1),
                self.ask,
                self.call,
                self.together,
                self.matched,
                self.later,
            ]
        return self.chance.choice(sorts)(env)

    def change(self, env: Env, moves: bool = True) -> list[str]:
        """Something of the position changes."""
        cite = self.chance.choice(("", "", " [1.1]"))
        sort = self.chance.randrange(7 if moves else 5)
        if sort == 0:
            what, ty = self.chance.choice(SETTABLE)
            return [f"set {what} = {self.expression(ty, env)}{cite}"]
        if sort in (1, 2):
            kind, name, ty = self.chance.choice(ATTRIBUTES)
            owner = self.expression(kind, env, 1)
            value = self.expression(ty, env, 2)
            value = f"max(min({value}, 9), 0)" if name == "strength" and self.chance.random() < 0.8 else value
            return [f"set {owner}.{name} = {value}{cite}"]
        if sort == 3:
            what = self.chance.choice(
                (
                    "game.total",
                    f"{self.expression('army', env, 0)}.weariness",
                    f"{self.expression('place', env, 0)}.mark",
                    "game.share",
                )
            )
            return [f"{self.chance.choice(('raise', 'lower'))} {what} by {self.expression('int', env, 2)}{cite}"]
        if sort == 4:
            what = self.chance.choice(
                (f"{self.expression('unit', env, 0)}.state", f"{self.expression('army', env, 0)}.mood", "game.morale")
            )
            ifs = " if possible" if self.chance.random() < 0.9 else ""
            return [f"{self.chance.choice(('advance', 'drop'))} {what}{ifs}{cite}"]
        what = self.expression(self.chance.choice(("unit", "set of unit", "set of militia")), env, 2)
        return [f"move {what} to {self.expression('place', env, 2)}{cite}"]

    def let(self, env: Env) -> list[str]:
        ty = self.chance.choice(("int", "unit", "place", "set of unit", "flag", "number", "list of int", "pack"))
        value = self.expression(ty, env)
        name = self.phrases.name()
        env[name] = ty
        self.locals.add(name)
        return [f"let {name} = {value}"]

    def local(self, env: Env) -> list[str]:
        """Assign another value to a local name."""
        found = [(n, ty) for n, ty in env.items() if ty in ("int", "flag", "set of unit") and n in self.locals]
        if not found:
            return self.let(env)
        name, ty = self.chance.choice(found)
        return [f"set {name} = {self.expression(ty, env)}"]

    def report(self, env: Env) -> list[str]:
        if self.chance.random() < 0.5:
            return [f"report note({self.expression('int', env, 2)})"]
        return [f"report seen({self.expression('unit', env, 1)}, {self.expression('place', env, 1)})"]

    def roll(self, env: Env) -> list[str]:
        name = self.phrases.name()
        count = "" if self.chance.random() < 0.6 else f"abs({self.expression('int', env, 0)}) of "
        by = f" by {self.expression('army', env, 0)}" if self.chance.random() < 0.3 else ""
        whom = f" for {self.expression('unit', env, 0)}" if self.chance.random() < 0.3 else ""
        env[name] = "list of int" if count else "int"
        return [f"roll throw: {count}{self.chance.choice(('die', 'coin'))}{by}{whom} -> {name}"]

    def draw(self, env: Env) -> list[str]:
        name = self.phrases.name()
        count = f"{self.expression('int', env, 0)} of " if self.chance.random() < 0.5 else ""
        source = self.expression("set of unit", env, 1) if count or self.chance.random() < 0.3 else "units"
        made = [f"draw lot: {count}{source} -> {name}"]
        if not count:
            env[name] = "unit"
        return made

    def branch(self, env: Env, depth: int) -> list[str]:
        if self.chance.random() < 0.3:
            name = self.phrases.name()
            kind = self.chance.choice(("unit", "place", "int"))
            head = f"if some {name} = {self.expression(f'maybe {kind}', env, 2)}:"
            if kind == "unit" and self.chance.random() < 0.5:
                head = f"if some {name} in units where {self.expression('flag', {**env, name: kind}, 2)}:"
            out = [head, *indented(self.block({**env, name: kind}, depth))]
        else:
            out = [f"if {self.expression('flag', env)}:", *indented(self.block(env, depth))]
        if self.chance.random() < 0.3:
            out += [f"else if {self.expression('flag', env)}:", *indented(self.block(env, depth))]
        if self.chance.random() < 0.5:
            out += ["else:", *indented(self.block(env, depth))]
        return out

    def loop(self, env: Env, depth: int) -> list[str]:
        name = self.phrases.name()
        sort = self.chance.randrange(4)
        if sort == 0:
            return [
                f"repeat {self.chance.choice(('2', 'min(2, ' + self.expression('int', env, 1) + ')'))} times:",
                *indented(self.block(env, depth)),
            ]
        if sort == 1:
            test = self.expression("flag", {**env, name: "int"}, 2)
            return [
                f"let {name} = 0",
                f"while {name} < 3 and {test}:",
                f"    set {name} = {name} + 1",
                *indented(self.block({**env, name: "int"}, depth)),
            ]
        kind = self.chance.choice(("unit", "place", "int", "army"))
        many = self.expression("list of int" if kind == "int" else f"set of {kind}", env, 2)
        inner = {**env, name: kind}
        still = f" while still {self.expression('flag', inner, 2)}" if self.chance.random() < 0.3 else ""
        return [f"for {name} in take(3, {many}){still}:", *indented(self.block(inner, depth))]

    def choose(self, env: Env, depth: int) -> list[str]:
        self.choices += 1
        repeat = self.chance.random() < 0.3
        alone = " alone" if self.chance.random() < 0.3 else ""
        out = [
            f"choose c{self.choices} by {self.expression('army', env, 1)}{alone}"
            f"{' repeat until done' if repeat else ''}:"
        ]
        count = self.phrases.name()
        for number in range(self.chance.randint(1, 3)):
            if self.chance.random() < 0.2:
                out += self.march(number, env, count if repeat else "")
                continue
            params, inner = [], dict(env)
            for _ in range(self.chance.randint(0, 2)):
                kind, name = self.chance.choice(tuple(DOMAINS)), self.phrases.name()
                domain = self.chance.choice(DOMAINS[kind])
                if self.chance.random() < 0.4:
                    domain = self.expression("list of int" if kind == "int" else f"set of {kind}", inner, 2)
                params.append(f"{name} in {domain}")
                inner[name] = kind
            lines = [*self.requirements(inner), *self.preferences(inner)]
            if repeat:
                lines.insert(0, f'require {count} < 2 "no"')
            body = self.block(inner, depth)
            if repeat:
                body.append(f"set {count} = {count} + 1")
            brackets = f"({', '.join(params)})" if params else ""
            out += [f"    option o{number}{brackets}:", *indented([*lines, *body], 2)]
        if repeat and self.chance.random() < 0.5:
            out.append(f'    finish require {self.expression("flag", env, 2)} "no"')
        out += ["    otherwise:", *indented(self.block(env, 0), 2)]
        return [f"let {count} = 0", *out] if repeat else out

    def march(self, number: int, env: Env, count: str) -> list[str]:
        """Return an option as most games have one: a unit on the map moves to a neighbour, past tests in any order."""
        unit, place, other = (self.phrases.name() for _ in range(3))
        army = self.chance.choice([n for n, ty in env.items() if ty == "army"] or ["reds", "blues"])
        inner = {**env, unit: "unit", place: "place"}
        foes = f"{other} in units at {place} where {other}.army != {army}"
        standing = [
            f"count({foes}) <= {self.chance.randint(0, 1)}",
            f"no {foes}",
            f"count({other} in units at {place} where {other}.army == {army}) < {place}.worth + 2",
        ]
        tests = [
            f"not {unit}.moved",
            f"{unit}.strength > {self.chance.randint(0, 3)}",
            f"no {other} in militias at {place} where {other}.worn",
            f"any {other} in units where {other}.army == {army} and {other}.moved",
            self.expression("flag", inner, 2),
        ]
        chosen = [*self.chance.sample(standing, self.chance.randint(0, 3)), *self.chance.sample(tests, 2)]
        self.chance.shuffle(chosen)
        first = [f'require {count} < 3 "no"'] if count else []
        last = [f"set {count} = {count} + 1"] if count else []
        return [
            f"    option o{number}({unit} in {{{other} in units where {other}.army == {army} and {other} on map}}, "
            f"{place} in neighbours({unit}.at)):",
            *indented([*first, *(f'require {test} "no"' for test in chosen if test != "false")], 2),
            *indented([f"move {unit} to {place}", f"set {unit}.moved = true", *last], 2),
        ]

    def ask(self, env: Env) -> list[str]:
        """Ask a draft that has an end."""
        if not self.phrases.drafts:
            return self.change(env)
        draft = self.chance.choice(list(self.phrases.drafts))
        args = ", ".join(self.expression(ty, env, 0) for ty in self.phrases.drafts[draft])
        name = self.phrases.name()
        alone = " alone" if self.chance.random() < 0.3 else ""
        stages = [f"    for {name}s in {name}.stages: raise game.total by 1"] if self.chance.random() < 0.3 else []
        return [
            f"if possible {draft}({args}):",
            f"    {draft}({args}) by {self.expression('army', env, 0)}{alone} -> {name}",
            *stages,
            f"    report note(count(neighbours({name}.{self.fields[draft]})))",
        ]

    def call(self, env: Env) -> list[str]:
        if not self.procedures:
            return self.change(env)
        name = self.chance.choice(list(self.procedures))
        kinds, result = self.procedures[name]
        args = ", ".join(self.expression(ty, env, 1) for ty in kinds)
        if not result:
            return [f"{name}({args})"]
        taken = self.phrases.name()
        env[taken] = result
        return [f"{name}({args}) -> {taken}"]

    def later(self, env: Env) -> list[str]:
        plain = [n for n, (_, result) in self.procedures.items() if not result]
        if not plain:
            return self.change(env)
        name = self.chance.choice(plain)
        args = ", ".join(self.expression(ty, env, 1) for ty in self.procedures[name][0])
        return [f"later {name}({args})", *(["settle"] if self.chance.random() < 0.4 else [])]

    def together(self, env: Env) -> list[str]:
        lines = []
        for _ in range(self.chance.randint(1, 3)):
            lines.append(
                self.chance.choice(
                    (
                        f"raise game.total by {self.expression('int', env, 2)}",
                        f"lower {self.expression('army', env, 0)}.weariness by {self.expression('int', env, 1)}",
                        f"set {self.expression('place', env, 0)}.mark = {self.expression('int', env, 2)}",
                        f"move {self.expression('unit', env, 0)} to {self.expression('place', env, 1)}",
                        f"if {self.expression('flag', env, 2)}: raise game.share by {self.chance.randint(0, 3)} / 2",
                    )
                )
            )
        return ["together:", *indented(lines)]

    def matched(self, env: Env) -> list[str]:
        sort = self.chance.randrange(3)
        if sort == 0:
            number, part = self.phrases.name(), self.phrases.name()
            inner = {**env, number: "int"}
            return [
                f"for {part} in hits[{self.expression('int', env, 1)}]:",
                f"    match {part}:",
                f"        loss({number}):",
                *indented(self.block(inner, 0), 3),
                "        disorder:",
                *indented(self.block(env, 0), 3),
                f"        retreat({number}): raise game.total by {number}",
            ]
        if sort == 1:
            return [
                "match game.weather:",
                "    fair:",
                *indented(self.block(env, 0), 2),
                "    rain:",
                *indented(self.block(env, 0), 2),
            ]
        return [
            f"match {self.expression('mood', env, 1)}:",
            "    routed:",
            *indented(self.block(env, 0), 2),
            "    else:",
            *indented(self.block(env, 0), 2),
        ]


def indented(lines: list[str], times: int = 1) -> list[str]:
    """Return the lines indented further."""
    return ["    " * times + line for line in lines]
