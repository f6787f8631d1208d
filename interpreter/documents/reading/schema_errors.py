"""Messages for faults of form: what was found, what was expected, and where.

The schema library's own messages show data as Python values and are not used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol
from unicodedata import combining, normalize

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.plain_signs import to_half_width, to_keyboard_characters
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean, extract_digits, find_close_words, is_number_like
from interpreter.documents.reading.tree import (
    EMPTY,
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe,
    get_key_span,
)
from interpreter.documents.reading.typo_heuristics import (
    get_unbracketed_text,
    is_cut_by_comma,
    match_stuck_colon,
    report_cut_by_comma,
    report_stuck_colon,
)
from interpreter.files.assets import find_schema_file
from interpreter.i18n.translator import Message, mark as _


class SchemaFault(Protocol):
    """The fields of a `jsonschema.ValidationError` that are set when a validator finds an error."""

    validator: str | None
    validator_value: Any
    instance: Any
    schema: Any
    absolute_path: Iterable[str | int]
    absolute_schema_path: Iterable[str | int]
    relative_schema_path: Iterable[str | int]


_RULE = re.compile(r"(?:replace|remove|add|before|after|move|define|procedure|rule|tally|event|whenever|draft) +\w")
_RULES_BLOCK = _("write rules in a block: `rules: |`, with every line below it indented more than `rules`")
_MAX_TERSE_WORDS = 2  # words of a description that only repeats the key, such as "Its title."
_INTEGER = re.compile(r"\+?(?P<sign>-?)0*(?P<digits>[0-9]+)")
_TYPES = {
    "string": _("text"),
    "integer": _("a whole number"),
    "boolean": _("`true` or `false`"),
    "object": _("a mapping"),
    "array": _("a list"),
    "null": _("nothing"),
}


def report_schema_fault(fault: SchemaFault, root: MappingNode, document: Mapping[str, Any], sink: Sink) -> None:
    """Convert one error of the schema library, against the schema `document`, to diagnostics with spans of `root`."""
    path = [str(p) if isinstance(p, str) else p for p in fault.absolute_path]
    node, span = _find_node_and_span(root, path)
    schema = fault.schema if isinstance(fault.schema, dict) else {}
    needs_mapping = fault.validator == "type" and "object" in _list_expected_types(fault)
    if (entry := _find_entry_cut_by_comma(root, path, fault)) is not None:
        report_cut_by_comma(entry, sink)
    elif "propertyNames" in list(fault.relative_schema_path):
        _report_name(fault, node, span, sink)
    elif fault.validator == "additionalProperties":
        _report_unknown_keys(fault, node, sink)
    elif fault.validator == "required":
        _report_missing_keys(fault, root, span, path, sink)
    elif fault.validator in ("not", None):
        # A `false` schema reports the mapping; only the schema path contains the key.
        key = str(path[-1] if fault.validator and path else list(fault.absolute_schema_path)[-1])
        key_span = get_key_span(node, key) if isinstance(node, MappingNode) and key in node else span
        cure = _("remove it, or look up which keys can be combined")
        sink.add_error(
            "misplaced-key", _("`{key}` cannot be combined with the other keys here", key=key), key_span, help=cure
        )
    elif needs_mapping and (slip := match_stuck_colon(node)) is not None:
        report_stuck_colon(slip, node.span.start, node.span.source, sink)
    elif needs_mapping and (sibling_keys := _list_sibling_keys(fault, document)):
        cure = did_you_mean(str(path[-1]), sibling_keys)
        cure = cure or _describe_known_keys(sibling_keys, get_schema_description(schema))
        sink.add_error("unknown-key", _("the key `{key}` is not valid here", key=path[-1]), span, help=cure)
    else:
        code, message, cure = _DESCRIBERS.get(fault.validator, _describe_other)(fault, node)
        is_list = fault.validator == "type" and _list_expected_types(fault) == ["array"]
        if is_list and isinstance(node, ScalarNode) and node.text:
            cure = _format_in_brackets(get_unbracketed_text(node, *_find_parent(root, path)))
        elif needs_mapping and (suggestion := guess_mapping(node, root, path)):
            cure = _("write attributes with their values: `{right}`", right=suggestion)
        if names := [str(p) for p in path if isinstance(p, str)]:
            message = _("`{key}`: {message}", key=names[-1], message=message)
        sink.add_error(code, message, span, help=cure or get_schema_description(schema))


def _find_entry_cut_by_comma(root: MappingNode, path: list[str | int], fault: SchemaFault) -> MappingEntry | None:
    """Return the entry that an unquoted comma has created, at or directly below a fault's path, or None.

    `path`: keys and list indexes from `root` to the value at fault.
    """
    inside = "propertyNames" in list(fault.relative_schema_path)
    node, _span = _find_node_and_span(root, path if inside else path[:-1])
    key = str(fault.instance) if inside else str(path[-1]) if path else ""
    entry = node.entries.get(key) if isinstance(node, MappingNode) else None
    return entry if entry is not None and is_cut_by_comma(entry) else None


def _find_parent(root: MappingNode, path: list[str | int]) -> tuple[MappingNode, str]:
    """Return the mapping that holds the value at a path, and its key; (empty mapping, '') for members of lists.

    `path`: keys and list indexes from `root`.
    """
    around, _span = _find_node_and_span(root, path[:-1])
    return (around, str(path[-1])) if isinstance(around, MappingNode) else (EMPTY, "")


def _format_in_brackets(text: str) -> Message:
    words = ", ".join(part.strip() for part in text.split(","))
    return _("write a list in square brackets: `{right}`", right=f"[{words}]")


def get_schema_description(schema: object) -> Message:
    """Return the description of a schema, which may be translated in the catalogues."""
    return Message(str(schema.get("description", "")) if isinstance(schema, dict) else "")


def _list_expected_types(fault: SchemaFault) -> list[str]:
    """Return the JSON types that the keyword `type` of a schema allows."""
    return fault.validator_value if isinstance(fault.validator_value, list) else [fault.validator_value]


def _find_node_and_span(root: MappingNode, path: list[str | int]) -> tuple[Node, Span]:
    """Return (node, span to show) at a path of keys and list indexes; for a path that ends early, its last node.

    The span covers a scalar, or the key of a mapping, a list or an empty value.
    """
    node: Node = root
    span = Span(root.span.source, root.span.start, root.span.start)
    for step in path:
        if isinstance(node, MappingNode) and isinstance(step, str) and step in node:
            entry = node.entries[step]
            node, span = entry.value, entry.value.span
            if isinstance(node, MappingNode | SequenceNode) or span.start == span.end:
                span = entry.key.span
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            span = node.span
    return node, span


def _describe_known_keys(keys: list[str], others: Message) -> Message:
    """Describe the keys that a mapping knows by name.

    `others`: what any other key may hold, in words, '' if others are not allowed.
    """
    words = ", ".join(f"`{k}`" for k in sorted(keys))
    if not others:
        return _("available here: {words}", words=words)
    return _("available here: {words}; under another key: {others}", words=words, others=others)


def _list_sibling_keys(fault: SchemaFault, document: Mapping[str, Any]) -> list[str]:
    """Return the keys that a mapping knows by name if the fault is under another key, else [].

    `document`: the schema.
    """
    schema_path = list(fault.absolute_schema_path)
    if len(schema_path) < 2 or schema_path[-2] != "additionalProperties":
        return []
    part: Any = document
    for step in schema_path[:-2]:
        if step == "$ref":
            return []
        part = part[step]
    return list(part.get("properties", ()))


def _report_unknown_keys(fault: SchemaFault, node: Node, sink: Sink) -> None:
    properties: Mapping[str, Any] = fault.schema.get("properties", {})
    if not isinstance(node, MappingNode):
        return
    for entry in node:
        if entry.key.text not in properties and is_cut_by_comma(entry):
            report_cut_by_comma(entry, sink)
        elif entry.key.text not in properties:
            message = _("the key `{key}` is not valid here", key=entry.key.text)
            sink.add_error("unknown-key", message, entry.key.span, help=_suggest_key(entry.key.text, properties))


def _suggest_key(key: str, properties: Mapping[str, Any]) -> Message:
    """Return a hint for a key that is not among the `properties` of a schema."""
    if _RULE.match(key):
        return _RULES_BLOCK
    if " " in key.strip():
        return _("text with a comma inside braces needs quotes")
    if owner := _find_section_with(key, properties):
        return _("`{key}` belongs under `{section}:`, indented more than it", key=key, section=owner)
    hint = did_you_mean(key, properties)
    section = properties.get("kind", {}).get("const")
    if section in properties and not find_close_words(key, properties):  # such as a table outside `tables:`
        return _(
            "the section of this document is `{section}:`; does `{key}` belong under it?", section=section, key=key
        )
    return hint or _("available here: {words}", words=", ".join(f"`{k}`" for k in sorted(properties)))


def _find_section_with(key: str, sections: Iterable[str]) -> str:
    """Return the only section of a variant whose document has the top-level key `key`, or ''."""
    sections = list(sections)
    if "extends" not in sections or "tables" not in sections:
        return ""
    owners = [
        s
        for s in sections
        if (path := find_schema_file(s)) and key in json.loads(path.read_text("utf-8"))["properties"]
    ]
    return owners[0] if len(owners) == 1 else ""


def _report_missing_keys(fault: SchemaFault, root: MappingNode, span: Span, path: list[str | int], sink: Sink) -> None:
    """Report the required keys that a mapping lacks, except those that are there but misspelt."""
    instance = fault.instance if isinstance(fault.instance, dict) else {}
    id_entry = root.entries.get("id")  # of a scenario in a variant, the key of its entry
    owner = _("`{word}`", word=path[-1]) if path else _("the document")
    if not path and id_entry is not None and id_entry.key.text != "id":
        owner = _("`{word}`", word=id_entry.key.text)
    closed = fault.schema.get("additionalProperties") is False  # then the misspelt key has its own error
    for key in fault.validator_value:
        is_misspelt = closed and _is_misspelt(key, instance, fault.schema.get("properties", {}))
        if key not in instance and not is_misspelt:
            property_schema = fault.schema.get("properties", {}).get(key, {})
            sink.add_error(
                "missing-key",
                _("{whose} lacks the key `{key}`", whose=owner, key=key),
                span,
                help=_("write `{key}: ...`. {meaning}", key=key, meaning=meaning)
                if len((meaning := get_schema_description(property_schema)).split()) > _MAX_TERSE_WORDS
                else _("write `{key}: ...`", key=key),
            )


def _is_misspelt(key: str, instance: Iterable[str], candidates: Iterable[str]) -> bool:
    """Return whether one of the keys in `instance` is unknown and similar to `key`, and so reported as its misspelling.

    `candidates`: the known keys.
    """
    return any(key in find_close_words(k, candidates) for k in instance if k not in candidates)


def _report_name(fault: SchemaFault, node: Node, span: Span, sink: Sink) -> None:
    """Report a key that cannot be used as a name."""
    name = str(fault.instance)
    where = get_key_span(node, name) if isinstance(node, MappingNode) else span
    if fault.validator == "maxLength":
        cure = _("at most {validator_value} characters", validator_value=fault.validator_value)
        sink.add_error("bad-name", _("the name `{more}...` is too long", more=name[:40]), where, help=cure)
        return
    cure = _suggest_name(name, fault) or get_schema_description(fault.schema) or _suggest_for_pattern(fault)
    sink.add_error("bad-name", _("`{name}` cannot be used as a name here", name=name), where, help=cure)


def _suggest_name(name: str, fault: SchemaFault) -> Message:
    """Suggest the name in a valid spelling: another separator, lower case, or a number in digits."""
    if fault.validator != "pattern":
        return Message("")
    plain = to_keyboard_characters(name).strip()
    number = ("/".join(map(extract_digits, plain.split("/"))),) if is_number_like(plain) else ()
    bare = "".join(c for c in normalize("NFKD", plain.lower()) if not combining(c))  # without accents
    tries = (*number, plain, plain.lower(), bare, *(re.sub(r"[\s/\\._-]+", sign, bare) for sign in "/_-."))
    fitting = [x for x in tries if x != name and re.search(fault.validator_value, x)]
    return _("did you mean `{word}`?", word=fitting[0]) if fitting else Message("")


def _suggest_for_pattern(fault: SchemaFault) -> Message:
    pattern = str(fault.validator_value)
    if pattern.startswith("^[a-z]{2,3}"):
        return _("write labels by language: `en`, `ja` ...")
    if "/" in pattern:
        return _("write the numbers of two adjacent spaces, with a slash between them: `0101/0102`")
    return _("use letters, digits and hyphens")


class FaultDescription(NamedTuple):
    """The contents of the diagnostic for a fault."""

    code: str
    message: Message
    help: Message


_NO_HELP = Message("")


def _describe_type(fault: SchemaFault, node: Node) -> FaultDescription:
    expected, text = _list_expected_types(fault), node.text if isinstance(node, ScalarNode) else None
    names = [_TYPES.get(w, Message(str(w))) for w in expected]
    wanted = names[0]
    for name in dict.fromkeys(names[1:]):
        wanted = _("{one} or {other}", one=wanted, other=name)
    cure = _NO_HELP
    if "string" in expected and isinstance(fault.instance, int | bool):
        cure = _("put it in quotes to make it text")
    elif text is not None and text != to_half_width(text):
        cure = _("write `{right}`: full-width characters are read as text", right=to_half_width(text))
    elif "integer" in expected and text is not None and _INTEGER.fullmatch(to_keyboard_characters(text)):
        cure = _("write it as `{right}`", right=_INTEGER.sub(r"\g<sign>\g<digits>", to_keyboard_characters(text)))
    elif "object" in expected and text is not None and fault.schema.get("additionalProperties") is True:
        cure = _("write attributes with their values: `{right}`", right="{" + f"attribute: {text or '...'}" + "}")
    elif "object" in expected and isinstance(node, SequenceNode):
        cure = _suggest_for_list(node)
    elif expected == ["string"] and _is_rule_text(node):
        cure = _RULES_BLOCK
    elif "object" in expected and text is not None and (keys := _list_keys(fault.schema)):
        cure = _("write it with its keys, as in `{right}`", right="{" + f"{keys[0]}: {text or '...'}" + "}")
    return FaultDescription(
        "wrong-type", _("found {found}, expected {wanted}", found=describe(node), wanted=wanted), cure
    )


def _suggest_for_list(node: SequenceNode) -> Message:
    """Return how to write a list as the mapping that is expected: without hyphens, or with a value for each name."""
    first = node.items[0] if node.items else None
    if isinstance(first, MappingNode) and len(first.entries) == 1:
        key = next(iter(first.entries))
        return _("write the entries without hyphens: `{right}`", right=f"{key}: ...")
    if isinstance(first, ScalarNode) and first.text:
        return _("give each name a value: `{right}`", right="{" + f"{first.text}: ..." + "}")
    return Message("")


def _is_rule_text(node: Node) -> bool:
    """Return whether a node is a mapping or a list whose first text begins like a statement of the rules."""
    if isinstance(node, SequenceNode) and node.items and isinstance(node.items[0], ScalarNode):
        return bool(_RULE.match(node.items[0].text))
    return isinstance(node, MappingNode) and bool(_RULE.match(next(iter(node.entries), "")))


def _list_keys(schema: object) -> list[str]:
    """Return the keys of a mapping that its schema lists, the required ones first."""
    if not isinstance(schema, dict):
        return []
    needed = [*schema.get("required", ())]
    return [*needed, *(key for key in schema.get("properties", ()) if key not in needed)]


def _describe_enum(fault: SchemaFault, node: Node) -> FaultDescription:
    words = [str(w) for w in fault.validator_value]
    return FaultDescription(
        "unknown-word",
        _("found {found}, expected one of {words}", found=describe(node), words=", ".join(f"`{w}`" for w in words)),
        did_you_mean(to_half_width(str(fault.instance)), words),
    )


def _describe_const(fault: SchemaFault, node: Node) -> FaultDescription:
    return FaultDescription(
        "wrong-value",
        _("found {found}, expected `{wanted}`", found=describe(node), wanted=fault.validator_value),
        _NO_HELP,
    )


def _describe_pattern(fault: SchemaFault, node: Node) -> FaultDescription:
    is_id = list(fault.absolute_path)[-1:] == ["id"]
    cure = _suggest_name(str(fault.instance), fault) if is_id else _NO_HELP
    return FaultDescription("bad-text", _("{found} is not in the expected form", found=describe(node)), cure)


_COUNTS = {
    (True, True): _("found {number} (entry|entries), expected at least {limit}"),
    (True, False): _("found {number} (entry|entries), expected at most {limit}"),
    (False, True): _("found {number} characters, expected at least {limit}"),
    (False, False): _("found {number} characters, expected at most {limit}"),
}


def _describe_count(fault: SchemaFault, node: Node) -> FaultDescription:
    few = str(fault.validator).startswith("min")
    limit = fault.validator_value
    if not few and isinstance(node, MappingNode):
        keys = ", ".join(f"`{e.key.text}`" for e in node)
        return FaultDescription(
            "misplaced-key", _("the keys {keys} cannot be combined", keys=keys), _("keep one of them")
        )
    sentence = _COUNTS[isinstance(fault.instance, list | dict), few]
    return FaultDescription("wrong-length", _(sentence, number=len(fault.instance), limit=limit), _NO_HELP)


def _describe_range(fault: SchemaFault, node: Node) -> FaultDescription:
    sentence = (
        _("found {found}, expected at least {limit}")
        if fault.validator == "minimum"
        else _("found {found}, expected at most {limit}")
    )
    return FaultDescription("out-of-range", _(sentence, found=describe(node), limit=fault.validator_value), _NO_HELP)


def _describe_repeated(fault: SchemaFault, node: Node) -> FaultDescription:
    repeated = next((item for n, item in enumerate(fault.instance) if item in fault.instance[:n]), None)
    message = (
        _("the list contains a value more than once")
        if repeated is None
        else _("`{value}` is in the list more than once", value=repeated)
    )
    return FaultDescription("repeated-value", message, _("keep one of them"))


def _describe_other(fault: SchemaFault, node: Node) -> FaultDescription:
    return FaultDescription("bad-value", _("{found} is not valid here", found=describe(node)), _NO_HELP)


_DESCRIBERS: dict[str, Callable[[Any, Node], FaultDescription]] = {
    "type": _describe_type,
    "enum": _describe_enum,
    "const": _describe_const,
    "pattern": _describe_pattern,
    **dict.fromkeys(("minItems", "maxItems", "minProperties", "maxProperties", "maxLength"), _describe_count),
    **dict.fromkeys(("minimum", "maximum"), _describe_range),
    "uniqueItems": _describe_repeated,
}
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_DECLARED_BESIDE = {"edges": ("links",), "default": ("places",)}  # attributes of the grid's links and spaces


def guess_mapping(node: Node, root: MappingNode, path: Sequence[str | int]) -> str:
    """Return the mapping that was probably meant by the words in `node`, as YAML text: `{road: true}`; else ''.

    `path`: keys and list indexes from `root` to `node`. A word names a flag, or a value of the attribute whose words
    include it.
    """
    words = _list_words(node)
    keys = [key for key in path if isinstance(key, str)]
    above = keys[-2] if len(keys) > 1 else ""
    if not words or above not in ("members", *_DECLARED_BESIDE):
        return ""
    declared = _find_declarations(root, keys, above)
    parts = [_suggest_part(word, declared) or (f"{word}: true" if above == "edges" else "") for word in words]
    return "{" + ", ".join(parts) + "}" if all(parts) else ""


def _list_words(node: Node) -> list[str]:
    """Return the words of a text or a list; [] if it contains anything else."""
    if isinstance(node, SequenceNode):
        texts = [item.text if isinstance(item, ScalarNode) else "" for item in node.items]
    else:
        texts = re.split(r"\s*[,;+]\s*|\s+", node.text.strip()) if isinstance(node, ScalarNode) else []
    return texts if all(map(_WORD.fullmatch, texts)) else []


def _find_declarations(root: MappingNode, keys: Sequence[str], above: str) -> MappingNode:
    """Return the `attributes` mapping that declares what an entry may set; empty if the document has none.

    `keys`: the keys on the path from `root` to the entry, the entry's own last; `above`: the key before it. For an
    entry below `edges` the mapping is under `links`, for one below `default` it is under `places`.
    """
    depth = len(keys) - 2
    beside = _DECLARED_BESIDE.get(above)
    path = [*keys[: depth - 1], *beside] if beside else list(keys[:depth])
    declarations = root.find_node([*path, "attributes"])
    return declarations if isinstance(declarations, MappingNode) else MappingNode({}, root.span)


def _suggest_part(word: str, declared: MappingNode) -> str:
    """Return `attribute: value` for the declared attribute that `word` names or is a value of, or ''.

    `declared`: the attributes with their declarations. A flag that `word` names is true.
    """
    own = declared.get(word)
    if own is not None and "flag" in (_describe_declared_type(own), getattr(own, "text", "")):
        return f"{word}: true"
    names = [entry.key.text for entry in declared if word in _list_choices(entry.value)]
    return f"{names[0]}: {word}" if len(names) == 1 else ""


def _describe_declared_type(node: Node) -> str:
    return node.get_text("type") if isinstance(node, MappingNode) else ""


def _list_choices(node: Node) -> tuple[str, ...]:
    """Return the words of an enumerated attribute."""
    tree = node.get_mapping("type") if isinstance(node, MappingNode) and "type" in node else node
    return tuple(item.text for item in tree.list_scalars("one_of")) if isinstance(tree, MappingNode) else ()
