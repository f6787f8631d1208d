"""The formats of documents, and what each one changed.

Every document says the format it was written in. One of an older format is read as it stands as long as it uses
nothing that a later format calls or means otherwise; `grognard migrate` changes the rest. Whoever changes a schema, the
grammar of the rules or what either means adds a `Step` here and a frozen sample: see docs/decisions/035-formats.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.documents.reading.tree import Branch, Scalar
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Edit, Source, Span
from interpreter.words.speech import Sentence, mark as _

FIRST = 1


@dataclass(frozen=True, slots=True)
class Outdated:
    """Something that an older format says otherwise: where it stands, what it became, and its new text."""

    span: Span
    told: Sentence
    text: str

    @property
    def edit(self) -> Edit:
        """Return the change of the document's text."""
        return Edit(self.span.start, self.span.end, self.text)


@dataclass(frozen=True, slots=True)
class Remark:
    """Something whose meaning has changed and that nobody but its author can judge."""

    span: Span
    told: Sentence


def _nothing_outdated(_kind: str, _root: Branch) -> Sequence[Outdated]:
    return ()


def _no_remarks(_source: Source) -> Sequence[Remark]:
    return ()


@dataclass(frozen=True, slots=True)
class Step:
    """What changed from one format to the next; `about` says it in a sentence.

    `document` finds what is outdated in a document of a kind; `rules` gives the new text of a rules file, or of the
    rules inside a variant; `remarks` finds in rules what an author has to look at.
    """

    about: Sentence
    document: Callable[[str, Branch], Sequence[Outdated]] = _nothing_outdated
    rules: Callable[[str], str] = lambda text: text
    remarks: Callable[[Source], Sequence[Remark]] = _no_remarks


def _renamed_in_drawing(kind: str, root: Branch) -> list[Outdated]:
    """Return the keys of counters in a map's `drawing` that format 2 calls otherwise."""
    map_ = root.branch("map") if kind == "variant" else root
    if kind not in ("map", "variant"):
        return []
    found: list[Outdated] = []
    for entry in map_.branch("drawing").branch("pieces"):
        counter = entry.value
        if isinstance(counter, Branch):
            found += _renamed(counter, "facing", "arrow")
            for look in ("sign", "band"):
                found += _renamed(counter.branch(look), "attribute", "by")
    return found


def _renamed(tree: Branch, old: str, new: str) -> Iterator[Outdated]:
    if old in tree and new not in tree:
        span = tree.entries[old].key.span
        yield Outdated(span, _("the key `{old}` is called `{new}` since format 2", old=old, new=new), new)


def _unordered_drafts(source: Source) -> list[Remark]:
    """Return a remark for every `unordered` draft of a rules text."""
    found, at = [], 0
    for line in source.text.splitlines(keepends=True):
        code = line.partition("#")[0]
        words = code.split()
        if words[:1] == ["draft"] and "unordered" in words:
            start = at + code.index("unordered")
            told = _(
                "since format 2 an `unordered` draft takes its steps in any order: check that no rule depends on it"
            )
            found.append(Remark(Span(source, start, start + len("unordered")), told))
        at += len(line)
    return found


STEPS: tuple[Step, ...] = (
    Step(
        _("on counters, `attribute` of `sign` and `band` is called `by`, and `facing` is called `arrow`"),
        _renamed_in_drawing,
        remarks=_unordered_drafts,
    ),
)


def newest(steps: Sequence[Step] | None = None) -> int:
    """Return the format that documents have when all steps are done."""
    return FIRST + len(STEPS if steps is None else steps)


def check_format(kind: str, root: Branch, sink: Sink) -> bool:
    """Report a format that is not known, and what is outdated in an older one. Return True where there was neither."""
    stated = root.get("format")
    if stated is None:
        return True  # the schema misses it
    if not is_known(stated):
        report_unknown_format(stated.span, stated.text if isinstance(stated, Scalar) else "", newest(), sink)
        return False
    found = [one for step in STEPS[_number(stated) - FIRST :] for one in step.document(kind, root)]
    for one in found:
        sink.error(
            "old-format",
            one.told,
            one.span,
            help=_(
                "run `grognard migrate` on the folder or the file: it brings documents to format {format} and keeps "
                "comments and layout",
                format=newest(),
            ),
        )
    return not found


def is_known(stated: object, steps: Sequence[Step] | None = None) -> bool:
    """Return whether a node states the number of a format that this program reads."""
    return isinstance(stated, Scalar) and type(stated.value) is int and FIRST <= stated.value <= newest(steps)


def report_unknown_format(span: Span, text: str, most: int, sink: Sink) -> None:
    """Report a format that this program does not know."""
    sink.error(
        "unknown-format",
        _(
            "format {format} is not known here: this program knows {first} to {newest}",
            format=text,
            first=FIRST,
            newest=most,
        ),
        span,
        help=_("if the file comes from a later version of the program, you need that version"),
    )


def _number(stated: object) -> int:
    assert isinstance(stated, Scalar) and isinstance(stated.value, int)
    return stated.value
