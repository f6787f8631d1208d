"""Compute files in the newest format, by the steps from one format to the next. Writes none of them.

The steps are defined in `documents/reading/formats.py`. A step skips what it does not know; `check` reports that
afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Replacement, Source, Span, apply_edits
from interpreter.documents.reading import formats
from interpreter.documents.reading.formats import FIRST, FormatStep, Remark
from interpreter.documents.reading.tree import MappingNode, ScalarNode
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.files.file_names import is_rules_name
from interpreter.i18n.translator import Message, mark as _
from interpreter.tools.formatting.formatted_files import FormattedFile, decode_text, iter_files

_INLINE = "rules"  # key of the rules inside a variant


@dataclass(frozen=True, slots=True)
class MigratedFile:
    """A file in the newest format. `changes` describes its changes, `remarks` what the author must review."""

    file: FormattedFile
    changes: tuple[Message, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def path(self) -> Path:
        """Return the path of the file."""
        return self.file.path


def migrate_files(target: str, sink: Sink) -> list[MigratedFile]:
    """Return every file of a shipped id, a folder or a file in the newest format; faults are added to the sink.

    Rules use the format version of the oldest document in their folder.
    """
    steps = formats.STEPS
    migrated: list[MigratedFile] = []
    rules: list[tuple[Path, bytes]] = []
    for path, content in iter_files(target, sink):
        if is_rules_name(path):
            rules.append((path, content))
            continue
        text = decode_text(path, content, sink)
        file = None if text is None else _migrate(path, content, text, steps, sink)
        if file is not None:
            migrated.append(file)
    oldest = min((file.file.format for file in migrated), default=formats.get_newest_format(steps))
    for path, content in rules:
        text = decode_text(path, content, sink)
        if text is not None:
            migrated.append(_migrate_rules(path, content, text, oldest, steps[oldest - FIRST :]))
    return sorted(migrated, key=lambda migration: migration.file.path)


def _migrate_rules(path: Path, content: bytes, text: str, oldest: int, steps: Sequence[FormatStep]) -> MigratedFile:
    """Return a rules file in the newest format. `steps`: the steps from its format `oldest` to the newest one."""
    done: list[Message] = []
    remarks: list[Remark] = []
    for step in steps:
        changed = step.rules(text)
        done += [step.about] if changed != text else []
        text = changed
        remarks += step.remarks(Source(path.as_posix(), text))
    return MigratedFile(FormattedFile(path, content, text.encode(), oldest), tuple(done), tuple(remarks))


def _migrate(path: Path, content: bytes, text: str, steps: Sequence[FormatStep], sink: Sink) -> MigratedFile | None:
    """Return a document in the newest format, or None, with a report to `sink`, if its format is unknown."""
    format = 0
    done: list[Message] = []
    remarks: list[Remark] = []
    original = text
    while True:
        root = read_yaml(Source(path.as_posix(), text), sink)
        stated = root.get("format") if isinstance(root, MappingNode) else None
        if not isinstance(root, MappingNode) or not isinstance(stated, ScalarNode) or "kind" not in root:
            if not sink.has_errors and isinstance(root, MappingNode):
                sink.add_error(
                    "unknown-format",
                    _("this document has no format number"),
                    root.span,
                    help=_(
                        "a document begins with `kind:` and `format: {format}`", format=formats.get_newest_format(steps)
                    ),
                )
            return None
        if not formats.is_known(stated, steps):
            formats.report_unknown_format(stated.span, stated.text, formats.get_newest_format(steps), sink)
            return None
        assert isinstance(stated.value, int)
        now = stated.value
        format = format or now
        if now == formats.get_newest_format(steps):
            file = FormattedFile(path, content, content if text == original else text.encode(), format)
            return MigratedFile(file, tuple(done), tuple(remarks))
        step = steps[now - FIRST]
        text, is_changed = _take_step(text, root, stated, step, now + 1)
        done += [step.about] if is_changed else []
        remarks += _list_embedded_remarks(root, step)


def _list_embedded_remarks(root: MappingNode, step: FormatStep) -> Sequence[Remark]:
    """Return the remarks of a migration step on the rules inside a variant, placed in the variant's file.

    `root`: the variant's document. Return () if it adds no rules.
    """
    inline = root.get(_INLINE)
    if not isinstance(inline, ScalarNode):
        return ()
    span = inline.span
    head = span.source.text[: span.start]
    blanked = "".join(c if c == "\n" else " " for c in head) + span.source.text[span.start : span.end]
    return [
        Remark(Span(span.source, remark.span.start, remark.span.end), remark.message)
        for remark in step.remarks(Source(span.file, blanked))
    ]


def _take_step(text: str, root: MappingNode, stated: ScalarNode, step: FormatStep, following: int) -> tuple[str, bool]:
    """Return the text of a document after one step to the format `following`.

    Also return True if the step has changed more than the number of the format. The step changes the document `root`,
    the rules inside it, and the number `stated`.
    """
    edits = [replacement.edit for replacement in step.document(root.get_text("kind"), root)]
    inline = root.get(_INLINE)
    if isinstance(inline, ScalarNode):
        start, end = inline.span.start, inline.span.end
        rules_text = text[start:end]
        changed = step.rules(rules_text)
        if changed != rules_text:
            edits.append(Replacement(start, end, changed))
    number = Replacement(stated.span.start, stated.span.end, str(following))
    return apply_edits(text, [*edits, number]), bool(edits)
