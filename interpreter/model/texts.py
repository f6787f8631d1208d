"""Every text of the rules, and every name displayed for lack of a text: the input of a translator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from interpreter.diagnostics.record_walk import find_reachable, iter_records
from interpreter.diagnostics.source_text import Span
from interpreter.model import statements as c, types as t
from interpreter.model.checked_model import CheckedModel, CheckedStep
from interpreter.model.expressions import SHAPES, CheckedCall, Literal
from interpreter.model.ruleset import Label, Ruleset
from interpreter.model.templates import format_template_source

T = TypeVar("T")
# Words of every ruleset, which the program translates unless a locale document does.
COMMON_WORDS = ("done", "finish", "yes", "no", "nothing")


@dataclass(frozen=True, slots=True)
class RuleText:
    """A text of the rules with its first occurrence."""

    text: str
    span: Span


def collect_rule_texts(model: CheckedModel) -> tuple[RuleText, ...]:
    """Return every distinct text of the rules, ordered by file and position."""
    texts = [
        RuleText(format_template_source(words), words.span)
        for words in (*_list_records(model, c.TextTemplate), *_iter_document_templates(model))
    ]
    first: dict[str, RuleText] = {}
    for text in sorted(texts, key=lambda x: (x.span.file, x.span.start)):
        if text.text:
            first.setdefault(text.text, text)
    return tuple(first.values())


def _iter_document_templates(model: CheckedModel) -> Iterator[c.TextTemplate]:
    """Yield the document templates given in the first language only, if they have words outside their holes."""
    first = model.ruleset.languages[0]
    for by_language in model.worded.values():
        words = by_language.get(first)
        if (
            words
            and len(by_language) == 1
            and any(isinstance(p, str) and any(x.isalpha() for x in p) for p in words.parts)
        ):
            yield words


def _list_rules(model: CheckedModel) -> tuple[Any, ...]:
    return (
        *model.procedures.values(),
        *model.rules.values(),
        *model.tallies.values(),
        *model.drafts.values(),
        *model.events.values(),
        *model.watchers,
    )


def _list_records(model: CheckedModel, record_type: type[T]) -> list[T]:
    """Return every record of a class inside the rules, without entering expressions."""
    return _group_by_class(model).get(record_type, [])


@lru_cache(maxsize=1)
def _group_by_class(model: CheckedModel) -> dict[type, list[Any]]:
    records: dict[type, list[Any]] = {}
    for record in iter_records(_list_rules(model), closed=SHAPES):
        records.setdefault(type(record), []).append(record)
    return records


def collect_displayed_names(model: CheckedModel, language: str) -> tuple[str, ...]:
    """Return the distinct names displayed literally because no text in this language replaces them.

    Names of the rules come first, then names of the documents. For a language without any label all names are
    returned.
    """
    of_rules = (model.original_names.get(name, name) for name in _list_rule_names(model))
    names = [*of_rules, *_iter_document_names(model.ruleset, language)]
    return tuple(dict.fromkeys(name for name in names if any(x.isalpha() for x in name)))


@lru_cache(maxsize=1)
def _list_rule_names(model: CheckedModel) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_iter_names_of_rules(model)))


def _iter_names_of_rules(model: CheckedModel) -> Iterator[str]:
    for decision in _sort_by_position(_list_records(model, c.Decide)):
        yield decision.name
    for choice in _sort_by_position(_list_records(model, c.CheckedOption)):
        yield from (choice.name, *(p.name for p in choice.params))
    for draft in model.drafts.values():
        yield draft.name
        for step in draft.steps:
            yield from (step.name, *(p.name for p in step.params))
        yield from (field.name for field in draft.fields)
        yield from (name for name, _ in draft.offer)
    for event in model.events.values():
        yield event.name
        yield from (name for name, _ in event.params)
    for roll in _sort_by_position(_list_records(model, c.RollDice)):
        yield roll.name
    for draw in _sort_by_position(_list_records(model, c.DrawMembers)):
        yield draw.name
    yield from model.tallies
    displayed = _find_displayed_defines(model)
    yield from (d.name for d in model.defines.values() if d.name in displayed)
    for phase in _sort_by_position(_list_records(model, c.PhaseBlock)):
        if phase.title is None:
            yield phase.name
    yield from find_map_rules(model)


def find_map_rules(model: CheckedModel) -> dict[str, tuple[t.ThingType, ...]]:
    """Return the rules that can be shown on the map: name -> types of their two parameters.

    The first parameter is a piece, the second a piece or a place.
    """
    ends_by_rule = {}
    for rule in (rule for rule in model.rules.values() if rule.name not in model.original_names):
        ends = tuple(type_ for _, type_ in rule.params if isinstance(type_, t.ThingType))
        is_pair = len(rule.params) == len(ends) == 2
        if is_pair and ends[0].kind == "piece" and ends[1].kind in ("piece", "place"):
            ends_by_rule[rule.name] = ends
    return ends_by_rule


def _find_displayed_defines(model: CheckedModel) -> frozenset[str]:
    """Return the single-valued defines that play uses and explanations may show, without defines that only bots use."""

    def iter_used(part: object) -> Iterator[str]:
        parts = iter_records(part, skipped_fields=("span", "type"))
        return (x.name for x in parts if isinstance(x, CheckedCall) and x.sort == "define")

    begun = iter_used((_list_rules(model), tuple(model.conditions.values()), model.levels, model.score))
    reachable = find_reachable(begun, lambda name: iter_used(model.defines[name].value))
    return frozenset(
        d for d in reachable if isinstance(model.defines[d].type, t.IntType | t.NumberType | t.RungType | t.OneOfType)
    )


def _iter_qualified_names(model: CheckedModel) -> Iterator[str]:
    """Yield qualified names such as `roll.check` or `option.parameter`, which resolve ambiguous ones."""
    for owner, choices in _iter_owners(model):
        for choice in choices:
            yield from (f"option.{choice.name}", f"{owner}.{choice.name}")
            yield from (f"{choice.name}.{p.name}" for p in choice.params)
    for event in model.events.values():
        yield from (f"event.{event.name}", *(f"{event.name}.{name}" for name, _ in event.params))
    for kind in model.ruleset.kinds.values():
        yield from (f"kind.{kind.one}", f"kind.{kind.many}")
        for attribute in kind.attributes.values():
            yield from (f"word.{word}" for word in _iter_type_words(attribute.type))
            if isinstance(attribute.type, t.TextType):
                yield from (f"text.{x.values[attribute.name]}" for x in kind.things if x.values.get(attribute.name))
    for table in model.ruleset.tables.values():
        yield from (f"axis.{axis.name}" for axis in table.axes)
        types = (table.type, *(axis.type for axis in table.axes))
        yield from (f"word.{word}" for type_ in types for word in _iter_type_words(type_))
    for define in model.defines.values():
        if isinstance(define.type, t.TextType):
            texts = (x for x in iter_records(define.value, skipped_fields=("span",)) if isinstance(x, Literal))
            yield from (f"text.{x.value}" for x in texts if isinstance(x.type, t.TextType) and x.value)
    yield from (f"draft.{name}" for name in model.drafts)
    yield from (f"decision.{x.name}" for x in _list_records(model, c.Decide))
    yield from (f"roll.{x.name}" for x in _list_records(model, c.RollDice))
    yield from (f"roll.{x.name}" for x in _list_records(model, c.DrawMembers))


def list_labellable_options(model: CheckedModel) -> dict[str, list[tuple[str, ...]]]:
    """Return the items that a translation may label: options without a text, and drafts; each with its argument names.

    Keyed by option and by decision.option; one name may refer to several options.
    """
    params_by_key: dict[str, list[tuple[str, ...]]] = {}
    for owner, choices in _iter_owners(model):
        for choice in choices:
            if choice.label is None and choice.params:
                for key in (choice.name, f"{owner}.{choice.name}"):
                    params_by_key.setdefault(key, []).append(tuple(p.name for p in choice.params))
    for draft in model.drafts.values():
        offered = tuple(n for n, _ in draft.offer) or tuple(field.name for field in draft.fields)
        params_by_key.setdefault(draft.name, []).append(offered)
    return params_by_key


def _iter_owners(model: CheckedModel) -> list[tuple[str, Sequence[c.CheckedOption | CheckedStep]]]:
    """Return (name, options) of each decision, and (name, steps) of each draft."""
    owners: list[tuple[str, Sequence[c.CheckedOption | CheckedStep]]] = []
    owners += [(x.name, x.choices) for x in _list_records(model, c.Decide)]
    owners += [(x.name, x.steps) for x in model.drafts.values()]
    return owners


def _sort_by_position(nodes: Iterable[T]) -> list[T]:
    return sorted(nodes, key=lambda x: (x.span.file, x.span.start))  # type: ignore[attr-defined]


def _iter_document_names(ruleset: Ruleset, language: str) -> Iterator[str]:
    """Yield the ids of things that players see, because the documents give them no name in the language."""

    def iter_unlabelled(labels: Iterable[tuple[str, Label]]) -> Iterator[str]:
        return (name for name, label in labels if language not in label)

    for kind in ruleset.kinds.values():
        yield from (kind.one, kind.many)
        yield from iter_unlabelled((a.name, a.label) for a in kind.attributes.values())
        if kind.id not in ("edge", "place"):  # unnamed ones are displayed by number
            yield from iter_unlabelled((x.id, x.label) for x in kind.things)
        for a in kind.attributes.values():
            yield from _iter_type_words(a.type)
    for cls in ruleset.classes.values():
        yield cls.many
        yield from iter_unlabelled([(cls.one, cls.label)])
    yield from iter_unlabelled((a.name, a.label) for a in ruleset.game.values())
    for a in ruleset.game.values():
        yield from _iter_type_words(a.type)
    for ladder in ruleset.ladders.values():
        yield from iter_unlabelled([(ladder.id, ladder.label), *zip(ladder.rungs, ladder.labels, strict=True)])
    for table in ruleset.tables.values():
        yield from iter_unlabelled([(table.id, table.label)])
        for axis in table.axes:
            yield axis.name
            yield from _iter_type_words(axis.type)
        yield from _iter_type_words(table.type)
    for record in ruleset.records.values():
        yield from record.fields
    for constant in ruleset.constants.values():
        yield from iter_unlabelled([(constant.id, constant.label)])
        yield from _iter_type_words(constant.type)
    for option in ruleset.options.values():
        yield from iter_unlabelled([(option.id, option.label)])
        yield from option.values
    yield from iter_unlabelled((x.id, x.label) for x in ruleset.views.values())
    yield from iter_unlabelled((x.id, x.title) for x in ruleset.scenarios.values())
    yield from iter_unlabelled((x.id, x.title) for x in ruleset.victory.levels)


def _iter_type_words(type_: t.Type) -> Iterator[str]:
    match type_:
        case t.OneOfType(values=values):
            yield from values
        case t.PartType(arms=arms):
            yield from (name for name, _ in arms)
        case t.SetType(item=item) | t.ListType(item=item) | t.MaybeType(item=item) if item is not None:
            yield from _iter_type_words(item)


def collect_translatable_names(model: CheckedModel) -> frozenset[str]:
    """Return every name that a locale document may translate, with or without a label."""
    rs = model.ruleset
    names = {
        *COMMON_WORDS,
        *collect_displayed_names(model, ""),
        *(*model.phases, *model.procedures, *model.defines, *model.rules),
        *(*rs.dice, *rs.regions, *rs.kinds, *rs.classes, *rs.ladders, *rs.tables),
        *(*rs.constants, *rs.options, *rs.scenarios),
        *_iter_qualified_names(model),
        *(x.name for x in _list_records(model, c.SetLocal)),
    }
    for kind in rs.kinds.values():
        names.update(x.id for x in kind.things)
        names.update(x.holding for x in kind.things if x.holding)
    return frozenset(names)
