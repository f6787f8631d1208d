"""Words for faults of form: what was found, what belongs there, and where.

Must not repeat the schema library's messages, which show data as Python values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interpreter.documents.tree import Branch, Listing, Node, describe, key_span
from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import did_you_mean
from interpreter.source.text import Span

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "`true` or `false`",
    "object": "a mapping",
    "array": "a list",
    "null": "nothing",
}


def report_schema_fault(fault: Any, root: Branch, sink: Sink) -> None:
    """Turn one error of the schema library into diagnostics with spans of `root`."""
    path = [str(p) if isinstance(p, str) else p for p in fault.absolute_path]
    node, span = _find(root, path)
    schema = fault.schema if isinstance(fault.schema, dict) else {}
    if "propertyNames" in list(fault.relative_schema_path):
        _report_name(fault, node, span, sink)
    elif fault.validator == "additionalProperties":
        _report_unknown_keys(fault, node, sink)
    elif fault.validator == "required":
        _report_missing_keys(fault, span, path, sink)
    elif fault.validator in ("not", None):
        # A schema that is `false` reports the mapping; the key stands in the way to the schema only.
        key = str(path[-1] if fault.validator and path else list(fault.absolute_schema_path)[-1])
        at = key_span(node, key) if isinstance(node, Branch) and key in node else span
        sink.error(
            "misplaced-key",
            f"`{key}` does not go together with the other keys here",
            at,
            help="take it out, or look up which keys belong together",
        )
    else:
        code, message, help = _WORDS.get(fault.validator, _other)(fault, node)
        sink.error(code, f"{_place(path)}{message}", span, help=help or str(schema.get("description", "")))


def _find(root: Branch, path: list[str | int]) -> tuple[Node, Span]:
    """The node at a path, and the span to show: of the value, or of the key when the value is empty."""
    node: Node = root
    span = Span(root.span.source, root.span.start, root.span.start)
    for step in path:
        if isinstance(node, Branch) and isinstance(step, str) and step in node:
            entry = node.entries[step]
            node, span = entry.value, entry.value.span
            if isinstance(node, Branch | Listing) or span.start == span.end:
                span = entry.key.span
        elif isinstance(node, Listing) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            span = node.span
    return node, span


def _place(path: list[str | int]) -> str:
    names = [str(p) for p in path if isinstance(p, str)]
    return f"`{names[-1]}`: " if names else ""


def _report_unknown_keys(fault: Any, node: Node, sink: Sink) -> None:
    known: Mapping[str, Any] = fault.schema.get("properties", {})
    if not isinstance(node, Branch):
        return
    for entry in node:
        if entry.key.text not in known:
            sink.error(
                "unknown-key",
                f"the key `{entry.key.text}` is not known here",
                entry.key.span,
                help=_help_with_key(entry.key.text, known),
            )


def _help_with_key(key: str, known: Mapping[str, Any]) -> str:
    if " " in key.strip():
        return "a text with a comma inside { } needs quotes around it"
    hint = did_you_mean(key, known)
    section = known.get("kind", {}).get("const")
    if section in known and not hint.startswith("did you mean"):  # such as a table outside `tables:`
        return f"this document's own section is `{section}:`; does `{key}` belong under it?"
    return hint or "known here: " + ", ".join(sorted(known))


def _report_missing_keys(fault: Any, span: Span, path: list[str | int], sink: Sink) -> None:
    instance = fault.instance if isinstance(fault.instance, dict) else {}
    whose = f"`{path[-1]}`" if path else "the document"
    closed = fault.schema.get("additionalProperties") is False  # then the misspelt key is told by itself
    for key in fault.validator_value:
        meant = closed and _is_misspelt(key, instance, fault.schema.get("properties", {}))
        if key not in instance and not meant:
            what = fault.schema.get("properties", {}).get(key, {})
            about = what.get("description", "") if isinstance(what, dict) else ""
            sink.error(
                "missing-key", f"{whose} lacks the key `{key}`", span, help=about or f"write `{key}: ...`"
            )


def _is_misspelt(key: str, instance: Iterable[str], known: Iterable[str]) -> bool:
    """True when an unknown key is told to mean `key` anyway."""
    hints = (did_you_mean(k, known) for k in instance if k not in known)
    return any(f"`{key}`" in hint for hint in hints if hint.startswith("did you mean"))


def _report_name(fault: Any, node: Node, span: Span, sink: Sink) -> None:
    name = str(fault.instance)
    where = key_span(node, name) if isinstance(node, Branch) else span
    if fault.validator == "maxLength":
        sink.error(
            "bad-name",
            f"the name `{name[:40]}...` is too long",
            where,
            help=f"at most {fault.validator_value} characters",
        )
        return
    about = fault.schema.get("description", "") if isinstance(fault.schema, dict) else ""
    sink.error("bad-name", f"`{name}` cannot be a name here", where, help=about or _pattern_words(fault))


def _pattern_words(fault: Any) -> str:
    pattern = str(fault.validator_value)
    if pattern.startswith("^[a-z]{2,3}"):
        return "labels are given by language: `en`, `ja` ..."
    return "use letters, digits and hyphens"


Words = tuple[str, str, str]


def _type(fault: Any, node: Node) -> Words:
    wanted = fault.validator_value if isinstance(fault.validator_value, list) else [fault.validator_value]
    names = " or ".join(dict.fromkeys(_TYPES.get(w, str(w)) for w in wanted))
    help = ""
    if "string" in wanted and isinstance(fault.instance, int | bool):
        help = "put it in quotes to make it text"
    return "wrong-type", f"found {describe(node)}, expected {names}", help


def _enum(fault: Any, node: Node) -> Words:
    words = [str(w) for w in fault.validator_value]
    found = str(fault.instance)
    return (
        "unknown-word",
        f"found {describe(node)}, expected one of " + ", ".join(f"`{w}`" for w in words),
        did_you_mean(found, words),
    )


def _const(fault: Any, node: Node) -> Words:
    return (
        "unknown-format" if fault.validator_value == 1 else "wrong-value",
        f"found {describe(node)}, expected `{fault.validator_value}`",
        "",
    )


def _pattern(fault: Any, node: Node) -> Words:
    return "bad-text", f"{describe(node)} is not written as it should be", ""


def _count(fault: Any, node: Node) -> Words:
    few = fault.validator.startswith("min")
    noun = "entries" if isinstance(fault.instance, list | dict) else "characters"
    limit = fault.validator_value
    if not few and isinstance(node, Branch):
        keys = ", ".join(f"`{e.key.text}`" for e in node)
        return "misplaced-key", f"the keys {keys} do not go together", "keep one of them"
    return (
        "wrong-length",
        f"found {len(fault.instance)} {noun}, expected at {'least' if few else 'most'} {limit}",
        "",
    )


def _range(fault: Any, node: Node) -> Words:
    word = "least" if fault.validator == "minimum" else "most"
    return "out-of-range", f"found {describe(node)}, expected at {word} {fault.validator_value}", ""


def _repeated(fault: Any, node: Node) -> Words:
    seen: list[Any] = []
    for item in fault.instance:
        if item in seen:
            return "repeated-value", f"`{item}` stands in the list more than once", "keep one of them"
        seen.append(item)
    return "repeated-value", "the list holds a value more than once", "keep one of them"


def _other(fault: Any, node: Node) -> Words:
    return "bad-value", f"{describe(node)} does not fit here", ""


_WORDS: dict[str, Callable[[Any, Node], Words]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minItems": _count,
    "maxItems": _count,
    "minProperties": _count,
    "maxProperties": _count,
    "maxLength": _count,
    "minimum": _range,
    "maximum": _range,
    "uniqueItems": _repeated,
}
