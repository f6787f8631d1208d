"""Runs the tables that the library makes of the grammar: text -> tree, or where the text leaves the grammar.

Lines end statements and their indentation makes blocks, but not between brackets. Must not know the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.language.parse_trees import Token, Tree

LINE_END, INDENT, DEDENT, END = "_NL", "_INDENT", "_DEDENT", "$END"
OPENING = ("LPAR", "LSQB", "LBRACE", "_INDEX", "_CALL")
CLOSING = ("RPAR", "RSQB", "RBRACE")
TAB = 8  # blanks that a tab counts for
_UNEVEN = ""  # stands for a line at an indentation that nobody opened
_DEPTHS = dict.fromkeys(OPENING, 1) | dict.fromkeys(CLOSING, -1)

Rule = tuple[int, str, str, bool, bool, list[tuple[int, bool, int]] | None, int]
Words = Mapping[str, Mapping[str, str]]
Scanner = tuple[Callable[[str, int], re.Match[str] | None], Words]


@dataclass(frozen=True, slots=True)
class Misfit:
    """Where a text leaves the grammar: at a `token` of some kind, with what could stand there; at a `character` that
    begins no token; or in its `indentation`."""

    sort: str
    start: int
    kind: str = ""
    word: str = ""
    wanted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Parser:
    """The tables of a grammar.

    `rows` has for each state what a kind of token or a rule leads to: the next state, or ~n for the end of the rule
    `rules[n]`: how many parts it has, its name, the name of its tree, whether it only passes its one part on,
    whether it does so where one part is left, which parts it keeps (None: all; each with whether its own parts take
    its place, and how many left-out parts lie before it), and how many left-out ones follow.
    `patterns` tells tokens apart, with the words that are kinds of their own; `scanning` says which serves a state,
    the first serves where none does. Of tokens of the kinds in `silent` nothing is kept but their places.
    """

    rows: list[dict[str, int]]
    rules: list[Rule]
    patterns: list[tuple[str, Words]]
    scanning: list[int]
    skipped: str
    silent: frozenset[str]
    begins: dict[str, int]
    ends: dict[str, int]
    signs: dict[str, str]
    _scanners: dict[int, Scanner] = field(default_factory=dict)

    def parse(self, text: str, start: str, told: list[tuple[str, int, int]] | None = None) -> Tree | Misfit:
        """The tree of a text, or where it goes wrong; `told` is given each token: its kind and its place."""
        rows, rules, silent, end_state = self.rows, self.rules, self.silent, self.ends[start]
        states = [self.begins[start]]
        values: list[Any] = []
        firsts: list[int] = []  # where what a value was made of begins, brackets and all; -1 where that is nothing
        lasts: list[int] = []
        indents, depth = [0], 0
        begin = at = before = 0
        value: Any
        while True:
            scanning = self.scanning[states[-1]]
            scan, words = self._scanners.get(scanning) or self._scanner(scanning)
            match = scan(text, at)
            if match is None:
                return self._astray(text, at, states)
            kind = match.lastgroup
            fed: Sequence[str]
            if kind is None:
                word, fed = "", [*[DEDENT] * (len(indents) - 1), END]
            else:
                begin, at = match.span(kind)
                word = text[begin:at]
                if kind in words:
                    kind = words[kind].get(word, kind)
                fed = (kind,)
                if kind == LINE_END:
                    if depth:
                        continue
                    fed = _line_end(word, indents)
                elif kind in _DEPTHS:
                    depth += _DEPTHS[kind]
            for kind in fed:
                if kind is _UNEVEN:
                    return Misfit("indentation", begin)
                place = before if kind is END else begin
                while True:
                    step = rows[states[-1]].get(kind)
                    if step is None:
                        return Misfit("token", place, kind, word, self._wanted(states))
                    if step >= 0:
                        break
                    size, origin, name, passes, expands, kept, after = rules[~step]
                    if passes:
                        states[-1] = rows[states[-2]][origin]
                        continue
                    parts: list[Any] = []
                    first = last = -1
                    if size:
                        parts, first, last = values[-size:], firsts[-size], lasts[-1]
                        if first < 0 or last < 0:
                            first = next((x for x in firsts[-size:] if x >= 0), -1)
                            last = next((x for x in reversed(lasts[-size:]) if x >= 0), -1)
                        del values[-size:], states[-size:], firsts[-size:], lasts[-size:]
                    if kept is not None:
                        parts = _kept(parts, kept, after)
                    if expands and len(parts) == 1:
                        value = parts[0]
                        if type(value) is not Tree:
                            first, last = (-1, -1) if value is None else (value.start, value.end)
                        elif value.start < 0:
                            value.start, value.end = first, last
                    else:
                        value = Tree(name, parts, first, last)
                    states.append(rows[states[-1]][origin])
                    if kind is END and states[-1] == end_state:
                        return value  # type: ignore[no-any-return]
                    values.append(value)
                    firsts.append(first)
                    lasts.append(last)
                states.append(step)
                value = None
                if kind not in silent:
                    value = Token(word)
                    value.start, value.end = begin, at
                values.append(value)
                firsts.append(begin)
                lasts.append(at)
                before = begin
                if told is not None:
                    told.append((kind, begin, at))

    def _scanner(self, number: int) -> Scanner:
        """What finds the next token where a pattern serves; what no kind fits at the end of the text is the end."""
        pattern, words = self.patterns[number]
        made: Scanner = re.compile(rf"(?>(?:{self.skipped})*)(?:{pattern}|\Z)").match, words
        self._scanners[number] = made
        return made

    def _astray(self, text: str, at: int, states: list[int]) -> Misfit:
        """What is wrong where no token that could stand here begins."""
        skipped = re.compile(f"(?:{self.skipped})*").match(text, at)
        at = skipped.end() if skipped else at
        scan, words = self._scanners.get(0) or self._scanner(0)
        found = scan(text, at)
        if found is None or found.lastgroup is None:
            return Misfit("character", at)
        kind, word = found.lastgroup, found[found.lastgroup]
        return Misfit("token", at, words.get(kind, {}).get(word, kind), word, self._wanted(states))

    def _wanted(self, states: list[int]) -> frozenset[str]:
        """The kinds of token that could stand next."""
        kinds = [kind for kind in self.rows[states[-1]] if kind.isupper()]
        return frozenset([kind for kind in kinds if self._takes(states, kind)] or kinds)

    def _takes(self, states: list[int], kind: str) -> bool:
        stack = [*states]
        while (step := self.rows[stack[-1]].get(kind)) is not None:
            if step >= 0:
                return True
            size, origin, *_ = self.rules[~step]
            del stack[len(stack) - size :]
            stack.append(self.rows[stack[-1]][origin])
            if kind == END and stack[-1] in self.ends.values():
                return True
        return False


def _line_end(word: str, indents: list[int]) -> list[str]:
    """What the end of a line means, by the indentation of the next: an end, and blocks that begin or end."""
    lead = word.rsplit("\n", 1)[1]
    width = lead.count(" ") + lead.count("\t") * TAB
    if width > indents[-1]:
        indents.append(width)
        return [LINE_END, INDENT]
    fed = [LINE_END]
    while width < indents[-1]:
        indents.pop()
        fed.append(DEDENT)
    return fed if width == indents[-1] else [*fed, _UNEVEN]


def _kept(parts: list[Any], kept: list[tuple[int, bool, int]], after: int) -> list[Any]:
    """The parts that a rule keeps."""
    found: list[Any] = []
    for number, inlined, left_out in kept:
        if left_out:
            found += [None] * left_out
        if not inlined:
            found.append(parts[number])
        elif found:
            found += parts[number].children
        else:
            found = parts[number].children  # nobody else has it: a long row grows in place
    if after:
        found += [None] * after
    return found
