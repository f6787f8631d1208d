"""Protection against formula injection: escape text that a spreadsheet would execute, unescape it when read."""

from __future__ import annotations

import re

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}
_STARTS = "=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20"  # wide signs run as well in programs set to Japanese or Chinese
_RUNS = re.compile(f"[{_STARTS}]")
_MARKED = re.compile(f"'+[{_STARTS}]")
_NUMBER = re.compile(r"[-+]?[0-9]+(?:[./,][0-9]+)?|[-+]")  # signed numbers and a lone dash are shown unchanged
_RUNS_BEHIND = re.compile("[,;\\t\\r\\n][\"']*(?:[=@\uff1d\uff20]|[+\uff0b\uff0d-](?![0-9./]*(?:$|[,;\\t\\r\\n]))\\S)")


def escape_formula(text: str, is_typed: bool = False) -> str:
    """Return a text that no spreadsheet program executes, with an apostrophe before what begins like a formula.

    `is_typed`: the file marks the cell as text, so only a leading apostrophe is escaped.

    >>> [escape_formula(text) for text in ("=1+1", "-2+3", "-1", "+2", "-", "D", "'=1", "'s")]
    ["'=1+1", "'-2+3", '-1', '+2', '-', 'D', "''=1", "'s"]
    """
    if _MARKED.match(text) or (not is_typed and _RUNS.match(text) and not _NUMBER.fullmatch(text)):
        return f"'{text}"
    return text


def unescape_formula(text: str) -> str:
    """Return the original text of a cell that `escape_formula` has escaped, or that a person typed with an apostrophe.

    >>> [unescape_formula(text) for text in ("'=1+1", "''=1", "'s", "-1", "'-1")]
    ['=1+1', "'=1", "'s", '-1', '-1']
    """
    return text[1:] if _MARKED.match(text) else text


def contains_formula(text: str) -> bool:
    """Return whether a part of the text becomes a formula if a spreadsheet program splits it at another delimiter.

    >>> [contains_formula(text) for text in ("a;=1+1", "a, b", "-1,-2", "a\\n@x", "a\\n- b", "a;-b")]
    [True, False, False, True, False, True]
    """
    return _RUNS_BEHIND.search(text) is not None
