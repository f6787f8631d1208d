"""What files would be in the newest format, by the steps from one format to the next. Must not write any of them.

The steps stand in `documents/reading/formats.py`. A step leaves alone what it does not know; `check` tells of it
afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.documents.reading import formats
from interpreter.documents.reading.formats import FIRST, Remark, Step
from interpreter.documents.reading.tree import Branch, Scalar
from interpreter.documents.reading.yaml_reading import read_yaml
from interpreter.files.file_names import is_rules_name
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Edit, Source, Span, edited
from interpreter.tools.formatting.formatted_files import Rewritten, files_of, text_in
from interpreter.words.speech import Sentence, mark as _

_INLINE = "rules"  # the key under which a variant holds rules


@dataclass(frozen=True, slots=True)
class Migrated:
    """A file in the newest format. `done` says what was changed in it, `remarks` what its author has to look at."""

    file: Rewritten
    done: tuple[Sentence, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.file.path


def migrated(target: str, sink: Sink) -> list[Migrated]:
    """Return every file that a shipped id, a folder or a file stands for, as it would be; faults go to the sink.

    Rules have no format of their own: they go with the oldest document beside them.
    """
    steps = formats.STEPS
    found: list[Migrated] = []
    rules: list[tuple[Path, bytes]] = []
    for path, content in files_of(target, sink):
        if is_rules_name(path):
            rules.append((path, content))
            continue
        text = text_in(path, content, sink)
        one = None if text is None else _document(path, content, text, steps, sink)
        if one is not None:
            found.append(one)
    oldest = min((one.file.format for one in found), default=formats.newest(steps))
    for path, content in rules:
        text = text_in(path, content, sink)
        if text is not None:
            found.append(_rules_file(path, content, text, oldest, steps[oldest - FIRST :]))
    return sorted(found, key=lambda one: one.file.path)


def _rules_file(path: Path, content: bytes, text: str, oldest: int, steps: Sequence[Step]) -> Migrated:
    done: list[Sentence] = []
    remarks: list[Remark] = []
    for step in steps:
        changed = step.rules(text)
        done += [step.about] if changed != text else []
        text = changed
        remarks += step.remarks(Source(path.as_posix(), text))
    return Migrated(Rewritten(path, content, text.encode(), oldest), tuple(done), tuple(remarks))


def _document(path: Path, content: bytes, text: str, steps: Sequence[Step], sink: Sink) -> Migrated | None:
    format = 0
    done: list[Sentence] = []
    remarks: list[Remark] = []
    before = text
    while True:
        root = read_yaml(Source(path.as_posix(), text), sink)
        stated = root.get("format") if isinstance(root, Branch) else None
        if not isinstance(root, Branch) or not isinstance(stated, Scalar) or "kind" not in root:
            if not sink.has_errors and isinstance(root, Branch):
                sink.error(
                    "unknown-format",
                    _("this document does not say its format"),
                    root.span,
                    help=_("a document begins with `kind:` and `format: {format}`", format=formats.newest(steps)),
                )
            return None
        if not formats.is_known(stated, steps):
            formats.report_unknown_format(stated.span, stated.text, formats.newest(steps), sink)
            return None
        assert isinstance(stated.value, int)
        now = stated.value
        format = format or now
        if now == formats.newest(steps):
            file = Rewritten(path, content, content if text == before else text.encode(), format)
            return Migrated(file, tuple(done), tuple(remarks))
        step = steps[now - FIRST]
        text, is_changed = _stepped(text, root, stated, step, now + 1)
        done += [step.about] if is_changed else []
        remarks += _remarks_inside(root, step)


def _remarks_inside(root: Branch, step: Step) -> Sequence[Remark]:
    """Remarks on the rules inside a variant, placed in its file."""
    inline = root.get(_INLINE)
    if not isinstance(inline, Scalar):
        return ()
    span = inline.span
    head = span.source.text[: span.start]
    blanked = "".join(c if c == "\n" else " " for c in head) + span.source.text[span.start : span.end]
    return [
        Remark(Span(span.source, one.span.start, one.span.end), one.told)
        for one in step.remarks(Source(span.file, blanked))
    ]


def _stepped(text: str, root: Branch, stated: Scalar, step: Step, following: int) -> tuple[str, bool]:
    """Take one step: change the document, the rules inside it, and the number of the format.

    Return the text, and whether anything but the number was changed.
    """
    edits = [one.edit for one in step.document(root.text("kind"), root)]
    inline = root.get(_INLINE)
    if isinstance(inline, Scalar):
        start, end = inline.span.start, inline.span.end
        written = text[start:end]
        changed = step.rules(written)
        if changed != written:
            edits.append(Edit(start, end, changed))
    number = Edit(stated.span.start, stated.span.end, str(following))
    return edited(text, [*edits, number]), bool(edits)
