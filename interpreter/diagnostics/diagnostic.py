"""Diagnostics: what is wrong, where, what was expected, and how to fix it.

A diagnostic is data; `rendering` turns it into text. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _

Severity = Literal["error", "warning", "note"]
_ORDER = {"error": 0, "warning": 1, "note": 2}
_MAX_KNOWN_NAMES = 200  # known names that a diagnostic carries
MAX_SIMILAR_FINDINGS = 1_000  # findings of one code kept for a file, far more than anybody reads
_ROOT_CAUSES = ("passed-over-file",)  # sorted first: names that such a file defines are unknown everywhere


@dataclass(frozen=True, slots=True)
class Related:
    """A second source position related to a diagnostic, with a short label ("first defined here")."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error, warning or note about a ruleset.

    `code`: the name of the defect in kebab-case, which has a page under docs/diagnostics; `message`: the problem and
    the expectation; `help`: how to fix it, '' if unknown; `related`: other positions that explain it; `section`:
    shown in brackets after the message, '' for none; `known`: the known names where an unknown one was found, () if
    there are many; `omitted`: the number of further findings of this code in the file that were counted but not kept.
    """

    code: str
    message: str
    span: Span
    severity: Severity = "error"
    help: str = ""
    related: tuple[Related, ...] = ()
    section: str = ""
    known: tuple[str, ...] = ()
    omitted: int = 0

    @property
    def file(self) -> str:
        """Return the name of the file."""
        return self.span.file

    @property
    def line(self) -> int:
        """Return the line, counted from 1."""
        return self.span.line

    @property
    def column(self) -> int:
        """Return the column, counted from 1."""
        return self.span.column


def _build_sort_key(diagnostic: Diagnostic) -> tuple[bool, str, int, int, str, str]:
    severity = _ORDER[diagnostic.severity]
    is_root_cause = diagnostic.code in _ROOT_CAUSES and diagnostic.severity == "error"
    return not is_root_cause, diagnostic.file, diagnostic.span.start, severity, diagnostic.code, diagnostic.message


@dataclass(slots=True)
class Sink:
    """Collector of the diagnostics of one run; it drops repeats of a code at the same place.

    Of one code and file it keeps the first `MAX_SIMILAR_FINDINGS`, and counts the rest in the last of them: a file from
    a stranger can have a fault in every line.
    """

    items: list[Diagnostic] = field(default_factory=list)
    _reported: set[tuple[str, str, int, str]] = field(default_factory=set)
    _alike: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _last: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic unless an equal one was added before."""
        key = (diagnostic.code, diagnostic.span.file, diagnostic.span.start, diagnostic.message)
        if key in self._reported:
            return
        self._reported.add(key)
        kind = (diagnostic.severity, diagnostic.code, diagnostic.span.file)
        self._alike[kind] = number = self._alike.get(kind, 0) + 1
        if number <= MAX_SIMILAR_FINDINGS or not self._count_omitted(kind, 1 + diagnostic.omitted):
            self.items.append(diagnostic)

    def _count_omitted(self, kind: tuple[str, str, str], number: int) -> bool:
        """Add a number of omitted findings to the last kept one of their kind; return False if none is left."""
        known = self._last.get(kind, -1)  # a pass may have removed findings since
        for index in chain((known,), range(len(self.items) - 1, -1, -1)):
            last = self.items[index] if 0 <= index < len(self.items) else None
            if last is not None and (last.severity, last.code, last.file) == kind:
                self.items[index] = replace(last, omitted=last.omitted + number)
                self._last[kind] = index
                return True
        return False

    @property
    def number_reported(self) -> int:
        """Return the number of different findings that were reported so far, kept or not."""
        return len(self._reported)

    def add_error(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        help: str = "",
        related: tuple[Related, ...] = (),
        known: Iterable[str] = (),
    ) -> None:
        """Report an error: the ruleset cannot be played.

        `related`: further places that explain it; `known`: the known names, if a name is unknown (dropped if there are
        more than 200).
        """
        names = tuple(known) if isinstance(known, Collection) and len(known) <= _MAX_KNOWN_NAMES else ()
        self.add(Diagnostic(code, message, span, "error", help, related, known=names))

    def report_duplicate(self, message: str, span: Span, first: Span, help: str) -> None:
        """Report a duplicate definition at `span`, with the place `first` of the first definition."""
        self.add_error("defined-twice", message, span, help=help, related=(Related(_("first defined here"), first),))

    def add_warning(
        self, code: str, message: str, span: Span, *, help: str = "", related: tuple[Related, ...] = ()
    ) -> None:
        """Report a warning: the ruleset can be played. `related`: further places that explain it."""
        self.add(Diagnostic(code, message, span, "warning", help, related))

    def add_note(self, code: str, message: str, span: Span, *, help: str = "") -> None:
        """Report a note: advice that is neither an error nor a warning."""
        self.add(Diagnostic(code, message, span, "note", help))

    @property
    def has_errors(self) -> bool:
        """Return whether an error was reported."""
        return any(d.severity == "error" for d in self.items)

    def list_sorted(self) -> tuple[Diagnostic, ...]:
        """Return all diagnostics sorted by file, place and severity; an error that explains others comes first."""
        return tuple(sorted(self.items, key=_build_sort_key))

    def list_errors(self) -> tuple[Diagnostic, ...]:
        """Return the errors among the diagnostics, sorted like `list_sorted`."""
        return tuple(d for d in self.list_sorted() if d.severity == "error")

    def raise_errors(self) -> None:
        """Raise RulesetError if an error was reported."""
        if self.has_errors:
            raise RulesetError(self.list_errors())


def count_findings(diagnostics: Iterable[Diagnostic]) -> int:
    """Return the number of findings, with those that were counted but not kept."""
    return sum(1 + diagnostic.omitted for diagnostic in diagnostics)


def build_control_character_error(letter: str, span: Span) -> Diagnostic:
    """Return the error for the control character `letter` at `span`; no text may contain one."""
    message = _("the text contains the character U+{ord:04X}, a control character that is not visible", ord=ord(letter))
    return Diagnostic("control-character", message, span, help=_("remove it"))


class RulesetError(Exception):
    """Raised when a ruleset cannot be loaded; `diagnostics` holds the findings."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else None
        others = count_findings(diagnostics) - 1
        more = f" (and {others} more)" if others > 0 else ""
        cure = f"\nhelp: {first.help}" if first is not None and first.help else ""
        super().__init__(f"{first.span}: {first.message}{more}{cure}" if first else "ruleset error")
