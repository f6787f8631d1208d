"""Name lookup: words of the ruleset's data, signatures of its rules, and local names of a block.

Checks no expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Kind, PieceClass, Ruleset

CONTAINERS: Mapping[str, Callable[[t.Type], t.Type]] = {
    "set of": t.SetType,
    "list of": t.ListType,
    "maybe": t.MaybeType,
}


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Index of the data's words by meaning; if two things share a word the first one counts.

    `ids`: handle of each thing by kind and id. `one`, `many`: kinds and classes by singular and plural. `rungs`:
    position of each rung by ladder. `listed`: the words of all enumerations.
    """

    ids: Mapping[str, Mapping[str, int]]
    one: Mapping[str, t.ThingType]
    many: Mapping[str, t.ThingType]
    rungs: Mapping[str, Mapping[str, int]]
    listed: frozenset[str]


def build_word_index(ruleset: Ruleset) -> WordIndex:
    """Build the index of a ruleset's words."""
    types_by_word: dict[str, t.ThingType] = {}
    many: dict[str, t.ThingType] = {}
    types: list[tuple[Kind | PieceClass, t.ThingType]] = [(k, t.ThingType(k.id)) for k in ruleset.kinds.values()]
    for described, type_ in types + [(x, t.ThingType("piece", x.id)) for x in ruleset.classes.values()]:
        types_by_word.setdefault(described.one, type_)
        types_by_word.setdefault(described.id, type_)
        many.setdefault(described.many, type_)
    types_by_word.setdefault("level", t.LEVEL)
    return WordIndex(
        {kind.id: kind.get_handles() for kind in ruleset.kinds.values()},
        types_by_word,
        many,
        {ladder.id: _number_names(ladder.rungs) for ladder in ruleset.ladders.values()},
        frozenset(word for type_ in _iter_types(ruleset) for word in list_enumerated_words(type_)),
    )


def _number_names(words: Iterable[str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, word in enumerate(words):
        numbers.setdefault(word, number)
    return numbers


def _iter_types(ruleset: Ruleset) -> Iterable[t.Type]:
    """Yield the types of all attributes, game-wide values, and the axes and cells of charts."""
    for kind in ruleset.kinds.values():
        yield from (a.type for a in kind.attributes.values())
    yield from (a.type for a in ruleset.game.values())
    for table in ruleset.tables.values():
        yield from (axis.type for axis in table.axes)
        yield table.type


def list_enumerated_words(type_: t.Type) -> tuple[str, ...]:
    """Return the words of an enumeration, which may be the item of a maybe type, a set or a list; () for others."""
    inner = type_.item if isinstance(type_, t.MaybeType | t.SetType | t.ListType) else type_
    return inner.values if isinstance(inner, t.OneOfType) else ()


RESERVED = frozenset(
    "and or not if then else in where for any no every satisfies true false at on has playing can possible closure "
    "below above with having of to let set raise lower advance drop move while repeat choose roll draw report end skip "
    "later settle return assert together nothing match option require prefer otherwise finish offer phase by".split()
)


@dataclass(slots=True)
class Signature:
    """Parameters, result type and span of a callable item."""

    params: tuple[tuple[str, t.Type], ...]
    result: t.Type | None
    span: Span


@dataclass(slots=True)
class RulesScope:
    """All names that the rules of one ruleset can use.

    `define_items`: the syntax of each define. `used`: the names of procedures, events and drafts that statements use.
    `draft_names`: the drafts whose names are types. `staged`: the drafts whose stages the rules read. `indexed`: the
    index of the data's words, None until `index` is read.
    """

    ruleset: Ruleset
    sink: Sink
    procedures: dict[str, Signature] = field(default_factory=dict)
    defines: dict[str, Signature] = field(default_factory=dict)
    rules: dict[str, Signature] = field(default_factory=dict)
    tallies: dict[str, Signature] = field(default_factory=dict)
    drafts: dict[str, Signature] = field(default_factory=dict)
    events: dict[str, Signature] = field(default_factory=dict)
    records: dict[str, tuple[tuple[str, t.Type], ...]] = field(default_factory=dict)
    phases: dict[str, Span] = field(default_factory=dict)
    define_items: dict[str, s.DefineDecl] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    draft_names: set[str] = field(default_factory=set)
    staged: set[str] = field(default_factory=set)
    indexed: WordIndex | None = None

    @property
    def index(self) -> WordIndex:
        """Return the index of the data's words, built on first use."""
        if self.indexed is None:
            self.indexed = build_word_index(self.ruleset)
        return self.indexed

    def find_kind(self, word: str) -> t.ThingType | None:
        """Return the kind or piece class with this singular word, or None."""
        return self.index.one.get(word)

    def find_kind_by_plural(self, word: str) -> t.ThingType | None:
        """Return the kind or piece class with this plural word, or None."""
        return self.index.many.get(word)

    def get_type_word(self, type_: t.Type) -> str:
        """Return a type's name as the ruleset's readers know it."""
        match type_:
            case t.ThingType(kind="piece", cls=None):
                return "piece"
            case t.ThingType(kind="piece", cls=str() as cls) if cls in self.ruleset.classes:
                return self.ruleset.classes[cls].one
            case t.ThingType(kind=kind) if kind in self.ruleset.kinds:
                return self.ruleset.kinds[kind].one
        return t.describe_type(type_, self.get_type_word)

    def find_attribute(self, owner: t.ThingType, name: str) -> Attribute | None:
        """Return the attribute `name` of a kind or piece class (`owner`), or None if it has none of this name."""
        kind = self.ruleset.kinds.get(owner.kind)
        if kind is None or name not in kind.attributes:
            return None
        if owner.cls is not None and name not in self.ruleset.classes[owner.cls].attributes:
            return None
        return kind.attributes[name]

    def list_attribute_names(self, owner: t.ThingType) -> list[str]:
        """Return the names of the attributes of a value of this type, including built-in ones."""
        extra = {"piece": ["at"], "side": ["seat", "opponent"], "seat": ["opponent"]}.get(owner.kind, [])
        if owner.cls is not None:
            return [*self.ruleset.classes[owner.cls].attributes, *extra]
        kind = self.ruleset.kinds.get(owner.kind)
        return [*(kind.attributes if kind else ()), *extra]

    def resolve_type(self, type_name: s.TypeName) -> t.Type:
        """Return the type that a type name denotes; an unknown one is reported and gives `Never`."""
        word = type_name.word
        if type_name.item is not None:
            return CONTAINERS[word](self.resolve_type(type_name.item))
        if type_name.values:
            return t.OneOfType(tuple(dict.fromkeys(type_name.values)))
        if word in t.PLAIN:
            return t.PLAIN[word]
        type_found = self.find_kind(word)
        if type_found is not None:
            return type_found
        if word in self.ruleset.ladders:
            return t.RungType(word)
        if word in self.records:
            return t.RecordType(word)
        if word in self.ruleset.tables:
            cell = self.ruleset.tables[word].type
            return cell.item if isinstance(cell, t.ListType) and isinstance(cell.item, t.PartType) else cell
        if word in self.draft_names:
            return t.RecordType(t.DRAFT + word)
        words = [
            *t.PLAIN,
            *self.ruleset.ladders,
            *self.records,
            *(k.one for k in self.ruleset.kinds.values()),
            *(c.one for c in self.ruleset.classes.values()),
        ]
        suggestion = t.FOREIGN_TYPE_NAMES.get(word)
        cure = _("did you mean `{word}`?", word=suggestion) if suggestion else did_you_mean(word, words)
        self.sink.add_error("unknown-type", _("unknown type `{word}`", word=word), type_name.span, help=cure)
        return t.NEVER

    def find_callable(self, name: str) -> Signature | None:
        """Return the signature of the procedure, define, rule, tally, draft or event of this name, or None."""
        tables = (self.procedures, self.defines, self.rules, self.tallies, self.drafts, self.events)
        return next((table[name] for table in tables if name in table), None)

    def report_reserved(self, name: str, span: Span) -> bool:
        """Report a name that is a reserved word; return whether it is one."""
        if name not in RESERVED:
            return False
        self.sink.add_error(
            "reserved-word",
            _("`{name}` is a word of the language and cannot be used as a name", name=name),
            span,
            help=_("use another name"),
        )
        return True

    def declare(self, table: dict[str, Signature], name: str, signature: Signature) -> None:
        """Declare a name in `table`, one of the tables of this scope; report an error if the name is already taken."""
        if self.report_reserved(name, signature.span):
            return
        earlier = self.find_callable(name)
        if earlier is not None:
            self.sink.add_error(
                "name-taken",
                _("`{name}` is declared twice", name=name),
                signature.span,
                related=(Related(_("first declared here"), earlier.span),),
                help=_("rename one of them"),
            )
            return
        meaning = self._describe_data_name(name)
        if meaning:
            self.sink.add_error(
                "name-taken",
                _("`{name}` is already {taken}", name=name, taken=meaning),
                signature.span,
                help=_("give it another name"),
            )
            return
        table[name] = signature

    def _describe_data_name(self, name: str) -> str:
        if name in self.ruleset.tables:
            return _("the name of a table")
        if self.find_kind_by_plural(name) is not None:
            return _("the word for all things of a kind")
        if name in self.ruleset.regions:
            return _("the name of a region")
        if name in ("value", "game", "victory", "turn", "setup"):
            return _("a word of the language")
        return ""


@dataclass(slots=True)
class Env:
    """Local names of one block, linked to the enclosing blocks."""

    types: dict[str, t.Type]
    outer: Env | None = None

    def _iter_enclosing(self) -> Iterator[Env]:
        """Yield this block and its enclosing blocks, innermost first."""
        env: Env | None = self
        while env is not None:
            yield env
            env = env.outer

    def find(self, name: str) -> t.Type | None:
        """Return the type of a local name, or None if it is unknown."""
        env: Env | None = self  # hot path: a loop is faster than a generator
        while env is not None:
            if name in env.types:
                return env.types[name]
            env = env.outer
        return None

    def refine(self, name: str, type_: t.Type) -> None:
        """Give a local name a wider or more precise type in the block that declared it."""
        next(env for env in self._iter_enclosing() if name in env.types).types[name] = type_

    def list_names(self) -> tuple[str, ...]:
        """Return all visible names, outermost first."""
        return tuple(dict.fromkeys(name for env in reversed([*self._iter_enclosing()]) for name in env.types))

    def iter_names(self) -> Iterator[str]:
        """Yield all visible names lazily, innermost first; for callers that need only the first few."""
        return (name for env in self._iter_enclosing() for name in env.types)

    def create_nested(self, **names: t.Type) -> Env:
        """Return a new block nested in this one, with the given names."""
        return Env(dict(names), self)
