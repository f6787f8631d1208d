"""Table of the prompt's commands with their names, usage and help.

A new command is an entry here and a `case` where it is carried out: in `QueryCommands.answer` if it changes nothing,
else in `Repl._carry_out`, which calls `order_taker`, `group_orders`, `history_commands` or `sandbox`. Summaries of the
position are in `summary_commands`, other words for a command in `players/narration/synonyms.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import measure_cells, quote_typed
from interpreter.i18n.translator import mark as _
from interpreter.players.narration.synonyms import list_synonyms
from interpreter.players.orders.name_index import to_half_width
from interpreter.runtime.localizer import Localizer


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the prompt: its name, its usage and its help text. All three are keys of the catalogues."""

    name: str
    usage: str
    help: str

    @property
    def stands_alone(self) -> bool:
        """Return True if the command takes no arguments."""
        return self.usage == self.name


ORDERING = (
    Command(_("options"), _("options"), _("show the options again")),
    Command(_("back"), _("back"), _("go back to the previous question")),
    Command(
        _("go"),
        _("go [PIECE] PLACE [HOW]"),
        _("move a piece to a place: finds the route, its cost and rolls; HOW chooses among routes"),
    ),
    Command(_("plan"), _("plan [PIECE] PLACE"), _("show such a route without moving")),
    Command(
        _("all"),
        _("all [GROUP] forward"),
        _("move everything, or a group, toward the enemy; also all [GROUP] to PLACE, all from PLACE to PLACE"),
    ),
    Command(_("steps"), _("steps"), _("build a path step by step, if the decision needs one")),
    Command(_("undo"), _("undo [anyway]"), _("undo the last choice; `anyway` also undoes rolls made since then")),
    Command(_("redo"), _("redo"), _("redo the undone choice")),
    Command(
        _("hint"), _("hint"), _("show what a bot would choose, and how it rates your position before and after that")
    ),
    Command(_("try"), _("try [MARK]"), _("what if: play on from here, or from a mark, without changing the game")),
    Command(_("return"), _("return"), _("end the trial and return to the game")),
    Command(_("mark"), _("mark NAME"), _("save this position for `try`; `marks` lists them")),
    Command(_("marks"), _("marks"), _("list the marked positions")),
)
LOOKING = (
    Command(_("briefing"), _("briefing"), _("your side, your aim, the scoring, the length of the game, what to type")),
    Command(_("aim"), _("aim"), _("your aim")),
    Command(_("score"), _("score"), _("the scores of all sides, and how points are counted")),
    Command(_("front"), _("front"), _("contacts, threats, pieces that can act, remaining phases")),
    Command(_("roster"), _("roster [GROUP]"), _("pieces by place, for all sides and groups or for one")),
    Command(_("arrivals"), _("arrivals"), _("pieces off the map: arriving, waiting, lost")),
    Command(_("news"), _("news"), _("what the others have done since your last choice")),
)
ASKING = (
    Command(_("why"), _("why ORDER"), _("why an order is not legal, with the rule")),
    Command(_("what"), _("what PIECE"), _("a piece: its values, its orders, the places it can reach, adjacent pieces")),
    Command(_("look"), _("look PLACE"), _("a place, the pieces there, the adjacent places")),
    Command(_("position"), _("position [GROUP]"), _("the whole position, or one side or group")),
    Command(_("changes"), _("changes"), _("changes since the position was last shown")),
    Command(
        _("map"),
        _("map [all | PLACE [SIZE] | FILE]"),
        _("the map; `all` with names and links; around a place; or as a picture, FILE.svg or FILE.png"),
    ),
    Command(_("rule"), _("rule NUMBER"), _("the text of a rule")),
    Command(_("tables"), _("tables"), _("the names of the tables")),
    Command(
        _("table"),
        _("table NAME [PART] [for OPTION]"),
        _("a table as a chart; in brackets the cells that apply now, or were read last"),
    ),
    Command(_("odds"), _("odds OPTION"), _("the probabilities of the results of an option")),
    Command(_("ledger"), _("ledger"), _("how the last choice was resolved: strengths, modifiers, dice, results")),
    Command(_("ask"), _("ask EXPRESSION"), _("evaluate an expression of the rules in this position")),
    Command(_("glossary"), _("glossary [WORD]"), _("what a word means; without a word: all terms")),
    Command(_("find"), _("find WORD"), _("find pieces, places, tables and rules by a word")),
    Command(_("log"), _("log [N | WORD | rolls | turn N]"), _("list past events")),
    Command(_("luck"), _("luck"), _("compare the dice so far with the expected results")),
)
KEEPING = (
    Command(_("note"), _("note TEXT"), _("write a note into the saved game; `notes` shows them")),
    Command(_("notes"), _("notes"), _("the notes of this game")),
    Command(_("save"), _("save [FILE]"), _("save the game in a file, or show where it is saved")),
    Command(
        _("record"), _("record [FILE]"), _("show your last choice as a case of the ruleset, or write it to a file")
    ),
    Command(_("clear"), _("clear"), _("clear the screen and show the options again")),
    Command(_("brief"), _("brief"), _("short text without brackets, for listening; repeat for full text")),
    Command(_("help"), _("help [COMMAND]"), _("the most important commands; `help all`: all of them; or one command")),
    Command(_("quit"), _("quit"), _("stop; the game can be resumed")),
)
GROUPS = (
    (_("giving orders"), ORDERING),
    (_("at a glance"), LOOKING),
    (_("information"), ASKING),
    (_("outside the game"), KEEPING),
)
# the commands on the first page of the help
ESSENTIAL = tuple("options back undo hint briefing score front map look what why odds glossary log save quit".split())
ALL = _("all")  # asks for all commands, as in `help all`
COMMANDS: Mapping[str, Command] = {c.name: c for _group, commands in GROUPS for c in commands}


def find_command(word: str, localizer: Localizer) -> Command | None:
    """Return the command with this name or alias, in English or the interface language, or None."""
    typed = to_half_width(word).casefold()
    return next(
        (command for command in COMMANDS.values() if typed in list_command_words(command.name, localizer)), None
    )


def list_command_names(localizer: Localizer) -> list[str]:
    """Return all command names and aliases, in English and in the interface language."""
    return [word for name in COMMANDS for word in list_command_words(name, localizer)]


def list_command_words(name: str, localizer: Localizer) -> tuple[str, ...]:
    """Return the words that a player may type for a name, in English and in the interface language."""
    return (str(name), localizer.say(name).casefold(), *list_synonyms(name, localizer))


def render_help(topic: str, examples: tuple[str, ...], localizer: Localizer, hidden: Collection[str] = ()) -> list[str]:
    """Return the help text for a topic: '' for the essential commands, "all", or the name of a command.

    `examples` are answers that fit the present question; `hidden` are commands that are not possible now.
    """
    is_whole = topic.casefold() in list_command_words(ALL, localizer)
    if topic and not is_whole:
        command = find_command(topic, localizer)
        if command is None:
            command_names = localizer.join_list(localizer.say(name) for name in COMMANDS)
            return [
                localizer.say(
                    "unknown command `{word}`; the commands are {known}", word=quote_typed(topic), known=command_names
                )
            ]
        return [f"`{_format_usage(command, localizer)}`: {localizer.say(command.help)}"]
    lines = [localizer.say("to choose: type a number, or words that match only one option (abbreviations are enough)")]
    if examples:
        lines.append("  " + localizer.say("for example: {examples}", examples=localizer.join_list(examples)))
    lines.append("  " + localizer.say("separate several inputs in one line with semicolons"))
    listed = {name: c for name, c in COMMANDS.items() if name not in hidden and (is_whole or name in ESSENTIAL)}
    usages = {name: _format_usage(c, localizer) for name, c in listed.items()}
    width = max(map(measure_cells, usages.values()))

    def list_commands(commands: Iterable[Command]) -> list[str]:
        rows = ((usages[c.name], localizer.say(c.help)) for c in commands if c.name in listed)
        return [f"  {usage}{' ' * (width - measure_cells(usage))}  {text}" for usage, text in rows]

    if is_whole:
        for title, commands in GROUPS:
            lines += [localizer.say(title) + ":", *list_commands(commands)]
        return lines
    more = localizer.say(
        "`{all}` lists all {number} commands, `{one}` explains one",
        all=" ".join([localizer.say("help"), localizer.say(ALL)]),
        number=len(COMMANDS) - len(hidden),
        one=localizer.say("help [COMMAND]").replace("[", "").replace("]", ""),
    )
    essential = list_commands(COMMANDS[name] for name in ESSENTIAL)
    return [*lines, localizer.say("the most important commands:"), *essential, more]


def _format_usage(command: Command, localizer: Localizer) -> str:
    """Format a command's usage, followed by its English name (always accepted) in other languages."""
    usage = localizer.say(command.usage)
    if localizer.say(command.name) == command.name:
        return usage
    return localizer.say("{usage} ({english})", usage=usage, english=str(command.name))
