"""Versions of the document format, and the changes of each version.

Every document states its format. A document of an older format is read as it is, as long as it uses nothing that a
later format renamed or redefined; `grognard migrate` converts the rest. A change to a schema, to the grammar of the
rules or to the meaning of either needs a `FormatStep` here and a frozen sample: see docs/decisions/035-formats.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.plain_signs import to_half_width
from interpreter.diagnostics.source_text import Replacement, Source, Span
from interpreter.documents.reading.tree import MappingNode, ScalarNode
from interpreter.documents.values.printed_forms import guess_number
from interpreter.i18n.number_format import parse_number
from interpreter.i18n.translator import Message, mark as _

FIRST = 1
_NUMBER_OF_1 = re.compile(r"-?[0-9]{1,9}/[0-9]{1,9}|-?[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)  # in `values` of format 1
_LEADING_ZERO = re.compile("-?0[0-9]")


@dataclass(frozen=True, slots=True)
class Outdated:
    """Outdated text of an older format: its span, a message that says what replaced it, and the new text."""

    span: Span
    message: Message
    text: str

    @property
    def edit(self) -> Replacement:
        """Return the edit that replaces the outdated text."""
        return Replacement(self.span.start, self.span.end, self.text)


@dataclass(frozen=True, slots=True)
class Remark:
    """A construct whose meaning has changed, so that its author must check it."""

    span: Span
    message: Message


@dataclass(frozen=True, slots=True)
class FormatStep:
    """The changes from one format to the next; `about` summarizes them in a sentence.

    `document` finds outdated parts in a document of a kind; `rules` returns the new text of a rules file, or of the
    rules inside a variant; `remarks` finds in rules what an author has to check.
    """

    about: Message
    document: Callable[[str, MappingNode], Sequence[Outdated]] = lambda _kind, _root: ()
    rules: Callable[[str], str] = lambda text: text
    remarks: Callable[[Source], Sequence[Remark]] = lambda _source: ()


def _find_renamed_in_drawing(kind: str, root: MappingNode) -> list[Outdated]:
    """Return the keys of counters in a map's `drawing` that format 2 has renamed."""
    map_ = root.get_mapping("map") if kind == "variant" else root
    if kind not in ("map", "variant"):
        return []
    outdated: list[Outdated] = []
    for entry in map_.get_mapping("drawing").get_mapping("pieces"):
        counter = entry.value
        if isinstance(counter, MappingNode):
            outdated += _iter_renamed(counter, "facing", "arrow")
            for look in ("sign", "band"):
                outdated += _iter_renamed(counter.get_mapping(look), "attribute", "by")
    return outdated


def _iter_renamed(tree: MappingNode, old: str, new: str) -> Iterator[Outdated]:
    if old in tree and new not in tree:
        span = tree.entries[old].key.span
        yield Outdated(span, _("the key `{old}` has the name `{new}` since format 2", old=old, new=new), new)


def _find_renamed_or_retyped(kind: str, root: MappingNode) -> list[Outdated]:
    return [*_find_renamed_in_drawing(kind, root), *_find_number_like_texts(kind, root)]


def _find_number_like_texts(kind: str, root: MappingNode) -> list[Outdated]:
    """Return the texts of format 1 that are numbers or faults in format 2, among the named values without a type."""
    if kind not in ("tables", "variant"):
        return []
    tables = root.get_mapping("tables") if kind == "variant" else root
    outdated: list[Outdated] = []
    for entry in tables.get_mapping("values"):
        fields = entry.value if isinstance(entry.value, MappingNode) else None
        if fields is not None and ("type" in fields or kind == "variant"):
            continue  # in a variant, the type may be stated in the base
        node = fields.get("value") if fields is not None else entry.value
        if isinstance(node, ScalarNode) and node.value is not None and type(node.value) is str:
            outdated += _iter_preserving_replacements(node, fields)
    return outdated


def _iter_preserving_replacements(node: ScalarNode, fields: MappingNode | None) -> Iterator[Outdated]:
    """Yield the replacement of a scalar that preserves its value, if format 2 would read it differently.

    `fields`: the mapping that states the scalar as `value`, or None if it is the whole entry.
    """
    text = node.text
    if text != to_half_width(text) and to_half_width(text).isdecimal():
        return  # full-width digits are a fault in both formats
    quoted = node.span.source.text[node.span.start : node.span.end] if node.style else f'"{text}"'
    was_number = _NUMBER_OF_1.fullmatch(text) is not None and not text.startswith("0")
    if parse_number(text) is not None and not _LEADING_ZERO.match(text):
        if not was_number:
            message = _("`{text}` is a number since format 2, and was a text before", text=text)
            yield Outdated(node.span, message, _quote_with_type(quoted, fields))
    elif not node.style and (suggestion := guess_number(text)) is not None:
        if was_number:
            yield Outdated(
                node.span, _("since format 2, numbers have no leading zeros: `{text}`", text=text), suggestion
            )
        else:
            message = _("since format 2, a text that looks like a number needs quotes: `{text}`", text=text)
            yield Outdated(node.span, message, quoted)


def _quote_with_type(quoted: str, fields: MappingNode | None) -> str:
    """Return YAML text that states a quoted value with the type `text`.

    It replaces a bare value, or, with `fields`, the value in this mapping, which gets the type as a further key.
    """
    if fields is None:
        return f"{{value: {quoted}, type: text}}"
    source, start = fields.span.source.text, fields.span.start
    if source[start] == "{":
        return f"{quoted}, type: text"
    indent = start - (source.rfind("\n", 0, start) + 1)
    return f"{quoted}\n{' ' * indent}type: text"


def _find_unordered_drafts(source: Source) -> list[Remark]:
    """Return a remark for every `unordered` draft of a rules text."""
    remarks, offset = [], 0
    for line in source.text.splitlines(keepends=True):
        code = line.partition("#")[0]
        words = code.split()
        if words[:1] == ["draft"] and "unordered" in words:
            start = offset + code.index("unordered")
            message = _(
                "since format 2, an `unordered` draft takes its steps in any order: check that no rule "
                "depends on the order"
            )
            remarks.append(Remark(Span(source, start, start + len("unordered")), message))
        offset += len(line)
    return remarks


STEPS: tuple[FormatStep, ...] = (
    FormatStep(
        _(
            "on counters, `attribute` of `sign` and `band` has the name `by`, and `facing` has the name `arrow`; "
            "named values that look like numbers but were texts are marked as texts"
        ),
        _find_renamed_or_retyped,
        remarks=_find_unordered_drafts,
    ),
)


def get_newest_format(steps: Sequence[FormatStep] | None = None) -> int:
    """Return the format that documents have after all steps."""
    return FIRST + len(STEPS if steps is None else steps)


def check_format(kind: str, root: MappingNode, sink: Sink) -> bool:
    """Report an unknown format, and outdated parts in an older one; return whether there were neither."""
    stated = root.get("format")
    if stated is None:
        return True  # the schema reports the missing key
    if not is_known(stated):
        report_unknown_format(
            stated.span, stated.text if isinstance(stated, ScalarNode) else "", get_newest_format(), sink
        )
        return False
    outdated = [part for step in STEPS[_parse_number(stated) - FIRST :] for part in step.document(kind, root)]
    for part in outdated:
        cure = _(
            "run `grognard migrate` on the folder or the file: it updates documents to format {format} "
            "and preserves comments and layout",
            format=get_newest_format(),
        )
        sink.add_error("old-format", part.message, part.span, help=cure)
    return not outdated


def is_known(stated: object, steps: Sequence[FormatStep] | None = None) -> bool:
    """Return whether a node states the number of a supported format; `steps` are the changes between formats."""
    return (
        isinstance(stated, ScalarNode)
        and type(stated.value) is int
        and FIRST <= stated.value <= get_newest_format(steps)
    )


def report_unknown_format(span: Span, text: str, most: int, sink: Sink) -> None:
    """Report the unsupported format `text`; `most` is the newest supported one."""
    message = _(
        "format {format} is not supported: this program reads {first} to {newest}",
        format=text,
        first=FIRST,
        newest=most,
    )
    cure = _("if the file comes from a later version of the program, you need that version")
    sink.add_error("unknown-format", message, span, help=cure)


def _parse_number(stated: object) -> int:
    assert isinstance(stated, ScalarNode) and isinstance(stated.value, int)
    return stated.value
