"""Saying an option word by word: which words can come next, and which option is meant in the end.

What all options that are still meant have in common is left unsaid. Must not know what the words mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Spelled = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ActionTrie:
    """What can be said next: for each word the options it leaves, by number, in ascending order of the words.

    `said` are the words said so far, with those that went without saying.
    """

    ways: dict[int, list[int]]
    said: Spelled


def first_menu(spelled: Sequence[Spelled]) -> ActionTrie:
    """What can be said of these options, of which there is at least one. A single one still takes one word."""
    if len(spelled) == 1:
        return ActionTrie({spelled[0][0]: [0]}, ())
    if all(len(words) == 1 for words in spelled):
        return ActionTrie(dict(sorted((words[0], [n]) for n, words in enumerate(spelled))), ())
    return _menu(spelled, list(range(len(spelled))), 0)


def next_menu(spelled: Sequence[Spelled], menu: ActionTrie, word: int) -> ActionTrie:
    """What can be said after a word that leaves more than one option."""
    return _menu(spelled, menu.ways[word], len(menu.said) + 1)


def _menu(spelled: Sequence[Spelled], left: list[int], depth: int) -> ActionTrie:
    while True:
        ways: dict[int, list[int]] = {}
        for number in left:
            ways.setdefault(spelled[number][depth], []).append(number)
        if len(ways) > 1:
            return ActionTrie(dict(sorted(ways.items())), spelled[left[0]][:depth])
        depth += 1
