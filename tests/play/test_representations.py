"""Test how a Python session displays rules, games, decisions and errors."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from interpreter import RulesetError, load
from tests.tiny import build, started

RULES = """
    procedure pick(a: army):
        choose order by a "which <way>?":
            option go(n in 1..7) "go {n} & stay"
            option rest
"""


def test_rules_show_their_id_title_version_and_source(tmp_path: Path) -> None:
    rules = build(tmp_path, RULES)
    assert repr(rules) == f"<Rules tiny (Tiny), version 1, from {rules.target}>"


def test_game_repr_shows_position(tmp_path: Path) -> None:
    rules = build(tmp_path, RULES)
    game = started(rules)
    assert repr(game) == "<Game tiny, plain, turn 1: nothing to decide>"
    game.call("pick", a="reds")
    assert repr(game) == "<Game tiny, plain, turn 1: order of reds>"
    over = rules.start()
    assert repr(over) == "<Game tiny, plain, turn 1: over, drawn>"


def test_decision_shows_its_options_once_they_are_known(tmp_path: Path) -> None:
    game = started(build(tmp_path, RULES))
    game.call("pick", a="reds")
    assert game.decision is not None
    assert repr(game.decision) == "<Decision order>", "options are not listed for a line of a debugger"
    assert [repr(o) for o in game.decision.options[6:]] == ["Option('go(7)')", "Option('rest')"]
    assert repr(game.decision) == "<Decision order: go(1), go(2), go(3), go(4), go(5) and 3 more>"


def test_game_is_table_of_its_options_in_notebook(tmp_path: Path) -> None:
    game = started(build(tmp_path, RULES))
    game.call("pick", a="reds")
    page = game._repr_html_()
    assert page.startswith("<p>&lt;Game tiny, plain, turn 1: order of reds&gt;</p>")
    assert "<caption>which &lt;way&gt;?</caption>" in page
    assert "<tr><td>0</td><td><code>go(1)</code></td><td>go 1 &amp; stay</td></tr>" in page
    assert page.count("<tr>") == 9


def test_ruleset_error_suggests_similar_name() -> None:
    with pytest.raises(RulesetError) as fault:
        load("napolean")
    assert str(fault.value).endswith("\nhelp: did you mean `napoleon`?")


def test_package_has_typed_marker() -> None:
    assert files("interpreter").joinpath("py.typed").is_file()
