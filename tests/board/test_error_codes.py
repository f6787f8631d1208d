"""The table of errors in the page on the board tells every code that the server can send, with its statuses."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from interpreter.ui.web.refusals import get_refusal_status

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "interpreter" / "ui" / "web"
ROW = re.compile(r"^\| `([a-z-]+)` \| (\d{3}(?:, \d{3})*) \| .+ \|$", re.M)


def constants(node: ast.expr) -> Iterator[object]:
    """Return the possible values of an expression: a constant, or either part of `a if b else c`."""
    match node:
        case ast.Constant(value=value):
            yield value
        case ast.IfExp(body=one, orelse=other):
            yield from constants(one)
            yield from constants(other)
        case _:
            raise AssertionError(f"{ast.unparse(node)}: write the code of an error where it is sent")


def is_code_of_refusal(node: ast.AST) -> bool:
    """Return whether an error passes on the code of a refused command, which is found where that is raised."""
    return isinstance(node, ast.Attribute) and node.attr == "code"


def codes_in(tree: ast.AST) -> Iterator[tuple[object, object]]:
    """Yield every code that a module sends, with its status.

    It is written in `ApiError(status, code, ...)`, `CommandRefusedError(code, ...)` or `_json({"error": code, ...},
    status)`.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("CommandRefusedError"), args=[code, *_]):
                yield from ((one, get_refusal_status(str(one))) for one in constants(code))
            case ast.Call(func=ast.Name("ApiError"), args=[status, code, *_]) if not is_code_of_refusal(code):
                yield from ((one, number) for one in constants(code) for number in constants(status))
            case ast.Call(args=[ast.Dict(keys=[ast.Constant("error"), *_], values=[code, *_]), status]):
                if isinstance(code, ast.Constant):
                    yield from ((code.value, number) for number in constants(status))


def sent_codes() -> dict[object, set[object]]:
    found: dict[object, set[object]] = defaultdict(set)
    for path in sorted(BOARD.rglob("*.py")):
        for code, status in codes_in(ast.parse(path.read_text(encoding="utf-8"))):
            found[code].add(status)
    return dict(found)


def test_table_of_errors_lists_every_code_with_statuses():
    text = (ROOT / "docs" / "board.md").read_text(encoding="utf-8")
    told = {code: {int(status) for status in statuses.split(", ")} for code, statuses in ROW.findall(text)}
    sent = sent_codes()
    assert len(sent) > 30 and {"changed", "over", "fault", "not-found"} <= set(sent)
    assert told == sent


def test_codes_are_found_in_all_forms_in_which_they_are_sent():
    text = 'raise ApiError(403, "a" if b else "c", _("x"))\nreturn _json({"error": "e"}, 500)\n'
    text += 'raise CommandRefusedError("illegal", _("x"))\nraise CommandRefusedError("over", _("x"))\n'
    expected = [("a", 403), ("c", 403), ("e", 500), ("illegal", 422), ("over", 409)]
    assert sorted(codes_in(ast.parse(text))) == expected
