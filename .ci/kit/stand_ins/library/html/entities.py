"""Stand-in for the tables of named characters, which no page needs: `html.escape` only writes."""

name2codepoint: dict[str, int] = {}
codepoint2name: dict[int, str] = {}
entitydefs: dict[str, str] = {}
html5: dict[str, str] = {}
