"""Commands in plain words: the command line that a question such as "who is winning" or "where is ..." asks for."""

from __future__ import annotations

import re
from functools import lru_cache

from interpreter.i18n.translator import mark as _
from interpreter.runtime.localizer import Localizer

# `*` is a name, repeated after the command. Each translation lists the phrases of its language.
_COMMANDS = _(
    "commands in plain words: who is winning = score / who's winning = score / am i winning = score / "
    "what is the score = score / what are the points = score / how many points do i have = score / "
    "where is the enemy = front / where are the enemies = front / where is the front = front / "
    "what happened = news / what did the enemy do = news / what did they do = news / what did the others do = news / "
    "who am i = briefing / which side am i = briefing / what side am i = briefing / who do i play = briefing / "
    "how many turns = briefing / how many turns are there = briefing / how long is the game = briefing / "
    "when does the game end = briefing / what is the situation = briefing / info = briefing / where am i = roster / "
    "where are my units = roster / where are my pieces = roster / show units = roster / show my units = roster / "
    "list units = roster / my units = roster / show pieces = roster / units = roster / pieces = roster / "
    "reinforcements = arrivals / when do reinforcements arrive = arrivals / where are my reinforcements = arrivals / "
    "show map = map / show the map = map / show me the map = map / open map = map / status = position / "
    "show position = position / what turn is it = position / which turn is it = position / show log = log / "
    "history = log / show tables = tables / roll = glossary die roll / roll dice = glossary die roll / "
    "roll the dice = glossary die roll / what are my options = options / show options = options / "
    "list options = options / list = options / menu = options / whose turn is it = options / orders = options / "
    "commands = help all / list commands = help all / show commands = help all / show help = help / "
    "objective = aim / objectives = aim / victory conditions = aim / mission = aim / end turn = done / "
    "end my turn = done / end the turn = done / end phase = done / end = done / pass = done / skip = done / "
    "finished = done / i am done = done / i'm done = done / that's all = done / next turn = done / "
    "undo that = undo / undo last move = undo / undo my last move = undo / undo move = undo / take back = undo / "
    "take that back = undo / go back = back / save game = save / save the game = save / save my game = save / "
    "quit game = quit / quit the game = quit / exit game = quit / save and quit = quit / save and exit = quit / "
    "stop = quit / bye = quit / give up = quit / resign = quit / where is * = what * / where are * = what * / "
    "where's * = what * / where can * go = what * / where can * move = what * / what can * do = what * / "
    "can i move * = what * / who is * = what * / tell me about * = what * / show me * = look * / "
    "who is in * = look * / who is at * = look * / what is in * = look * / what is at * = look * / "
    "what are the odds of * = odds * / what are my chances * = odds * / why not * = why * / why can't i * = why * / "
    "why can i not * = why * / can i * = why * / where are my * = roster"
)
_ARTICLES = ("a ", "an ", "the ", "my ", "our ")


def normalize_question(text: str) -> str:
    """Return a typed text in lower case, with single spaces and without punctuation at its end."""
    return " ".join(text.casefold().split()).replace("\u2019", "'").rstrip(" ?？。.!！")


def parse_plain_command(text: str, localizer: Localizer) -> str:
    """Return the command line that a text in plain words asks for, '' if it asks for none.

    `done` is returned for words that end a turn, though it is an option and not a command.
    """
    plain = normalize_question(text)
    for listed in (localizer.say(_COMMANDS), str(_COMMANDS)):
        for pattern, command in _parse_commands(listed):
            if match := pattern.fullmatch(plain):
                return command.replace("*", strip_article(match[1].strip())) if match.groups() else command
    return ""


def strip_article(text: str) -> str:
    """Return a text without the article or possessive that it begins with."""
    article = next((candidate for candidate in _ARTICLES if text.casefold().startswith(candidate)), "")
    return text[len(article) :]


def split_phrases(text: str) -> tuple[str, ...]:
    """Return the parts of a catalogue list after its heading, in lower case.

    >>> split_phrases("verbs: go / go to")
    ('go', 'go to')
    """
    _heading, _mark, rest = text.replace("：", ":").partition(":")
    return tuple(part.strip().casefold() for part in rest.split("/") if part.strip())


def compile_phrase(phrase: str) -> re.Pattern[str]:
    """Compile a phrase into a pattern, with one group for each `*`."""
    return re.compile(re.escape(phrase).replace(r"\*", "(.+)"), re.IGNORECASE)


@lru_cache(maxsize=16)
def _parse_commands(text: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Parse a list of "phrase = command": phrases without a name first, then those with the longest fixed words."""
    pairs = [part.partition(" = ") for part in split_phrases(text)]
    ordered = sorted(pairs, key=lambda pair: ("*" in pair[0], -len(pair[0])))
    return tuple((compile_phrase(phrase.strip()), command.strip()) for phrase, _mark, command in ordered)
