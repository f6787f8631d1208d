"""The case tool on a small made-up ruleset: what passes, and how every kind of failure is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest

from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.i18n.translator import get_translator
from interpreter.tools.cases.case_checks import check_with_cases
from interpreter.tools.cases.suite import CaseReport, format_report, run_cases, serialize_report
from tests.recordings import assert_recorded, lines_with

DOCUMENTS = {
    "ruleset.yaml": """
        kind: ruleset
        format: 1
        id: tiny
        title: Two Hills
        version: "1"
        dice: {die: {faces: 6}}
        sides:
          word: {one: army, many: armies}
          attributes:
            home: place
            spirit: {type: int, default: 3, low: 0, clamp: true, changes: true}
          members:
            reds: {home: west}
            blues: {home: east}
        seats:
          red_seat: {sides: [reds]}
          blue_seat: {sides: [blues]}
        game: {weather: {type: int, default: 0}}
        options: {fog: {default: false, cite: "2.0"}}
        """,
    "rulebook.yaml": """
        kind: rulebook
        format: 1
        paragraphs:
          "0.0": {title: Box, text: A box., definition: true}
          "1.0": {title: Marching, text: Bands march.}
          "2.0": {title: Fog, text: No middle in fog.}
          "3.0": {title: Storming, text: A six tells.}
          "4.0": {title: End, text: Spirit is all.}
          "5.0": {title: Rest, text: Nobody cites this.}
        """,
    "map.yaml": """
        kind: map
        format: 1
        places:
          members: {west: {}, middle: {}, east: {}}
        links:
          members:
            west-middle: {between: [west, middle]}
            middle-east: {between: [middle, east]}
        holding:
          pool: {}
        """,
    "pieces.yaml": """
        kind: pieces
        format: 1
        classes:
          band:
            many: bands
            alike: true
            counters: [owner, mood]
            attributes:
              owner: army
              mood: {type: mood, default: fresh, changes: true}
          gun:
            many: guns
            attributes: {loaded: {type: flag, changes: true}}
        pieces:
          red: {class: band, count: 4, owner: reds, at: pool}
          blue: {class: band, count: 3, owner: blues, at: pool}
          big_gun: {class: gun, at: east}
          little_gun: {class: gun}
        """,
    "ladders.yaml": """
        kind: ladders
        format: 1
        ladders: {mood: [tired, fresh]}
        """,
    "tables.yaml": """
        kind: tables
        format: 1
        tables:
          storm_table: {axes: {die: die}, gives: int, cells: [0, 0, 0, 0, 1, 2], cite: "3.0"}
          harm_table:
            axes: {harm: {range: 1..2}}
            gives: {parts: {n: {loss: int}, W: weary}}
            cells: ["2W", W]
        """,
    "scenario.yaml": """
        kind: scenario
        format: 1
        id: dawn
        title: Dawn
        default: true
        setup:
          pieces: {west: {reds: 2}, east: {blues: 1}, pool: [little_gun]}
        """,
    "play.rules": """
        event stormed(n: army, number: int) "{n} lose {number}"

        draft walk(b: band) starting here = b.at, steps = 0 [1.0]:
            option go(p in neighbours(here)) now here = p, steps = steps + 1:
                require fog: not (playing fog and p == place("middle")) "fog lies on {p}" [2.0]
                require near: steps < 2 "{p} is too far" [1.0]
            finish require moved: steps > 0 "nobody has moved" [1.0]
            offer distinct by here, far = steps > 1

        procedure march(n: army) [1.0]:
            choose order by n "march?" [1.0]:
                option stay
                option send(p in places, number in 1..2):
                    require mine: number <= held(n, p) "there are only {held(n, p)}" [1.0]
                    for b in take(number, units_of(n, p)):
                        walk(b) by n "where to?" -> way
                        move b to way.here

        define held(n: army, p: place) = count(units_of(n, p))
        define units_of(n: army, p: place) = {b in bands at p where b.owner == n}

        procedure storm(n: army) [3.0]:
            roll assault: 2 of die for n -> faces
            let number = sum(storm_table[f] for f in faces)
            report stormed(n, number)
            lower n.spirit by number
            if n.spirit == 0:
                end game won by n.seat [4.0]
            if number == 4:
                skip to rest

        procedure suffer(n: army, results: list of harm_table):
            for part in results:
                match part:
                    loss(number): lower n.spirit by number
                    weary:
                        choose rest by n "rest?":
                            option lie_down
                            option sit_down
                        report stormed(n, 0)

        procedure rally(pieces: set of gun):
            for g in pieces:
                move g to pool

        procedure muster(n: army):
            for b in take(1, {b in bands at pool where b.owner == n}):
                move b to n.home

        turn:
            phase fight "Fight" [3.0]:
                for n in armies:
                    march(n)
            phase rest "Rest":
                set game.weather = game.weather + 1
        """,
}

Run = Callable[..., CaseReport]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that writes the ruleset with one file of cases and runs them.

    The relative folder has the same name in all tests, which share its compiled program.
    """
    monkeypatch.chdir(tmp_path)

    def write_and_run(cases: str, pattern: str | None = None, coverage: bool = False) -> CaseReport:
        folder = Path("tiny")
        (folder / "tests").mkdir(parents=True, exist_ok=True)
        for name, text in DOCUMENTS.items():
            (folder / name).write_text(dedent(text).lstrip(), encoding="utf-8")
        head = "kind: cases\nformat: 1\ncases:\n"
        (folder / "tests" / "all.yaml").write_text(head + indent(dedent(cases), "  "), encoding="utf-8")
        return run_cases(str(folder), pattern, coverage)

    return write_and_run


def case(then: str, when: str = "", given: str = "{}") -> str:
    """Return one case on a few lines; without other steps the blues are stormed and lose one."""
    when = when or storm("[5, 1]")
    return f"\nA1:\n  title: a case\n  given: {given}\n  when: {when}\n  then: {then}\n"


def storm(faces: str) -> str:
    """Steps: the blues are stormed with these dice."""
    return f"[{{call: storm, args: {{n: blues}}, dice: {{assault: {faces}}}}}]"


def march(choices: str, who: str = "reds") -> str:
    """Steps: one army marches."""
    return f"[{{call: march, args: {{n: {who}}}, choices: [{choices}]}}]"


def walk(steps: str) -> str:
    """Steps: a red band tries a way from the west."""
    return f"[{{try: walk, args: {{b: reds.fresh@west}}, steps: [{steps}]}}]"


PASSING = {
    "values and events": case(
        "{armies: {blues: {spirit: 2}}, events: [{stormed: {n: blues, number: 1}}], only_events: [stormed],"
        " outcome: null, decision: null, skipped: null}"
    ),
    "dice by subject": case("{armies: {blues: {spirit: 3}}, outcome: null}", storm("{blues: [1, 2]}")),
    "a skip": case("{skipped: rest}", storm("[6, 6]"), "{armies: {blues: {spirit: 9}}}"),
    "an outcome": case("{outcome: {winner: blue_seat}}", given="{armies: {blues: {spirit: 1}}}"),
    "a march": case(
        "{pieces: {west: {reds: {tired: 1}}, middle: {reds: 1}, east: [big_gun]}, each: {big_gun: {at: east}}}",
        march("{order: 'send(west, 1)'}, {walk: go(middle)}"),
        "{pieces: {west: {reds: {fresh: 1, tired: 1}}}}",
    ),
    "an answer by its arguments": case(
        "{pieces: {east: {reds: 1, band: {blues: 1}}}}",
        march("{order: {number: 1, p: west}}, {walk: go(middle) > go(east)}"),
        "{pieces: {west: {reds: 1}, east: {blues: 1}}, each: {big_gun: {at: pool}}}",
    ),
    "a refusal": case(
        '{refused: {words: there are only 1, cite: "1.0"}}',
        march("{order: {send: {p: east, number: 2}}}", "blues"),
    ),
    "a refusal by key": case(
        '{refused: {words: there are only 1, cite: "1.0"}}', march("{order: 'send(east, 2)'}", "blues")
    ),
    "a draft": case("{legal: true, fields: {here: east, steps: 2, far: true}}", walk("go(middle), go(east)")),
    "a draft that is refused": case(
        '{refused: {words: fog lies, cite: "2.0"}}', walk("go(middle)"), "{options: [fog]}"
    ),
    "an open decision": case(
        "{decision: order, side: reds, seat: red_seat, options: [stay, 'send(west, 1)', send]}",
        "[{call: march, args: {n: reds}}]",
    ),
    "values asked": case(
        "{values: [2, [reds, blues], fresh]}",
        """
    - ask: count(units_of(army("reds"), place("west")))
    - ask: "{n in armies}"
    - ask: piece("red-1").mood""",
    ),
    "a whole turn": case(
        "{phases: [fight, rest], game: {weather: 1}}",
        "[{call: turn, choices: [{order: stay}, {order: stay}]}]",
    ),
    "playing on": case(
        "{phases: [fight, rest, fight], decision: order, side: reds, game: {weather: 1}}",
        "[{choices: [{order: stay}, {order: stay}]}]",
    ),
    "the current decision": case(
        "{asked: [order, walk]}",
        march("{order: 'send(west, 1)'}, {walk: go(middle)}"),
    ),
    "the game itself from an empty position": case(
        "{phases: [fight], decision: order, side: blues, asked: [order, order]}",
        "[{ask: game.weather}, {choices: [{order: stay}]}]",
        "{pieces: {west: {reds: 1}}}",
    ),
    "results of a chart as text": case(
        "{armies: {reds: {spirit: 1}}, value: [loss 2, weary], asked: [rest], events: [{stormed: {n: reds}}]}",
        "[{ask: 'harm_table[1]'}, {call: suffer, args: {n: reds, results: [loss 2, weary]},"
        " choices: [{rest: sit_down}]}]",
    ),
    "an edit between steps": case(
        "{armies: {reds: {spirit: 1}}, value: 5}",
        "[{edit: {armies: {reds: {spirit: 1}}, game: {weather: 5}}}, {ask: game.weather}]",
    ),
    "an empty map": case(
        "{values: [0, 0, true, 1], each: {little_gun: {at: off_map}, big_gun: {at: east}}}",
        """
    - ask: count(guns at place("west"))
    - ask: "count({g in guns where g on map and g.at == place(\\"west\\")})"
    - ask: not gun("little_gun") on map
    - ask: count(guns at off_map)""",
        "{position: empty}",
    ),
    "back off the map": case(
        "{each: {little_gun: {at: off_map}}}",
        "[{edit: {each: {little_gun: {at: off_map}}}}]",
        "{position: start}",
    ),
    "preparation": case(
        "{pieces: {west: {reds: 1}, east: {band: {blues: 1}}, pool: {reds: 3, blues: 2}}}",
        "[]",
        "{position: empty, prepare: [muster], each: {big_gun: {at: middle}}}",
    ),
}


@pytest.mark.parametrize("name", PASSING)
def test_case_that_holds_passes(run: Run, name: str) -> None:
    report = run(PASSING[name])
    assert format_report(report) == "1 of 1 case passed"
    assert report.passed == 1


FAILING = {
    "a value": (case("{armies: {blues: {spirit: 3}}}"), "armies blues.spirit: expected 3, found 2"),
    "a game value": (case("{game: {weather: 2}}"), "game.weather: expected 2, found 0"),
    "pieces": (
        case("{pieces: {west: {reds: {tired: 1}}, pool: {}}}"),
        "west: expected 1 reds tired, found 2 reds fresh",
    ),
    "a piece": (
        case("{each: {big_gun: {loaded: true}}}"),
        "piece big_gun.loaded: expected true, found false",
    ),
    "a value that never changes": (case("{each: {red-1: {owner: reds}}}"), "piece red-1.owner never changes"),
    "an event that lacks": (
        case("{events: [{stormed: {number: 2}}]}"),
        "found stormed {n: blues, number: 1}",
    ),
    "events in another order": (
        case(
            "{events: [{stormed: {n: reds}}, {stormed: {n: blues}}]}",
            "[{call: storm, args: {n: blues}, dice: {assault: [1, 1]}},"
            " {call: storm, args: {n: reds}, dice: {assault: [1, 1]}}]",
        ),
        "in the list, found",
    ),
    "an event too many": (
        case("{only_events: [stormed]}"),
        "expected exactly 0 `stormed` events, found stormed {n: blues, number: 1}",
    ),
    "an event unwanted": (case("{no_events: [stormed]}"), "expected no such event"),
    "an outcome": (case("{outcome: {winner: red_seat}}"), "but it continues"),
    "an end": (
        case("{outcome: null}", given="{armies: {blues: {spirit: 1}}}"),
        "but it ended",
    ),
    "a winner": (
        case("{outcome: {winner: red_seat}}", given="{armies: {blues: {spirit: 1}}}"),
        "outcome.winner: expected red_seat, found blue_seat",
    ),
    "a skip": (case("{skipped: rest}"), "skipped: expected rest, found null"),
    "phases": (
        case("{phases: [fight]}", "[{call: turn, choices: [{order: stay}, {order: stay}]}]"),
        "the phases: expected [fight], found [fight, rest]",
    ),
    "a value asked": (
        case("{value: true}", "[{ask: game.weather}]"),
        "the value: expected true, found 0",
    ),
    "a fault in an expression": (
        case("{value: 1}", "[{ask: '1 / game.weather'}]"),
        "expression:1: ",
    ),
    "a position in which nothing could be chosen": (
        case(
            "{decision: walk}",
            march("{order: 'send(west, 2)'}")[:-1]
            + ", {edit: {pieces: {pool: {reds: 4}}}}, {choices: [{walk: go(east)}]}]",
        ),
        "at the decision `walk`",
    ),
    "the current decision": (
        case("{asked: [order]}", march("{order: 'send(west, 1)'}, {walk: go(middle)}")),
        "the current decision: expected [order], found [order, walk]",
    ),
    "a value of a field": (
        case("{fields: {far: false}}", walk("go(middle), go(east)")),
        "far: expected false, found true",
    ),
    "legal after all": (
        case("{legal: false}", walk("go(middle)")),
        "but it is legal",
    ),
    "not legal": (case("{legal: true}", walk("")), "nobody has moved [1.0]"),
    "another reason": (
        case('{refused: {cite: "2.0"}}', walk("")),
        "expected [2.0], found nobody has moved [1.0]",
    ),
    "options": (case("{options: [stay]}", "[{call: march, args: {n: blues}}]"), "additional options: send(east, 1)"),
    "a decision": (
        case("{decision: walk}", march("{order: stay}")),
        "the decision: expected walk, found null",
    ),
    "too many dice": (
        case("{outcome: null}", storm("[1, 1, 1]")),
        "not used: assault: [1]",
    ),
    "too few dice": (case("{outcome: null}", storm("[1]")), "no dice left for the roll `assault` for blues"),
    "a face the die lacks": (case("{outcome: null}", storm("[1, 7]")), "the result 7"),
    "an unanswered decision": (
        case("{outcome: null}", "[{call: march, args: {n: reds}}]"),
        "no answer: `order` of reds",
    ),
    "an answer not asked for": (
        case("{outcome: null}", march("{order: stay}, {order: stay}")),
        "`order: stay` was not needed",
    ),
    "an unclear answer": (
        case("{outcome: null}", march("{order: {p: west}}")),
        "matches several options: send(west, 1), send(west, 2)",
    ),
    "refused too early": (
        case("{legal: false}", "[{try: walk, args: {b: reds.fresh@west}, steps: []}, {ask: game.weather}]"),
        "(steps follow",
    ),
    "a result of no chart": (
        case("{outcome: null}", "[{call: suffer, args: {n: reds, results: [loose 2]}}]"),
        "did you mean `loss`?",
    ),
    "a result without its number": (
        case("{outcome: null}", "[{call: suffer, args: {n: reds, results: [loss]}}]"),
        "expected `loss 1`",
    ),
    "a result with a number too many": (
        case("{outcome: null}", "[{call: suffer, args: {n: reds, results: [weary 2]}}]"),
        "expected `weary`, found `weary 2`",
    ),
    "too many pieces": (
        case("{legal: true}", "[]", "{pieces: {west: {reds: 9}}}"),
        "set up the position:",
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_case_that_does_not_hold(run: Run, name: str) -> None:
    text, expected = FAILING[name]
    report = run(text)
    assert report.failed == 1
    message = report.results[0].message
    assert expected in message
    assert message.startswith("tiny/tests/all.yaml:")
    assert "FAILED A1  a case" in format_report(report)


UNKNOWN = {
    "a place": (case("{pieces: {wset: {}}}"), "unknown-place", "`west`"),
    "a group": (case("{pieces: {west: {redds: 1}}}"), "unknown-group", "`reds`"),
    "a mood": (case("{pieces: {west: {reds: {tyred: 1}}}}"), "unknown-word", "`tired`"),
    "a side": (case("{armies: {bluse: {spirit: 1}}}"), "unknown-side", "`blues`"),
    "an attribute": (case("{armies: {blues: {sprit: 1}}}"), "unknown-attribute", "`spirit`"),
    "a key": (case("{evnets: {}}"), "unknown-key", "`events`"),
    "a procedure": (case("{}", "[{call: strom}]"), "unknown-procedure", "`storm`"),
    "a parameter": (case("{}", "[{call: storm, args: {m: reds}}]"), "unknown-parameter", "`n`"),
    "a draft": (case("{}", "[{try: wolk, steps: []}]"), "unknown-draft", "`walk`"),
    "a roll": (
        case("{}", "[{call: storm, args: {n: reds}, dice: {asault: [1]}}]"),
        "unknown-roll",
        "`assault`",
    ),
    "a decision": (case("{}", march("{ordre: stay}")), "unknown-decision", "`order`"),
    "an option": (case("{}", march("{order: stey}")), "unknown-option", "`stay`"),
    "a thing in a key": (case("{}", walk("go(midle)")), "unknown-place", "`middle`"),
    "an event": (case("{no_events: [strmed]}"), "unknown-event", "`stormed`"),
    "a phase": (case("{phases: [figt]}"), "unknown-phase", "`fight`"),
    "a winner": (case("{outcome: {winner: red_set}}"), "unknown-seat", "`red_seat`"),
    "a key of the position": (case("{}", given="{moral: 3}"), "unknown-key", "`scenario`"),
    "an expression": (case("{value: 1}", "[{ask: game.wether}]"), "unknown-attribute", "`weather`"),
    "an argument that is missing": (case("{}", "[{call: storm}]"), "missing-argument", "args: {n: ...}"),
    "an argument": (case("{}", "[{call: storm, args: {n: rods}}]"), "unknown-side", "`reds`"),
    "an argument in a list": (case("{}", "[{call: rally, args: {pieces: [big_gum]}}]"), "unknown-word", "`big_gun`"),
    "a group elsewhere": (case("{}", "[{try: walk, args: {b: reds.fresh@wst}, steps: []}]"), "unknown-place", "`west`"),
    "a field": (case("{fields: {fur: true}}", walk("go(middle)")), "unknown-word", "`far`"),
    "an option that is expected": (case("{options: [stey]}", march("")), "unknown-option", "`stay`"),
    "an option of another decision": (
        case("{decision: walk, options: [stay]}", march("{order: 'send(west, 1)'}")),
        "unknown-option",
        "",
    ),
    "a thing in an event": (case("{events: [{stormed: {n: blus}}]}"), "unknown-side", "`blues`"),
    "fields of nothing": (case("{fields: {far: true}}"), "not-allowed-here", "try: ..."),
    "a scenario": (case("{}", given="{scenario: down}"), "unknown-scenario", "`dawn`"),
    "an optional rule": (case("{}", given="{options: [frog]}"), "unknown-option", "`fog`"),
    "a paragraph": (case('{refused: {cite: "1.1"}}'), "unknown-paragraph", "`1.0`"),
    "what figures rest on": (case("{}") + "  uses: [strom_table]\n", "unknown-table", "`storm_table`"),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_name_is_reported_with_its_place(run: Run, name: str) -> None:
    text, code, meant = UNKNOWN[name]
    with pytest.raises(RulesetError) as failure:
        run(text)
    (found,) = failure.value.diagnostics
    assert found.code == code
    assert meant in found.help
    assert found.file == "tiny/tests/all.yaml"
    assert 4 < found.line < 11


def test_check_reports_case_errors(run: Run, tmp_path: Path) -> None:
    run(case("{outcome: null}"))
    target, cases = str(tmp_path / "tiny"), tmp_path / "tiny" / "tests" / "all.yaml"
    assert [d for d in check_with_cases(target) if d.severity == "error"] == []
    cases.write_text(cases.read_text(encoding="utf-8").replace("call: storm", "call: strom"), encoding="utf-8")
    (found,) = (d for d in check_with_cases(target) if d.severity == "error")
    assert (found.code, found.file, found.line) == ("unknown-procedure", "tiny/tests/all.yaml", 8)
    cases.write_text("kind: cases\nformat: 1\ncases: {A1: {titel: x}}\n", encoding="utf-8")
    assert {d.code for d in check_with_cases(target) if d.severity == "error"} & {"unknown-key"}
    (tmp_path / "tiny" / "play.rules").write_text("procedure storm(:\n", encoding="utf-8")
    files = {d.file for d in check_with_cases(target)}
    assert {"tiny/play.rules", "tiny/tests/all.yaml"} <= files, "both are told at once"


def test_check_looks_at_cases_of_variant(run: Run, tmp_path: Path) -> None:
    run(case("{outcome: null}"))
    variants = tmp_path / "tiny" / "variants"
    (variants / "calm-tests").mkdir(parents=True)
    (variants / "calm.yaml").write_text(
        "kind: variant\nformat: 1\nid: calm\ntitle: Calm\nextends: tiny\n", encoding="utf-8"
    )
    (variants / "calm-tests" / "own.yaml").write_text(
        "kind: cases\nformat: 1\ncases:" + case("{}", "[{call: strom}]").replace("\n", "\n  ").replace("A1", "V1"),
        encoding="utf-8",
    )
    found = [d for d in check_with_cases(str(variants / "calm.yaml")) if d.severity == "error"]
    assert [d.code for d in found] == ["unknown-procedure"], found
    assert found[0].file.endswith("own.yaml")


def test_single_and_alike_pieces_of_place_share_list(run: Run) -> None:
    mixed = """
        mixed:
          title: both in one list
          given: {pieces: {west: [big_gun, {reds: {fresh: 2}}, {blues: 1}]}}
          when: [{ask: count(pieces at west)}]
          then: {value: 4, pieces: {west: [big_gun, {reds: 2, blues: 1}]}}
        """
    assert "1 of 1 case passed" in format_report(run(mixed))
    assert "expected big_gun, 1 blues fresh, 9 reds fresh" in format_report(
        run(mixed.replace("{reds: 2,", "{reds: 9,"))
    )
    edited = mixed.replace("[{ask: count(pieces at west)}]", "[{edit: {pieces: {middle: [little_gun, {reds: 1}]}}}]")
    wanted = edited.replace("value: 4, ", "").replace(
        "west: [big_gun, {reds: 2, blues: 1}]}}", "middle: [little_gun, {reds: 1}]}}"
    )
    assert "1 of 1 case passed" in format_report(run(wanted))
    with pytest.raises(RulesetError) as refused:
        run(mixed.replace("{blues: 1}", "{blews: 1}"))
    assert [d.code for d in refused.value.diagnostics] == ["unknown-group"]


def test_duplicate_case_id_is_reported(run: Run, tmp_path: Path) -> None:
    run(case("{}"))
    tests = tmp_path / "tiny" / "tests"
    (tests / "more.yaml").write_text((tests / "all.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(RulesetError) as failure:
        run_cases(str(tmp_path / "tiny"))
    (found,) = failure.value.diagnostics
    assert (found.code, found.related[0].span.file) == ("defined-twice", "tiny/tests/all.yaml")


def test_pattern_is_beginning_of_id(run: Run) -> None:
    cases = case("{}") + case("{}").replace("A1", "B1")
    assert [r.case.id for r in run(cases, "b").results] == ["B1"]


def test_report_data_has_failure_with_message(run: Run) -> None:
    data = serialize_report(run(case("{game: {weather: 2}}") + "  rules: ['3.0']\n  uses: [storm_table]\n"))
    assert (data["passed"], data["failed"]) == (0, 1)
    (found,) = data["cases"]
    assert (found["id"], found["ok"], found["rules"], found["title"]) == ("A1", False, ["3.0"], "a case")
    assert "game.weather" in found["message"]
    assert "coverage" not in data


def test_failing_case_names_its_data(run: Run) -> None:
    text = format_report(run(case("{game: {weather: 2}}") + "  uses: [storm_table]\n"))
    assert_recorded(lines_with(text, "storm_table"))


def test_case_failure_is_translated(run: Run) -> None:
    report = run(case("{game: {weather: 2}, turn: 9}"))
    assert "game.weather: expected 2, found 0" in format_report(report)
    told = format_report(report, get_translator("ja"))
    assert "game.weather：期待は 2、実際は 0" in told and "ターン：期待は 9" in told
    assert "expected" not in told
    assert "expected 2" in serialize_report(report)["cases"][0]["message"]


def test_coverage_lists_uncited_uncovered_and_missed(run: Run) -> None:
    report = run(case("{outcome: null}"), coverage=True)
    data = serialize_report(report)["coverage"]
    paragraphs = data["paragraphs"]
    assert paragraphs["definitions"] == ["0.0"]
    assert paragraphs["uncited"] == ["5.0"]
    assert "3.0" not in paragraphs["uncovered"]
    assert paragraphs["uncovered"] == ["1.0", "2.0", "4.0"]
    assert (paragraphs["total"], paragraphs["cited"], paragraphs["covered"]) == (5, 4, 1)
    assert data["tables"]["storm_table"] == {"cells": 6, "reached": 2, "missed": [["2"], ["3"], ["4"], ["6"]]}
    assert data["options"] == {"fog": {"on": False, "off": True}}
    assert data["requirements"]["total"] == 4
    assert "option fog: no case uses on" in format_report(report)


def test_shipped_cases_hold() -> None:
    report = run_cases("napoleon")
    assert format_report(report).splitlines()[-1].endswith("cases passed")
    assert report.failed == 0
