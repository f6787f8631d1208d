"""Every name of a ruleset: its sort, its description and the location of its definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from interpreter.diagnostics.source_text import Span
from interpreter.model import types as t
from interpreter.model.checked_model import CheckedModel, iter_items, iter_model_records
from interpreter.model.ruleset import Attribute, Kind, Ruleset, Thing
from interpreter.model.statements import Decide, DrawMembers, PhaseBlock, RollDice
from interpreter.runtime.builtins.registry import BUILTINS
from interpreter.tools.describe.value_format import format_label, format_value_text
from interpreter.tools.lsp.token_scan import Vocabulary

_KEYWORDS = (
    "setup turn procedure define rule tally draft record event whenever phase let set raise lower advance drop move if "
    "else for while repeat choose option require prefer otherwise finish offer roll report end skip later settle "
    "return assert together nothing match and or not any no every where in at to by of having most least "
    "distance path reach from through after cost within playing possible alone true false none"
).split()


_BUILT_IN = (
    ("piece", "at", t.PLACE),
    ("side", "seat", t.SEAT),
    ("side", "opponent", t.SIDE),
    ("seat", "opponent", t.SEAT),
)


@dataclass(frozen=True, slots=True)
class RulesetSymbol:
    """A name of a ruleset.

    `sort`: what it names, such as "define", "attribute" or "place"; `brief` and `summary`: a short description in plain
    text and a long one in Markdown; `span`: its definition, or None; `owner`: the kind, class or decision that it
    belongs to, or ''; `type`: the type of its value, or None; `params`: (name, type) of each parameter; `changes`:
    whether it is an attribute that changes in play.
    """

    name: str
    sort: str
    brief: str = ""
    summary: str = ""
    span: Span | None = None
    owner: str = ""
    type: t.Type | None = None
    params: tuple[tuple[str, t.Type], ...] = ()
    changes: bool = False


@dataclass(frozen=True, slots=True)
class SymbolIndex:
    """The names of a ruleset.

    `names`: the symbols by name; `attributes`: the attributes by kind or class; `kinds`: the id of each kind by the
    words for it; `vocabulary`: the words that the text scan needs; `headings`: column headings to show at cells, for
    inlay hints.
    """

    model: CheckedModel
    names: Mapping[str, tuple[RulesetSymbol, ...]]
    attributes: Mapping[str, tuple[RulesetSymbol, ...]]
    kinds: Mapping[str, str]
    vocabulary: Vocabulary
    headings: tuple[tuple[Span, str], ...] = ()

    def iter_symbols(self, *sorts: str) -> Iterator[RulesetSymbol]:
        """Yield every name of some sorts, or all names."""
        for symbols in self.names.values():
            yield from (name for name in symbols if not sorts or name.sort in sorts)

    def list_words(self, type_: t.Type | None) -> list[RulesetSymbol]:
        """Return the words that write a value of a type; [] for numbers, texts and records."""
        match type_:
            case t.MaybeType(item=item) | t.SetType(item=item) | t.ListType(item=item):
                return self.list_words(item)
            case t.OneOfType(values=words):
                return [RulesetSymbol(word, "word") for word in words]
            case t.FlagType():
                return [RulesetSymbol("true", "word"), RulesetSymbol("false", "word")]
            case t.RungType(ladder=ladder):
                return [
                    RulesetSymbol(rung, "rung", f"of {ladder}") for rung in self.model.ruleset.ladders[ladder].rungs
                ]
            case t.ThingType(kind=kind, cls=cls):
                return [
                    n for n in self.iter_symbols(self._get_kind_word(kind)) if n.owner in (kind, cls) or cls is None
                ]
            case t.PartType(arms=arms):
                return [RulesetSymbol(arm, "word") for arm, _ in arms]
            case t.DirectionType():
                grid = self.model.ruleset.grid
                return [RulesetSymbol(word, "word", "direction") for word in (grid.directions if grid else ())]
        return []

    def _get_kind_word(self, kind: str) -> str:
        return self.model.ruleset.kinds[kind].one if kind in self.model.ruleset.kinds else kind


def build_index(model: CheckedModel) -> SymbolIndex:
    """Index the names of a ruleset without errors."""
    symbols: dict[str, list[RulesetSymbol]] = {}
    kinds: dict[str, str] = {}
    attributes: dict[str, list[RulesetSymbol]] = {}
    for name in (*_iter_rule_symbols(model), *_iter_data_symbols(model.ruleset)):
        symbols.setdefault(name.name, []).append(name)
        if name.sort == "attribute":
            attributes.setdefault(name.owner, []).append(name)
    for kind in model.ruleset.kinds.values():
        kinds |= {kind.one: kind.id, kind.many: kind.id}
    for cls in model.ruleset.classes.values():
        kinds |= {cls.one: cls.id, cls.many: cls.id}
        own_attributes = set(cls.attributes)
        attributes[cls.id] = [
            _build_built_in_attribute(cls.id, "at", t.PLACE),
            *(a for a in attributes.get("piece", ()) if a.name in own_attributes),
        ]
    for owner, own_name, type_ in _BUILT_IN:
        attributes[owner] = [*attributes.get(owner, ()), _build_built_in_attribute(owner, own_name, type_)]
    return SymbolIndex(
        model,
        {name: tuple(group) for name, group in symbols.items()},
        {kind: tuple(group) for kind, group in attributes.items()},
        kinds,
        Vocabulary(frozenset(model.ruleset.rulebook), frozenset(kinds)),
        tuple(_iter_headings(model.ruleset)),
    )


def _build_built_in_attribute(kind: str, name: str, type_: t.Type) -> RulesetSymbol:
    """Return the symbol of an attribute that the language itself defines for a kind."""
    return RulesetSymbol(name, "attribute", f"{kind}.{name}: {type_}", owner=kind, type=type_)


def _iter_rule_symbols(model: CheckedModel) -> Iterator[RulesetSymbol]:
    for sort, name, item in iter_items(model):
        result = getattr(item, "type", None) or getattr(item, "result", None)
        brief = f"{sort} {_format_signature(name, item.params)}" + (f" -> {result}" if result else "")
        text = _format_citations(model.ruleset, getattr(item, "cites", ()))
        yield RulesetSymbol(name, sort, brief, text, item.span, type=result, params=item.params)
    inner: dict[tuple[str, str, str], RulesetSymbol] = {}
    for symbol in _iter_inner_symbols(model):
        inner.setdefault((symbol.name, symbol.sort, symbol.owner), symbol)
    yield from inner.values()
    for record in model.records:
        if ":" not in record:
            yield RulesetSymbol(record, "record", params=model.records[record])
    for builtin in BUILTINS.values():
        params = ", ".join(f"{word}: {spelled}" for word, spelled in builtin.params)
        yield RulesetSymbol(builtin.name, "function", f"{builtin.name}({params}) -> {builtin.result}")
    for word in _KEYWORDS:
        if word not in BUILTINS:
            yield RulesetSymbol(word, "keyword")


_SORTS = {PhaseBlock: "phase", Decide: "decision", RollDice: "roll", DrawMembers: "roll"}


def _iter_inner_symbols(model: CheckedModel) -> Iterator[RulesetSymbol]:
    """Yield the names that procedures define: phases, decisions, their options, rolls."""
    for record in iter_model_records(model):
        sort = _SORTS.get(type(record))
        if sort is None:
            continue
        text = _format_citations(model.ruleset, record.cites)
        yield RulesetSymbol(record.name, sort, record.name, text, record.span)
        for choice in record.choices if sort == "decision" else ():
            params = tuple((param.name, param.type) for param in choice.params)
            brief = f"option {_format_signature(choice.name, params)}"
            text = _format_citations(model.ruleset, choice.cites)
            yield RulesetSymbol(choice.name, "choice", brief, text, choice.span, record.name, params=params)


def _format_signature(name: str, params: Iterable[tuple[str, t.Type]]) -> str:
    return f"{name}({', '.join(f'{param}: {type_}' for param, type_ in params)})"


def _iter_data_symbols(ruleset: Ruleset) -> Iterator[RulesetSymbol]:
    yield from _iter_word_symbols(ruleset)
    for kind in ruleset.kinds.values():
        for attribute in kind.attributes.values():
            yield _build_attribute_symbol(ruleset, kind.id, attribute)
        for thing in kind.things:
            class_or_kind = thing.cls if thing.cls is not None else kind.id
            summary = _format_values(ruleset, kind, thing) if kind.id != "edge" else ""
            yield RulesetSymbol(
                thing.id, kind.one, format_label(thing.label, ""), summary, thing.origin.span, owner=class_or_kind
            )
        yield from _iter_group_symbols(kind)
        for word in (kind.one, kind.many):
            yield RulesetSymbol(word, "kind", kind.id, span=kind.origin.span)
    for cls in ruleset.classes.values():
        for word in dict.fromkeys((cls.id, cls.one, cls.many)):
            yield RulesetSymbol(word, "class", f"class {cls.id}", span=cls.origin.span)
    for attribute in ruleset.game.values():
        yield _build_attribute_symbol(ruleset, "game", attribute)
    for constant in ruleset.constants.values():
        value = format_value_text(constant.value, constant.type, ruleset)
        summary = _format_citations(ruleset, constant.origin.cite)
        brief = f"{constant.id} = {value}"
        yield RulesetSymbol(constant.id, "value", brief, summary, constant.origin.span, type=constant.type)
    for table in ruleset.tables.values():
        axes = ", ".join(axis.name for axis in table.axes)
        summary = "\n".join([format_label(table.label, ""), _format_citations(ruleset, table.origin.cite)]).strip()
        brief = f"{table.id}[{axes}] -> {table.type}"
        yield RulesetSymbol(table.id, "table", brief, summary, table.origin.span, type=table.type)
    for paragraph in ruleset.rulebook.values():
        title, text = format_label(paragraph.title, ""), format_label(paragraph.text, "")
        yield RulesetSymbol(paragraph.id, "paragraph", title, text, paragraph.origin.span)
    for option in ruleset.options.values():
        summary = _format_citations(ruleset, option.origin.cite)
        yield RulesetSymbol(option.id, "option", format_label(option.label, ""), summary, option.origin.span)
    for ladder in ruleset.ladders.values():
        yield RulesetSymbol(ladder.id, "ladder", " < ".join(ladder.rungs), "", ladder.origin.span)
        for rung in ladder.rungs:
            yield RulesetSymbol(rung, "rung", f"of {ladder.id}", "", ladder.origin.span)
    for die in ruleset.dice.values():
        yield RulesetSymbol(die.id, "die", ", ".join(map(str, die.faces)), "", die.origin.span)
    for region in ruleset.regions:
        yield RulesetSymbol(region, "region")
    for scenario in ruleset.scenarios.values():
        yield RulesetSymbol(scenario.id, "scenario", format_label(scenario.title, ""), "", scenario.origin.span)


def _iter_group_symbols(kind: Kind) -> Iterator[RulesetSymbol]:
    """Yield names that cover several things: `red` for the identical pieces `red-1` and `red-2`, holding places."""
    seen: set[str] = set()
    for thing in kind.things:
        if thing.holding is not None and thing.holding not in kind.get_handles() and thing.holding not in seen:
            seen.add(thing.holding)
            yield RulesetSymbol(thing.holding, kind.one, thing.id, span=thing.origin.span, owner=kind.id)
    for thing in kind.things if kind.id == "piece" else ():
        base, _, number = thing.id.rpartition("-")
        if number.isdecimal() and base and base not in seen and base not in kind.get_handles():
            seen.add(base)
            yield RulesetSymbol(
                base, kind.one, f"{base}-{number} ...", span=thing.origin.span, owner=thing.cls or kind.id
            )


def _iter_word_symbols(ruleset: Ruleset) -> Iterator[RulesetSymbol]:
    """Yield the words of word lists, each with the first attribute or chart that lists it."""
    listing = [(f"{k.id}.{a.name}", a.type, a.origin) for k in ruleset.kinds.values() for a in k.attributes.values()]
    listing += [(f"game.{a.name}", a.type, a.origin) for a in ruleset.game.values()]
    listing += [(table.id, table.type, table.origin) for table in ruleset.tables.values()]
    seen: set[str] = set()
    for where, type_, origin in listing:
        while isinstance(type_, t.MaybeType | t.SetType | t.ListType) and type_.item is not None:
            type_ = type_.item
        for word in type_.values if isinstance(type_, t.OneOfType) else ():
            if word not in seen:
                seen.add(word)
                yield RulesetSymbol(word, "word", f"of {where}", span=origin.span)


def _format_values(ruleset: Ruleset, kind: Kind, thing: Thing) -> str:
    """Return the attribute values of a thing as a Markdown list, one line each; missing values are left out."""
    attributes = ruleset.classes[thing.cls].attributes if thing.cls is not None else tuple(kind.attributes)
    values = [(name, thing.values[name]) for name in attributes if thing.values.get(name) not in (None, ())]
    return "\n".join(
        f"- {name}: {format_value_text(value, kind.attributes[name].type, ruleset)}" for name, value in values
    )


def _build_attribute_symbol(ruleset: Ruleset, kind: str, attribute: Attribute) -> RulesetSymbol:
    text = _format_citations(ruleset, attribute.origin.cite)
    brief = f"{kind}.{attribute.name}: {attribute.type}"
    changes = attribute.changes or attribute.lasts is not None
    return RulesetSymbol(
        attribute.name, "attribute", brief, text, attribute.origin.span, kind, attribute.type, changes=changes
    )


def _format_citations(ruleset: Ruleset, cites: Iterable[str]) -> str:
    """Return the numbers, titles and texts of the paragraphs `cites`."""
    texts = []
    for cite in cites:
        paragraph = ruleset.rulebook.get(cite)
        if paragraph is not None:
            title = format_label(paragraph.title, "")
            head = paragraph.id if title in ("", paragraph.id) else f"{paragraph.id} {title}"
            texts.append(f"{head}: {format_label(paragraph.text, '')}")
    return "\n\n".join(texts)


def _iter_headings(ruleset: Ruleset) -> Iterator[tuple[Span, str]]:
    """Yield the span of each cell in a row in brackets, with the heading of its column."""
    for table in ruleset.tables.values():
        labels = table.axes[-1].labels if table.axes else ()
        for index, span in table.cell_spans.items():
            preceding_text = span.source.text[max(span.start - 2, 0) : span.start].strip()
            if preceding_text[-1:] in ("[", ",") and index and index[-1] < len(labels):
                yield span, labels[index[-1]]
