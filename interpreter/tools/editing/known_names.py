"""Every name of a ruleset that can be written: what it is, what is told of it, where it stands. Must not read text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interpreter.model.core import CheckedModel, items_of
from interpreter.model.ruleset import Attribute, Label, Ruleset
from interpreter.source.text import Span

_WORDS = (
    "setup turn procedure define rule tally draft record event whenever phase let set raise lower advance drop move if "
    "else for while repeat choose option require prefer otherwise finish offer roll report end skip later settle "
    "return assert together nothing match and or not any no every where in at to by of having most least "
    "distance path reach from through after cost within playing possible alone true false none"
).split()


@dataclass(frozen=True, slots=True)
class Name:
    """One name: its sort ("define", "attribute", "place" ...), its short and its long description, where it stands."""

    name: str
    sort: str
    brief: str = ""
    told: str = ""
    span: Span | None = None
    of: str = ""  # of an attribute: the kind that has it
    type: str = ""  # of an attribute or a define: its type


@dataclass(frozen=True, slots=True)
class Known:
    """The names by themselves; attributes of each kind; the kind of each singular and plural word; inlay headings."""

    names: Mapping[str, tuple[Name, ...]]
    attributes: Mapping[str, tuple[Name, ...]]
    kinds: Mapping[str, str]
    headings: tuple[tuple[Span, str], ...] = ()

    def all(self, *sorts: str) -> Iterator[Name]:
        """Every name of some sorts, or of all."""
        for found in self.names.values():
            yield from (name for name in found if not sorts or name.sort in sorts)


def known_names(model: CheckedModel) -> Known:
    """The names of a good ruleset."""
    found: dict[str, list[Name]] = {}
    kinds: dict[str, str] = {}
    attributes: dict[str, list[Name]] = {}
    for name in (*_rules(model), *_data(model.ruleset)):
        found.setdefault(name.name, []).append(name)
        if name.sort == "attribute":
            attributes.setdefault(name.of, []).append(name)
    for kind in model.ruleset.kinds.values():
        kinds |= {kind.one: kind.id, kind.many: kind.id}
    for cls in model.ruleset.classes.values():
        kinds |= {cls.one: cls.id, cls.many: cls.id}
        own = set(cls.attributes)
        where = Name("at", "attribute", f"{cls.id}.at: place", of=cls.id, type="place")
        attributes[cls.id] = [where, *(a for a in attributes.get("piece", []) if a.name in own)]
    return Known(
        {name: tuple(group) for name, group in found.items()},
        {kind: tuple(group) for kind, group in attributes.items()},
        kinds,
        tuple(_headings(model.ruleset)),
    )


def _rules(model: CheckedModel) -> Iterator[Name]:
    for sort, name, item in items_of(model):
        params = ", ".join(f"{p}: {type_}" for p, type_ in item.params)
        result = getattr(item, "type", None) or getattr(item, "result", None)
        brief = f"{sort} {name}({params})" + (f" -> {result}" if result else "")
        yield Name(name, sort, brief, _cited(model.ruleset, getattr(item, "cites", ())), item.span, type=str(result))
    for word in _WORDS:
        yield Name(word, "keyword")


def _data(ruleset: Ruleset) -> Iterator[Name]:
    for kind in ruleset.kinds.values():
        for attribute in kind.attributes.values():
            yield _attribute(ruleset, kind.id, attribute)
        for thing in kind.things if kind.id != "edge" else ():
            told = "\n".join(f"{name}: {value}" for name, value in thing.values.items() if value is not None)
            yield Name(thing.id, kind.one, _label(thing.label), told, thing.origin.span, of=kind.id)
        for word in (kind.one, kind.many):
            yield Name(word, "kind", kind.id, span=kind.origin.span)
    for cls in ruleset.classes.values():
        for word in (cls.one, cls.many):
            yield Name(word, "kind", f"class {cls.id}", span=cls.origin.span)
    for attribute in ruleset.game.values():
        yield _attribute(ruleset, "game", attribute)
    for constant in ruleset.constants.values():
        value = _written(ruleset, str(constant.type), constant.value)
        told = _cited(ruleset, constant.origin.cite)
        yield Name(
            constant.id, "value", f"{constant.id} = {value}", told, constant.origin.span, type=str(constant.type)
        )
    for table in ruleset.tables.values():
        axes = ", ".join(axis.name for axis in table.axes)
        told = "\n".join([_label(table.label), _cited(ruleset, table.origin.cite)]).strip()
        yield Name(
            table.id, "table", f"{table.id}[{axes}] -> {table.type}", told, table.origin.span, type=str(table.type)
        )
    for paragraph in ruleset.rulebook.values():
        yield Name(paragraph.id, "paragraph", _label(paragraph.title), _label(paragraph.text), paragraph.origin.span)
    for option in ruleset.options.values():
        yield Name(option.id, "option", _label(option.label), _cited(ruleset, option.origin.cite), option.origin.span)
    for ladder in ruleset.ladders.values():
        yield Name(ladder.id, "ladder", " < ".join(ladder.rungs), "", ladder.origin.span)
        for rung in ladder.rungs:
            yield Name(rung, "rung", f"of {ladder.id}", "", ladder.origin.span)
    for die in ruleset.dice.values():
        yield Name(die.id, "die", ", ".join(map(str, die.faces)), "", die.origin.span)
    for region in ruleset.regions:
        yield Name(region, "region")
    for scenario in ruleset.scenarios.values():
        yield Name(scenario.id, "scenario", _label(scenario.title), "", scenario.origin.span)


def _attribute(ruleset: Ruleset, kind: str, attribute: Attribute) -> Name:
    told = _cited(ruleset, attribute.origin.cite)
    brief = f"{kind}.{attribute.name}: {attribute.type}"
    return Name(attribute.name, "attribute", brief, told, attribute.origin.span, of=kind, type=str(attribute.type))


def _cited(ruleset: Ruleset, cites: object) -> str:
    """The paragraphs that something cites, as text."""
    found = []
    for cite in cites if isinstance(cites, tuple) else ():
        id = cite if isinstance(cite, str) else getattr(cite, "id", "") or (cite[0] if isinstance(cite, tuple) else "")
        paragraph = ruleset.rulebook.get(str(id))
        if paragraph is not None:
            title = _label(paragraph.title)
            head = paragraph.id if title in ("", paragraph.id) else f"{paragraph.id} {title}"
            found.append(f"{head}: {_label(paragraph.text)}")
    return "\n\n".join(found)


def _written(ruleset: Ruleset, type_: str, value: object) -> str:
    kind = next((k for k in ruleset.kinds.values() if k.one == type_), None)
    if kind is not None and isinstance(value, int):
        return kind.things[value].id
    return str(value)


def _label(label: Label) -> str:
    return next(iter(label.values()), "") if label else ""


def _headings(ruleset: Ruleset) -> Iterator[tuple[Span, str]]:
    """For each cell of a row in brackets what stands above its column."""
    for table in ruleset.tables.values():
        labels = table.axes[-1].labels if table.axes else ()
        for index, span in table.cell_spans.items():
            before = span.source.text[max(span.start - 2, 0) : span.start].strip()
            if before[-1:] in ("[", ",") and index and index[-1] < len(labels):
                yield span, labels[index[-1]]
