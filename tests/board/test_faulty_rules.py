"""Faults of a ruleset on the board: told with file and line, and the game goes on as far as it can."""

from __future__ import annotations

import pytest

from interpreter.api.resume import open_replay
from interpreter.ui.web.worker_process import Worker
from tests.patience import wait_until
from tests.tiny import DOCUMENTS, write
from tests.witness.budgets import budget

CHOICE = """\
        choose first by reds "?":
            option yes: nothing
            option no: nothing
"""
TURN = "turn:\n    phase only:\n"
END = "        end game drawn\n"
DRAFT = """\
draft walk(a: army) starting here = a.home, spent = 0:
    option go(p in neighbours(here)) now here = p, spent = spent + 1
            then stop if p.height > 1 because "{because}" "{step}":
        require back: p != a.home  "{reason}"
    finish require spent > 0  "{unfinished}"
    offer distinct by here
    offer "{ending}"

"""
BAD, TOO_LONG = "1 / game.total", "sum(sum(x * y + game.total for y in 1..3000) for x in 1..3000)"


def asked(prompt: str = "?", label: str = "yes", reason: str = "never") -> str:
    return f"""\
        choose first by reds "{prompt}":
            option yes "{label}": nothing
            option no: nothing
            option never(n in 1..3):
                require game.total > 0 "{reason}"
                nothing
"""


def walked(**words: str) -> str:
    told = {"because": "steep", "step": "on", "reason": "no", "unfinished": "still", "ending": "there", **words}
    rules = DRAFT
    for name, text in told.items():
        rules = rules.replace("{" + name + "}", text)
    return rules + TURN + CHOICE + '        walk(reds) by reds "where?" -> way\n' + CHOICE + END


FAULTS = {
    "prompt": lambda fault: TURN + asked(prompt=f"{{{fault}}}") + CHOICE + END,
    "label": lambda fault: TURN + asked(label=f"{{{fault}}}") + CHOICE + END,
    "reason": lambda fault: TURN + asked(reason=f"{{{fault}}}") + CHOICE + END,
    "step": lambda fault: walked(step=f"{{{fault}}}"),
    "ending": lambda fault: walked(ending=f"{{{fault}}}"),
    "because": lambda fault: walked(because=f"{{{fault}}}"),
    "draft_reason": lambda fault: walked(reason=f"{{{fault}}}"),
    "phase": lambda fault: f'turn:\n    phase first:\n{CHOICE}    phase second "{{{fault}}}":\n{CHOICE}{END}',
    "statement": lambda fault: f"{TURN}{CHOICE}        set game.total = round_down({fault})\n{CHOICE}{END}",
    "decider": lambda fault: (
        TURN + CHOICE + CHOICE.replace("by reds", f"by (if {fault} > 0 then reds else blues)") + END
    ),
    "score": lambda fault: (TURN + CHOICE + CHOICE + END, f"score: {{of: s, value: '{fault}'}}\n"),
    "evaluation": lambda fault: (TURN + CHOICE + CHOICE + END, f"evaluation: {fault}\n"),
}


def faulty(folder, made) -> str:
    rules, victory = made if isinstance(made, tuple) else (made, "")
    return str(write(folder, rules, {"victory.yaml": DOCUMENTS["victory.yaml"] + victory}))


def questions(table, key: str) -> list[str]:
    sheets = ("score", "front", "roster", "ledger", "luck", "report", "log", "legend", "position")
    return [
        *sheets,
        f"preview?key={key}",
        f"odds?key={key}",
        "why?piece=red_1&place=b",
        "plan?piece=red_1&place=b",
        "piece?id=red_1",
        "place?id=b",
        "earlier?choices=0",
    ]


@pytest.mark.parametrize(
    ("where", "fault"), [*((where, BAD) for where in FAULTS), ("label", TOO_LONG), ("decider", TOO_LONG)]
)
def test_board_survives_fault_of_rules(serve, tmp_path, capsys, where, fault):
    table = serve(faulty(tmp_path, FAULTS[where](fault)))
    for _choice in range(3):
        scene = table.scene()
        options = (scene["decision"] or {"options": []})["options"]
        for question in questions(table, options[0]["key"] if options else ""):
            answer = table.get(f"/api/ask/{question}")
            assert answer.status_code == 200 or answer.json()["error"] == "no-answer", (question, answer.text)
        for key in ("never(2)", options[0]["key"] if options else "nothing"):
            answer = table.post("/api/choose", {"key": key})
            if answer.status_code == 500:
                assert answer.json()["error"] == "fault-in-the-rules"
                assert answer.json()["message"].startswith("error in the rules: tiny/"), answer.text
        note = table.post("/api/note", {"text": "hm"})
        assert note.status_code == 200, note.text
    made = len(table.served.game.keys)
    assert table.post("/api/undo", {"anyway": True}).status_code == (200 if made else 409)
    assert len(table.served.game.keys) == max(0, made - 1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("where", "line"),
    [("prompt", 3), ("label", 4), ("ending", 7), ("score", 6)],
    ids=["prompt", "label", "end", "score"],
)
def test_scene_reports_fault_of_words_with_file_and_line(serve, tmp_path, where, line):
    table = serve(faulty(tmp_path, FAULTS[where](BAD)))
    if where == "ending":
        assert table.post("/api/choose", {"key": "yes"}).status_code == 200
    scene = table.scene()
    file = "victory.yaml" if where == "score" else "own.rules"
    fault = f"error in the rules: tiny/{file}:{line}: division by zero"
    assert fault in scene["notices"]
    told = {"prompt": scene["decision"]["prompt"], "score": fault}
    assert told.get(where, scene["decision"]["options"][0]["label"]).endswith(fault + ("" if where == "score" else "]"))
    key = scene["decision"]["options"][0]["key"]
    assert table.post("/api/choose", {"key": key}).status_code == 200, "words are no rules: it can be chosen"
    replay = open_replay(table.served.autosave.path, tmp_path / "tiny")
    replay.finish()
    assert replay.divergence is None


def waits_for_people(table) -> dict:
    return wait_until(lambda: (scene := table.scene())["may_choose"] and scene, "it is the turn of people")


@pytest.mark.parametrize("bot", ["greedy", "search:5"])
@pytest.mark.parametrize("apart", [True, False], ids=["worker", "here"])
def test_program_at_fault_hands_its_seat_over_and_says_why(serve, tmp_path, monkeypatch, capsys, bot, apart):
    if not apart:

        def ended(*_):
            raise EOFError

        monkeypatch.setattr(Worker, "_call", ended)
    table = serve(faulty(tmp_path, FAULTS["evaluation"](BAD)), {"red_seat": bot})
    scene = waits_for_people(table)
    assert scene["waiting"] == ""
    assert len(scene["notices"]) == 1
    assert scene["notices"][0].startswith("the bot of red seat has stopped: error in the rules: tiny/")
    assert "red seat" in table.scene(lang="ja")["notices"][0] and "プログラム" in table.scene(lang="ja")["notices"][0]
    assert table.post("/api/choose", {"key": "yes"}).status_code == 200
    assert table.post("/api/undo", {"anyway": True}).status_code == 200
    assert table.get("/api/ask/score").status_code == 200
    seats = table.get("/api/seats").json()
    assert [one["player"] for one in seats["seats"]] == ["human", "human"]
    secret = next(one["path"] for one in seats["links"] if one["name"] == "red seat").partition("seat=")[2]
    assert table.client.get("/api/scene", params={"seat": secret}).json()["may_choose"]
    assert capsys.readouterr().err == ""


def test_program_with_unexpected_error_hands_its_seat_over(serve, monkeypatch):
    table = serve("napoleon", {"allies": "random", "france": "random"})

    def broken(*_):
        raise KeyError("lost")

    for bot in set(table.served.bots.values()):
        monkeypatch.setattr(bot, "choose", broken)
    notice = waits_for_people(table)["notices"][0]
    assert "a bug in grognard: KeyError" in notice


def test_program_whose_ruleset_has_changed_on_disk_says_so(serve, tmp_path):
    folder = write(tmp_path, TURN + CHOICE + CHOICE + END)
    table = serve(str(folder), {"red_seat": "greedy"})
    rules = folder / "own.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "\ndefine more = 1\n", encoding="utf-8")
    notice = waits_for_people(table)["notices"][0]
    assert f"the files of {folder} have changed since this game was opened" in notice


def test_words_of_many_options_share_budget(serve, tmp_path):
    """Check labels that each stay within their own budget, but together would take minutes."""
    label = "{sum(sum(x * y + n + game.total for y in 1..60) for x in 1..60)}"
    rules = (
        f'{TURN}        choose one by reds "which?":\n            option take(n in 1..150) "{label}": nothing\n{CHOICE}'
    )
    folder = write(tmp_path, rules + END)
    with budget(6_000):
        table = serve(str(folder))
        options = table.scene()["decision"]["options"]
        told = [option["label"] for option in options]
        (notice,) = table.scene(lang="ja")["notices"]
    fault = "what is asked here at once takes more than 24,000 steps of work"
    assert fault in notice and sum(fault in text for text in told) == 1
    assert all(text.startswith("take ") for text in told[50:])
    assert told[0].isdigit(), "words within the budget are told"
    with budget(6_000):
        assert table.post("/api/choose", {"key": options[-1]["key"]}).status_code == 200
