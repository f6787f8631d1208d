"""How these documents become a site with Sphinx; see docs/site.md. Nothing is fetched, then or later."""

import json
from pathlib import Path

from pygments.lexer import RegexLexer, bygroups
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text
from sphinx.highlighting import lexers

_GRAMMAR = Path(__file__).parents[1] / "editors" / "vscode" / "syntaxes" / "grognard.tmLanguage.json"
_TOKENS = {
    "comment": Comment.Single,
    "string": String,
    "keyword.declaration": Keyword.Declaration,
    "keyword.operator": Operator.Word,
    "keyword": Keyword,
    "constant.language": Keyword.Constant,
    "constant.numeric": Number,
    "constant": Comment.Special,
    "entity.name": Name.Function,
}


def _token(scope):
    return next((token for name, token in _TOKENS.items() if scope.startswith(name)), Text)


def _pattern(entry):
    """One pattern of the editors' grammar as one of Pygments."""
    if "begin" in entry:
        return (f"{entry['begin']}.*?(?:{entry['end']})", _token(entry["name"]))
    if "captures" in entry:
        first, second = (_token(entry["captures"][n]["name"]) for n in ("1", "2"))
        return (entry["match"].replace("\\s+", "(\\s+)"), bygroups(first, Text, second))
    return (entry["match"], _token(entry["name"]))


class RulesLexer(RegexLexer):
    """Colours for the language of rules, by the grammar that editors use."""

    name = "rules"
    tokens = {
        "root": [
            *(_pattern(entry) for entry in json.loads(_GRAMMAR.read_text(encoding="utf-8"))["patterns"]),
            (r"\w+", Name),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


lexers["rules"] = RulesLexer()
lexers["csv"] = TextLexer()

project = "Grognard"
author = "The Grognard developers"
copyright = author
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["diagnostics/translations/*", "site/*", "editors/vscode/*", "templates/*"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_disable_syntax = ["myst_role"]  # `{word}` is a hole here
html_theme = "furo"
html_title = "Grognard"
html_last_updated_fmt = None
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_static_path = []
highlight_language = "text"
# links to files of the project that are no documents lead nowhere on the site
suppress_warnings = [
    "myst.xref_missing",
    "misc.highlighting_failure",  # pages of findings show what is wrong
]
