"""Lookup commands: find pieces, places, rules and tables by a word; show a rule's text or one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.number_format import normalize_paragraph_number
from interpreter.play.game import Game
from interpreter.play.lines import TextLine
from interpreter.players.narration.piece_lines import render_views
from interpreter.players.narration.place_lines import render_place, render_reachability, render_thing
from interpreter.players.orders.matching import is_name_of_other_kind, match_any_kind, match_full_names, match_things
from interpreter.players.orders.name_index import NameIndex, tokenize_words
from interpreter.runtime.localizer import Localizer

_MAX_FOUND = 20
_MAX_RULES = 80  # paragraphs of a chapter listed by title
_WHOLE = 12  # up to this many are shown in full


def render_matches(text: str, name_index: NameIndex) -> list[str]:
    """Render the things and rules that match a text, or a line that says that nothing does."""
    localizer = name_index.localizer
    if not tokenize_words(text):
        return [localizer.say("find what? Write: find WORD")]
    lines = find_matches(text, name_index)
    if not lines:
        return [localizer.say("unknown name `{text}`", text=quote_typed(text))]
    more = [localizer.say("and {number} more", number=len(lines) - _MAX_FOUND)] if len(lines) > _MAX_FOUND else []
    return lines[:_MAX_FOUND] + more


def find_matches(text: str, name_index: NameIndex) -> list[str]:
    """Render all things whose name matches, with place or kind, followed by the rules whose text contains the words."""
    localizer, typed_words, lines = name_index.localizer, tokenize_words(text), list[str]()
    if not typed_words:
        return lines
    for kind in ("piece", "place"):
        for thing in match_things(kind, text, name_index):
            where = name_index.find_place_name(thing) if kind == "piece" else ""
            name = localizer.get_thing_name(kind, thing)
            lines.append(
                "  "
                + (
                    localizer.prefix_topic(name, where)
                    if where
                    else localizer.with_detail(name, localizer.say("a place"))
                )
            )
    lines += [
        "  " + localizer.say("table {name}: {title}", name=name, title=localizer.translate_label(chart.label, name))
        for name, chart in name_index.program.charts.items()
        if _has_words(typed_words, name + " " + localizer.translate_label(chart.label))
    ]
    lines += [
        f"  [{number}] {localizer.translate_label(p['title'])}"
        for number, p in localizer.data["rulebook"].items()
        if _has_words(typed_words, localizer.translate_label(p["title"]) + " " + localizer.translate_label(p["text"]))
    ]
    return lines


def _has_words(typed_words: tuple[str, ...], text: str) -> bool:
    plain = " ".join(tokenize_words(text))
    return all(w in plain for w in typed_words)


def render_rule(number: str, localizer: Localizer) -> list[str]:
    """Render the text of a rule."""
    book = localizer.data["rulebook"]
    number = normalize_paragraph_number(number, book)
    if not number:
        return [localizer.say("which rule? Write: rule NUMBER, with a number in [brackets]")]
    if number in book:
        paragraph = book[number]
        return [
            f"{number}  {localizer.translate_label(paragraph['title'])}",
            f"  {localizer.translate_label(paragraph['text'])}",
        ]
    below = [p for p in book if p.startswith((number + "-", number + "."))]
    if len(below) > _WHOLE:
        return localizer.limit_texts([f"{p}  {localizer.translate_label(book[p]['title'])}" for p in below], _MAX_RULES)
    if below:
        return [line for p in below for line in render_rule(p, localizer)]
    return [
        localizer.say("unknown rule number {number}", number=quote_typed(number))
        + localizer.format_hint(quote_typed(number), book)
    ]


def _render_described_thing(kind: str, thing: str, game: Game, localizer: Localizer) -> list[TextLine]:
    """Render a side, a seat or a thing of the ruleset's own kinds."""
    now = _get_changing_values(kind, game)
    return [*render_thing(kind, thing, now.get(thing, {}), localizer), *render_views(kind, thing, game, localizer)]


def render_value(text: str, game: Game, localizer: Localizer) -> list[str]:
    """Render the values of the game, and of the things of a kind, with this name; or [] if no value has it."""
    view, typed_words = game.view(), tokenize_words(text)
    lines = []
    for _, name, attribute in localizer.data["game"]:
        if attribute["told"] and typed_words in (
            tokenize_words(name),
            tokenize_words(localizer.translate_attribute(attribute)),
        ):
            value_text = localizer.format_id_value(attribute["show"], view["game"].get(name))
            lines += [f"{localizer.translate_attribute(attribute)}: {value_text}"]
    for kind in localizer.data["kinds"]:
        if kind in ("piece", "place", "edge"):
            continue
        for name, attribute in localizer.get_kind(kind)["attributes"].items():
            if attribute["told"] and typed_words in (
                tokenize_words(name),
                tokenize_words(localizer.translate_attribute(attribute)),
            ):
                lines.append(localizer.translate_attribute(attribute))
                now = _get_changing_values(kind, game)
                for thing in game.program.ids[kind]:
                    text = localizer.format_attribute(kind, thing, name, now.get(thing, {}))[1]
                    lines.append("  " + localizer.prefix_topic(localizer.get_thing_name(kind, thing), text))
    return lines


def _get_changing_values(kind: str, game: Game) -> Mapping[str, Mapping[str, Any]]:
    """Return the variable attributes of the things of a kind, by id."""
    key = {"side": "sides", "seat": "seats"}.get(kind) or game.program.kinds[kind]["many"]
    values: Mapping[str, Mapping[str, Any]] = game.view().get(key, {})
    return values


def _suggest_command(text: str, name_index: NameIndex) -> list[str]:
    """Return a line with the command that shows the piece, table or rule that a text names; [] if it names none."""
    localizer, typed_words = name_index.localizer, tokenize_words(text)
    if match_things("piece", text, name_index):
        return [localizer.say("`{text}` is not a place: `what {text}` shows the piece", text=quote_typed(text))]
    for name, chart in name_index.program.charts.items():
        if typed_words in (tokenize_words(name), tokenize_words(localizer.translate_label(chart.label, name))):
            return [localizer.say("`{text}` is not a place: `table {text}` shows the chart", text=quote_typed(text))]
    if normalize_paragraph_number(text, localizer.data["rulebook"]) in localizer.data["rulebook"]:
        return [localizer.say("`{text}` is not a place: `rule {text}` shows the paragraph", text=quote_typed(text))]
    return []


def render_look(text: str, game: Game, name_index: NameIndex) -> Sequence[TextLine]:
    """Render the place, or the side, seat or other thing, that a text names, or a line that says why none is shown."""
    localizer = name_index.localizer
    if not text:
        return [localizer.say("look at what? Write: look PLACE")]
    places = match_things("place", text, name_index)
    things = match_any_kind(text, name_index)
    beside = not any(name_index.is_on_map(place) for place in places) and not match_full_names(
        "place", text, name_index
    )
    if things and (beside or is_name_of_other_kind("place", text, name_index)):
        return [line for kind, thing in things for line in _render_described_thing(kind, thing, game, localizer)]
    if len(places) == 1:
        lines: list[TextLine] = [*render_place(places[0], game.view(), localizer)]
        lines += [*render_views("place", places[0], game, localizer), *render_reachability(game, places[0], localizer)]
        for kind, thing in things:
            if views := render_views(kind, thing, game, localizer):
                lines += [localizer.get_thing_name(kind, thing), *views]
        return lines
    if places:
        names = localizer.limit_texts([localizer.get_thing_name("place", p) for p in places], _MAX_FOUND)
        return [localizer.say("`{text}` can mean {places}", text=quote_typed(text), places=localizer.join_list(names))]
    if beside_them := render_value(text, game, localizer) or _suggest_command(text, name_index):
        return beside_them
    ids = name_index.program.ids["place"]
    hint = localizer.format_hint(text, [*(localizer.get_thing_name("place", i) for i in ids), *ids])
    return [localizer.say("unknown place `{text}`", text=quote_typed(text)) + hint]
