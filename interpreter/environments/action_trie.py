"""A prefix tree over the word sequences of options: which words can come next, and which option is selected.

Words that all remaining options share are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Spelled = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ActionTrie:
    """The words that can come next, in ascending order, each with the numbers of the options that remain.

    `prefix` are the words so far, including those that were skipped.
    """

    ways: dict[int, list[int]]
    prefix: Spelled


def first_menu(spelled: Sequence[Spelled]) -> ActionTrie:
    """Return the root of the tree for at least one option. A single option still takes one word."""
    if len(spelled) == 1:
        return ActionTrie({spelled[0][0]: [0]}, ())
    if all(len(words) == 1 for words in spelled):
        return ActionTrie(dict(sorted((words[0], [n]) for n, words in enumerate(spelled))), ())
    return _menu(spelled, list(range(len(spelled))), 0)


def next_menu(spelled: Sequence[Spelled], menu: ActionTrie, word: int) -> ActionTrie:
    """Return the subtree after a word that leaves more than one option."""
    return _menu(spelled, menu.ways[word], len(menu.prefix) + 1)


def _menu(spelled: Sequence[Spelled], left: list[int], depth: int) -> ActionTrie:
    while True:
        ways: dict[int, list[int]] = {}
        for number in left:
            ways.setdefault(spelled[number][depth], []).append(number)
        if len(ways) > 1:
            return ActionTrie(dict(sorted(ways.items())), spelled[left[0]][:depth])
        depth += 1
