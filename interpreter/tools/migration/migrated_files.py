"""What files would be in the newest format, by the steps from one format to the next. Must not write any of them.

When a format is superseded, its step is added to `STEPS`: what changes in a document of a kind, as edits of its text,
and what changes in rules. A step must leave alone what it does not know; `check` tells of it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.documents.reading.folder import RULES_ENDING
from interpreter.documents.reading.tree import Branch, Scalar
from interpreter.documents.reading.yaml_reading import read_yaml
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Edit, Source, edited
from interpreter.tools.formatting.formatted_files import Rewritten, files_of, text_in
from interpreter.words.speech import Sentence, mark as _

FIRST = 1


@dataclass(frozen=True, slots=True)
class Step:
    """From one format to the next.

    `document` gives for a kind and the tree of a document the edits of its text (spans are those of the tree);
    `rules` gives the new text of a rules file, or of rules inside a variant. `about` says what the step does.
    """

    about: Sentence
    document: Callable[[str, Branch], Sequence[Edit]] = lambda _kind, _root: ()
    rules: Callable[[str], str] = lambda text: text


STEPS: tuple[Step, ...] = ()


def newest(steps: Sequence[Step]) -> int:
    """The format that files have when all steps are done."""
    return FIRST + len(steps)


_INLINE = "rules"  # the key under which a variant holds rules


def migrated(target: str, sink: Sink, steps: Sequence[Step] | None = None) -> list[Rewritten]:
    """Every file that a shipped id, a folder or a file stands for; faults go to the sink.

    Rules have no format of their own: they go with the oldest document beside them.
    """
    steps = STEPS if steps is None else steps
    found: list[Rewritten] = []
    rules: list[tuple[Path, bytes]] = []
    for path, content in files_of(target, sink):
        if path.suffix == RULES_ENDING:
            rules.append((path, content))
            continue
        text = text_in(path, content, sink)
        one = None if text is None else _document(path, content, text, steps, sink)
        if one is not None:
            found.append(one)
    oldest = min((one.format for one in found), default=newest(steps))
    for path, content in rules:
        text = text_in(path, content, sink)
        if text is not None:
            after = _rules(text, steps[oldest - FIRST :])
            found.append(Rewritten(path, content, after.encode(), oldest))
    return sorted(found, key=lambda one: one.path)


def _rules(text: str, steps: Sequence[Step]) -> str:
    for step in steps:
        text = step.rules(text)
    return text


def _document(path: Path, content: bytes, text: str, steps: Sequence[Step], sink: Sink) -> Rewritten | None:
    format = 0
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
                    help=_("a document begins with `kind:` and `format: 1`"),
                )
            return None
        now = stated.value
        if not isinstance(now, int) or isinstance(now, bool) or not FIRST <= now <= newest(steps):
            sink.error(
                "unknown-format",
                _(
                    "format {format} is not known here: this program knows {first} to {newest}",
                    format=stated.text,
                    first=FIRST,
                    newest=newest(steps),
                ),
                stated.span,
                help=_("if the file comes from a later version of the program, you need that version"),
            )
            return None
        format = format or now
        if now == newest(steps):
            return Rewritten(path, content, content if text == before else text.encode(), format)
        text = _stepped(text, root, stated, steps[now - FIRST], now + 1)


def _stepped(text: str, root: Branch, stated: Scalar, step: Step, following: int) -> str:
    """One step: what it changes in the document, in rules inside it, and the number of the format."""
    edits = [*step.document(root.text("kind"), root), Edit(stated.span.start, stated.span.end, str(following))]
    inline = root.get(_INLINE)
    if isinstance(inline, Scalar):
        start, end = inline.span.start, inline.span.end
        written = text[start:end]
        changed = step.rules(written)
        if changed != written:
            edits.append(Edit(start, end, changed))
    return edited(text, edits)
