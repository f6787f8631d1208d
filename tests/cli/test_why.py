"""Test the reasons why something is not possible: routes, orders, steps after a stop, `done` and `finish`."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.documents.learning import read_lesson
from interpreter.play.game import Game
from interpreter.players.narration.why_lines import render_why_not
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.localizer import Localizer
from interpreter.tools.lessons.course import start_lesson
from tests.docs.blocks import write_all
from tests.recordings import assert_recorded
from tests.tiny import build, called

from .conftest import Run

CENTRE = "done anyway\n" * 4 + "1\ncentre\nno other\n"  # to the march of one formation


def told(run: Run, *typed: str, lang: str = "en", before: str = CENTRE) -> list[str]:
    """Return the answer to each typed line, without the prompts."""
    out = run("play", "denain-1712", "--seed", "1712", "--lang", lang, fed=before + "\n".join(typed) + "\nquit\n").out
    prompt = {"en": "French player> ", "ja": "フランス軍プレイヤー> "}[lang]
    return [part.strip("\n") for part in out.split(prompt)][-1 - len(typed) : -1]


REASONS = {
    "picardie 3201": "3201 is too far for Picardie [7.1-b] [7.1-e] [6.1-d]",
    "picardie 1812": "Fechenbech 1 holds 1812 [7.1-b]",
    "navarre 1411": "Navarre does not belong to the formation that acts [5-c]",
}


def test_why_and_refusal_say_same_of_way(run: Run) -> None:
    said = iter(told(run, *(typed for way in REASONS for typed in (f"why go {way}", f"go {way}", f"why {way}"))))
    for reason, why, refused, again in zip(REASONS.values(), said, said, said, strict=True):
        assert why.split("\n") == refused.split("\n")
        assert why.split("\n")[1] == f"  {reason}"
        assert reason.partition(" [")[0] in again or "ride" in again
        if "holds" in reason:  # one reason, and none that leans on it
            lines = [line for line in why.split("\n") if not line.startswith("  reachable")]
            assert lines == ["1812 cannot be reached now", f"  {reason}"]


def test_why_accepts_menu_labels_and_rejects_unknown_pieces(run: Run) -> None:
    legal = "this is legal now"
    none = "does not match any of the 30 orders"
    nobody = ["move and fight", "go 11 austria", "why go wellington austria"]
    asked = ["why move and fight", "why move", "why declaration of war", "why do nothing", "why march france", "why 5"]
    out = run(
        "play", "napoleon", "--side", "allies=greedy", "--seed", "1", fed="\n".join([*asked, *nobody, "quit\n"])
    ).out
    assert f"`11` {none}" in out and f"`wellington` {none}" in out
    told_ = [part.strip() for part in out.split("French player> ")[1:]]
    assert told_[:4] == [f"{order}: {legal}" for order in [*["Move and fight"] * 2, "Declaration of war", "Do nothing"]]
    assert told_[4].startswith("`march` is not possible now")
    assert told_[5].endswith("reinforcement, mobilisation and reform, move and fight")


def test_why_explains_distance_ownership_and_unknown_places(run: Run) -> None:
    far = [f"why go picardie {place}" for place in (3019, 2012, 1901, 3217, 2212)]
    *too_far, others, beside = told(run, *far, "why go albemarle 1 2012", "why ride dreux arrives.1")
    for why in too_far:
        assert " is too far for Picardie [7.1-b] [7.1-e] [6.1-d]" in why.split("\n")[1]
    assert (
        others.split("\n")[1]
        == "  only Allies can give orders to Albemarle 1; current decision: French: which unit moves?"
    )
    assert beside and "arrives.1" not in beside, "ids of places beside the map are not told"


def test_reason_of_pair_is_not_given_for_one(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "1", fed="done anyway\nwhy go navarre 1412\nquit\n").out
    assert "only French can" in out
    assert "Navarre and Navarre" not in out


def test_alike_pieces_are_listed_by_name_and_place() -> None:
    game, chance = load("napoleon").start(seed=4), SeededDice(3)
    while game.decision is not None and game.decision.name != "marching":
        game.pick(chance.roll(game.count()))
    assert game.decision is not None and game.decision.side == "austria"
    [reason] = game.why_not("march", u="spain.face_up@spain")
    assert reason.text == "`march` is not possible for Spanish unit (Spain) here, only for Austrian unit"
    assert "@" not in reason.translate("ja")


def test_why_names_pieces_order_is_for(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "5", fed="why navarre 1212\nwhy place albemarle 1212\nquit\n").out
    assert "`place` is not possible for 1212 here, only for 1312, 1313, 1314, 1315 and 1316 [13.1-c]" in out
    assert (
        "`place` is not possible for Albemarle here, only for Navarre, Champagne, " in out
        and " and 14 more [13.1-c]" in out
    )


def test_why_answers_japanese_questions(run: Run) -> None:
    before = "終わり 強制\n" * 4 + "1\n中央\nno_other\n"
    typed = ("なぜ 行く ピカルディ 3201", "why go ピカルディ 3201", "行く ピカルディ 3201", "なぜ 行く")
    both = told(run, *typed, lang="ja", before=before)
    assert both[0] == both[1] == both[2]
    assert "[7.1-b]" in both[0]
    assert "go" not in both[0] + both[3]


def test_order_in_full_and_end_are_refused_with_their_reasons(run: Run) -> None:
    go, ride, *_, why, refused = told(run, "go navarre", "ride 3201", "picardie", "steps", "why finish", "finish")
    assert "Navarre does not belong to the formation that acts [5-c]" in go
    assert "3201 is out of reach or closed to Dreux [9-c] [A-35]" in ride
    assert "Picardie has not moved [7.1-a]" in why
    assert "Picardie has not moved [7.1-a]" in refused


@pytest.fixture
def crossroads(tmp_path: Path) -> Game:
    """Return a game of the guide at a march that ends in a place watched by the enemy."""
    game = load(write_all("hexes.md", tmp_path)).start(seed=1)
    for _ in range(400):
        decision = game.decision
        assert decision is not None
        if decision.is_draft:
            for option in decision.options:
                steps = option.key.split(" > ")
                trial = game.clone()
                for key in steps:
                    step = next((s for s in trial.draft_steps() if s.key == key), None)
                    if step is None:
                        break
                    trial.choose(step)
                    if trial.state.draft and not trial.draft_steps():
                        return trial
        game.pick(len(decision.options) // 2 if not game.over else 0)
    raise AssertionError("no march ends so")


def test_step_after_stop_is_refused_by_stop(crossroads: Game) -> None:
    decision = crossroads.decision
    assert decision is not None and decision.is_draft
    for step in decision.draft.steps:
        [reason] = crossroads.why_not(step.name)
        assert reason.text.startswith("no step can follow")
        assert reason.cite
    assert crossroads.why_not("finish") == ()


def test_done_that_is_refused_shows_why(run: Run, tiny: Path) -> None:
    rules = next(p for p in tiny.glob("*.rules"))
    text = rules.read_text(encoding="utf-8")
    assert "turn [4.0]:" in text
    rules.write_text(
        text.replace(
            "turn [4.0]:",
            """procedure drill(s: side):
    choose drilling by s "drill?" repeat until done:
        finish require warm: turn > 1  "nobody is warm yet"  [1.0]
        option run: nothing
        option stand: nothing

turn [4.0]:""",
            1,
        ),
        encoding="utf-8",
    )
    lines = rules.read_text(encoding="utf-8").split("\n")
    at = next(n for n, line in enumerate(lines) if line.strip().startswith("phase"))
    lines.insert(at + 1, " " * 8 + "drill(reds)")
    rules.write_text("\n".join(lines), encoding="utf-8")
    out = run("play", tiny, "--seed", "1", fed="done\nwhy done\nquit\n").out
    assert out.count("nobody is warm yet [1.0]") == 2, out


def test_why_names_pieces_only_if_all_were_examined(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            choose aim by a:
                option fire(x in 1..200, y in 1..200):
                    require near: x + y < 4  "too far"
        """,
    )
    game = called(rules, "run", a="reds")
    [reason] = game.why_not("fire", x=150, y=500)
    assert reason.text == "`fire` is not possible for 500 here, only for 1, 2, 3, 4, 5, 6, 7, 8 and 192 more"
    [reason] = game.why_not("fire", x=500, y=1)
    assert reason.text == "`fire` is not possible with 500, 1 here", "40,000 pairs are not all looked at"
    [reason] = game.why_not("fire", x=150, y=150)
    assert reason.text == "too far"


def test_ambiguous_text_shows_count_and_difference(run: Run) -> None:
    lines = ["move and fight", "go austria", "plan austria", "odds austria", "austria", "quit\n"]
    out = run("play", "napoleon", "--side", "allies=greedy", "--seed", "1", fed="\n".join(lines)).out
    for told_ in out.split("French player> ")[2:6]:
        assert_recorded(told_)


MARCHED = ["move and fight", "march 3"]  # which makes the decision about the way the pending one


def answers(run: Run, *typed: str, game: str = "napoleon", seed: str = "1") -> list[str]:
    """Return the answer to each typed line in a game against a bot."""
    side = {"napoleon": "allies=greedy", "denain-1712": "allied=greedy"}[game]
    scenario = ("--scenario", "north_wall") if game == "denain-1712" else ()
    out = run("play", game, "--side", side, "--seed", seed, *scenario, fed="\n".join([*typed, "quit\n"])).out
    return [part.strip() for part in out.split("French player> ")[1:]][: len(typed)]


def test_number_of_movers_is_not_read_as_number_of_enemies_at_goal(run: Run) -> None:
    said = answers(run, *MARCHED, "why go 3 russia", "why 3 england", "go 2 spain", "go 3 spain", "why russia")[2:]
    for goal, line in zip(["Russia", "England", "Spain", "Spain"], said, strict=False):
        assert line.startswith(f"This decision does not ask how many go; to go to {goal}, leave out")
        assert "cannot" not in line
    assert said[4].startswith("March Russia: this is legal now")


def test_order_with_number_and_goal_is_carried_out(run: Run) -> None:
    said = answers(run, "move and fight", "march 3 rhine")
    assert "3 French units: France to Confederation of the Rhine" in said[1]


def test_back_without_earlier_question_says_so_of_the_decision(run: Run) -> None:
    said = answers(run, *MARCHED, "back", "move and fight")
    assert said[2] == "This decision has no earlier question; `undo` takes back your last choice"
    assert "is called `fight`" not in said[3]


def test_odds_of_several_options_are_numbered_and_numbers_lead_on(run: Run) -> None:
    said = answers(run, "move and fight", "odds 1", "odds 1 3", "odds 1 11")
    assert said[1].split("\n")[-1] == "For example: `odds 1 1`" and "  3  move 3 (" in said[1]
    assert said[2].startswith("Move 3\n") and not said[3].startswith("Move")


def test_why_accepts_printed_words_and_names_only_listed_orders(run: Run) -> None:
    out_of_field = "Douglas is outside the field of fire of French artillery 1"
    typed = ["why fires douglas", "why french artillery 1 fires at douglas", "why bombard douglas", "attack douglas"]
    said = answers(run, "done", *typed, "why bombard albemarle 1", game="denain-1712", seed="3")[1:]
    assert all(out_of_field in line for line in said[:4]), said
    assert said[4].startswith("French artillery 1") and said[4].endswith("this is legal now")


def test_why_of_draft_names_target_reason_but_no_steps(tmp_path: Path) -> None:
    walk = """
        draft stroll(u: unit) starting here = a:
            option hop(v in units, p in places) now here = p:
                require near: linked(v.at, p)  "{p} is not next to {v.at}"
            finish require moved: here != a  "nobody moves"
            offer distinct by here

        procedure run():
            for u in units:
                stroll(u) by reds "where to?" -> way
    """
    game = called(build(tmp_path, walk), "run")
    name_index = NameIndex(game, Localizer(game.program))
    (told_,) = render_why_not("nonsense", game, name_index)
    assert str(told_).endswith("the orders are stroll") or "hop" not in str(told_) and "finish" not in str(told_)
    said = list(map(str, render_why_not("stroll d", game, name_index)))
    assert said[0].endswith(": not legal") and "d is not next to a" in said[1]


def test_list_with_shares_of_losses_says_what_counts_as_loss(run: Run) -> None:
    said, again = answers(run, "done", "options", game="denain-1712", seed="3")
    note = "(losses: a piece leaves the map, or a value of it becomes worse: strength, condition)"
    assert "losses of others" in said and said.split("\n")[-1].strip() == note
    assert "losses of others" in again and note not in again, "it is told once"


def test_why_takes_words_of_list_for_step_of_draft_and_before_it() -> None:
    rules = load("denain-1712", checked=True)
    lesson = read_lesson("denain-1712", rules.program.languages)
    assert lesson is not None
    course, localizer, seen = start_lesson(lesson, rules), Localizer(rules.program), set()
    while (step := course.step) is not None and len(seen) < 2:
        game = course.game
        if game.decision.name in ("combat", "assault"):
            seen.add(game.decision.name)
            lines = render_why_not("assault on 2011 by piemont", game, NameIndex(game, localizer))
            assert len(lines) == 2 and str(lines[1]).endswith("[11-a]"), game.decision.name
        if step.orders:
            course.choose(course.list_accepted_options()[0].key)
        elif not course.read():
            course.finish_look_step(step.look.kind, [step.look.id])
    assert len(seen) == 2


def test_refused_lines_name_the_command_and_number_that_were_typed(run: Run) -> None:
    typed = "move and fight\nwhy\ngo\nplan\nplan nowhereland\nodds 33\nquit\n"
    out = run("play", "napoleon", "--side", "allies=greedy", "--seed", "1", fed=typed).out
    assert_recorded("\n".join(part.strip() for part in out.split("French player> ")[-6:-1]))


def test_line_of_the_full_screen_is_repeated_with_names_instead_of_ids(run: Run) -> None:
    typed = "move and fight\ngo french-1 italy\nquit\n"
    out = run("play", "napoleon", "--side", "allies=greedy", "--seed", "1", fed=typed).out
    assert "`French unit Italy`" in out
    assert "french-1" not in out
