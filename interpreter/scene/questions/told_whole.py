"""The whole of a game told: its log, and the report of its action. Works on a replay; changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.facade.resuming import replay_of
from interpreter.play.session import Game
from interpreter.players.afterwards.action_report import Told, report_blocks
from interpreter.players.afterwards.report_parts import Block, Heading, Item, Paragraph, Table
from interpreter.players.afterwards.story import told_story
from interpreter.players.luck.fortune_teller import FortuneTeller
from interpreter.saves.recording import journal_of
from interpreter.scene.records import Answer, Line, LogLine
from interpreter.scene.shown_log import Chronicle, parted_lines
from interpreter.scene.stage import Stage


def report_answer(stage: Stage, game: Game, players: Mapping[str, str], notes: Sequence[str]) -> Answer:
    """The report of a game so far, with its luck and the players' notes."""
    journal = journal_of(game, dict(players))
    fortune = FortuneTeller(stage.rules).count(journal)
    story = told_story(replay_of(journal, stage.rules, ""))
    told = report_blocks(story, stage.words, Told(journal.header, fortune, tuple(notes)))
    return Answer(stage.words.say("report"), tuple(line for block in told for line in _written(block, stage)))


def _written(block: Block, stage: Stage) -> Sequence[Line]:
    """Return a part of the report as lines, set in below its heading; pictures are left out."""
    match block:
        case Heading(text=text) | Paragraph(text=text):
            return parted_lines([text], stage.words.data["rulebook"])
        case Item(text=text, is_below=below):
            return parted_lines([("    " if below else "  ") + text], stage.words.data["rulebook"])
        case Table(heads=heads, rows=rows):
            return [Line(stage.words.listed(row), (), 1, row) for row in (heads, *rows)]
    return ()


def whole_log(stage: Stage, game: Game) -> tuple[LogLine, ...]:
    """Every line of the log."""
    return tuple(Chronicle(stage).lines(game))
