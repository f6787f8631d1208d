"""What names mean: where each word of a ruleset's data stands, the signatures of its rules, and the local names of one
block.

Must not check expressions; it only answers questions about names.
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
from interpreter.model.ruleset import Attribute, Ruleset

_AROUND: Mapping[str, Callable[[t.Type], t.Type]] = {"set of": t.SetType, "list of": t.ListType, "maybe": t.MaybeType}


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Words of the data by what they may mean; where two things share a word the first one counts.

    `ids`: handle of each thing by kind and id. `one`, `many`: kinds and classes by their words. `rungs`: place of each
    rung by ladder. `listed`: words of lists, whichever.
    """

    ids: Mapping[str, Mapping[str, int]]
    one: Mapping[str, t.ThingType]
    many: Mapping[str, t.ThingType]
    rungs: Mapping[str, Mapping[str, int]]
    listed: frozenset[str]


def index_words(ruleset: Ruleset) -> WordIndex:
    """The index of a ruleset's words."""
    one: dict[str, t.ThingType] = {}
    many: dict[str, t.ThingType] = {}
    for kind in ruleset.kinds.values():
        one.setdefault(kind.one, t.ThingType(kind.id))
        one.setdefault(kind.id, t.ThingType(kind.id))
        many.setdefault(kind.many, t.ThingType(kind.id))
    for cls in ruleset.classes.values():
        one.setdefault(cls.one, t.ThingType("piece", cls.id))
        one.setdefault(cls.id, t.ThingType("piece", cls.id))
        many.setdefault(cls.many, t.ThingType("piece", cls.id))
    one.setdefault("level", t.ThingType("level"))
    return WordIndex(
        {kind.id: kind.handles() for kind in ruleset.kinds.values()},
        one,
        many,
        {ladder.id: _numbered(ladder.rungs) for ladder in ruleset.ladders.values()},
        frozenset(word for type_ in _types(ruleset) for word in _words(type_)),
    )


def _numbered(words: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, word in enumerate(words):
        found.setdefault(word, number)
    return found


def _types(ruleset: Ruleset) -> Iterable[t.Type]:
    for kind in ruleset.kinds.values():
        yield from (a.type for a in kind.attributes.values())
    yield from (a.type for a in ruleset.game.values())
    for table in ruleset.tables.values():
        yield from (axis.type for axis in table.axes)
        yield table.type


def _words(type_: t.Type) -> tuple[str, ...]:
    inner = type_.item if isinstance(type_, t.MaybeType | t.SetType | t.ListType) else type_
    return inner.values if isinstance(inner, t.OneOfType) else ()


RESERVED = frozenset(
    "and or not if then else in where for any no every satisfies true false at on has playing can possible closure "
    "below above with having of to let set raise lower advance drop move while repeat choose roll draw report end skip "
    "later settle return assert together nothing match option require prefer otherwise finish offer phase by".split()
)


@dataclass(slots=True)
class Signature:
    """Parameters and result of something callable."""

    params: tuple[tuple[str, t.Type], ...]
    result: t.Type | None
    span: Span


@dataclass(slots=True)
class RulesScope:
    """Everything that can be named in the rules of one ruleset."""

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
    staged: set[str] = field(default_factory=set)  # drafts whose stages are read
    indexed: WordIndex | None = None  # made when first asked for: see `index`

    @property
    def index(self) -> WordIndex:
        """Where the words of the data stand."""
        if self.indexed is None:
            self.indexed = index_words(self.ruleset)
        return self.indexed

    def kind_of_word(self, word: str) -> t.ThingType | None:
        """The kind or piece class with this singular word."""
        return self.index.one.get(word)

    def kind_of_many(self, word: str) -> t.ThingType | None:
        """The kind or piece class with this plural word."""
        return self.index.many.get(word)

    def word_for(self, type_: t.Type) -> str:
        """A type as the ruleset's readers call it."""
        match type_:
            case t.ThingType(kind="piece", cls=None):
                return "piece"
            case t.ThingType(kind="piece", cls=str() as cls) if cls in self.ruleset.classes:
                return self.ruleset.classes[cls].one
            case t.ThingType(kind=kind) if kind in self.ruleset.kinds:
                return self.ruleset.kinds[kind].one
        return t.type_words(type_, self.word_for)

    def attribute(self, owner: t.ThingType, name: str) -> Attribute | None:
        """An attribute of a kind, seen through a class of pieces."""
        kind = self.ruleset.kinds.get(owner.kind)
        if kind is None or name not in kind.attributes:
            return None
        if owner.cls is not None and name not in self.ruleset.classes[owner.cls].attributes:
            return None
        return kind.attributes[name]

    def attribute_names(self, owner: t.ThingType) -> list[str]:
        """Names of the attributes that a value of this type has, built-in ones included."""
        extra = {"piece": ["at"], "side": ["seat", "opponent"], "seat": ["opponent"]}.get(owner.kind, [])
        if owner.cls is not None:
            return [*self.ruleset.classes[owner.cls].attributes, *extra]
        kind = self.ruleset.kinds.get(owner.kind)
        return [*(kind.attributes if kind else ()), *extra]

    def type_of(self, written: s.TypeName) -> t.Type:
        """The type a type name means; a fault is reported and gives `Never`."""
        word = written.word
        if written.item is not None:
            return _AROUND[word](self.type_of(written.item))
        if written.values:
            return t.OneOfType(tuple(dict.fromkeys(written.values)))
        if word in t.PLAIN:
            return t.PLAIN[word]
        found = self.kind_of_word(word)
        if found is not None:
            return found
        if word in self.ruleset.ladders:
            return t.RungType(word)
        if word in self.records:
            return t.RecordType(word)
        if word in self.ruleset.tables:
            cell = self.ruleset.tables[word].type
            return cell.item if isinstance(cell, t.ListType) and isinstance(cell.item, t.PartType) else cell
        if word in self.draft_names:
            return t.RecordType("draft:" + word)
        known = [
            *t.PLAIN,
            *self.ruleset.ladders,
            *self.records,
            *(k.one for k in self.ruleset.kinds.values()),
            *(c.one for c in self.ruleset.classes.values()),
        ]
        meant = t.CALLED_ELSEWHERE.get(word)
        help = _("did you mean `{word}`?", word=meant) if meant else did_you_mean(word, known)
        self.sink.error("unknown-type", _("there is no type `{word}`", word=word), written.span, help=help)
        return t.NEVER

    def callable_named(self, name: str) -> Signature | None:
        """What the rules declare under a name, of whatever sort."""
        for table in (self.procedures, self.defines, self.rules, self.tallies, self.drafts, self.events):
            if name in table:
                return table[name]
        return None

    def is_reserved(self, name: str, span: Span) -> bool:
        """True (and reported) when a name is a word of the language."""
        if name not in RESERVED:
            return False
        self.sink.error(
            "reserved-word",
            _("`{name}` is a word of the language and cannot be a name", name=name),
            span,
            help=_("use another name"),
        )
        return True

    def declare(self, table: dict[str, Signature], name: str, signature: Signature) -> None:
        """Enter a name; a second meaning of the same name is a fault."""
        if self.is_reserved(name, signature.span):
            return
        earlier = self.callable_named(name)
        if earlier is not None:
            self.sink.error(
                "name-taken",
                _("`{name}` is declared twice", name=name),
                signature.span,
                related=(Related(_("first declared here"), earlier.span),),
                help=_("give one of them another name"),
            )
            return
        taken = self._data_meaning(name)
        if taken:
            self.sink.error(
                "name-taken",
                _("`{name}` is already {taken}", name=name, taken=taken),
                signature.span,
                help=_("give it another name"),
            )
            return
        table[name] = signature

    def _data_meaning(self, name: str) -> str:
        if name in self.ruleset.tables:
            return _("the name of a table")
        if self.kind_of_many(name) is not None:
            return _("the word for all things of a kind")
        if name in self.ruleset.regions:
            return _("the name of a region")
        if name in ("value", "game", "victory", "turn", "setup"):
            return _("a word of the language")
        return ""


@dataclass(slots=True)
class Env:
    """The local names of one block, and those of the blocks around it."""

    types: dict[str, t.Type]
    outer: Env | None = None

    def _around(self) -> Iterator[Env]:
        """This block and those around it, innermost first."""
        env: Env | None = self
        while env is not None:
            yield env
            env = env.outer

    def find(self, name: str) -> t.Type | None:
        """Type of a local name."""
        env: Env | None = self  # asked for every name: no generator
        while env is not None:
            if name in env.types:
                return env.types[name]
            env = env.outer
        return None

    def refine(self, name: str, type_: t.Type) -> None:
        """Give a local a wider or better known type where it was declared."""
        next(env for env in self._around() if name in env.types).types[name] = type_

    def all_names(self) -> tuple[str, ...]:
        """All names in sight, outermost first."""
        return tuple(dict.fromkeys(name for env in reversed([*self._around()]) for name in env.types))

    def iter_names(self) -> Iterator[str]:
        """The same one after another, innermost first: for who needs only some of many."""
        return (name for env in self._around() for name in env.types)

    def inner(self, **names: t.Type) -> Env:
        """A block inside this one."""
        return Env(dict(names), self)
