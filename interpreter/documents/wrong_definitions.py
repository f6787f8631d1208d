"""Blame of definitions: many errors in the uses of a name are often one error where the name is defined.

If nothing uses the name `supply_rech`, and three places use the unknown name `supply_reach`, one error about the
definition replaces three errors about its uses:

    checks.rules:120: unknown value `supply_reach`
    checks.rules:128: unknown value `supply_reach`
    checks.rules:131: unknown value `supply_reach`
->
    tables.yaml:54: `supply_rech` is defined here, but nothing uses it; 3 places use `supply_reach` instead
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from interpreter.diagnostics.diagnostic import Diagnostic, Related, Sink, count_findings
from interpreter.diagnostics.quick_fixes import is_near
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import find_close_words
from interpreter.documents.reading.folder import read_folder
from interpreter.documents.reading.tree import MappingEntry, MappingNode, is_null
from interpreter.documents.target import ResolvedTarget, find_target
from interpreter.i18n.translator import Message, mark as _

_MAX_RELATED_PLACES = 3  # uses quoted
_SEVERAL, _MANY = 2, 3  # uses that outweigh the definition, if the names are similar or not
_MAX_SEARCHED = 100  # unknown names looked up in all files; more have another cause than one slip
_TOKEN = re.compile(r"\w+")
_COMMENT = re.compile(r"(?:^|\s)#")
_PROSE = re.compile(r"^kind:\s*rulebook\b", re.MULTILINE)


def blame_definitions(target: str, sink: Sink) -> None:
    """Replace the errors at all uses of a name by one error at the definition that probably causes them.

    That is a definition of a similar name that nothing uses, or one whose type is wrong at every use. If few places use
    the unknown name, their errors stay, with a note that points to the unused definition. Reads the files of the target
    again, which costs time only after errors.
    """
    texts = _Texts(target)
    _blame_removals(texts, sink)
    for (word, names), findings in islice(_group_unknown_names(sink.items).items(), _MAX_SEARCHED):
        definition = _find_definition(word, names, len(findings), texts)
        if definition is not None and not any(_is_covering(finding.span, definition) for finding in findings):
            _blame_name(word, definition, findings, sink)
    for (name, _file, _start), findings in islice(_group_by_origin(sink.items).items(), _MAX_SEARCHED):
        origin = findings[0].related[0].span
        uses = [span for span in texts.find_occurrences(name) if not _is_covering(origin, span)]
        if all(any(_is_covering(finding.span, use) for finding in findings) for use in uses):
            _blame_type(name, origin, findings, sink)


@dataclass(frozen=True)
class _Texts:
    """The texts of a target that define and use names: documents, rules and variants, without the rulebook's prose."""

    target: str

    @cached_property
    def _target(self) -> ResolvedTarget | None:
        return find_target(self.target, Sink(), checked=False)

    @cached_property
    def removals(self) -> dict[str, Span]:
        """Return, for each name that a variant removes, the span of the key with the null."""
        return {
            entry.key.text: entry.key.span
            for variant in (self._target.variants if self._target else ())
            for entry in _iter_removals(variant.document.root)
        }

    @cached_property
    def _sources(self) -> list[Source]:
        if self._target is None:
            return []
        folder = read_folder(self._target.root, Sink())
        files = (*folder.documents, *folder.rules, *(variant.file for variant in self._target.variants))
        return [file.source for file in files if not _PROSE.search(file.source.text)]

    def find_occurrences(self, word: str) -> list[Span]:
        """Return where a word is written outside of comments."""
        token = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        spans = [Span(source, m.start(), m.end()) for source in self._sources for m in token.finditer(source.text)]
        return [span for span in spans if not _COMMENT.search(span.source.get_line(span.line)[: span.column - 1])]


def _iter_removals(tree: MappingNode) -> Iterator[MappingEntry]:
    """Yield the entries at any depth whose value is null."""
    for entry in tree:
        if isinstance(entry.value, MappingNode):
            yield from _iter_removals(entry.value)
        elif is_null(entry.value):
            yield entry


def _blame_removals(texts: _Texts, sink: Sink) -> None:
    """Replace errors about the uses of a name that a variant removes by one at its removal."""
    groups: dict[str, list[Diagnostic]] = {}
    for finding in sink.items:
        if finding.severity == "error" and finding.code.startswith("unknown-") and isinstance(finding.message, Message):
            removed = [name for name in map(str, finding.message.holes.values()) if name in texts.removals]
            if removed:
                groups.setdefault(removed[0], []).append(finding)
    for name, findings in groups.items():
        message = _(
            "`{name}` is removed here, but {number} (place still uses|places still use) it",
            name=name,
            number=len(findings),
        )
        cure = _("remove or change these uses too, or keep it by deleting this line")
        related = tuple(Related(_("used here"), finding.span) for finding in findings[:_MAX_RELATED_PLACES])
        _replace_findings(
            findings, Diagnostic(findings[0].code, message, texts.removals[name], help=cure, related=related), sink
        )


def _group_unknown_names(items: Iterable[Diagnostic]) -> dict[tuple[str, frozenset[str]], list[Diagnostic]]:
    """Return the errors about unknown names, by (unknown name, names known there)."""
    groups: dict[tuple[str, frozenset[str]], list[Diagnostic]] = {}
    for finding in items:
        if finding.severity == "error" and finding.known and isinstance(finding.message, Message):
            quoted = set(map(str, finding.message.holes.values()))
            text = finding.span.source.text[finding.span.start : finding.span.end]
            words = [word for word in _TOKEN.findall(text) if word in quoted and not word.isdigit()]
            if words:
                groups.setdefault((words[-1], frozenset(finding.known)), []).append(finding)
    return groups


def _find_definition(word: str, names: frozenset[str], uses: int, texts: _Texts) -> Span | None:
    """Return the definition of the one name that `word` probably misspells or was renamed to; None if it is uncertain.

    `names`: the known names; `uses`: the number of errors about `word`. The name is similar to `word`, or it is the
    only known one that nothing uses, unless `word` differs from another name by one letter only.
    """
    if similar := _find_unused(find_close_words(word, names)[:1], texts):
        return similar
    if uses < _MANY and any(is_near(word, name) for name in names):
        return None
    return _find_unused(sorted(names), texts)


def _find_unused(names: Iterable[str], texts: _Texts) -> Span | None:
    """Return the definition of the only name that nothing uses, or None if there are none or several."""
    unused = [
        span
        for name in names
        if _TOKEN.fullmatch(name) and (span := _find_only_entry(texts.find_occurrences(name))) is not None
    ]
    return unused[0] if len(unused) == 1 else None


def _find_only_entry(spans: Sequence[Span]) -> Span | None:
    """Return a name's first occurrence if it is the key of an entry that contains all other ones, else None."""
    if not spans:
        return None
    first, source = spans[0], spans[0].source
    indent = source.get_line(first.line)[: first.column - 1]
    after = source.text[first.end :]
    end = first.end
    if not indent.strip() and after.startswith(":"):
        next_entry = re.compile(rf"\n {{0,{len(indent)}}}\S").search(after)
        end = first.end + next_entry.start() if next_entry else len(source.text)
    return first if all(_is_covering(Span(source, first.start, end), span) for span in spans) else None


def _group_by_origin(items: Iterable[Diagnostic]) -> dict[tuple[str, str, int], list[Diagnostic]]:
    """Return the errors whose only related place is the origin of a type, by (name, file, offset); two at least."""
    groups: dict[tuple[str, str, int], list[Diagnostic]] = {}
    for finding in items:
        if finding.severity == "error" and not finding.known and len(finding.related) == 1:
            (origin,) = finding.related
            name = origin.message.holes.get("name") if isinstance(origin.message, Message) else None
            if name is not None:
                groups.setdefault((str(name), origin.span.file, origin.span.start), []).append(finding)
    return {key: findings for key, findings in groups.items() if len(findings) > 1}


def _is_covering(span: Span, inner: Span) -> bool:
    return span.file == inner.file and span.start <= inner.start and inner.end <= span.end


def _blame_name(word: str, definition: Span, findings: Sequence[Diagnostic], sink: Sink) -> None:
    name = definition.source.text[definition.start : definition.end]
    is_similar = bool(find_close_words(word, [name]))
    if len(findings) < (_SEVERAL if is_similar else _MANY):
        note = Related(_("`{name}` is defined here, but nothing uses it", name=name), definition)
        for finding in findings:
            _replace_findings([finding], replace(finding, related=(*finding.related, note)), sink)
        return
    message = _(
        "`{name}` is defined here, but nothing uses it; {number} places use `{word}` instead",
        name=name,
        number=count_findings(findings),
        word=word,
    )
    cure = (
        _("did you mean `{word}`?", word=word)
        if is_similar
        else _("if you have renamed `{word}`, write `{name}` in those places too", word=word, name=name)
    )
    related = tuple(Related(_("used here"), finding.span) for finding in findings[:_MAX_RELATED_PLACES])
    _replace_findings(findings, Diagnostic(findings[0].code, message, definition, help=cure, related=related), sink)


def _blame_type(name: str, origin: Span, findings: Sequence[Diagnostic], sink: Sink) -> None:
    message = _(
        "`{name}` does not have the type that the rules need in {number} places",
        name=name,
        number=count_findings(findings),
    )
    related = tuple(Related(finding.message, finding.span) for finding in findings[:_MAX_RELATED_PLACES])
    cure = _("correct its value or its type here; if it is right, correct the rules")
    _replace_findings(findings, Diagnostic("wrong-type", message, origin, help=cure, related=related), sink)


def _replace_findings(findings: Sequence[Diagnostic], finding: Diagnostic, sink: Sink) -> None:
    """Put `finding` in the place of the first of `findings`, and remove the rest."""
    index = sink.items.index(findings[0])
    sink.items[index] = finding
    sink.items[index + 1 :] = [item for item in sink.items[index + 1 :] if item not in findings]
