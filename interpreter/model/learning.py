"""Documents for learners: terms in plain words, a tutorial, and the start that a beginner is offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.source_text import Span
from interpreter.model.answers import CaseAnswer
from interpreter.model.ruleset import Label


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term of a game with its explanation.

    `also` maps a language to further words for it, `see` names other terms, `cite` paragraphs of the rulebook.
    """

    id: str
    name: Label
    text: Label
    also: Mapping[str, tuple[str, ...]]
    see: tuple[str, ...] = ()
    cite: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Glossary:
    """The terms of a game by id, in the order of the document."""

    terms: Mapping[str, GlossaryTerm]


@dataclass(frozen=True, slots=True)
class FirstGame:
    """The game that a beginner is offered.

    `scenario`: its id, None for the default one; `seat`: the seat of the beginner; `opponent`: the bot to play
    against; `why`: the reason to begin with it, by language.
    """

    scenario: str | None
    seat: str
    opponent: str
    why: Label


@dataclass(frozen=True, slots=True)
class Highlight:
    """A thing to highlight: `kind` is "place", "piece" or "part" (of the screen), `id` names it."""

    kind: str
    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson.

    It is done when the player has pointed at `look`, has given one of `orders`, or, without either, has read it.
    `advice`: the text for a player who orders something else. `dice`: the faces of the rolls from the order on;
    `meanwhile`: the answers to the decisions after it.
    """

    title: Label
    text: Label
    highlights: tuple[Highlight, ...]
    look: Highlight | None
    orders: tuple[CaseAnswer, ...]
    advice: Label
    dice: Mapping[str, Any]
    meanwhile: tuple[CaseAnswer, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Lesson:
    """A tutorial. `begin` is its position, in the form of a case; `before`: the answers given before the first step.

    `minutes` is 0 if the document states no duration; `begin_span` is where the document states the position.
    """

    title: Label
    about: Label
    minutes: int
    seat: str
    begin: Mapping[str, Any]
    seed: int
    dice: Mapping[str, Any]
    before: tuple[CaseAnswer, ...]
    steps: tuple[LessonStep, ...]
    begin_span: Span
    span: Span


NO_TERMS = Glossary({})
