"""`fmt`: one layout, the same meaning, every comment, and nothing more to do the second time."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.tools.formatting.layouts import format_source

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted(p for p in (ROOT / "rulesets").rglob("*") if p.suffix in (".rules", ".yaml"))
SAMPLES = [p for p in SHIPPED if p.name not in ("rulebook.yaml", "ja.yaml") and p.stat().st_size < 12_000]


def layout(text: str, name: str = "x.rules") -> str:
    sink = Sink()
    made = format_source(Source(name, text), sink)
    assert made is not None, [str(d.message) for d in sink.items]
    assert format_source(Source(name, made), Sink()) == made, "a second time changes nothing"
    return made


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_shipped_files_are_formatted(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    assert format_source(Source(path.name, text), Sink()) == text


# --- rules ---------------------------------------------------------------------------------------


def test_spaces_indentation_and_empty_lines_of_rules() -> None:
    crooked = """\


define   far( a:place,b :place )=not( a==b )and count( {x   in places where x!=a} )>-1
rule may_go(u: unit) [1.0,2.0]:
  require near: u.at==u.home "{u} is far" [1.0]
  require  - 1 < 2   "text"



procedure go(u: unit) [1.0]:
      for n in 1 .. 3:
              set u.n = u . n+1   # one more
              move u to table[ 1,2 ]
"""
    assert layout(crooked) == (
        """\
define far(a: place, b: place) = not (a == b) and count({x in places where x != a}) > -1
rule may_go(u: unit) [1.0, 2.0]:
    require near: u.at == u.home  "{u} is far"  [1.0]
    require -1 < 2  "text"

procedure go(u: unit) [1.0]:
    for n in 1..3:
        set u.n = u.n + 1  # one more
        move u to table[1, 2]
"""
    )


def test_comment_stays_with_block_it_is_written_in() -> None:
    text = """\
# the file
procedure go(u: unit):
  # before the first
  if u.a:
      stop(u)
      # still inside
    # inside no more
  # of the procedure
# of what follows
procedure stop(u: unit):
  nothing   # at all
# the end
"""
    assert layout(text) == (
        """\
# the file
procedure go(u: unit):
    # before the first
    if u.a:
        stop(u)
        # still inside
    # inside no more
    # of the procedure
# of what follows
procedure stop(u: unit):
    nothing  # at all
# the end
"""
    )


def test_long_line_is_broken_at_best_place() -> None:
    words = '"{u} has not got the strength that it takes to go from here to {h} in one turn of the game"'
    text = f"rule far(u: unit, h: place):\n    require u.strength > 3 and h.height < 4  {words}  [1.0] [2.0]\n"
    assert layout(text).splitlines()[1:] == [
        "    require u.strength > 3 and h.height < 4",
        f"        {words}  [1.0] [2.0]",
    ]
    value = " + ".join(f"number_of_things_that_matter_{n}(a)" for n in range(5))
    assert layout(f"define value_of_all(a: place) = {value}\n").startswith(
        "define value_of_all(a: place) =\n    number"
    )


def test_breaks_of_author_stay() -> None:
    text = "define d(a: place) =\n    if a.b then 1\n    else 2\n"
    assert layout(text) == text


def test_every_line_of_rules_can_be_joined_and_is_broken_again() -> None:
    """Long lines made of what ships are broken until nothing is too long; what they say is proven at each writing."""
    for path in (p for p in SHIPPED if p.suffix == ".rules"):
        lines = path.read_text(encoding="utf-8").split("\n")
        text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
        joined = re.sub(r"(,|\band|\bor) *\n +(?! )", r"\1 ", text)
        joined = re.sub(r'\n {8,}(?=")', "  ", joined)
        assert max(measure_cells(line) for line in layout(joined).split("\n")) <= 120, path.name


# --- documents -------------------------------------------------------------------------------------


def test_keys_charts_and_long_lines_of_documents() -> None:
    text = """\
# head
format: 1
kind: tables
tables:
    crt:
        cells:
            # 1 2 3
            1-1: [AE, "-", DE,]
            10-1: [DE, DRM, DE]   # sure
        axes: {odds: {ratio: ["1-1", "10-1"], below: refuse, above: clamp, round: for_defender}, die: {range: LONG}}
        # what it is called
        name: Combat
""".replace("LONG", "1..10, above: clamp")
    assert layout(text, "x.yaml") == (
        """\
# head
kind: tables
format: 1
tables:
  crt:
    # what it is called
    name: Combat
    axes:
      odds: {ratio: ["1-1", "10-1"], below: refuse, above: clamp, round: for_defender}
      die: {range: 1..10, above: clamp}
    cells:
      #      1   2    3
      1-1:  [AE, "-", DE]
      10-1: [DE, DRM, DE]   # sure
"""
    )


def test_long_texts_are_folded_and_expressions_are_not() -> None:
    words = "word " * 30
    text = f"kind: rulebook\nformat: 1\nabout: {words.strip()}\nwhen: {words.replace(' ', ' + ').strip(' +')}\n"
    made = layout(text, "x.yaml")
    assert "about: >-\n  word word" in made
    assert "when: word + word" in made


def test_wide_letters_count_double_and_are_not_folded() -> None:
    text = "kind: rulebook\nformat: 1\nabout: " + "騎兵" * 50 + "\n"
    assert layout(text, "x.yaml") == text


def folded(*lines: str) -> str:
    return "kind: rulebook\nformat: 1\nabout: >-\n" + "".join(f"  {line}\n" if line else "\n" for line in lines)


def test_long_folded_text_is_rewrapped_unchanged() -> None:
    text = folded(
        "first " * 5 + "line", "word " * 29 + "end", "the rest", "", "as it is", "  " + "deeper " * 20 + "stays"
    )
    made = layout(text, "x.yaml")
    lines = made.split("\n")
    assert lines[3:4] == ["  first first first first first line"] and "end the rest" in made
    assert lines[-3:] == text.split("\n")[-3:] and max(len(line) for line in lines[:-2]) <= 120
    assert yaml.safe_load(made) == yaml.safe_load(text)
    assert layout(made, "x.yaml") == made


@pytest.mark.parametrize(
    "line",
    [
        "騎兵 " * 40 + "歩兵",
        "# no remark " * 12 + "here",
        "two  blanks  stay " * 9 + "x",
        "{hole} and - dash " * 8 + "- x",
        "a" * 150,
    ],
)
def test_folded_text_keeps_meaning(line: str) -> None:
    text = folded(line, "and more")
    made = layout(text, "x.yaml")
    assert yaml.safe_load(made) == yaml.safe_load(text)
    assert layout(made, "x.yaml") == made
    assert all(measure_cells(x) <= 120 or " " not in x.strip().replace("兵 ", "兵") for x in made.split("\n"))


def test_texts_of_several_lines_keep_their_blanks() -> None:
    text = "kind: rulebook\nformat: 1\nabout: |\n  a  \n\n\n    b\nnote: x\n"
    assert layout(text, "x.yaml") == text


# --- whatever is written --------------------------------------------------------------------------------


def test_marks_and_ends_of_lines() -> None:
    assert layout("\ufeffdefine a() = 1 \r\n") == "define a() = 1\r\n"
    assert layout("kind: tables\r\nformat:  1", "x.yaml") == "kind: tables\r\nformat: 1\r\n"
    assert layout("kind: tables\nformat:  1\r\nvalues: {}\n", "x.yaml") == "kind: tables\nformat: 1\nvalues: {}\n"


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("x.rules", "turn:\n    phase x:\n        foo(\n", "unclosed-bracket"),
        ("x.rules", "turn:\n    \tphase x:\n", "tab-in-indentation"),
        ("x.yaml", "kind: tables\nvalues: {a: [1\n", "unclosed-bracket"),
        ("x.yaml", "kind: tables\na: 1\na: 2\n", "duplicate-key"),
    ],
)
def test_unreadable_file_is_reported_and_not_formatted(name: str, text: str, code: str) -> None:
    sink = Sink()
    assert format_source(Source(name, text), sink) is None
    assert code in [d.code for d in sink.items]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark\n"])
@pytest.mark.parametrize("name", ["x.rules", "x.yaml"])
def test_empty_file_stays_unchanged(name: str, text: str) -> None:
    assert layout(text, name) == text


@pytest.mark.parametrize("seed", range(40))
def test_formatting_is_independent_of_blanks_and_breaks(seed: int) -> None:
    """Comments, blanks, breaks and empty lines anywhere; the layout proves by itself that nothing is lost."""
    chance = random.Random(seed)
    path = chance.choice(SAMPLES)
    lines = path.read_text(encoding="utf-8").split("\n")
    for _ in range(8):
        at = chance.randrange(len(lines))
        line = lines[at]
        match chance.randrange(5):
            case 0:
                lines.insert(at, " " * chance.randrange(12) + '# a remark, "x: [1"')
            case 1 if line.strip() and "#" not in line and line[-1:] not in ">|":
                lines[at] += "   # behind it"
            case 2:
                lines.insert(at, "   ")
            case 3:
                lines[at] = line.replace(", ", " ,   ", 1).rstrip() + "  "
            case 4 if (comma := line.find(", ")) > 0:
                lead = len(line) - len(line.lstrip())
                lines[at : at + 1] = [line[: comma + 1], " " * (lead + chance.randrange(2, 9)) + line[comma + 2 :]]
    sink = Sink()
    made = format_source(Source(path.name, "\n".join(lines)), sink)
    if made is None:
        assert sink.has_errors
    else:
        assert format_source(Source(path.name, made), Sink()) == made
