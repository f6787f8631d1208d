"""Answers to what players type in plain words: questions about terms and aims, and orders that the list does not name.

Pure: reads the position, tries orders on copies, changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import mark as _
from interpreter.model.learning import Glossary
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine
from interpreter.players.narration.lookup import find_matches
from interpreter.players.narration.piece_lines import render_piece
from interpreter.players.narration.place_lines import render_place
from interpreter.players.orders.matching import list_things, match_any_kind, match_options, match_things
from interpreter.players.orders.menu import format_option
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.route_planning import explain_target, find_routes, iter_route_ends
from interpreter.players.orders.tokenizer import remove_articles, split_destination
from interpreter.players.ownership import find_side_of_thing
from interpreter.players.questions.plain_commands import (
    compile_phrase,
    normalize_question,
    split_phrases,
    strip_article,
)
from interpreter.players.questions.terms import find_close_terms, find_term, format_term, format_term_list, list_terms
from interpreter.players.summaries.contacts import list_ready_units, render_front
from interpreter.players.summaries.hints import render_hint
from interpreter.players.summaries.objectives import build_aim_text, build_ending_text, build_scoring_text
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.localizer import Localizer

# `*` is the word in question. Each translation lists the phrases of its language.
_ABOUT_WORDS = _(
    "asked about a word: what is * / what are * / what's * / whats * / what does * mean / what does * do / define * / "
    "explain * / meaning of * / what is the meaning of * / what is meant by *"
)
_PHRASES = _(
    "asked in plain words: how do i win = aim / how do you win = aim / how can i win = aim / how to win = aim / "
    "what is my goal = aim / what is the goal = aim / what is the aim = aim / what am i trying to do = aim / "
    "how is the game won = aim / who wins = aim / help me = now / what now = now / what should i do = now / "
    "what do i do = now / what do i do now = now / what can i do = now / i am lost = now / i don't understand = now / "
    "tutorial = learn / teach me = learn / learn = learn / how do i play = learn / how to play = learn / "
    "lesson = learn / rules = rules / the rules = rules / show rules = rules / where can i go = where / "
    "where can i move = where / what can i move = where / how do i move = where / how do i attack = where / "
    "who can i attack = where / what can i attack = where / where can i attack = where"
)
_VERBS = _(
    "verbs of orders: attack / fight / charge / invade / strike / hit / fire at / move / advance / send / go / take / "
    "capture / conquer / defend"
)
_QUESTIONS = _(
    "how questions begin or end: who * / what * / where * / when * / why * / how * / which * / whose * / can * / "
    "is * / are * / am * / do * / does * / did * / will * / should * / may *"
)
_MAX_TRIED = 24  # options that are followed to see where an order belongs
_MAX_LISTED = 6
_MAX_NAMED = 3  # names given as examples


def answer_plainly(
    text: str, game: Game, seat: str, name_index: NameIndex, glossary: Glossary, lesson: str = ""
) -> Sequence[TextLine] | None:
    """Return the answer to a question in plain words, or None if the text is not one.

    `lesson`: the text that says how to start the ruleset's lesson, '' if it has none.
    """
    intent = find_intent(text, name_index.localizer)
    answers: dict[str, Callable[[], Sequence[TextLine]]] = {
        "aim": lambda: _render_aim(game, seat, name_index),
        "now": lambda: _render_available_orders(game, name_index),
        "where": lambda: _render_where(game, seat, name_index),
        "learn": lambda: _learn_lines(name_index, lesson),
        "rules": lambda: _render_rules_hint(name_index),
    }
    if intent in answers:
        return answers[intent]()
    word = _parse_asked_word(normalize_question(text), name_index)
    return None if word is None else explain_word(word, game, name_index, glossary)


def is_asking_for_help(text: str, localizer: Localizer) -> bool:
    """Return True if a text asks in plain words what to do now, such as "help me"."""
    return find_intent(text, localizer) == "now"


def find_intent(text: str, localizer: Localizer) -> str:
    """Return what a question in plain words is about, such as "aim"; '' for other texts."""
    plain = normalize_question(text)
    return _parse_phrases(localizer.say(_PHRASES)).get(plain) or _parse_phrases(str(_PHRASES)).get(plain) or ""


def explain_word(text: str, game: Game, name_index: NameIndex, glossary: Glossary) -> Sequence[TextLine]:
    """Explain a word: a term, a piece, a place, or what the rules say about it; '' lists the terms."""
    localizer, terms = name_index.localizer, list_terms(glossary, name_index.localizer)
    if not text:
        return format_term_list(terms, localizer)
    if (term := find_term(text, terms)) is not None:
        return format_term(term, localizer)
    pieces, places = match_things("piece", text, name_index), match_things("place", text, name_index)
    if len(places) == 1 and len(pieces) != 1:
        return render_place(places[0], game.view(), localizer)
    if pieces:
        return render_piece(pieces[0], game, name_index)
    lines = [format_unknown_word(text, localizer)]
    if close := find_close_terms(text, terms):
        lines.append(localizer.say("Terms that may help: {terms}", terms=localizer.join_list(close)))
    if matches := find_matches(text, name_index):
        lines += [localizer.say("It occurs in:"), *localizer.limit_texts(matches, _MAX_LISTED)]
    return lines


def format_unknown_word(text: str, localizer: Localizer) -> str:
    """Return the line about a word that the glossary does not have."""
    return localizer.say("`{text}` is not in the glossary.", text=quote_typed(text))


def explain_order(text: str, game: Game, name_index: NameIndex) -> list[TextLine] | None:
    """Explain how to carry out an order in plain words, such as "attack" with a name; None for other texts."""
    localizer, decision = name_index.localizer, game.decision
    target = _parse_order_target(text, name_index)
    if target is None or decision is None:
        return None
    name = _find_name(target, name_index)
    if not name:
        return None
    options = decision.options
    if matches := match_options(options, target, name_index):
        listed = localizer.limit_texts([f"  {format_option(option, name_index)}" for option in matches], _MAX_LISTED)
        return [
            localizer.say("These orders have to do with {name}:", name=name),
            *listed,
            localizer.say("Type words of the one that you mean."),
        ]
    places = [place for place in match_things("place", target, name_index) if name_index.is_on_map(place)]
    if len(places) == 1 and (routes := find_routes(game, "", places[0], name_index)):
        listed = localizer.limit_texts([f"  {format_option(option, name_index)}" for option in routes], _MAX_LISTED)
        command = " ".join([localizer.say("go"), localizer.get_thing_name("place", places[0])])
        return [
            localizer.say("These orders lead to {name}:", name=name),
            *listed,
            localizer.say("Type: {command}", command=command),
        ]
    if later := explain_later_order(target, game, name_index):
        return [*later]
    question = decision.format_prompt(localizer.lang)
    return [
        localizer.say("Nothing that you can order now has to do with {name}.", name=name),
        *(Line(r.text_in(localizer.lang), r.cite, level=1) for r in explain_target(game, target, name_index)),
        localizer.say("The question is: {question}", question=question),
        localizer.say("`hint` suggests a move; `look {name}` shows what is there.", name=quote_typed(target)),
    ]


def parse_route(text: str, name_index: NameIndex) -> str:
    """Return the arguments of `go` for an order such as "move Guards to Berlin" or "move 3 to Berlin"; else ''."""
    target = _parse_order_target(text, name_index)
    who, goals = ("", []) if target is None else split_destination(target, name_index)
    is_who = who.isdigit() or bool(who and match_things("piece", who, name_index))
    return target or "" if goals and is_who else ""


def explain_unknown_name(text: str, game: Game, name_index: NameIndex) -> list[str] | None:
    """Say that an order in plain words names nothing of this game; None for other texts."""
    target = _parse_order_target(text, name_index)
    if target is None or game.decision is None:
        return None
    who, goals = split_destination(target, name_index)
    unknown = who if goals else target
    return [
        name_index.localizer.say("No piece or place of this game is called `{name}`.", name=quote_typed(unknown)),
        name_index.localizer.say("`roster` lists the pieces, `map` shows the places, `find WORD` searches both."),
    ]


def suggest_questions(text: str, name_index: NameIndex) -> list[str] | None:
    """List questions that have an answer, in reply to one that has none; None for a text that is not a question."""
    localizer, plain = name_index.localizer, normalize_question(text)
    listed = (*split_phrases(localizer.say(_QUESTIONS)), *split_phrases(str(_QUESTIONS)))
    if not any(compile_phrase(phrase).fullmatch(plain) for phrase in listed):
        return None
    return [
        localizer.say("This question cannot be answered here. You can ask:"),
        "  " + localizer.say("`what can I do`, `where can I go`, `who is winning`, `how do I win`, `what happened`"),
        "  " + localizer.say("`where is NAME`, `what is WORD`, `odds OPTION`, `why ORDER`; `help` lists the commands"),
    ]


def explain_bare_verb(text: str, game: Game, name_index: NameIndex) -> list[str] | None:
    """Explain how to complete a verb that is typed alone, such as "attack"; None for other texts."""
    localizer, decision = name_index.localizer, game.decision
    plain = normalize_question(text)
    if decision is None or plain not in list_order_verbs(name_index):
        return None
    if later := explain_later_order(plain, game, name_index):
        return later
    if plain not in _list_plain_verbs(localizer):
        return None  # an order of the game, of which the rules say why it is not possible
    names = _list_targets(decision, game, localizer)
    if not names:
        return None
    is_before = plain.isascii()  # other languages may put the verb last
    examples = [f"`{plain} {name}`" if is_before else f"`{name}{plain}`" for name in names]
    return [
        localizer.say("`{verb}` needs a name: whom, or where?", verb=plain),
        localizer.say("For example: {examples}", examples=localizer.join_list(examples)),
    ]


def _list_targets(decision: Decision, game: Game, localizer: Localizer) -> list[str]:
    """Return the names of a few occupied places: first those with pieces of both sides, then those of opponents."""
    program, state = game.program, game.state
    places = program.ids["place"]
    here: dict[str, set[bool]] = {}
    for handle in program.handles["piece"].values():
        place = state.at[handle]
        if program.on_map[place]:
            is_own = find_side_of_thing(state, "piece", handle) in ("", decision.side)
            here.setdefault(places[place], set()).add(is_own)
    ordered = sorted(here, key=lambda place: (False not in here[place], True not in here[place]))
    return [localizer.get_thing_name("place", place) for place in ordered[:_MAX_NAMED]]


def explain_later_order(target: str, game: Game, name_index: NameIndex, numbered: bool = True) -> list[str]:
    """Return lines that say which option to choose before an order about `target`; [] if no option leads to one.

    `target`: typed words; `numbered`: name the option with its number at the prompt.
    """
    localizer, decision = name_index.localizer, game.decision
    first = None if decision is None else _find_leading_option(decision.options, target, game, name_index)
    if first is None or decision is None:
        return []
    option_text = _add_number(first, decision.options, name_index) if numbered else format_option(first, name_index)
    return [
        localizer.say("You cannot order that yet. First choose: {option}", option=option_text),
        localizer.say("After that, {name} can be chosen.", name=_find_name(target, name_index) or quote_typed(target)),
    ]


def _find_leading_option(options: tuple[Option, ...], target: str, game: Game, name_index: NameIndex) -> Option | None:
    """Return the first option after which an order names `target`, looking two decisions ahead; None if none does.

    `target`: typed words.
    """
    places = [place for place in match_things("place", target, name_index) if name_index.is_on_map(place)]
    for followed in iter_route_ends(game, _list_one_per_name(options)):
        there = NameIndex(followed.game, name_index.localizer)
        if match_options(followed.decision.options, target, there):
            return followed.option
        if len(places) == 1 and find_routes(followed.game, "", places[0], there):
            return followed.option
    return None


def _list_one_per_name(options: tuple[Option, ...]) -> list[Option]:
    """Return the first option of each name except `done`, up to the number that is tried."""
    return list({option.name: option for option in reversed(options) if option.key != "done"}.values())[:_MAX_TRIED]


def _add_number(option: Option, options: tuple[Option, ...], name_index: NameIndex) -> str:
    label = format_option(option, name_index)
    return f"{option.number + 1} ({label})" if len(options) <= _MAX_TRIED and option.number >= 0 else label


def _parse_order_target(text: str, name_index: NameIndex) -> str | None:
    """Return the words after the verb of an order in plain words, or None if the text does not begin with a verb.

    A text that is all of a verb, such as the name of an option in several words, has no target.
    """
    plain = " ".join(text.split()).rstrip(" ?？。.!！")
    verbs = list_order_verbs(name_index)
    for verb in () if plain.casefold() in {*verbs, *_list_printed_names(name_index)} else verbs:
        if plain.casefold().startswith(verb + " "):
            return strip_article(remove_articles(plain[len(verb) + 1 :], name_index) or plain[len(verb) + 1 :])
        if not verb.isascii() and plain.endswith(verb) and len(plain) > len(verb):
            return plain[: -len(verb)]
    return None


def list_order_verbs(name_index: NameIndex) -> list[str]:
    """Return the words that begin an order, in lower case, longest first.

    These are verbs in English and in the language of the interface, and the names of the ruleset's options and drafts.
    """
    localizer, program = name_index.localizer, name_index.program
    own = {choice.name for decision in program.decisions for choice in decision.options} | set(program.drafts)
    order_names = {localizer.translate_name(name, "option").casefold() for name in own} | {
        name.replace("_", " ") for name in own
    }
    return sorted({*_list_plain_verbs(localizer), *order_names}, key=lambda verb: (-len(verb), verb))


def _list_plain_verbs(localizer: Localizer) -> set[str]:
    """Return the verbs of orders in the language of the interface and in English."""
    return {*split_phrases(localizer.say(_VERBS)), *split_phrases(str(_VERBS))}


def _list_printed_names(name_index: NameIndex) -> set[str]:
    """Return the labels of the options whose label has no placeholders, in lower case."""
    program, localizer = name_index.program, name_index.localizer
    labels = {c.label for d in program.decisions for c in d.options if c.label is not None and not c.params}
    texts = program.data["texts"]
    plain = [label for label in labels if all(isinstance(part, str) for part in texts[label])]
    return {localizer.fill_text(label, ()).casefold() for label in plain}


def _find_name(target: str, name_index: NameIndex) -> str:
    """Return the name of the thing that the words `target` refer to, or '' if they name nothing."""
    localizer = name_index.localizer
    for kind in ("place", "piece"):
        if matches := match_things(kind, target, name_index):
            return (
                localizer.get_thing_name(kind, matches[0]) if kind == "place" else localizer.get_piece_name(matches[0])
            )
    things = match_any_kind(target, name_index)
    return localizer.get_thing_name(*things[0]) if things else ""


def _parse_asked_word(plain: str, name_index: NameIndex) -> str | None:
    """Return the word that a question such as "what is ...?" asks about, or None; `plain`: the text, normalized."""
    for listed in (name_index.localizer.say(_ABOUT_WORDS), str(_ABOUT_WORDS)):
        for pattern in _compile_patterns(listed):
            if match := pattern.fullmatch(plain):
                return strip_article(match[1].strip())
    return None


def _render_aim(game: Game, seat: str, name_index: NameIndex) -> list[TextLine]:
    """Return how a seat wins, how points are counted and when the game ends."""
    localizer = name_index.localizer
    labelled_texts = (
        (localizer.say("your aim"), build_aim_text(game, seat, localizer)),
        (localizer.say("points"), build_scoring_text(game, localizer)),
        (localizer.say("length"), build_ending_text(game, localizer)),
    )
    return [objective.format_line(label, localizer) for label, objective in labelled_texts if objective.text]


def _render_available_orders(game: Game, name_index: NameIndex) -> list[TextLine]:
    """Return the question to answer now, with a hint."""
    localizer, decision = name_index.localizer, game.decision
    if decision is None:
        return [localizer.say("nothing needs to be decided now")]
    return [
        localizer.say("The question is: {question}", question=decision.format_prompt(localizer.lang)),
        *render_hint(game, name_index),
        localizer.say("Type the number of an option, or words that fit it. `how do I win` tells what you play for."),
    ]


def _render_where(game: Game, seat: str, name_index: NameIndex) -> list[TextLine]:
    """Return the contacts and the pieces that can be ordered now.

    If no piece can be ordered, return the option after which some can be.
    """
    lines: list[TextLine] = [*render_front(game, seat, name_index.localizer)]
    decision = game.decision
    if decision is None or list_ready_units(game):
        return lines
    for followed in iter_route_ends(game, _list_one_per_name(decision.options)):
        if any(list_things(option, "piece") for option in followed.decision.options):
            option_text = _add_number(followed.option, decision.options, name_index)
            return [
                name_index.localizer.say("To give orders to pieces, first choose: {option}", option=option_text),
                *lines,
            ]
    return lines


def _learn_lines(name_index: NameIndex, lesson: str) -> list[str]:
    none = name_index.localizer.say(
        "This game has no lesson. `briefing` tells what it is about, `hint` suggests a move."
    )
    return [lesson or none]


def _render_rules_hint(name_index: NameIndex) -> list[str]:
    """Return how to read the rules, with the list of chapters."""
    localizer, book = name_index.localizer, name_index.localizer.data["rulebook"]
    chapters = list(dict.fromkeys(number.partition("-")[0] for number in book))
    return [
        localizer.say("The program knows the rules and lists only legal orders. To read them:"),
        "  "
        + localizer.say(
            "`rule NUMBER` shows a paragraph or a chapter: {chapters}",
            chapters=localizer.join_list(localizer.limit_texts(chapters, 2 * _MAX_LISTED)),
        ),
        "  " + localizer.say("`find WORD` lists the paragraphs with a word"),
    ]


@lru_cache(maxsize=16)
def _parse_phrases(text: str) -> dict[str, str]:
    """Parse a catalogue list of "phrase = intent" into the intent of each phrase."""
    pairs = (part.partition(" = ") for part in _split_list(text))
    return {phrase.strip(): intent.strip() for phrase, parted, intent in pairs if parted}


@lru_cache(maxsize=16)
def _compile_patterns(text: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(compile_phrase, _split_list(text)))


@lru_cache(maxsize=16)
def _split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a list after its heading, the longest first.

    >>> _split_list("verbs: go / go to")
    ('go to', 'go')
    """
    return tuple(sorted(split_phrases(text), key=len, reverse=True))
