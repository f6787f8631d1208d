"""Table of the prompt's commands with their names, usage and help.

`mutating_commands`, `summary_commands` and `query_commands` implement the commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import cell_width
from interpreter.i18n.translator import mark as _
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.synonyms import synonyms
from interpreter.players.orders.name_index import to_half_width


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `name`, how it is used, and its help. All are keys of the catalogues."""

    name: str
    usage: str
    help: str

    @property
    def stands_alone(self) -> bool:
        """Return True if the command takes no arguments."""
        return self.usage == self.name


ORDERING = (
    Command(_("options"), _("options"), _("show the options again")),
    Command(_("back"), _("back"), _("go back to the question before")),
    Command(
        _("go"),
        _("go [WHO] PLACE [HOW]"),
        _("send somebody to a place: finds the way, its cost and dice; HOW says which"),
    ),
    Command(_("plan"), _("plan [WHO] PLACE"), _("the same, but only told")),
    Command(
        _("all"),
        _("all [WHO] forward"),
        _("everybody, or a group, toward the enemy; also all [WHO] to PLACE, all from PLACE to PLACE"),
    ),
    Command(_("steps"), _("steps"), _("build a path step by step, where one is asked")),
    Command(_("undo"), _("undo [anyway]"), _("take the last choice back; `anyway` also when dice have fallen since")),
    Command(_("redo"), _("redo"), _("make it again")),
    Command(_("hint"), _("hint"), _("what a bot would choose now, with its numbers")),
    Command(_("try"), _("try [MARK]"), _("what if: play on from here, or from a mark, without touching the game")),
    Command(_("return"), _("return"), _("end what was tried and go back to the game")),
    Command(_("mark"), _("mark NAME"), _("remember this position for `try`; `marks` lists them")),
    Command(_("marks"), _("marks"), _("the positions that are remembered")),
)
LOOKING = (
    Command(_("briefing"), _("briefing"), _("who you are, your aim, how points are counted, how long, what to type")),
    Command(_("aim"), _("aim"), _("what you play for")),
    Command(_("score"), _("score"), _("how all stand, and how points are counted")),
    Command(_("front"), _("front"), _("who touches whom, who is threatened, who can act, what is to come")),
    Command(_("roster"), _("roster [WHO]"), _("who stands where by side and group, or of one side or group")),
    Command(_("arrivals"), _("arrivals"), _("who is off the map: to arrive, waiting, lost")),
    Command(_("news"), _("news"), _("what the others have done since your last choice")),
)
ASKING = (
    Command(_("why"), _("why ORDER"), _("why an order is not among the options, with the rule")),
    Command(_("what"), _("what PIECE"), _("a piece: its values, its orders, the places in reach, who is near")),
    Command(_("look"), _("look PLACE"), _("a place, who stands there, what it touches")),
    Command(_("position"), _("position [WHO]"), _("the whole position, or that of one side or group")),
    Command(_("changes"), _("changes"), _("what has changed since the position was told")),
    Command(
        _("map"),
        _("map [all | PLACE [SIZE] | FILE]"),
        _("the map; `all` of it with its names and links; around a place; or as a picture, FILE.svg or FILE.png"),
    ),
    Command(_("rule"), _("rule NUMBER"), _("what a rule says")),
    Command(_("tables"), _("tables"), _("the names of the tables")),
    Command(
        _("table"),
        _("table NAME [PART] [for OPTION]"),
        _("a table as a chart, in brackets what would be read of it, or was read last"),
    ),
    Command(_("odds"), _("odds OPTION"), _("the chances of what an option may lead to")),
    Command(_("ledger"), _("ledger"), _("how the last choice was resolved: strengths, modifiers, dice, results")),
    Command(_("ask"), _("ask EXPRESSION"), _("work out an expression of the rules in this position")),
    Command(_("find"), _("find WORD"), _("pieces, places, tables and rules that a word belongs to")),
    Command(_("log"), _("log [N | WORD | rolls | turn N]"), _("what has happened")),
    Command(_("luck"), _("luck"), _("the dice so far against what was to be expected")),
)
KEEPING = (
    Command(_("note"), _("note TEXT"), _("write a note into the game's file; `notes` shows them")),
    Command(_("notes"), _("notes"), _("the notes of this game")),
    Command(_("save"), _("save [FILE]"), _("keep the game in a file, or say where it is kept")),
    Command(_("record"), _("record [FILE]"), _("what you did last, as a case of the ruleset; shown, or into a file")),
    Command(_("clear"), _("clear"), _("clear the screen and show the options again")),
    Command(_("brief"), _("brief"), _("few words and no brackets, for listening; again: in full")),
    Command(_("help"), _("help [COMMAND]"), _("this, or more about a command")),
    Command(_("quit"), _("quit"), _("stop; the game can be resumed")),
)
GROUPS = (
    (_("to order"), ORDERING),
    (_("at a glance"), LOOKING),
    (_("to ask"), ASKING),
    (_("beside the game"), KEEPING),
)
COMMANDS: Mapping[str, Command] = {c.name: c for _group, commands in GROUPS for c in commands}


def find_command(word: str, words: Localizer) -> Command | None:
    """Return the command with this name or alias, in English or the interface language, or None."""
    typed = to_half_width(word).casefold()
    for command in COMMANDS.values():
        if typed in _names(command, words):
            return command
    return None


def command_names(words: Localizer) -> list[str]:
    """Return all command names and aliases, in English and in the interface language."""
    return [name for c in COMMANDS.values() for name in _names(c, words)]


def _names(command: Command, words: Localizer) -> tuple[str, ...]:
    return (command.name, words.say(command.name).casefold(), *synonyms(command.name, words))


def help_lines(topic: str, examples: tuple[str, ...], words: Localizer) -> list[str]:
    """Return the help text for all commands, or for one if `topic` names it.

    `examples` are answers that fit the present question.
    """
    if topic:
        command = find_command(topic, words)
        if command is None:
            known = words.listed(words.say(name) for name in COMMANDS)
            return [words.say("there is no command `{word}`; the commands are {known}", word=topic[:40], known=known)]
        return [f"{_usage(command, words)}: {words.say(command.help)}"]
    lines = [words.say("to choose: type a number, or words that fit one option only (beginnings are enough)")]
    if examples:
        lines.append("  " + words.say("for example: {examples}", examples=words.listed(examples)))
    lines.append("  " + words.say("several in one line are parted by semicolons"))
    usages = {name: _usage(c, words) for name, c in COMMANDS.items()}
    width = max(cell_width(usage) for usage in usages.values())
    for title, commands in GROUPS:
        lines += [words.say(title) + ":"]
        for command in commands:
            usage = usages[command.name]
            lines.append(f"  {usage}{' ' * (width - cell_width(usage))}  {words.say(command.help)}")
    return lines


def _usage(command: Command, words: Localizer) -> str:
    """Format a command's usage, followed by its English name (always accepted) in other languages."""
    told = words.say(command.usage)
    if words.say(command.name) == command.name:
        return told
    return words.say("{usage} ({english})", usage=told, english=str(command.name))
