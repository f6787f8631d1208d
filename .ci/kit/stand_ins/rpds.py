"""Persistent collections in pure Python, with the interface of `rpds` that `referencing` and `jsonschema` use.

Pyodide builds of `rpds` are only served by a content delivery network, which an offline page cannot use. Each update
copies the collection, which is fast enough for the few entries of a schema.
"""

from collections.abc import Mapping, Set


class HashTrieMap(Mapping):
    """An immutable mapping."""

    __slots__ = ("_entries",)

    def __init__(self, entries=(), **more):
        self._entries = dict(entries, **more)

    @classmethod
    def convert(cls, value):
        """Return a mapping as one of this class."""
        return value if isinstance(value, cls) else cls(value)

    def __getitem__(self, key):
        return self._entries[key]

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def __hash__(self):
        return hash(frozenset(self._entries.items()))

    def insert(self, key, value):
        """Return the mapping with an entry more."""
        return HashTrieMap({**self._entries, key: value})

    def update(self, *others, **more):
        """Return the mapping with the entries of others."""
        entries = dict(self._entries)
        for other in (*others, more):
            entries.update(other)
        return HashTrieMap(entries)

    def discard(self, key):
        """Return the mapping without an entry, which need not be there."""
        return HashTrieMap({name: value for name, value in self._entries.items() if name != key})

    def remove(self, key):
        """Return the mapping without an entry; raises KeyError if it is not there."""
        self[key]
        return self.discard(key)


class HashTrieSet(Set):
    """An immutable set."""

    __slots__ = ("_members",)

    def __init__(self, members=()):
        self._members = frozenset(members)

    def __contains__(self, member):
        return member in self._members

    def __iter__(self):
        return iter(self._members)

    def __len__(self):
        return len(self._members)

    def insert(self, member):
        """Return the set with a member more."""
        return HashTrieSet({*self._members, member})

    def update(self, *others):
        """Return the set with the members of others."""
        return HashTrieSet(self._members.union(*others))

    def remove(self, member):
        """Return the set without a member; raises KeyError if it is not there."""
        if member not in self._members:
            raise KeyError(member)
        return HashTrieSet(self._members - {member})


class List:
    """An immutable list that grows at its front."""

    __slots__ = ("_items",)

    def __init__(self, *items):
        self._items = tuple(items[0]) if len(items) == 1 and not isinstance(items[0], str) else items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def push_front(self, item):
        """Return the list with an item more before the others."""
        return List((item, *self._items))

    @property
    def first(self):
        """Return the first item."""
        return self._items[0]

    @property
    def rest(self):
        """Return the list without its first item."""
        return List(self._items[1:])
