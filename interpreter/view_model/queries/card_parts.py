"""The steps of a resolution card, built from the ledger of a choice: sums, dice, charts and what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.i18n.translator import mark as _
from interpreter.play.events import LogEvent, build_event, format_outcome, format_roll_name, is_named_draw, is_silent
from interpreter.play.ledger import LedgerEntry, collect_read_cells, get_lookup_type
from interpreter.play.ledger_lines import format_ledger, format_shift
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import (
    ComparisonNote,
    LogEntry,
    LoggedChange,
    LoggedPhase,
    LoggedRoll,
    LookupNote,
    TallyLine,
    TallyNote,
    ValueNote,
)
from interpreter.runtime.program import Program
from interpreter.runtime.tables import ShiftedKey
from interpreter.runtime.type_aliases import handle_of
from interpreter.tools.describe.chart_view import build_program_chart
from interpreter.view_model.answer_records import AnswerLine, CardPart, CardSum, ChartGrid
from interpreter.view_model.log_view import build_answer_lines
from interpreter.view_model.queries.analysis_queries import build_chart_grids
from interpreter.view_model.view_context import ViewContext

_PIPS = 6  # dice with at most this many pips are drawn with them
_MAX_RESULT_LINES = 2  # lookups of a value that are shown as lines; more are shown on their chart
_MARGIN = 1  # rows and columns shown around a marked cell in a cut-out
_MAX_WHOLE_COLUMNS = 4  # a cut-out of a chart with at most this many columns keeps all of them
_MAX_CELL_TEXT = 12  # characters; cut-outs with longer cells and several rows keep only the marked columns
_NUMBERS = (int, float)
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MORE, _AT_MOST = _("that is more than {number}"), _("that is {number} or less")
_LESS, _AT_LEAST = _("that is less than {number}"), _("that is {number} or more")
_SAME, _OTHER = _("that is exactly {number}"), _("that is not {number}")
_COMPARED = {  # the text of a comparison, by its symbol and by whether it holds
    ">": (_AT_MOST, _MORE),
    "<=": (_MORE, _AT_MOST),
    "<": (_AT_LEAST, _LESS),
    ">=": (_LESS, _AT_LEAST),
    "==": (_OTHER, _SAME),
    "!=": (_SAME, _OTHER),
}


@dataclass(slots=True)
class _Builder:
    """Builder of the parts of a resolution card in order of time.

    Adjacent sums become one part. `form`: the program compiled to record ledgers; `looks` and `events`: the entries
    that have not become a part yet.
    """

    context: ViewContext
    form: Program
    localizer: Localizer
    parts: list[CardPart] = field(default_factory=list)
    looks: list[LedgerEntry] = field(default_factory=list)
    events: list[LogEvent] = field(default_factory=list)

    def add(self, entry: LedgerEntry) -> None:
        """Append the parts of an entry."""
        if entry.sort != "look" or (self.looks and self.looks[-1].name != entry.name):
            self._end_looks()
        if entry.sort not in ("event", "move", "set"):
            self._end_events()
        match entry.sort:
            case "look":
                self.looks.append(entry)
            case "value" if len(looks := self._list_plain_lookups(entry)) > _MAX_RESULT_LINES:
                self._mark_dice(looks)
                self.parts.append(self._build_chart_part(looks))
                self._add_sums(self._iter_sum_lines(replace(entry, inside=())))
            case "test" if (index := self._find_compared_roll(entry)) is not None:
                self.parts[index] = self._add_comparison(self.parts[index], entry)
                if lines := [line for inner in entry.inside for line in self._iter_sum_lines(inner)]:
                    self._add_sums(lines)
            case "value" | "tally" | "test":
                self._add_sums(self._iter_sum_lines(entry))
            case "roll":
                if entry.args["faces"] or isinstance(entry.raw, LoggedRoll) and is_named_draw(entry.raw):
                    self.parts.append(self._build_dice_part(entry))
            case "taken" | "end":
                pass
            case "set" if isinstance(entry.raw, LoggedChange) and entry.raw.kind == "game":
                pass
            case _ if isinstance(entry.raw, LogEntry) and not is_silent(self.form, entry.raw):
                self.events.append(build_event(self.form, entry.raw))

    def flush(self) -> None:
        """Append the pending events and lookups as parts."""
        self._end_looks()
        self._end_events()

    def _end_events(self) -> None:
        """Append the pending events as a part, similar events in one line."""
        if self.events:
            self.parts.append(CardPart("came", texts=render_events(self.context, self.events)))
            self.events = []

    def _end_looks(self) -> None:
        """Append the pending lookups of one chart as one part, preceded by the sums that they used."""
        if not self.looks:
            return
        looks, self.looks = self.looks, []
        inside = [s for e in looks for inner in e.inside for s in self._iter_sum_lines(inner)]
        if inside:
            self._add_sums(dict.fromkeys(inside))
        terms, total = next((total_line for e in looks if (total_line := self._find_total(e))[1]), ((), ""))
        for number in range(len(self.parts) - 1, -1, -1):
            if self.parts[number].kind == "dice" and total and not self.parts[number].total:
                self.parts[number] = replace(self.parts[number], total=total, terms=terms)
            if self.parts[number].kind in ("dice", "came", "phase"):
                break
        self._mark_dice(looks)
        self.parts.append(self._build_chart_part(looks))

    def _find_compared_roll(self, entry: LedgerEntry) -> int | None:
        """Return the index of the last roll if the entry compares it, for the first time, with something else."""
        raw = entry.raw
        index = next((n for n in reversed(range(len(self.parts))) if self.parts[n].kind != "sums"), None)
        if not isinstance(raw, ComparisonNote) or raw.rolled[0] == raw.rolled[1] or index is None:
            return None
        return index if self.parts[index].kind == "dice" and not self.parts[index].compared else None

    def _add_comparison(self, dice: CardPart, entry: LedgerEntry) -> CardPart:
        """Return a roll with the limit that the entry compares it with."""
        raw = entry.raw
        assert isinstance(raw, ComparisonNote)
        rolled_index = raw.rolled.index(True)
        rolled_number, limit = (raw.left, raw.right) if not rolled_index else (raw.right, raw.left)
        symbol = raw.symbol if not rolled_index else _MIRRORED.get(raw.symbol, raw.symbol)
        limit_text, name = format_number(limit), raw.names[1 - rolled_index]
        if name:
            limit_text = self.localizer.translate_phrase(
                "{what} ({more})", what=limit_text, more=self.localizer.translate_name(name)
            )
        text = self.localizer.say(_COMPARED[symbol][raw.result], number=limit_text)
        total = "" if dice.faces == (format_number(rolled_number),) else format_number(rolled_number)
        return replace(dice, compared=text, total=dice.total or total)

    def _mark_dice(self, looks: Sequence[LedgerEntry]) -> None:
        """Add to the last roll the chart's result for each face of the die, unless the chart has none for a face.

        `looks`: the lookups; only lookups in charts with one numeric axis are used.
        """
        results: dict[str, tuple[str, bool]] = {}
        for entry in looks:
            raw = entry.raw
            if isinstance(raw, LookupNote) and len(raw.keys) == 1 and isinstance(raw.keys[0], int):
                text = self.localizer.format_value(get_lookup_type(self.form, raw), raw.value)
                results[str(raw.keys[0])] = text, bool(raw.value)
        number = next((n for n in reversed(range(len(self.parts))) if self.parts[n].kind == "dice"), None)
        if number is not None and results:
            dice = self.parts[number]
            if len(dice.faces) > 1 and all(face in results for face in dice.faces):
                self.parts[number] = replace(dice, yields=tuple(results[face] for face in dice.faces))

    def _add_sums(self, lines: Iterable[CardSum]) -> None:
        """Add lines to the last part if it has sums, else as a new part."""
        if self.parts and self.parts[-1].kind == "sums":
            self.parts[-1] = replace(self.parts[-1], lines=(*self.parts[-1].lines, *lines))
        else:
            self.parts.append(CardPart("sums", lines=tuple(lines)))

    def _build_dice_part(self, entry: LedgerEntry) -> CardPart:
        """Return the part of a roll; it shows pips if all dice of the ruleset have few enough."""
        raw = entry.raw
        assert isinstance(raw, LoggedRoll)
        faces = (format_outcome(self.localizer, [raw]),) if is_named_draw(raw) else tuple(map(str, entry.args["faces"]))
        has_pips = not is_named_draw(raw) and all(
            1 <= min(die) and max(die) <= _PIPS for die in self.form.data["dice"].values()
        )
        side = str(entry.args.get("by") or "")
        return CardPart("dice", format_roll_name(self.localizer, raw), entry.cite, side, faces=faces, pips=has_pips)

    def _list_plain_lookups(self, entry: LedgerEntry) -> list[LedgerEntry]:
        """Return the table lookups that the value of an entry consists of.

        Return [] if it has another component, or if the lookups are not all in one table without a ratio axis.
        """
        looks = [inner for inner in entry.inside if inner.sort == "look"]
        one_table = len(looks) == len(entry.inside) and len({look.name for look in looks}) == 1
        has_ratio = one_table and any(axis.sort == "ratio" for axis in self.form.charts[looks[0].name].axes)
        return looks if one_table and not has_ratio else []

    def _iter_sum_lines(self, entry: LedgerEntry, is_inner: bool = False) -> Iterator[CardSum]:
        """Yield the lines that explain a number: its components, then the number itself.

        `is_inner`: the number is a component of another one, so its own line is not a total.
        """
        raw = entry.raw
        match raw:
            case TallyNote():
                lines = [inner for inner in entry.inside if inner.sort == "line"]
                for inner in entry.inside:
                    if inner.sort != "line" or inner.value:
                        yield from self._iter_sum_lines(inner, True)
                if not is_inner or not lines:
                    yield CardSum(
                        format_number(raw.total), self.localizer.translate_name(entry.name), entry.cite, bool(lines)
                    )
            case TallyLine():
                amount = raw.amount
                text = self.localizer.fill_text(raw.words, raw.values)
                yield CardSum(f"{'+' if amount >= 0 else '−'}{format_number(abs(amount))}", text, entry.cite, False)
            case LookupNote():
                for inner in entry.inside:
                    yield from self._iter_sum_lines(inner, True)
                yield self._format_lookup_sum(entry, raw)
            case ValueNote():
                for inner in entry.inside:
                    yield from self._iter_sum_lines(inner, True)
                name = self.localizer.translate_name(raw.define or raw.name)
                if raw.kind is not None and raw.kind != "game":
                    owner = self.localizer.get_name_by_handle(raw.kind, handle_of(raw.owner))
                    name = self.localizer.translate_phrase("{what}: {values}", what=owner, values=name)
                is_total = bool(entry.inside) and not is_inner
                yield CardSum(self.localizer.format_value(raw.show, raw.value), name, entry.cite, is_total)
            case ComparisonNote():
                (line,) = format_ledger(self.form, [replace(entry, inside=())], self.context.lang)[:1]
                yield CardSum("", line.text, entry.cite, False)

    def _format_lookup_sum(self, entry: LedgerEntry, raw: LookupNote) -> CardSum:
        """Return the line of a lookup in a sum: the odds column if the table has a ratio axis, else the value read.

        `raw`: the note of the lookup that `entry` belongs to.
        """
        table, keys, rows = raw.table, raw.keys, raw.rows
        chart = self.form.charts[table]
        title = self.localizer.translate_label(chart.label, table).replace("_", " ")
        parts, amount = [], self.localizer.format_value(get_lookup_type(self.form, raw), raw.value)
        for n, axis in enumerate(chart.axes):
            lookup_key = keys[n]
            key: Any = lookup_key.value if isinstance(lookup_key, ShiftedKey) else lookup_key
            if axis.sort != "ratio":
                parts.append(self.localizer.format_value(axis.show, key))
                continue
            parts.append(" : ".join(format_number(k) for k in key))
            amount = self.localizer.format_axis_heading(axis, rows[n]) if rows else amount
            base = chart.find_unshifted_rows(keys)[n]
            if isinstance(lookup_key, ShiftedKey) and base is not None:
                parts.append(
                    format_shift(
                        self.localizer.translate_phrase,
                        self.localizer.format_axis_heading(axis, base),
                        lookup_key.by,
                        amount,
                    )
                )
        text = self.localizer.translate_phrase(
            "{what}: {values}", what=title, values=self.localizer.translate_phrase(", ").join(parts)
        )
        return CardSum(amount + (f" ×{entry.times}" if entry.times > 1 else ""), text, entry.cite, False)

    def _find_total(self, entry: LedgerEntry) -> tuple[tuple[tuple[str, str], ...], str]:
        """Return (summands, sum) with which a chart was entered; ((), '') for a plain roll.

        A summand is (amount with its sign, name): ((("4", "die"), ("+ 1", "bonus")), "5").
        """
        for axis in entry.args.values():
            terms = axis.get("terms") if isinstance(axis, dict) else None
            if terms and len(terms) > 1 and isinstance(axis["value"], _NUMBERS):
                summands = list[tuple[str, str]]()
                for sign, name, value in terms:
                    is_plus = (sign > 0) == (value >= 0)
                    mark = ("+ " if summands else "") if is_plus else "− " if summands else "−"
                    summands.append(
                        (mark + format_number(abs(value)), self.localizer.translate_name(name) if name else "")
                    )
                return tuple(summands), format_number(axis["value"])
        return (), ""

    def _build_chart_part(self, looks: Sequence[LedgerEntry]) -> CardPart:
        """Return the part of a card with a chart, its marked cells and, if they are few, the results of its lookups.

        `looks`: lookups in one table.
        """
        name = looks[0].name
        lit = collect_read_cells(self.form, looks).get(name, set())
        view = build_program_chart(self.form, name, self.context.lang, lit)
        grids = tuple(grid for grid in build_chart_grids(view) if grid.lit)
        return CardPart(
            "chart",
            view.title,
            looks[0].cite,
            grids=grids,
            cuts=_crop_sheets(grids),
            results=tuple(self._format_result(entry) for entry in looks) if len(looks) <= _MAX_RESULT_LINES else (),
            reconstructed=view.source == "reconstructed",
        )

    def _format_result(self, entry: LedgerEntry) -> str:
        """Return the result of a lookup as a line: the headings of the rows read, then the value.

        Headings with digits are left out if there are others; else only the last heading is returned.
        """
        raw = entry.raw
        assert isinstance(raw, LookupNote)
        axes, rows = self.form.charts[entry.name].axes, raw.rows
        titles = [self.localizer.format_axis_heading(axis, row) for axis, row in zip(axes, rows, strict=bool(rows))]
        headings = [title for title in titles if not any(c.isdigit() for c in title)] or titles[-1:]
        text = self.localizer.format_value(get_lookup_type(self.form, raw), raw.value)
        times = f" ×{entry.times}" if entry.times > 1 else ""
        what = self.localizer.translate_phrase(", ").join(headings)
        return (
            self.localizer.translate_phrase("{what}: {values}", what=what, values=text + times)
            if what
            else text + times
        )


def build_card_parts(
    context: ViewContext, form: Program, entries: Iterable[LedgerEntry], raws: Sequence[LogEntry]
) -> list[CardPart]:
    """Return the parts of a card from the entries of a ledger.

    `form`: the program that keeps a ledger; `raws`: the log entries, which show where a phase began.
    """
    builder = _Builder(context, form, form.get_localizer(context.lang))
    phases = _find_phases_before_rolls(raws)
    number = 0
    for entry in entries:
        if entry.sort == "roll":
            if number and phases.get(number):
                builder.flush()
                builder.parts.append(CardPart("phase", builder.localizer.format_phase_title(*phases[number])))
            number += 1
        builder.add(entry)
    builder.flush()
    return _join_rolls(builder.parts)


def _find_phases_before_rolls(raws: Sequence[LogEntry]) -> dict[int, tuple[str, Any]]:
    """Map each roll, numbered from 0, that is the first of its phase to (phase id, values of the phase's title)."""
    phases: dict[int, tuple[str, Any]] = {}
    began: tuple[str, Any] | None = None
    number = 0
    for raw in raws:
        if isinstance(raw, LoggedPhase):
            began = (raw.phase, raw.title_values)
        elif isinstance(raw, LoggedRoll):
            if began is not None:
                phases[number], began = began, None
            number += 1
    return phases


def _join_rolls(parts: Sequence[CardPart]) -> list[CardPart]:
    """Merge adjacent rolls of the same name, such as several dice rolled one after another."""
    joined: list[CardPart] = []
    for part in parts:
        last = joined[-1] if joined else None
        if last is not None and last.kind == part.kind == "dice" and (last.title, last.side) == (part.title, part.side):
            yields = (*last.yields, *part.yields) if last.yields and part.yields else ()
            joined[-1] = replace(last, faces=(*last.faces, *part.faces), yields=yields)
        else:
            joined.append(part)
    return joined


def render_events(context: ViewContext, events: Sequence[LogEvent]) -> tuple[AnswerLine, ...]:
    """Render events as lines: similar adjacent events in one line, equal ones once with their count."""
    lines = EventFormatter(context.localizer, decisions=False, has_started=True).render_lines(events)
    counted = Counter(build_answer_lines(lines))
    say = context.localizer.say
    return tuple(
        replace(line, text=line.text if n == 1 else say("{what} ({number} times)", what=line.text, number=n), depth=0)
        for line, n in counted.items()
    )


def _crop_sheets(grids: Sequence[ChartGrid]) -> tuple[ChartGrid, ...]:
    """Cut the sheets of a chart down to the rows and columns next to their marked cells.

    If cells of a sheet with several rows are long, all sheets have only the marked columns, with the rows around them.
    """
    marked_columns = [{column for _row, column in grid.lit} for grid in grids]
    around = [
        _list_nearby_numbers(columns, width) if (width := len(grid.heads)) > _MAX_WHOLE_COLUMNS else list(range(width))
        for grid, columns in zip(grids, marked_columns, strict=True)
    ]
    cuts = tuple(map(_crop_sheet, grids, around))
    is_wordy = any(
        len(cell) > _MAX_CELL_TEXT for cut in cuts if len(cut.cells) > 1 for row in cut.cells for cell in row
    )
    return tuple(map(_crop_sheet, grids, map(sorted, marked_columns))) if is_wordy else cuts


def _crop_sheet(grid: ChartGrid, columns: list[int]) -> ChartGrid:
    """Cut a chart sheet down to some columns, and to the rows next to its marked cells."""
    rows = _list_nearby_numbers({row for row, _column in grid.lit}, len(grid.cells))
    return replace(
        grid,
        heads=tuple(grid.heads[c] for c in columns),
        sides=tuple(grid.sides[r] for r in rows) if grid.sides else (),
        cells=tuple(tuple(grid.cells[r][c] for c in columns) for r in rows),
        lit=tuple((rows.index(r), columns.index(c)) for r, c in grid.lit),
    )


def _list_nearby_numbers(marked_numbers: set[int], number: int) -> list[int]:
    """Return the numbers below `number` that are marked or next to one that is."""
    return sorted(
        {
            n
            for marked_number in marked_numbers
            for n in range(marked_number - _MARGIN, marked_number + _MARGIN + 1)
            if 0 <= n < number
        }
    )
