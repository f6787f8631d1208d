"""Changes that cases notice and changes that they do not, on a ruleset so small that both are known by reading."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from interpreter.api.loading import FileSource
from interpreter.api.rules import Rules
from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.program_printer import print_model
from interpreter.cli.main import main
from interpreter.diagnostics.source_text import NOWHERE
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.runtime.program import Program
from interpreter.tools.cases.suite import run_cases
from interpreter.tools.mutation import runner
from interpreter.tools.mutation.case_trace import StepCounter
from interpreter.tools.mutation.mutant_run import MutationBench, check_mutant, compile_mutant, is_passing
from interpreter.tools.mutation.mutation import replace_at
from interpreter.tools.mutation.report import format_survey, serialize_survey
from interpreter.tools.mutation.runner import MutationSurvey, run_survey
from tests.tiny import write
from tests.witness.forms import as_kept

RULES = """\
rule payable(n: int):
    require some: n > 0  "nothing is to be paid"
    require little: n < 5  "{n} is too much"

procedure pay(n: int):
    if payable(n):
        set game.total = game.total + price[n]
        report note(game.total)

procedure forgotten():
    set game.total = 7

turn:
    phase only_phase:
        pay(2)
        end game drawn
"""
TABLES = """\
kind: tables
format: 1
tables:
  price: {axes: {amount: {range: 1..5}}, gives: int, cells: [10, 20, 30, 40, 50]}
"""
CASES = """\
kind: cases
format: 1
cases:
  one:
    title: one costs ten
    when: [{call: pay, args: {n: 1}}]
    then: {game: {total: 10}}
  nothing:
    title: nothing costs nothing
    when: [{call: pay, args: {n: 0}}, {call: pay, args: {n: 9}}]
    then: {game: {total: 0}}
  turn:
    title: a turn
    when: [{call: turn}]
    then: {game: {total: 20}, outcome: {winner: draw}}
"""
SURVIVORS = {
    # 5 may be paid or not: no case tries it, nor what lies beside it
    "own.rules:3: `<` became `<=` in `n < 5`",
    'own.rules:3: `5` became `6` in `require little: n < 5 "{n} is too much"`',
    # no case checks the event
    "own.rules:8: `report note(game.total)` left out",
    # what no case calls
    "own.rules:11: `set game.total = 7` left out",
    "own.rules:11: `7` became `8` in `set game.total = 7`",
    # prices that no case pays
    "tables.yaml:4: table `price`, 3: `30` became `31`",
    "tables.yaml:4: table `price`, 4: `40` became `41`",
    "tables.yaml:4: table `price`, 5: `50` became `51`",
    # what pieces are counted by, though no case sets any up
    "pieces.yaml:10: piece attribute `condition`, default: `fresh` became `worn`",
    "pieces.yaml:13: piece `red-1` and 2 alike, army: `reds` became `blues`",
    "pieces.yaml:14: piece `blue-1` and 2 alike, army: `blues` became `reds`",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(written(tmp_path_factory.mktemp("mutation")))


def written(folder: Path, more: dict[str, str] | None = None) -> str:
    folder.mkdir(exist_ok=True)
    return str(
        write(
            folder,
            RULES,
            {
                "tables.yaml": TABLES,
                "tests/all.yaml": CASES,
                "victory.yaml": "kind: victory\nformat: 1\n",
                "common.rules": 'event note(n: int) "{n}"\n',
                **(more or {}),
            },
        )
    )


@pytest.fixture(scope="module")
def whole(folder: Path) -> MutationSurvey:
    return run_survey(str(folder))


def told(found: MutationSurvey) -> set[str]:
    return {f"{Path(x.change.span.file).name}:{x.change.span.line}: {x.change.what}" for x in found.survivors}


def test_mutation_survivors_equal_known_list(whole: MutationSurvey) -> None:
    assert told(whole) == SURVIVORS


def test_uncovered_mutant_survives_without_run(whole: MutationSurvey) -> None:
    unrun = {x.change.span.line for x in whole.survivors if not x.cases and x.change.document == "rules"}
    assert unrun == {11}


def test_survey_figures_add_up_to_fates(whole: MutationSurvey) -> None:
    data = serialize_survey(whole)
    fates = Counter(x.fate for x in whole.tried)
    assert data["made"] == fates["noticed"] + fates["survived"] and data["survived"] == len(SURVIVORS)
    assert sum(kind["made"] for kind in data["kinds"].values()) == data["made"]
    assert data["kinds"]["requirement"] == {
        "made": 2,
        "noticed": 2,
        "explained": 0,
        "survived": 0,
        "refused": 0,
        "same": 0,
    }
    assert data["kinds"]["table cell"]["noticed"] == 2


def test_mutation_leaves_files_unchanged(folder: Path) -> None:
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    run_survey(str(folder), sample=3)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


def test_sample_depends_on_its_seed_alone(folder: Path, whole: MutationSurvey) -> None:
    one, two = run_survey(str(folder), sample=6, seed=4), run_survey(str(folder), sample=6, seed=4, jobs=2)
    assert serialize_survey(one) == serialize_survey(two) and len(one.tried) == 6
    fates = {x.change.what: x.fate for x in whole.tried}
    assert all(fates[x.change.what] == x.fate for x in one.tried), "a sample judges as the whole does"
    assert "a sample: 6 of " in format_survey(one)


def test_failing_cases_are_reported_first(folder: Path) -> None:
    path = folder / "tests" / "failing.yaml"
    path.write_text(
        CASES.replace("total: 10", "total: 11")
        .replace("one:", "uno:")
        .replace("nothing:", "nil:")
        .replace("  turn:", "  round:"),
        encoding="utf-8",
    )
    try:
        found = run_survey(str(folder))
        assert [r.case.id for r in found.failed] == ["uno"] and not found.tried
        assert "without any change (uno)" in format_survey(found)
    finally:
        path.unlink()


def test_mutate_command_lists_survivors(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(folder), "--mutate"]) == 1
    text = capsys.readouterr().out
    assert "own.rules:3: payable: `<` became `<=` in `n < 5`\n    cases that run it: 3\n" in text
    assert f"changes: 25 made, 14 detected, {len(SURVIVORS)} survived\n" in text
    assert main(["test", str(folder), "--mutate", "--format", "json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["survivors"]) == len(SURVIVORS)
    assert main(["test", str(folder), "--sample", "3"]) == 2
    assert main(["test", str(folder), "--mutate", "--coverage"]) == 2


EXPLAINED = """\
kind: cases
format: 1
without_effect:
  - because: a note is only told
    changes: |
      pay: `report note(game.total)` left out
  - because: nobody pays so much
    changes: |
      table `price`, 5: `50` became `51`
      table `price`, 6: `60` became `61`
      table `price`, 2: `20` became `21`
cases: {}
"""


def test_explained_mutants_are_counted(tmp_path: Path) -> None:
    target = written(tmp_path, {"tests/reviewed.yaml": EXPLAINED})
    found = run_survey(target)
    data, text = serialize_survey(found), format_survey(found)
    assert (data["explained"], data["survived"]) == (2, len(SURVIVORS) - 2)
    assert {x["because"] for x in data["without_effect"]} == {"a note is only told", "nobody pays so much"}
    assert [(x["line"], x["fate"]) for x in data["outdated"]] == [(10, None), (11, "noticed")]
    assert "reviewed.yaml:10: remove from `without_effect`: table `price`, 6: `60` became `61`\n    this change" in text
    assert "no effect: 2\n" in text
    assert not found.has_no_findings


def test_survey_that_explains_all_is_good(tmp_path: Path) -> None:
    told = "".join(f"      {x.change.description}\n" for x in run_survey(written(tmp_path / "one")).survivors)
    target = written(
        tmp_path / "two",
        {
            "tests/reviewed.yaml": f"kind: cases\nformat: 1\nwithout_effect:\n  - because: so\n    changes: |\n{told}"
            "cases: {}\n"
        },
    )
    found = run_survey(target)
    assert found.has_no_findings and serialize_survey(found)["explained"] == len(SURVIVORS)
    assert main(["test", target, "--mutate"]) == 0


def test_survivors_are_written_and_tried_again(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "survivors.txt"
    assert main(["test", str(folder), "--mutate", "--survivors", str(file)]) == 1
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(SURVIVORS)
    assert "tiny/own.rules:11: forgotten: `7` became `8` in `set game.total = 7`" in lines
    file.write_text("\n".join(lines[:3]), encoding="utf-8")
    capsys.readouterr()
    assert main(["test", str(folder), "--mutate", "--again", str(file)]) == 1
    assert "changes: 3 made, 0 detected, 3 survived\n" in capsys.readouterr().out
    assert main(["test", str(folder), "--mutate", "--again", str(tmp_path / "none.txt")]) == 2
    assert main(["test", str(folder), "--again", str(file)]) == 2


@pytest.mark.parametrize(
    ("target", "tried"),
    [
        ("tiny", 25),
        ("napoleon", 4),
        pytest.param("denain-1712", 60, marks=pytest.mark.soak),
        pytest.param("napoleon", 120, marks=pytest.mark.soak),
    ],
)
def test_partial_compilation_equals_full_compilation(target: str, tried: int, folder: Path) -> None:
    bench, changes = runner.set_up(str(folder) if target == "tiny" else target, None)
    cases, steps = range(0, len(bench.cases), 1 + len(bench.cases) // 30), [100_000] * len(bench.cases)
    kinds = Counter[str]()
    for change in changes[:: max(1, len(changes) // tried)]:
        model = check_mutant(bench, change)
        if model is None:
            continue
        quick, whole = compile_mutant(bench, model), as_kept(print_model(lower_model(model, explained=True), model))
        assert quick is not None and quick.data == whole.data, change.description
        kinds["whole" if len(quick.codes) == len(whole.codes) else "part"] += 1
        assert notices(bench, model, quick, cases, steps) == notices(bench, model, whole, cases, steps), (
            change.description
        )
    assert kinds["part"], "some are compiled in part"


def notices(
    bench: MutationBench, model: CheckedModel, compiled: CompiledProgram, cases: range, steps: list[int]
) -> list[int]:
    """Return the cases that do not hold."""
    rules = Rules(Program(compiled.codes, compiled.data), model, bench.target, FileSource(bench.target))
    meter = StepCounter(rules.program)
    out = []
    for number in cases:
        meter.start(steps[number])
        if not is_passing(bench.cases[number], rules):
            out.append(number)
    return out


def test_mutation_notices_expressions_of_cases(tmp_path: Path) -> None:
    target = str(
        write(
            tmp_path,
            "define best(n: int) -> int = n + value.most\n",
            {
                "tables.yaml": "kind: tables\nformat: 1\nvalues: {most: 3}\n",
                "tests/all.yaml": """
kind: cases
format: 1
cases:
  most:
    title: the most is three
    when: [{ask: value.most}]
    then: {value: 3}
""",
            },
        )
    )
    found = [x for x in run_survey(target).tried if "value `most`" in x.change.what]
    assert [(x.fate, x.cases) for x in found] == [("noticed", 1)]


def test_rule_without_end_is_noticed(tmp_path: Path) -> None:
    made = write(
        tmp_path,
        """\
        procedure count_up(n: int):
            let k = 0
            while k < n:
                set k = k + 1
            set game.total = k
        turn:
            phase only_phase:
                end game drawn
        """,
        {
            "tests/all.yaml": CASES.split("  one:")[0]
            + """\
  up:
    title: counted
    when: [{call: count_up, args: {n: 3}}]
    then: {game: {total: 3}}
""",
            "victory.yaml": "kind: victory\nformat: 1\n",
        },
    )
    fates = {x.change.what: x.fate for x in run_survey(str(made)).tried}
    assert fates["`set k = k + 1` left out"] == "refused", "a loop whose condition nothing changes"
    assert fates["`+` became `-` in `k + 1`"] == "noticed"


def test_mutant_shares_unchanged_parts() -> None:
    root = ({"a": (1, 2)}, NOWHERE)
    new = replace_at(root, (0, "a", 1), 3)
    assert new == ({"a": (1, 3)}, NOWHERE) and root[0] == {"a": (1, 2)} and new[1] is NOWHERE


def test_query_beside_watched_program_needs_no_tables() -> None:
    """Check a define that is computed for every place in one pass, where that pass is not made."""
    report = run_cases("denain-1712", "X21-who", coverage=True)
    assert (report.passed, report.failed) == (1, 0)


def test_changed_data_are_written_as_documents_write_them(tmp_path: Path) -> None:
    """Flags, lists, composite results and what is missing: no word of Python."""
    tables = """\
kind: tables
format: 1
tables:
  losses:
    axes: {die: die}
    gives: {parts: {A: hurt, n: {loss: int}}}
    cells: [A, "A2", "2", A, A, A]
"""
    rules = "define is_any_held = any p in places where p.held\n"
    target = written(tmp_path, {"more.yaml": tables, "more.rules": rules})
    told = [x.change.description for x in run_survey(target).tried if x.change.document == "data"]
    assert any("`false` became `true`" in line for line in told), told
    assert any("table `losses`, 2: `[hurt, {loss: 2}]` became" in line for line in told), told
    assert not [line for line in told if re.search(r"True|False|None|\('|\{'", line)]
