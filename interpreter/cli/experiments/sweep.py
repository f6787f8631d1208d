"""Implement `grognard sweep`: vary values of a ruleset over many games and report what affects balance and results."""

from __future__ import annotations

import argparse
import json
import shutil
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_batch, add_flag, add_number, add_ruleset, parse_number_from_0
from interpreter.cli.errors import FINDINGS, GOOD, INTERRUPTED, UsageError
from interpreter.cli.output import EstimatedProgress, format_duration, log, log_error, print_result
from interpreter.cli.participants import load_batch, parse_bots
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.durable import write_text_file
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.experiments.sweep.designs import Design
    from interpreter.experiments.sweep.factors import Factor
    from interpreter.experiments.sweep.runner import SweepSpec
    from interpreter.experiments.sweep.store import SweepStore
    from interpreter.i18n.translator import Translator
    from interpreter.runtime.localizer import Localizer
    from interpreter.simulation.games import BatchSpec

HELP = _("vary values of a ruleset over many games: which ones affect the balance most, and what decides games")
_MAX_POINTS = 20_000
_BYTES_A_GAME = 6_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument(
        "--vary",
        metavar="PATH=V1,V2",
        action="append",
        required=True,
        help=_(
            "a value and its settings, by its path in `show --resolved` (1..4 is 1,2,3,4); several that "
            "change together as PATH+PATH or with * in a name; or option.ID=..., scenario=..., bots=... (all "
            "seats), bots.SEAT=...; may be repeated"
        ),
    )
    add_number(parser, "-n", _("games at each point (default: 100)"), dest="games", default=100)
    add_number(parser, "--sample", _("number of combinations to play, evenly spread (default: all)"), holds=_("K"))
    add_flag(parser, "--alone", _("play each change by itself, without combinations"))
    parser.add_argument(
        "--bots",
        metavar=_("B"),
        default="random",
        help=_("players: a bot for all seats, or SEAT=BOT,SEAT=BOT (default: random)"),
    )
    parser.add_argument("--out", metavar=_("DIR"), required=True, help=_("folder for games, summary and page"))
    parser.add_argument(
        "--looks",
        metavar=_("G"),
        type=parse_number_from_0,
        default=200,
        help=_("games at each point in which to trace the tables read and options chosen (default: 200)"),
    )
    parser.add_argument(
        "--hours",
        metavar=_("H"),
        type=float,
        default=12.0,
        help=_("refuse a sweep that would take more hours (default: 12)"),
    )
    add_batch(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the games that the stored results lack, write tables, summary and page, and print the summary."""
    from interpreter.experiments.plots import require_plots
    from interpreter.experiments.sweep.report import render_page, render_summary
    from interpreter.experiments.sweep.runner import play_missing_games, serialize_summary, summarize_sweep
    from interpreter.experiments.sweep.store import PAGE, SUMMARY, open_sweep
    from interpreter.runtime.localizer import Localizer
    from interpreter.simulation.executors import open_executor

    say = get_translator(arguments.lang)
    require_plots()
    rules, base = _load_base(arguments)
    design = _build_design(arguments, rules, base)
    localizer = Localizer(rules.program, arguments.lang)
    with open_sweep(Path(arguments.out), _build_identity(arguments, rules, base)) as store:
        order = _list_batches(arguments, design, base, store)
        to_play = _count_missing_games(arguments, order, store, rules, say)
        if to_play:
            targets = [*dict.fromkeys(plan.target for plan in order.specs)][:2]
            try:
                with (
                    closing(EstimatedProgress(say, to_play)) as progress,
                    open_executor(min(arguments.jobs, to_play), arguments.scheduler, targets) as executor,
                ):
                    format_summary = partial(
                        _format_interim_summary, store, f"wins.{next(iter(base.seats))}", localizer
                    )
                    play_missing_games(
                        order, store, rules.program, executor, lambda done: progress(done, format_summary)
                    )
            except KeyboardInterrupt:
                log_error(say("stopped; the finished games are saved, run the same command to continue"))
                return INTERRUPTED
            except OSError as error:
                store.close()
                raise UsageError(_describe_full_disk(error, arguments.out)) from None
        try:
            store.finish()
            summary = summarize_sweep(order, store, list(base.seats))
            data = serialize_summary(summary)
            text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
            write_text_file(store.folder / SUMMARY, text)
            page = render_page(summary, rules.title(arguments.lang), localizer)
            write_text_file(store.folder / PAGE, page)
        except OSError as error:
            raise UsageError(_describe_full_disk(error, arguments.out)) from None
    print_result(arguments.format, data, lambda: render_summary(summary, localizer))
    for fault in summary.faults[:10]:
        log(say("error in the rules: {fault}", fault=fault))
    return FINDINGS if summary.faults else GOOD


def _describe_full_disk(error: OSError, folder: str) -> str:
    return _(
        "{folder}: {fault}; the finished games are saved, run the same command to continue",
        folder=folder,
        fault=format_os_error(error),
    )


def _format_interim_summary(store: SweepStore, main: str, localizer: Localizer) -> str:
    """Render the average of the measure `main` over all games so far, for the progress line.

    `store`: the store of the results.
    """
    from interpreter.experiments.measures import format_measure, format_measure_name

    values = [r.row[main] for r in store.records.values() if main in r.row]
    return (
        f"{format_measure_name(main, localizer)} {format_measure(main, sum(values) / len(values) if values else None)}"
    )


def _load_base(arguments: argparse.Namespace) -> tuple[Rules, BatchSpec]:
    from interpreter.experiments.sweep.point_variants import load_base_trees

    load_base_trees(arguments.ruleset)
    return load_batch(
        arguments.ruleset,
        arguments.bots,
        arguments.scenario,
        arguments.option,
        arguments.seed or 0,
        arguments.max_decisions,
        allows_overrides=False,
    )


def _build_design(arguments: argparse.Namespace, rules: Rules, base: BatchSpec) -> Design:
    """Return the points to play: one factor at a time, a sample, or all combinations.

    Raises UsageError if the options contradict each other or give too many points.
    """
    from interpreter.experiments.sweep.designs import (
        build_full_design,
        build_one_factor_design,
        count_full_design,
        sample_design,
    )

    if arguments.alone and arguments.sample:
        raise UsageError("--alone and --sample cannot be used together; choose one")
    factors = _parse_factors(arguments, rules, base)
    number = count_full_design(factors)
    if not arguments.alone and min(number, arguments.sample or number) > _MAX_POINTS:
        raise UsageError(
            "{number} combinations, {games} games; the limit is {most} points: use fewer values, --sample K, "
            "or --alone",
            number=number,
            games=number * arguments.games,
            most=_MAX_POINTS,
        )
    if arguments.alone:
        return build_one_factor_design(factors)
    return sample_design(factors, arguments.sample, base.seed) if arguments.sample else build_full_design(factors)


def _parse_factors(arguments: argparse.Namespace, rules: Rules, base: BatchSpec) -> tuple[Factor, ...]:
    from interpreter.experiments.sweep.factors import BOTS, read_factors
    from interpreter.i18n.number_format import format_plain_value
    from interpreter.players.ownership import map_sides_to_seats

    game = rules.start(scenario=base.scenario, options=base.options, record=False)
    options = {name: format_plain_value(value) for name, value in game.view()["options"].items()}
    scenarios = [str(game.scenario), *(s for s in rules.program.data["scenarios"] if s != game.scenario)]
    factors = read_factors(arguments.vary, arguments.ruleset, options, scenarios, list(base.seats))
    for factor in factors:
        for value in factor.values if factor.sort == BOTS else ():
            parse_bots(value, list(base.seats), map_sides_to_seats(game), f"--vary {factor.path}")
    return factors


def _build_identity(arguments: argparse.Namespace, rules: Rules, base: BatchSpec) -> dict[str, object]:
    from interpreter.simulation.work_units import compute_code_digest

    return {
        "ruleset": rules.id,
        "rules": base.content,
        "code": compute_code_digest(),
        "bots": dict(base.seats),
        "scenario": base.scenario,
        "options": list(base.options),
        "seed": base.seed,
        "max_decisions": base.max_decisions,
        "looks": arguments.looks,
    }


def _list_batches(arguments: argparse.Namespace, design: Design, base: BatchSpec, store: SweepStore) -> SweepSpec:
    """Return the batches to play, one for each point of the design.

    `base`: the settings of all batches; `store`: the store of the results; the variant of each point is written
    beside it. Every batch is checked before play.
    """
    from interpreter.experiments.sweep.factors import VALUE
    from interpreter.experiments.sweep.point_variants import build_variant_text, load_base_trees
    from interpreter.experiments.sweep.runner import SweepSpec
    from interpreter.experiments.sweep.store import POINTS

    trees, folder = load_base_trees(arguments.ruleset), store.folder / POINTS
    values = {f.path: f for f in design.factors if f.sort == VALUE}
    plans, numbers = [], []
    for point in design.points:
        changes = design.list_changes(point)
        number = store.find_or_add_point(changes)
        settings: dict[str, str] = {}
        for name, value in changes.items():
            if name in values:
                settings |= values[name].list_changes(value)
        plan = _apply_changes(base, {p: v for p, v in changes.items() if p not in values})
        if settings:
            path = folder / f"{number:04d}.yaml"
            text = build_variant_text(
                trees, arguments.ruleset, folder, f"point_{number:04d}", dict(sorted(settings.items()))
            )
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                write_text_file(path, text)
            plan = replace(plan, target=str(path), content="")
        plans.append(plan)
        numbers.append(number)
    order = SweepSpec(design, tuple(_check_batches(plans, design)), tuple(numbers), arguments.games, arguments.looks)
    store.write_identity()
    return order


def _apply_changes(base: BatchSpec, changes: dict[str, str]) -> BatchSpec:
    from interpreter.experiments.sweep.factors import BOTS, SCENARIO

    plan = base
    for path, value in changes.items():
        sort, _dot, name = path.partition(".")
        if path == SCENARIO:
            plan = replace(plan, scenario=value)
        elif sort == BOTS:
            values_by_seat = {name: value} if name else dict.fromkeys(plan.seats, value)
            plan = replace(plan, seats={**plan.seats, **values_by_seat})
        else:
            unchanged = tuple(o for o in plan.options if o.partition("=")[0] != name)
            plan = replace(plan, options=(*unchanged, f"{name}={value}"))
    return plan


def _check_batches(plans: list[BatchSpec], design: Design) -> list[BatchSpec]:
    """Return the batches with the hashes of their rules; each new change of a point is tested by starting a game.

    `plans`: the batches, in the order of the design's points. Raises UsageError for a change that does not work.
    """
    from interpreter.api.loading import load
    from interpreter.documents.pipeline import compute_content_hash
    from interpreter.runtime.errors import SetupError

    seen: set[tuple[str, str]] = set()
    checked = []
    for plan, point in zip(plans, design.points, strict=True):
        changes = set(design.list_changes(point).items())
        settings = ", ".join(f"{path}={value}" for path, value in sorted(changes))
        if not changes <= seen:
            try:
                rules = load(plan.target)
                rules.start(scenario=plan.scenario, options=plan.options, record=False)
            except RulesetError as error:
                first_error = error.diagnostics[0]
                hint = _("; {help}", help=first_error.help) if first_error.help else ""
                raise UsageError(
                    "--vary {changes}: {fault}{hint}", changes=settings, fault=first_error.message, hint=hint
                ) from None
            except SetupError as error:
                raise UsageError("--vary {changes}: {fault}", changes=settings, fault=str(error)) from None
            seen |= changes
        checked.append(replace(plan, content=plan.content or compute_content_hash(plan.target) or ""))
    return checked


def _count_missing_games(
    arguments: argparse.Namespace, order: SweepSpec, store: SweepStore, rules: Rules, say: Translator
) -> int:
    """Return the number of missing games and print the time they take.

    `order`: the batches; `store`: the store of the results. Raises UsageError if they take too long.
    """
    from interpreter.experiments.confidence_intervals import MIN_PAIRS
    from interpreter.experiments.sweep.runner import count_missing_games, estimate_seconds

    to_play = count_missing_games(order, store)
    if not to_play:
        return 0
    workers = 1 if arguments.scheduler else arguments.jobs
    seconds = estimate_seconds(order, store, rules.program) / workers
    cost = say(
        "{games} games at {points} points, about {time}",
        games=to_play,
        points=len(order.specs),
        time=format_duration(seconds, say),
    )
    if seconds > 3600 * arguments.hours:
        raise UsageError(
            "{sweep}; more than {hours} h: use fewer games (-n), fewer points (--sample, --alone) or more "
            "processes (--jobs), or allow it with --hours",
            sweep=cost,
            hours=f"{arguments.hours:g}",
        )
    free = shutil.disk_usage(store.folder).free
    if to_play * _BYTES_A_GAME > free:
        raise UsageError(
            "{sweep}; they need about {need} MB in {folder}, but only {free} MB are free",
            sweep=cost,
            need=to_play * _BYTES_A_GAME // 1_000_000 + 1,
            folder=arguments.out,
            free=free // 1_000_000,
        )
    log(cost)
    if arguments.games < MIN_PAIRS:
        log(
            say(
                "the effect on the balance needs at least {least} games at each point: use -n {least} or more",
                least=MIN_PAIRS,
            )
        )
    return count_missing_games(order, store)
