"""Records for explaining the rules: texts, single requirements, and values that documents display.

Passes do not rewrite these expressions: each is evaluated once for a reader.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.diagnostics.source_text import Span
from interpreter.ir.expression_records import Expr, Local
from interpreter.model import statements as c
from interpreter.model.checked_model import CheckedDraft, CheckedLine, CheckedRule, CheckedStep, CheckedTally
from interpreter.model.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A text template and the values of its placeholders, in order."""

    template: c.TextTemplate
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """The member that the words of a requirement may name: the first one of `domain` that passes the test `where`.

    `var`: the variable that holds the member in the test and in the words; without `where` the first member is taken.
    """

    var: str
    domain: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """Explanation of a requirement: its conjuncts in order, its words, and the member they may name."""

    source: c.CheckedRequirement
    conjuncts: tuple[Expr, ...]
    words: Words | None
    witness: Witness | None


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedPreference:
    """A preference of an option: the value that ranks options, and the words that explain it."""

    source: c.CheckedPreference
    value: Expr
    words: Words | None


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedOption:
    """An option of a decision or a step of a draft; `because` says why a draft stops after a step."""

    source: c.CheckedOption | CheckedStep
    requires: tuple[Requirement, ...]
    prefers: tuple[ExplainedPreference, ...]
    label: Words | None
    because: Words | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedDecision:
    """The texts and requirements of a decision.

    `given`: (name in the rules, variable) of each variable around the decision that its expressions read; `prompt`: the
    question to the player; `finish`: the requirements for ending a repeated decision.
    """

    source: c.Decide | c.DecideDraft
    given: tuple[tuple[str, Local], ...]
    prompt: Words | None
    options: tuple[ExplainedOption, ...] = ()
    finish: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedDraft:
    """The texts of a draft. `offered`: the variables of the offer that only the text of an end reads."""

    source: CheckedDraft
    steps: tuple[ExplainedOption, ...]
    finish: tuple[Requirement, ...]
    ending: Words | None
    offered: tuple[Local, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedRule:
    """Explanation of a rule's refusals: its parameters and lowered requirements."""

    source: CheckedRule
    params: tuple[tuple[str, Type], ...]
    requires: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedLine:
    """A line of a tally."""

    source: CheckedLine
    amount: Expr
    condition: Expr | None
    words: Words


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedTally:
    """A tally: its parameters and lines."""

    source: CheckedTally
    params: tuple[tuple[str, Type], ...]
    lines: tuple[ExplainedLine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NotedBound:
    """A bound of a tally: its least value if `is_least`, else its greatest one."""

    is_least: bool
    value: Expr
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TallyNotes:
    """A tally instrumented for a ledger: its parameters, its lines with trace nodes, its bounds."""

    source: CheckedTally
    params: tuple[tuple[str, Type], ...]
    lines: tuple[ExplainedLine, ...]
    bounds: tuple[NotedBound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A value or text that documents and screens ask for, as a function of at most one thing."""

    name: str
    params: tuple[tuple[str, Type], ...]
    value: Expr | Words
    span: Span


@dataclass(frozen=True, slots=True)
class Explanations:
    """All explanation records of a program; empty unless it was lowered with `explained`."""

    decisions: list[ExplainedDecision] = field(default_factory=list)
    drafts: list[ExplainedDraft] = field(default_factory=list)
    rules: list[ExplainedRule] = field(default_factory=list)
    tallies: list[ExplainedTally] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    tally_notes: list[TallyNotes] = field(default_factory=list)
    tallied: list[Question] = field(default_factory=list)  # scores and values that a ledger notes line by line
