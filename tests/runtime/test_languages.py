"""One game told in several languages: texts, labels, names, refusals; the first language stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules, check, load
from interpreter.play.game import Game
from interpreter.runtime.errors import IllegalAction
from tests.tiny import write

RULES = """\
event moved_on(u: unit, p: place) "{u} goes to {p}"
event counted(u: unit, number: int)

draft way(u: unit) starting here = u.at, far = false:
    option step(p in neighbours(here)) now here = p, far = p.height > 1:
        require near: p.height <= 2  "{p} is too high"
    finish require gone: here != u.at  "{u} stays"
    offer distinct by here, far

turn:
    phase walking "Walking" [1.1]:
        for a in armies:
            walk(a)
    phase resting:
        end game drawn

procedure walk(a: army) [1.1]:
    choose walking_out by a "{a}: who walks {a.home}?" [1.1] repeat until done:
        option send(u in {v in units where v.army == a}, p in neighbours(u.at)) [1.1]:
            require low: p.height < 2  "{p} is too high for {u}"  [1.2]
            roll storm: die for u -> result
            move u to p
            report moved_on(u, p)
            report counted(u, result)
        option tell(u in {v in units where v.army == a}) "tell {u} to go":
            way(u) by a "where to?" -> found
            move u to found.here
        option wait
"""
JA = """\
kind: locale
format: 1
language: ja
texts:
  Walking: 歩く
  "{u} goes to {p}": "{p}へ{u}が行く"
  "{a}: who walks {a.home}?": "{a.home}へ誰が歩くか"
  "{p} is too high for {u}": "{u}には{p}は高い"
  "tell {u} to go": "{u}に命じる"
  "{p} is too high": "{p}は高い"
names:
  resting: 休む
  option.send: 送る
  walking_out: 外出
  roll.storm: 嵐
  counted: 数えた
  counted.number: 目
  reds: 赤軍
  a: あ
  far: 遠い
  unit: 部隊
  done: 解散
labels:
  walking_out.send: "{p}へ{u}を送る"
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    """Return the ruleset in three languages, the last without any translation."""
    folder = write(tmp_path, RULES, {"locale/ja.yaml": JA})
    path = folder / "ruleset.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("languages: [en]", "languages: [en, ja, fr]"), encoding="utf-8"
    )
    found = [d for d in check(str(folder)) if d.severity != "note" and not d.code.startswith(("unused-", "uncited-"))]
    assert not found, found
    load(str(folder))
    return load(str(folder))  # the second time as it was kept


@pytest.fixture
def game(rules: Rules) -> Game:
    """Return a game at its first decision."""
    return rules.start(dice=[4, 5, 6])


def test_prompt_and_options_are_translated(game: Game) -> None:
    decision = game.decision
    assert decision is not None
    assert decision.prompt == "reds: who walks a?"
    assert decision.format_prompt("ja") == "あへ誰が歩くか"
    assert decision.format_prompt("fr") == "reds: who walks a?"
    told = {o.key: (o.label, o.text("ja")) for o in decision.options}
    assert told["send(reds.fresh@a, b)"] == ("send unit (reds) b", "bへ部隊（赤軍）を送る")
    assert told["tell(reds.fresh@a)"] == ("tell unit (reds) to go", "部隊（赤軍）に命じる")
    assert told["done"] == ("done", "解散")
    assert told["wait"] == ("wait", "wait")


def test_events_are_translated(game: Game) -> None:
    game.choose("send(reds.fresh@a, b)")
    told = {(e.sort, e.name): (e.text(), e.text("ja")) for e in game.log}
    assert told["phase", "walking"] == ("Walking", "歩く")
    assert told["turn", "turn"] == ("turn 1", "第1ターン")
    assert told["decision", "walking_out"] == ("walking out: send unit (reds) b", "外出：bへ部隊（赤軍）を送る")
    assert told["roll", "storm"] == ("storm (unit (reds)): 4", "嵐（部隊（赤軍））：4")
    assert told["event", "moved_on"] == ("unit (reds) goes to b", "bへ部隊（赤軍）が行く")
    assert told["event", "counted"] == ("counted: u unit (reds), number 4", "数えた：u 部隊（赤軍）、目 4")
    assert game.program.get_localizer("ja").format_phase_title("resting") == "休む"
    assert game.program.get_localizer().format_phase_title("resting") == "resting"


def test_refusals_are_translated(game: Game) -> None:
    game.choose("send(reds.fresh@a, b)")
    with pytest.raises(IllegalAction) as refused:
        game.choose("send(reds.fresh@b, c)")
    reason = refused.value.reasons[0]
    assert (reason.text, reason.text_in("ja")) == ("c is too high for unit (reds)", "部隊（赤軍）にはcは高い")
    assert reason.text_in("fr") == reason.text
    assert game.why_not("dance")[0].text_in("ja") == "「dance」という選択肢はありません"
    assert game.why_not("step")[0].text_in("ja").endswith("今の問い：あへ誰が歩くか")
    assert (
        game.why_not("send", u="blues.fresh@d")[0]
        .text_in("ja")
        .startswith("ここでは「送る」は部隊（blues）（d）にはできません。できるのは部隊（赤軍）")
    )


def test_draft_options_are_translated(game: Game) -> None:
    game.choose("tell(reds.fresh@a)")
    decision = game.decision
    assert decision is not None
    told = [(o.label, o.text("ja")) for o in decision.options if "far" in o.label]
    assert told[0] == ("c, far (by b)", "c、遠い（b経由）")


def test_name_depends_on_kind_of_object(game: Game) -> None:
    localizer = game.program.get_localizer("ja")
    assert localizer.translate_name("send", "walking_out", "option") == "送る"
    assert localizer.translate_name("send") == "send"
    assert localizer.translate_name("number", "counted") == "目"
    assert localizer.translate_name("no_such_name") == "no such name"


def test_first_language_is_unaffected(game: Game, tmp_path: Path) -> None:
    plain = load(str(write(tmp_path / "plain", RULES))).start(dice=[4, 5, 6])
    for other in (game, plain):
        other.choose("send(reds.fresh@a, b)")
    assert [e.text() for e in game.log] == [e.text() for e in plain.log]
    assert [e.raw[:5] for e in game.log if e.sort == "decision"] == [
        e.raw[:5] for e in plain.log if e.sort == "decision"
    ]
    assert game.keys == plain.keys
