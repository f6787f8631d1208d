"""An after-action report of a saved game in Markdown: what was played, what happened, what it cost, how lucky it was.

Makes lines from a story; must not print, nor count luck itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from interpreter.players.afterwards.losses import Strength, fallen, gone, strengths
from interpreter.players.afterwards.replaying import choice_line
from interpreter.players.afterwards.story import Story
from interpreter.players.luck.account import luck_lines
from interpreter.players.luck.weighing import Fortune, side_of_thing
from interpreter.players.telling.happenings import Teller, outcome_lines
from interpreter.players.telling.vocabulary import Words
from interpreter.saves.entries import Header
from interpreter.words.numbers import number_text

_NAMED = 5  # decisions worth naming
_SPECIAL = str.maketrans({c: "\\" + c for c in "\\`*_<>|#"})
_LINK = re.compile(r"\](?=[\[(:])")  # what makes a bracket a link, a picture or the target of one


@dataclass(frozen=True, slots=True)
class Turn:
    """What one decision cost, and who lost what by it."""

    decision: int
    cost: Fraction
    swing: Fraction


def report_lines(
    story: Story,
    header: Header,
    words: Words,
    fortune: Fortune | None,
    notes: Sequence[str] = (),
    by_hand: Sequence[str] = (),
) -> list[str]:
    """The whole report; without the section on luck where that was not counted.

    `by_hand` tells of changes of the position that no rule has made.
    """
    story.go_to(0)
    start = strengths(story.game.state)
    losses_by_turn, turns = _weigh_decisions(story)
    story.go_to(story.last)
    lines = [*_head(story, header, words)]
    if by_hand:
        lines += [
            *_section(words.say("Changed by hand")),
            "",
            _text(by_hand[0]),
            "",
            *(f"- {_text(line.strip())}" for line in by_hand[1:]),
        ]
    lines += _outcome(story, words)
    lines += _losses(start, strengths(story.game.state), losses_by_turn, words, story.game.scenario)
    lines += _named(story, turns, words)
    lines += [*_section(words.say("What happened")), *_story(story, words)]
    if notes:
        lines += [*_section(words.say("Notes")), "", *(f"- {_text(note)}" for note in notes)]
    if fortune is not None:
        lines += [*_section(words.say("Luck")), ""]
        for line in luck_lines(fortune, words):
            lines += [f"- {_text(line.strip())}"] if line.startswith(" ") else ["", _text(line), ""]
    return _without_double_blanks(lines)


def _head(story: Story, header: Header, words: Words) -> list[str]:
    say, data = words.say, words.data
    scenario = next((s for s in data["scenarios"] if s["id"] == header.scenario), None)
    options = [words.option(option) for option in header.options]
    dice = say("rolled at the table") if header.seed is None else say("from the seed {seed}", seed=header.seed)
    seats = [words.about(words.thing("seat", seat), words.player(player)) for seat, player in header.seats.items()]
    facts = {
        say("scenario"): words.label(scenario["title"], header.scenario) if scenario else header.scenario,
        say("optional rules"): words.listed(options) or say("none"),
        say("players"): words.listed(seats),
        say("dice"): dice,
        say("decisions"): str(story.last),
        say("turns"): str(story.moments[-1].turn - story.moments[0].turn + 1),
    }
    title = words.label(data["title"], header.ruleset)
    lines = [words.about(what, value) for what, value in facts.items() if value]
    return [f"# {_text(title)}", "", *(f"- {_text(line)}" for line in lines)]


def _outcome(story: Story, words: Words) -> list[str]:
    lines = [*_section(words.say("Outcome")), ""]
    if not story.game.over:
        return [*lines, _text(words.say("the game is not over in this file"))]
    told = [line.removeprefix("=== ") for line in outcome_lines(story.game.outcome, words) if line]
    return [*lines, *(part for line in told for part in (_text(line), ""))]


def _losses(
    start: Mapping[str, Strength],
    end: Mapping[str, Strength],
    by_turn: Mapping[int, Mapping[str, int]],
    words: Words,
    scenario: str | None,
) -> list[str]:
    """A table of the sides: what each had on the map at the start and at the end; then pieces lost by turn."""
    say = words.say
    attributes = words.kind("piece")["attributes"]
    rows = []
    for side, had in start.items():
        has = end[side]
        if not had.pieces and not has.pieces:
            continue
        name, counted = _text(words.thing("side", side)), _text(say("pieces on the map"))
        rows.append(f"| {name} | {counted} | {had.pieces} | {has.pieces} |")
        for attribute in dict.fromkeys([*had.sums, *has.sums]):
            before, now = had.sums.get(attribute, Fraction()), has.sums.get(attribute, Fraction())
            if before != now:
                label = _text(words.attribute(attributes[attribute]))
                rows.append(f"| {name} | {label} | {number_text(before)} | {number_text(now)} |")
    if not rows:
        return []
    heads = " | ".join(_text(x) for x in (say("side"), say("value"), say("at the start"), say("at the end")))
    lines = [*_section(say("Losses")), "", f"| {heads} |", "|---|---|---:|---:|", *rows]
    for turn, sides in by_turn.items():
        told = words.listed(f"{words.thing('side', side)} {count}" for side, count in sides.items())
        if told:
            line = say("{turn}, pieces gone from the map: {sides}", turn=words.turn(turn, scenario), sides=told)
            lines += ([""] if lines[-1].startswith("|") else []) + [f"- {_text(line)}"]
    return lines


def _weigh_decisions(story: Story) -> tuple[dict[int, dict[str, int]], list[Turn]]:
    """Pieces lost by turn and side, and what each decision changed."""
    by_turn: dict[int, dict[str, int]] = {}
    found = []
    story.go_to(0)
    before, scores = strengths(story.game.state), _lead(story)
    for decision in range(1, story.last + 1):
        state = story.game.state
        raws = story.raw_events(decision - 1, decision)
        for piece, _place in gone(raws, state.program):
            side = side_of_thing(state.program, state, "piece", piece)
            sides = by_turn.setdefault(story.moments[decision - 1].turn, {})
            sides[side] = sides.get(side, 0) + 1
        story.go_to(decision)
        now, led = strengths(story.game.state), _lead(story)
        swing = max((abs(led[s] - scores.get(s, Fraction())) for s in led), default=Fraction())
        cost = fallen(before, now)
        if (cost or swing) and any(raw[0] == "decision" for raw in raws):
            found.append(Turn(decision, cost, swing))
        before, scores = now, led
    return by_turn, found


def _lead(story: Story) -> dict[str, Fraction]:
    return {seat: Fraction(score) for seat, score in story.game.scores().items() if isinstance(score, int | Fraction)}


def _named(story: Story, turns: Sequence[Turn], words: Words) -> list[str]:
    """The decisions after which most had changed."""
    chosen = sorted(turns, key=lambda t: (-(t.cost + t.swing), t.decision))[:_NAMED]
    if not chosen:
        return []
    lines = [*_section(words.say("Decisions after which most had changed")), ""]
    for turn in sorted(chosen, key=lambda t: t.decision):
        line = words.say(
            "decision {number}, {turn}: {choice}",
            number=turn.decision,
            turn=words.turn(story.moments[turn.decision - 1].turn, story.game.scenario),
            choice=choice_line(story, words, turn.decision),
        )
        cost = words.say("lost by all sides: {cost}", cost=number_text(turn.cost)) if turn.cost else ""
        swing = words.say("score changed by {swing}", swing=number_text(turn.swing)) if turn.swing else ""
        lines.append(f"- {_text(words.aside(line, words.parted(x for x in (cost, swing) if x)))}")
    return lines


def _story(story: Story, words: Words) -> list[str]:
    """Turns and phases as headings, choices as items, what followed as items below them."""
    teller = Teller(words, decisions=False)
    told = teller.lines(story.opening())
    for decision in range(1, story.last + 1):
        told += teller.below_headings("* " + choice_line(story, words, decision))
        told += teller.lines(story.events(decision - 1, decision)[1:])
    lines: list[str] = []
    is_item = False
    for line in told:
        if line.startswith("==="):
            lines += ["", f"### {_text(line.strip('= '))}", ""]
            is_item = False
        elif line.startswith("=="):
            lines += ["", f"#### {_text(line.strip('= '))}", ""]
            is_item = False
        elif line.startswith("* "):
            lines.append(f"- **{_text(line[2:])}**")
            is_item = True
        elif line.strip():
            lines.append(f"{'  ' if is_item else ''}- {_text(line.strip())}")
    return lines


def _section(title: str) -> list[str]:
    return ["", f"## {_text(title)}"]


def _text(text: str) -> str:
    """Words that Markdown shows as they are: no markup, no pictures, no links."""
    return _LINK.sub(r"]\\", text.translate(_SPECIAL))


def _without_double_blanks(lines: Sequence[str]) -> list[str]:
    return [line for n, line in enumerate(lines) if line or n == 0 or lines[n - 1]]
