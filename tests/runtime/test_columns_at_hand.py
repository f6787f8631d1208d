"""Holding state columns in local names while a pure function runs."""

import ast

from interpreter.compiler.python_syntax import with_columns_at_hand


def _function(text: str) -> ast.FunctionDef:
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def test_a_column_read_twice_is_held() -> None:
    made = with_columns_at_hand(_function("def f(G, x):\n    return G.at[x] + G.at[0] + G.other"), frozenset({"at"}))
    assert ast.unparse(made) == "def f(G, x):\n    G_at = G.at\n    return G_at[x] + G_at[0] + G.other"


def test_functions_that_share_a_part_do_not_disturb_each_other() -> None:
    first = _function("def f(G, x):\n    return G.at[x] + G.at[0]")
    second = _function("def g(G, x):\n    return 0")
    second.body = list(first.body)
    with_columns_at_hand(first, frozenset({"at"}))
    assert "G_at" in ast.unparse(first)
    assert ast.unparse(second) == "def g(G, x):\n    return G.at[x] + G.at[0]"
