"""Choose the style of a terrain or a line from the words by which a ruleset calls it.

Words are those of English documents; a ruleset in another language, or with words of its own, states `style`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_TERRAIN: Mapping[str, str] = {
    "fields": "clear farmland field fields flat grass grassland meadow meadows open pasture plain plains steppe",
    "bare": "blank bare space void snow ice sky",
    "woods": "forest forests jungle taiga thicket wood wooded woodland woods grove trees",
    "orchard": "orchard orchards vineyard vineyards plantation olive",
    "marsh": "bog fen marsh marshes moor moss mud swamp swamps wetland wetlands",
    "hill": "downs hill hills hillock hummock knoll rise rolling upland uplands",
    "slope": "height heights hilltop ridge slope slopes",
    "mountain": "alpine massif mountain mountains peak peaks",
    "water": "bay coast_water deep gulf lake lakes ocean pond sea seas strait water",
    "sand": "beach desert dune dunes sand sands",
    "rough": "broken crag crags heath rocky rough rubble scrub shrub stony waste wasteland",
    "town": "built built_up city cities hamlet houses suburb town towns urban village villages",
    "earth": "earthwork earthworks entrenched entrenchment entrenchments fieldworks trench trenches works",
    "star_fort": "bastion castle citadel fort fortified fortress forts redoubt redoubts stronghold",
    "field_fort": "blockhouse fleche lunette outpost post sconce",
    "ruins": "destroyed ruin ruined ruins",
}
_LINES: Mapping[str, str] = {
    "river": "brook burn canal creek river rivers rivulet stream streams water wadi",
    "road": "causeway highway lane pike road roads street",
    "track": "footpath path trail track tracks",
    "rail": "rail railroad rails railway",
    "wall": "entrenchment palisade rampart ramparts wall walls works",
    "bridge": "bridge bridges plank pontoon",
    "ford": "ferry ford fords",
    "border": "border borders boundary frontier",
    "cliff": "bluff cliff cliffs crest escarpment scarp",
}


def _index_by_word(styles: Mapping[str, str]) -> dict[str, str]:
    return {word: style for style, words in styles.items() for word in words.split()}


_TERRAIN_BY_WORD, _LINES_BY_WORD = _index_by_word(_TERRAIN), _index_by_word(_LINES)


def find_terrain_style(names: Iterable[str]) -> str:
    """Return the style of a terrain with these names or ids, or "" if no word of them is known."""
    return _find_first_style(names, _TERRAIN_BY_WORD)


def find_line_style(names: Iterable[str]) -> str:
    """Return the style of a line with these names or ids, or "" if no word of them is known."""
    return _find_first_style(names, _LINES_BY_WORD)


_SMALL_RIVERS = frozenset("beck brook burn creek rill rivulet stream streams".split())


def is_small_river(names: Iterable[str]) -> bool:
    """Return whether one of a river's names means a small river, such as a brook."""
    return any(word in _SMALL_RIVERS for name in names for word in re.split(r"[^a-z]+", name.casefold()))


def _find_first_style(names: Iterable[str], styles: Mapping[str, str]) -> str:
    """Return the style of the first name that has one: of the whole name, else of its last word that has one.

    The last word of an English name is its noun.
    """
    for name in names:
        folded_name = name.casefold().replace("-", "_").replace(" ", "_")
        if folded_name in styles:
            return styles[folded_name]
        for word in reversed(re.split(r"[^a-z]+", folded_name)):
            if word in styles:
                return styles[word]
    return ""
