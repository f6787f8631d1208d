"""Check the names in cases before anything runs; reports every unknown name with its location.

`case_runs` detects what only play can show, such as illegal options or too few dice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.reading.tree import MappingEntry, MappingNode, ScalarNode, describe, get_entry_mapping
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Attribute
from interpreter.model.statements import Decide, DecideDraft, Param, RollDice
from interpreter.play.why_not import split_steps
from interpreter.tools.cases.case_documents import Case, CaseStep
from interpreter.tools.cases.case_positions import check_word, list_words, map_ids_to_handles, parse_pieces
from interpreter.tools.cases.coverage import iter_parts
from interpreter.tools.cases.expectations import EXPECTED
from interpreter.tools.cases.written_positions import map_kind_words

_GIVEN = ("scenario", "options", "position", "pieces", "each", "game", "turn", "prepare")
_THEN = (*EXPECTED, "events", "only_events")
_EDIT = ("pieces", "each", "game", "turn")
Options = Mapping[str, tuple[Param, ...]]


@dataclass(frozen=True, slots=True)
class PlayNames:
    """The names that occur in play: rolls, decisions with their options and parameters, and data words.

    `figures`: the data words, on which the numbers of a case may depend. A draft's decision has the draft's name, and
    the draft's steps as options.
    """

    rolls: tuple[str, ...]
    decisions: Mapping[str, Options]
    figures: Collection[str]


def check_names(case: Case, played: PlayNames, model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` every unknown name in a case. `played`: the rolls, decisions and data words of the rules."""
    _check_given(case, played, model, sink)
    for step in case.steps:
        _check_step(step, model, played, sink)
    check_position(case.then, _THEN, model, sink)
    _check_events(case.then, model, sink)
    _check_outcome_names(case.then, model, played, sink)


def collect_names(model: CheckedModel) -> PlayNames:
    """Collect the rolls and decisions of the rules, in order, and the data words of the ruleset."""
    rolls: dict[str, None] = {}
    decisions: dict[str, dict[str, tuple[Param, ...]]] = {}
    for part in iter_parts(model):
        match part:
            case RollDice():
                rolls[part.name] = None
            case Decide():
                decisions.setdefault(part.name, {}).update({c.name: c.params for c in part.choices})
            case DecideDraft():
                decisions[part.draft] = {s.name: s.params for s in model.drafts[part.draft].steps}
    return PlayNames(tuple(rolls), decisions, _collect_data_words(model))


def _check_given(case: Case, played: PlayNames, model: CheckedModel, sink: Sink) -> None:
    ruleset, given = model.ruleset, case.given
    for word in _list_scalars(case.tree, "rules"):
        check_word(word, "paragraph", ruleset.rulebook, sink)
    for word in _list_scalars(case.tree, "uses"):
        check_word(word, "table", played.figures, sink)
    for word in _list_scalars(given, "scenario"):
        check_word(word, "scenario", ruleset.scenarios, sink)
    options = given.get("options")
    option_names = [e.key for e in options] if isinstance(options, MappingNode) else _list_scalars(given, "options")
    for word in option_names:
        check_word(word, "option", ruleset.options, sink)
    for word in _list_scalars(given, "prepare"):
        check_word(word, "procedure", model.procedures, sink)
    check_position(given, _GIVEN, model, sink)


def _collect_data_words(model: CheckedModel) -> dict[str, None]:
    """Return the names of data on which the numbers of a case may depend, as keys in order.

    These are tables, values, attributes and "links".
    """
    ruleset = model.ruleset
    words = dict.fromkeys(["links", *ruleset.tables, *ruleset.constants, *ruleset.game])
    for kind in ruleset.kinds.values():
        words |= dict.fromkeys(kind.attributes)
    return words


def _list_scalars(tree: MappingNode, key: str) -> list[ScalarNode]:
    return [n for n in tree.list_nodes(key) if isinstance(n, ScalarNode) and n.value is not None]


# --- positions ---------------------------------------------------------------------------


def check_position(tree: MappingNode, keys: tuple[str, ...], model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` unknown names in a position.

    `tree`: the position as written; `keys`: the keys allowed in addition to the collective words for kinds, such as
    `sides`.
    """
    if not tree.entries:
        return
    ruleset = model.ruleset
    words = map_kind_words(ruleset)
    for entry in tree:
        key = entry.key.text
        if key in words and isinstance(entry.value, MappingNode):
            _check_things(entry.value, words[key], (), model, sink)
        elif key not in keys:
            sink.add_error(
                "unknown-key",
                _("the key `{key}` is not valid here", key=key),
                entry.key.span,
                help=did_you_mean(key, [*keys, *words]),
            )
    for entry in tree.get_mapping("pieces"):
        check_word(entry.key, "place", map_ids_to_handles("place", ruleset), sink)
        parse_pieces(entry.value, ruleset, sink)
    _check_things(tree.get_mapping("each"), "piece", ("at",), model, sink)
    _check_values(tree.get_mapping("game"), ruleset.game, (), model, sink)


def _check_things(tree: MappingNode, kind: str, other_keys: tuple[str, ...], model: CheckedModel, sink: Sink) -> None:
    ids = map_ids_to_handles(kind, model.ruleset) if tree.entries else {}
    for entry in tree:
        if check_word(entry.key, kind, ids, sink) and isinstance(entry.value, MappingNode):
            _check_values(entry.value, model.ruleset.kinds[kind].attributes, other_keys, model, sink)


def _check_values(
    tree: MappingNode, attributes: Mapping[str, Attribute], other_keys: tuple[str, ...], model: CheckedModel, sink: Sink
) -> None:
    for entry in tree:
        name = entry.key.text
        if name in other_keys:
            if isinstance(entry.value, ScalarNode):
                check_word(entry.value, "place", map_ids_to_handles("place", model.ruleset), sink)
        elif name in attributes or check_word(
            entry.key, "attribute", {**attributes, **dict.fromkeys(other_keys)}, sink
        ):
            _check_value(entry, attributes[name], model, sink)


def _check_value(entry: MappingEntry, attribute: Attribute, model: CheckedModel, sink: Sink) -> None:
    words, node = list_words(attribute.type, model.ruleset), entry.value
    if words is None or (isinstance(node, ScalarNode) and node.value is None):
        return
    if not isinstance(node, ScalarNode):
        sink.add_error(
            "wrong-type",
            _("found {found}, expected a {type}", found=describe(node), type=attribute.type),
            entry.key.span,
        )
        return
    check_word(node, _format_type(attribute.type), words, sink)


def check_value(node: ScalarNode, type: t.Type, model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` a word that is not a value of `type`, as far as that is known without a game."""
    words = list_words(type, model.ruleset)
    if words is None or node.value is None:
        return
    if "@" in node.text:  # an identical piece by its group: only its place can be checked
        text = node.text.rpartition("@")[2]
        check_word(ScalarNode(text, text, node.span), "place", map_ids_to_handles("place", model.ruleset), sink)
        return
    check_word(node, _format_type(type), words, sink)


def _format_type(type: t.Type) -> str:
    return str(type).replace("_", " ") if len(str(type)) < 30 else "word"


# --- steps and what follows -------------------------------------------------------------


def _check_step(step: CaseStep, model: CheckedModel, played: PlayNames, sink: Sink) -> None:
    if step.sort in ("call", "try"):
        callables: Mapping[str, Any]
        sort, callables = ("procedure", model.procedures) if step.sort == "call" else ("draft", model.drafts)
        for word in _list_scalars(step.tree, step.sort):
            if check_word(word, sort, callables, sink):
                params = dict(callables[step.name].params)
                for entry in step.tree.get_mapping("args"):
                    check_word(entry.key, "parameter", params, sink)
    elif step.sort == "edit":
        check_position(step.tree.get_mapping("edit"), _EDIT, model, sink)
    for entry in step.tree.get_mapping("dice"):
        check_word(entry.key, "roll", played.rolls, sink)
    if step.name in model.drafts:
        options = {s.name: s.params for s in model.drafts[step.name].steps}
        for word in _list_scalars(step.tree, "steps"):
            _check_key(word, word.text, options, model, sink)
    for node in step.tree.list_nodes("choices"):
        if isinstance(node, MappingNode):
            check_answer(next(iter(node)), played, model, sink)


def check_answer(entry: MappingEntry, played: PlayNames, model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` unknown names in an answer: its decision, its option, the things that its arguments name.

    `entry`: the decision as key and the answer as value; `played`: the rolls and decisions of the rules.
    """
    if not check_word(entry.key, "decision", played.decisions, sink):
        return
    options = played.decisions[entry.key.text]
    if isinstance(entry.value, ScalarNode):
        for part in split_steps(entry.value.text) if entry.key.text in model.drafts else [entry.value.text]:
            _check_key(entry.value, part.strip(), options, model, sink)
    elif isinstance(entry.value, MappingNode):
        inner = list(entry.value)
        params: dict[str, Param | None] = {p.name: p for choice in options.values() for p in choice}
        if entry.key.text in model.drafts:  # a finished draft is described by what it offers, or by its fields
            draft = model.drafts[entry.key.text]
            ends = (*(name for name, *_ in draft.offer), *(field.name for field in draft.fields))
            params |= {name: params.get(name) for name in ends}
        if len(inner) == 1 and isinstance(inner[0].value, MappingNode):
            if not check_word(inner[0].key, "option", options, sink):
                return
            params, inner = {p.name: p for p in options[inner[0].key.text]}, list(inner[0].value)
        for arg in inner:
            if check_word(arg.key, "parameter", params, sink) and isinstance(arg.value, ScalarNode):
                param = params[arg.key.text]
                if param is not None:
                    _check_argument(arg.value, arg.value.text, param, model, sink)


def _check_key(word: ScalarNode, text: str, options: Options, model: CheckedModel, sink: Sink) -> None:
    """Report to `sink` if the option in a key such as `go(hill)`, or a thing that the key names, does not exist.

    `word`: the node that contains the key, for its location; `text`: the key; `options`: the parameters of each
    option.
    """
    name, _, arguments = text.partition("(")
    if name in ("done", "finish"):
        return
    if not check_word(ScalarNode(name, name, word.span), "option", options, sink):
        return
    for param, argument in zip(options[name], arguments.rstrip(")").split(", ") if arguments else [], strict=False):
        _check_argument(word, argument, param, model, sink)


def _check_argument(word: ScalarNode, text: str, param: Param, model: CheckedModel, sink: Sink) -> None:
    words = list_words(param.type, model.ruleset)
    if words is None:
        return
    if param.alike:
        text, places = text.rpartition("@")[2], map_ids_to_handles("place", model.ruleset)
        if text in places or text in words:
            return
        words = (*places, *words)
    check_word(ScalarNode(text, text, word.span), str(param.type).replace("_", " "), words, sink)


def _check_events(expectations: MappingNode, model: CheckedModel, sink: Sink) -> None:
    for node in expectations.list_nodes("events"):
        entry = next(iter(node), None) if isinstance(node, MappingNode) else None
        if entry is None or not check_word(entry.key, "event", model.events, sink):
            continue
        params = dict(model.events[entry.key.text].params)
        for arg in get_entry_mapping(entry):
            if check_word(arg.key, "parameter", params, sink) and isinstance(arg.value, ScalarNode):
                check_value(arg.value, params[arg.key.text], model, sink)
    for word in [*_list_scalars(expectations, "only_events"), *_list_scalars(expectations, "no_events")]:
        check_word(word, "event", model.events, sink)


def _check_outcome_names(expectations: MappingNode, model: CheckedModel, played: PlayNames, sink: Sink) -> None:
    for word in [*_list_scalars(expectations, "phases"), *_list_scalars(expectations, "skipped")]:
        check_word(word, "phase", model.phases, sink)
    for kind in ("side", "seat"):
        for word in _list_scalars(expectations, kind):
            check_word(word, kind, map_ids_to_handles(kind, model.ruleset), sink)
    for word in [*_list_scalars(expectations, "decision"), *_list_scalars(expectations, "asked")]:
        check_word(word, "decision", played.decisions, sink)
    for word in _list_scalars(expectations.get_mapping("refused"), "cite"):
        check_word(word, "paragraph", model.ruleset.rulebook, sink)
    for word in _list_scalars(expectations.get_mapping("outcome"), "winner"):
        check_word(word, "seat", {**map_ids_to_handles("seat", model.ruleset), "draw": 0}, sink)
