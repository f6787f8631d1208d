"""Terms that players ask about: the terms of a ruleset's glossary and of the program itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.i18n.translator import mark as _
from interpreter.model.learning import Glossary, GlossaryTerm
from interpreter.play.lines import Line, TextLine
from interpreter.players.orders.name_index import tokenize_words
from interpreter.runtime.localizer import Localizer

_ENGINE_TERMS = (
    (_("bot"), _("A bot is a program that plays a side. `hint` shows what one would do now.")),
    (_("decision"), _("A decision is a question that the rules ask one player. The program lists every legal answer.")),
    (
        _("die roll"),
        _("Dice are rolled by the program. `ledger` shows how the last roll was used, `luck` how lucky it was."),
    ),
    (_("hint"), _("A hint is the move that a bot would make now, with its reasons. It is never carried out for you.")),
    (_("ledger"), _("The ledger shows how the last result came about: strengths, modifiers, the die and the chart.")),
    (_("odds"), _("Odds are the chances of each result of an order, computed before any die is rolled.")),
    (
        _("legal option"),
        _("An option is one legal answer to the question that is asked. An optional rule is an option of the game."),
    ),
    (_("giving an order"), _("An order is what you choose to do. Type its number, or words that fit it.")),
    (_("phase"), _("A phase is a part of a turn in which certain things are done. The heading names the present one.")),
    (_("rule number"), _("Numbers in square brackets name paragraphs of the rules. `rule NUMBER` shows the text.")),
    (_("saved game"), _("Every game is saved after each choice. `quit` stops; `grognard play --resume` goes on.")),
    (_("scenario"), _("A scenario is a starting position: who is where, who moves, and how long the game lasts.")),
    (_("score"), _("The score compares the players. `score` shows how it is counted and what yours is made of.")),
    (
        _("seat at the table"),
        _("A seat is a place at the table: the person or bot in it decides for one or more sides."),
    ),
    (_("side"), _("A side is one of the parties of the game. A player may lead several.")),
    (_("stack"), _("A stack is several pieces at the same place.")),
    (_("turn"), _("A turn is one round of the game. `front` shows what is still to come in it.")),
    (
        _("undo"),
        _("`undo` takes back your last choice as long as no dice have fallen and nobody else has chosen since."),
    ),
    (_("variant"), _("A variant is a ruleset that changes another one: other pieces, other numbers, other rules.")),
)
_MAX_CLOSE = 5


@dataclass(frozen=True, slots=True)
class Term:
    """A glossary term in one language.

    `names`: its synonyms, of which the first is its title; `text`: its meaning; `see`: the titles of related terms;
    `cite`: the paragraphs of the rulebook that it cites.
    """

    names: tuple[str, ...]
    text: str
    see: tuple[str, ...] = ()
    cite: tuple[str, ...] = ()


def list_terms(glossary: Glossary, localizer: Localizer) -> list[Term]:
    """Return all terms in the reader's language: those of the ruleset, then those of every game."""
    own = [_build_authored_term(term, glossary, localizer) for term in glossary.terms.values()]
    return own + [Term((localizer.say(name), str(name)), localizer.say(text)) for name, text in _ENGINE_TERMS]


def find_term(text: str, terms: list[Term]) -> Term | None:
    """Return the term with this name, also in the singular or plural; or None if no term has that name."""
    typed_words = _strip_plurals(text)
    if not typed_words:
        return None
    for term in terms:
        if any(_strip_plurals(name) == typed_words for name in term.names):
            return term
    inside = [term for term in terms if any(set(typed_words) < set(_strip_plurals(name)) for name in term.names)]
    return inside[0] if len(inside) == 1 else None


def format_term(term: Term, localizer: Localizer) -> list[TextLine]:
    """Format a term: its name, its meaning, and what to read next."""
    lines: list[TextLine] = [Line(localizer.prefix_topic(term.names[0], term.text), term.cite)]
    if term.see:
        lines.append("  " + localizer.say("see also: {terms}", terms=localizer.join_list(term.see)))
    return lines


def format_term_list(terms: list[Term], localizer: Localizer) -> list[str]:
    """List the names of all terms."""
    return [
        localizer.say("terms: {terms}", terms=localizer.join_list(term.names[0] for term in terms)),
        localizer.say("`glossary WORD` explains one"),
    ]


def _build_authored_term(term: GlossaryTerm, glossary: Glossary, localizer: Localizer) -> Term:
    first = next(iter(term.name.values()), term.id)
    also = [*term.also.get(localizer.lang, ()), *(name for names in term.also.values() for name in names)]
    names = dict.fromkeys([localizer.translate_label(term.name, term.id), *also, first, term.id.replace("_", " ")])
    see = tuple(
        localizer.translate_label(glossary.terms[term_id].name, term_id)
        for term_id in term.see
        if term_id in glossary.terms
    )
    return Term(tuple(names), localizer.translate_label(term.text), see, term.cite)


def _strip_plurals(text: str) -> tuple[str, ...]:
    """Return the words of a text without the ending of a plural."""
    return tuple(_singularize(token) for token in tokenize_words(text.strip(" ?？。.!！")))


def _singularize(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.isascii() and word.endswith("s") and not word.endswith("ss") else word


def find_close_terms(text: str, terms: list[Term]) -> list[str]:
    """Return the main names of the terms that share a word with the text, singular or plural; at most `_MAX_CLOSE`."""
    typed_words = set(_strip_plurals(text))
    names: Iterator[str] = (
        term.names[0] for term in terms if any(typed_words & set(_strip_plurals(n)) for n in term.names)
    )
    return list(names)[:_MAX_CLOSE]
