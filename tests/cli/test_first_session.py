"""Test the first session of a new player: briefing, brief news, hints, what-ifs, few keys, and maps that fit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.tools.maps.text.colors import END, add_color_marks
from interpreter.ui.repl.terminal import render_colours
from tests.cli.conftest import Run
from tests.recordings import assert_recorded
from tests.tiny import write

GREEDY = ("--side", "allies=greedy", "--seed", "1")
ORDERING = "done anyway\n" * 4 + "act first\ncentre\nleft wing\n"  # Denain: the French centre and left wing move

FIGHT = ORDERING + "all forward\ndone\nattack\nquit\n"


def test_game_of_bots_alone_is_finished_and_not_saved(run: Run, tmp_path: Path) -> None:
    first = run("play", "napoleon", *GREEDY)
    assert first.code == 0
    assert "Your aim: Bring nations to peace" in first.out
    assert "=== Won by Allied player: Napoleon the Frenchman" in first.out
    last = first.out.split("=== Won by")[0].rsplit("\nTurn ", 1)[1]
    assert "morale 0" in last, "the last turn is told too"
    told = first.out.split("=== Won by")[1]
    assert "Why:" in told and "[13.2-a]" in told and "morale is 0" in told
    assert not list(tmp_path.rglob("*.journal")), "nobody has taken part: nothing is kept"
    lines = first.out.split("Turn 2 (")[1].split("Turn 3 (")[0].strip().splitlines()
    assert len(lines) <= 12, "a line for a move"


def test_saved_game_is_not_played_out_by_bots(run: Run) -> None:
    done = run("play", "napoleon", *GREEDY, "--name", "evening")
    assert "Stopped; to continue: grognard play napoleon --resume evening" in done.out
    assert "=== Won by" not in done.out


def test_briefing_comes_before_first_question_of_each_person(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "1", fed="done anyway\nquit\n").out
    french, allied = (out.index(f"You: {seat}") for seat in ("French player", "Allied player"))
    assert french < out.index("French player> ") < allied < out.index("Allied player> ")


def test_bot_moves_are_summarized_and_full_on_request(run: Run) -> None:
    out = run("play", "napoleon", *GREEDY, fed="reinforcement\nplace 2\nlog 60\nquit\n").out.split("French player> ")
    assert "Austria: reinforcement, place 1 in Austria" in out[2]
    assert "[8.0-f]" not in out[2].split("Austria: reinforcement")[1].split("turn 2, ")[0]
    assert "Austria places 1 unit [8.0-f]" in out[3], "the log has it in full"


def test_summary_commands_answer_in_first_session(run: Run) -> None:
    asked = "aim\nscore\nfront\nroster centre\nroster nobody\narrivals\nhint\nnews\nquit\n"
    out = run("play", "denain-1712", "--seed", "1", fed=asked).out.split("French player> ")
    aim, score, front, centre, nobody, arrivals, hint, news = out[1:9]
    assert "Breach the camp" in aim and "[V-14]" in aim
    assert "Allied player: 50 points; points if it ended now 50" in score
    assert "No pieces are adjacent" in front and "place: Navarre" in front
    assert "Picardie 3-4-2" in centre and "Navarre" not in centre
    assert_recorded(nobody)
    assert "Turn track 1: " in arrivals
    assert_recorded(hint)
    assert "has acted since" in news


def test_hint_keeps_game_and_shows_values(run: Run) -> None:
    fed = "hint\nhint\nquit\n"
    out = run("play", "napoleon", *GREEDY, fed=fed).out.split("French player> ")
    assert out[1] == out[2]
    assert_recorded(re.sub(r"-?\d+(?:\.\d+)?", "NUMBER", out[1]))


def test_trial_leaves_game_and_file_unchanged(run: Run, tmp_path: Path) -> None:
    fed = "mark here\ntry\nmove and fight\nall from france to rhine\nreturn\nmarks\ntry nowhere\ntry here\n"
    fed += "return\nreturn\nquit\n"
    out = run("play", "napoleon", *GREEDY, "--save", tmp_path / "a.journal", fed=fed).out
    assert "What if: the game" in out
    assert out.count("Back in the game: turn 1, Activity Phase") == 2
    assert "mark `nowhere`; did you mean `here`?" in out
    assert "What if" in out
    again = run("play", "--resume", tmp_path / "a.journal", fed="position\nquit\n").out
    assert "France: France 10 face-up" in again
    assert run("verify", tmp_path / "a.journal").code == 0


def test_brief_speech_has_no_brackets(run: Run) -> None:
    fed = "front\nscore\nmove and fight\nwhat france\nquit\n"
    out = run("play", "napoleon", *GREEDY, "--brief", fed=fed).out
    assert "[" not in out and "(" not in out.replace("(yes or no)", "")
    assert "On the map:" not in out, "no position unless asked"
    assert "[6.0-d]" in run("play", "napoleon", *GREEDY, "--brief", fed="brief\noptions\nquit\n").out


def test_group_goes_forward_and_is_taken_back_as_one(run: Run) -> None:
    fed = ORDERING + "all forward\nundo\nquit\n"
    out = run("play", "denain-1712", "--seed", "1712", fed=fed).out
    assert "Undone: orders for " in out
    before, after = out.split("Undone: orders for ")
    assert "Picardie: 1510 to " in before and "La Marine: 1808 to " in before
    assert "go (9 ways)" in after, "all of them can go again"


def test_single_option_is_automatic_and_undo_skips_it(run: Run, tmp_path: Path) -> None:
    rules = """
        turn:
            phase only_phase:
                for a in armies:
                    choose beginning by a "{a}: how to begin?":
                        option left
                        option right
                    choose middle by a "{a}: and then?":
                        option onward
                    choose ending by a "{a}: how to end?":
                        option stay
                        option leave
        """
    folder = write(tmp_path, rules)
    out = run("play", folder, "--seed", "1", fed="left\nundo\nright\nstay\nquit\n").out
    assert out.count("and then?") == 0
    assert out.count("only one option: onward") == 2
    assert "Undone: left" in out
    assert out.count("how to begin?") == 3, "reds, again after undo, blues"


def test_facing_may_follow_place(run: Run) -> None:
    fed = ORDERING + "go picardie 1511 east\nundo\ngo picardie 1511\ndone\nplan piemont 1611 upside\nquit\n"
    out = run("play", "denain-1712", "--seed", "1712", fed=fed).out
    assert "move Picardie: 1511, east" in out
    assert "Move Picardie: 1511, south-east" in out, "the cheapest path that keeps the facing"
    assert "which?" not in out
    assert "matches `upside`" in out


def test_group_order_moves_members_towards_place(run: Run) -> None:
    fed = ORDERING + "all left wing to 1911\nall to nowhere\nquit\n"
    out = run("play", "denain-1712", "--seed", "1712", fed=fed).out
    moved = re.findall(r"^    (\S.*): (\d{4}) to (\d{4}) ", out, re.MULTILINE)
    assert {who for who, _, _ in moved} <= {"La Marine", "Brendle (Swiss)", "Royal-Italien"}
    assert moved
    assert "All where?" in out


@pytest.mark.parametrize("size", ["2", "4"])
def test_map_shows_given_radius_around_place(run: Run, size: str) -> None:
    out = run("play", "denain-1712", "--seed", "1", "--name", "x", fed=f"map 1812 {size}\nquit\n").out
    drawn = out.split("French player> ")[1]
    assert len(set(re.findall(r"[/\\#~_](\d\d)\d\d(?=[\\#~_/])", drawn))) == 2 * int(size) + 1


def test_map_shows_rivers_and_pieces(run: Run) -> None:
    drawn = run("play", "denain-1712", "--seed", "1", fed="map 2313\nquit\n").out.split("French player> ")[1]
    assert "~ river" in drawn and "2313\\~" in drawn
    assert "Bridgehead 2313" in drawn


def test_map_of_areas_is_sketched(run: Run) -> None:
    drawn = run("play", "napoleon", *GREEDY, fed="map\nquit\n").out.split("French player> ")[1]
    assert re.search(r"Austria\s", drawn) and "A6" in drawn and "F10" in drawn
    assert max(len(line) for line in drawn.splitlines()) < 80


def test_marked_colours_are_rendered_as_escape_codes() -> None:
    line = add_color_marks([r"/1712\EA2_/~~"], [("F", "#2c4f9e"), ("A", "#b5322b")], ["~"])[0]
    assert line.count(END) == 2
    assert render_colours(line) == "/1712\\E\x1b[1;31mA2\x1b[0m_/\x1b[1;36m~~\x1b[0m"


def test_attack_list_shows_odds(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "1712", fed="done anyway\ndone anyway\nodds 1\nquit\n").out
    listed, told = out.split("which battery fires?")[1].split("French player> ")[:2]
    harm = re.search(r"1  .* fires at .*\n +losses of others (\d+)%, own losses 0%", listed)
    assert harm is not None
    unhurt = sum(float(m[1]) for m in re.finditer(r"^ *([\d.]+)%.*no change$", told, re.MULTILINE))
    assert abs(100 - unhurt - int(harm[1])) < 1, told
    assert "odds 1-" in run("play", "denain-1712", "--seed", "1712", fed=FIGHT).out


def test_units_without_orders_are_named(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "1712", fed=ORDERING + "go piemont 1711\ndone\ndone\nquit\n").out
    assert re.search(r"\(left without orders: Picardie, .* and \d+ others\)", out)


def test_quit_names_next_player_and_resume_shows_recap(run: Run) -> None:
    first = run("play", "napoleon", "--seed", "1", "--name", "mail", fed="1\nreinforcement\nplace 2\nquit\n").out
    assert "send this file: mail.journal" in first
    again = run("play", "--resume", "mail", fed="quit\n").out
    news = next(part for part in again.split("\n\n") if "reinforcement, place 2" in part)
    assert_recorded(news.partition("\n")[2])


def test_chapter_and_formation_can_be_asked_about(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "1", fed="rule 13.3\nrule 7\nwhat centre\nquit\n").out.split(
        "French player> "
    )
    assert "13.3-a" in out[1] and "13.3-g" in out[1]
    assert out[2].count("\n") > 40, "a long chapter by its titles"
    assert "Picardie 3-4-2" in out[3]
