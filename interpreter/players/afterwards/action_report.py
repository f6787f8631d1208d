"""An after-action report of a saved game: what was played, what happened, what it cost, how lucky it was.

Makes blocks from a story; must not write them down, draw, nor count luck itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from interpreter.players.afterwards.course import Course, course_of
from interpreter.players.afterwards.losses import Strength, groups
from interpreter.players.afterwards.markdown_page import markdown_lines
from interpreter.players.afterwards.replaying import choice_line
from interpreter.players.afterwards.report_parts import Block, Figure, Heading, Item, Paragraph, Table
from interpreter.players.afterwards.story import Story
from interpreter.players.luck.account import luck_lines
from interpreter.players.luck.weighing import Fortune
from interpreter.players.telling.happenings import Teller, outcome_lines
from interpreter.players.telling.vocabulary import Words
from interpreter.saves.entries import Header
from interpreter.words.numbers import number_text

_NAMED = 5  # decisions worth naming


@dataclass(frozen=True, slots=True)
class Plates:
    """Pictures: `after` the outcome, `course` for how scores went, and `of_phases` by the first decision of each."""

    after: Sequence[Figure] = ()
    course: Sequence[Figure] = ()
    of_phases: Mapping[int, Figure] | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What a report tells beside the story: how it began, its luck (None: not counted), remarks.

    `by_hand` tells of changes of the position that no rule has made.
    """

    header: Header
    fortune: Fortune | None = None
    notes: Sequence[str] = ()
    by_hand: Sequence[str] = ()


def report_lines(story: Story, words: Words, told: Told) -> list[str]:
    """The whole report in Markdown."""
    return markdown_lines(report_blocks(story, words, told))


def report_blocks(
    story: Story, words: Words, told: Told, course: Course | None = None, plates: Plates | None = None
) -> list[Block]:
    """The whole report; `course` may be known already."""
    say, plates = words.say, plates or Plates()
    course = course or course_of(story)
    story.go_to(story.last)
    blocks: list[Block] = [*_head(story, told.header, words)]
    if told.by_hand:
        blocks += [Heading(2, say("Changed by hand")), Paragraph(told.by_hand[0]), *_items(told.by_hand[1:])]
    blocks += [Heading(2, say("Outcome")), *_outcome(story, words), *plates.after]
    if plates.course:
        blocks += [Heading(2, say("Course of the game")), *plates.course]
    blocks += _losses(course, words, story.game.scenario)
    blocks += _group_losses(course, story, words)
    blocks += _named(story, course, words)
    blocks += [Heading(2, say("What happened"))]
    if plates.of_phases:
        signs = say("on the maps a dotted arrow leads to where pieces came; a cross marks whence some left the map")
        blocks += [Paragraph(signs)]
    blocks += [*_story(story, words, plates.of_phases or {})]
    if told.notes:
        blocks += [Heading(2, say("Notes")), *_items(told.notes)]
    if told.fortune is not None:
        blocks += [Heading(2, say("Luck"))]
        for line in luck_lines(told.fortune, words):
            if line.strip():
                blocks.append(Item(line.strip()) if line.startswith(" ") else Paragraph(line))
    return blocks


def _items(lines: Sequence[str]) -> list[Block]:
    return [Item(line.strip()) for line in lines]


def _head(story: Story, header: Header, words: Words) -> list[Block]:
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
    return [Heading(1, title), *_items(lines)]


def _outcome(story: Story, words: Words) -> list[Block]:
    if not story.game.over:
        return [Paragraph(words.say("the game is not over in this file"))]
    return [Paragraph(line.removeprefix("=== ")) for line in outcome_lines(story.game.outcome, words) if line]


def _losses(course: Course, words: Words, scenario: str | None) -> list[Block]:
    """A table of the sides: what each had on the map at the start and at the end; then the pieces lost, by turn."""
    say = words.say
    rows = [row for side, had in course.start.items() for row in _side_rows(side, had, course.end[side], words)]
    if not rows:
        return []
    heads = (say("side"), say("value"), say("at the start"), say("at the end"))
    found: list[Block] = [Heading(2, say("Strength on the map")), Table(heads, tuple(rows), 2)]
    if any(course.losses.values()):
        found.append(Heading(2, say("Losses")))
    for turn, sides in course.losses.items():
        told = words.listed(f"{words.thing('side', side)} {count}" for side, count in sides.items())
        if told:
            line = say("{turn}, pieces gone from the map: {sides}", turn=words.turn(turn, scenario), sides=told)
            found.append(Item(line))
    return found


def _side_rows(side: str, had: Strength, has: Strength, words: Words) -> Iterator[tuple[str, ...]]:
    if not had.pieces and not has.pieces:
        return
    attributes, name = words.kind("piece")["attributes"], words.thing("side", side)
    yield name, words.say("pieces on the map"), str(had.pieces), str(has.pieces)
    for attribute in dict.fromkeys([*had.sums, *has.sums]):
        before, now = had.sums.get(attribute, 0), has.sums.get(attribute, 0)
        if before != now:
            yield name, words.attribute(attributes[attribute]), number_text(before), number_text(now)


def _group_losses(course: Course, story: Story, words: Words) -> list[Block]:
    """A table for each sort of groups: how many of each were ever on the map, and are no longer."""
    say, program, at = words.say, words.program, story.game.state.at
    attributes = words.kind("piece")["attributes"]
    found: list[Block] = []
    for (name, kind), members in groups(program).items():
        rows = []
        for thing, pieces in members.items():
            ever = [piece for piece in pieces if piece in course.ever]
            lost = [piece for piece in ever if not program.on_map[at[piece]]]
            if ever:
                rows.append((words.thing(kind, thing), str(len(ever)), str(len(lost)), str(len(ever) - len(lost))))
        if any(row[2] != "0" for row in rows):
            heads = (words.attribute(attributes[name]), say("ever on the map"), say("gone"), say("left"))
            found.append(Table(heads, tuple(rows), 1))
    return [Heading(3, say("Losses by group")), *found] if found else []


def _named(story: Story, course: Course, words: Words) -> list[Block]:
    """The decisions after which most had changed."""
    chosen = sorted(course.costs, key=lambda c: (-(c.cost + c.swing), c.decision))[:_NAMED]
    if not chosen:
        return []
    found: list[Block] = [Heading(2, words.say("Decisions after which most had changed"))]
    for one in sorted(chosen, key=lambda c: c.decision):
        line = words.say(
            "decision {number}, {turn}: {choice}",
            number=one.decision,
            turn=words.turn(story.moments[one.decision - 1].turn, story.game.scenario),
            choice=choice_line(story, words, one.decision),
        )
        cost = words.say("lost by all sides: {cost}", cost=number_text(one.cost)) if one.cost else ""
        swing = words.say("score changed by {swing}", swing=number_text(one.swing)) if one.swing else ""
        found.append(Item(words.aside(line, words.parted(x for x in (cost, swing) if x))))
    return found


def _story(story: Story, words: Words, figures: Mapping[int, Figure]) -> list[Block]:
    """Turns and phases as headings, choices as items, what followed as items below them.

    A figure stands before the decision that it goes with, or what is told of it.
    """
    teller = Teller(words, decisions=False)
    blocks = _told(teller.lines(story.opening()), False)
    for decision in range(1, story.last + 1):
        own = _told(teller.below_headings("* " + choice_line(story, words, decision)), False)
        if decision in figures:
            own.insert(len(own) - 1, figures[decision])
        blocks += own + _told(teller.lines(story.events(decision - 1, decision)[1:]), True)
    return blocks


def _told(lines: Sequence[str], is_below: bool) -> list[Block]:
    blocks: list[Block] = []
    for line in lines:
        if line.startswith("=="):
            blocks.append(Heading(3 if line.startswith("===") else 4, line.strip("= ")))
            is_below = False
        elif line.startswith("* "):
            blocks.append(Item(line[2:], is_choice=True))
            is_below = True
        elif line.strip():
            blocks.append(Item(line.strip(), is_below=is_below))
    return blocks
