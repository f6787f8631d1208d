"""Documents for learners: the terms of a game in plain words, and the start that a beginner is offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.model.ruleset import Label


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term of a game with its explanation.

    `also` maps a language to further words for it, `see` names other terms.
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
    """The start that a beginner is offered: `scenario` is None for the default one."""

    scenario: str | None
    seat: str
    opponent: str
    why: Label


NO_TERMS = Glossary({})
