"""Our parser reads what the library reads with the same tables, and stumbles where it stumbles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lark import Lark, Token as Word
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.indenter import DedentError

from interpreter.language import parser_tables
from interpreter.language.parse_trees import Token, Tree
from interpreter.language.parser import Misfit, Parser
from interpreter.language.parsing import unfolded

RULES = sorted(Path(__file__).resolve().parents[2].joinpath("rulesets").rglob("*.rules"))
SIGNS = "[]{}():,.\"'#|>*&! \t=x1-+\n"
DAMAGED = 40  # texts made of each file


@pytest.fixture(scope="module")
def library() -> Lark:
    """The library's parser with the places of its trees."""
    return parser_tables.new_parser(parser_tables.GRAMMAR.read_text(encoding="utf-8"), propagate_positions=True)


@pytest.fixture(scope="module")
def ours() -> Parser:
    return parser_tables.ready_parser()


def theirs(library: Lark, text: str, start: str) -> Any:
    """What the library says of a text, in our words."""
    try:
        return plain(library.parse(text, start=start))
    except UnexpectedToken as fault:
        wanted = frozenset(fault.accepts or fault.expected)
        word = str(fault.token).rpartition("\n")[2]  # of the end of a line only what lies before the next matters
        return Misfit("token", fault.token.start_pos or 0, fault.token.type, word, wanted)
    except UnexpectedCharacters as fault:
        return Misfit("character", fault.pos_in_stream or 0)
    except DedentError:
        return "uneven"


def plain(part: Any) -> Any:
    """A tree of either make as tuples."""
    match part:
        case Tree():
            return (part.data, part.start, part.end, [plain(x) for x in part.children])
        case Token():
            return (str(part), part.start, part.end)
        case Word():
            return (str(part), part.start_pos, part.end_pos)
        case None:
            return None
    empty = part.meta.empty
    start, end = (-1, -1) if empty else (part.meta.start_pos, part.meta.end_pos)
    return (str(part.data), start, end, [plain(x) for x in part.children])


def agree(library: Lark, ours: Parser, text: str, start: str) -> None:
    found = ours.parse(text, start)
    if isinstance(found, Misfit):
        mine: Any = "uneven" if found.sort == "indentation" else replace(found, word=found.word.rpartition("\n")[2])
    else:
        mine = plain(found)
    wanted = theirs(library, text, start)
    assert mine == wanted, text


def damaged(text: str, chance: Random) -> Iterator[str]:
    """Texts that differ from a good one in a few places."""
    lines = text.split("\n")
    for _ in range(DAMAGED):
        first = chance.randrange(len(lines))
        some = lines[first : first + 40]
        for _ in range(chance.choice((1, 1, 2, 4))):
            n = chance.randrange(len(some))
            at = chance.randrange(len(some[n]) + 1)
            kind = chance.randrange(5)
            if kind == 0:
                some[n] = some[n][:at] + chance.choice(SIGNS) + some[n][at:]
            elif kind == 1:
                some[n] = some[n][:at] + some[n][at + chance.choice((1, 1, 5)) :]
            elif kind == 2:
                some[n] = " " * chance.randrange(9) + some[n].lstrip()
            elif kind == 3 and some[n].split():
                some[n] = some[n].replace(
                    chance.choice(some[n].split()), chance.choice(chance.choice(lines).split() or [""])
                )
            else:
                some.insert(n, chance.choice(lines))
        yield "\n".join(some)


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_they_agree(path: Path, library: Lark, ours: Parser) -> None:
    text = path.read_text(encoding="utf-8")
    agree(library, ours, unfolded(text) + "\n", "start")
    chance = Random(path.name)
    for bad in damaged(text, chance):
        agree(library, ours, unfolded(bad) + "\n", "start")
        agree(library, ours, " ".join(chance.choice(bad.split("\n")).split("=")[-1:]), "expression_start")
