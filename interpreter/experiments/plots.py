"""Charts as SVG, drawn by matplotlib, with colors that color-blind readers can distinguish.

The same data give the same bytes. Drawing needs the extra `lab`, whose library is imported on first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import catch_warnings, simplefilter

from interpreter.files.installing import get_install_command
from interpreter.runtime.errors import SetupError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, RED, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"
COLOURS = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY)  # Okabe and Ito
MARKERS = ("o", "s", "^", "D", "v", "P")
_INK = "#1d1c18"
_SETTINGS = {
    "svg.hashsalt": "grognard",
    "svg.fonttype": "none",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _INK,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}
_FONTS = "system-ui, 'Noto Sans', 'Noto Sans CJK JP', 'Hiragino Sans', sans-serif"


class IntervalBar(NamedTuple):
    """A value with its interval, and its label."""

    label: str
    value: float
    low: float
    high: float


class TornadoBar(NamedTuple):
    """A factor with its lowest and its highest effect."""

    factor: str
    lowest: IntervalBar
    highest: IntervalBar


def require_plots() -> None:
    """Raise SetupError if the plotting library is missing."""
    if find_spec("matplotlib") is None:
        raise SetupError("charts need the extra `lab`; to install it: {command}", command=get_install_command("lab"))


def draw_interval_plot(bars: Sequence[IntervalBar], axis: str) -> str:
    """Return an SVG plot with a point and an interval for each bar, from top to bottom, and a line at 0.

    `axis`: the label of the horizontal axis.
    """
    with _open_figure(8.6, 0.9 + 0.34 * len(bars)) as (figure, axes):
        for n, (_label, value, low, high) in enumerate(bars):
            is_sure = low > 0 or high < 0
            colour = RED if is_sure else BLUE
            axes.plot([low, high], [n, n], color=colour, linewidth=2.6 if is_sure else 1.6, solid_capstyle="butt")
            axes.plot([value], [n], marker="D" if is_sure else "o", color=colour, markersize=6)
        axes.axvline(0, color=_INK, linewidth=0.9)
        _label_rows(axes, [bar[0] for bar in bars], axis)
        return _render_svg(figure)


def draw_tornado_plot(bars: Sequence[TornadoBar], axis: str) -> str:
    """Return a tornado plot as SVG: a bar for each factor from its lowest to its highest effect.

    `bars`: from top to bottom; `axis`: the label of the horizontal axis.
    """
    with _open_figure(8.6, 1.0 + 0.42 * len(bars)) as (figure, axes):
        for n, (_factor, low, high) in enumerate(bars):
            axes.barh(n, high.value - low.value, left=low.value, height=0.55, color=SKY, edgecolor=BLUE, linewidth=0.8)
            for bar, colour in ((low, RED), (high, GREEN)):
                axes.plot([bar.low, bar.high], [n, n], color=colour, linewidth=1.4, alpha=0.9)
                if bar.label:
                    axes.plot([bar.value], [n], marker="|", color=colour, markersize=11)
                    axes.annotate(
                        bar.label, (bar.value, n), textcoords="offset points", xytext=(0, 7), ha="center", fontsize=8
                    )
        axes.axvline(0, color=_INK, linewidth=0.9)
        _label_rows(axes, [bar[0] for bar in bars], axis)
        return _render_svg(figure)


def draw_response_plot(
    name: str, levels: Sequence[str], curves: Sequence[tuple[str, Sequence[IntervalBar]]], axis: str
) -> str:
    """Return an SVG plot of means with intervals over the levels of a factor, one curve for each measure.

    `name`: the factor; `curves`: (measure, one bar for each level); `axis`: the label of the vertical axis.
    """
    with _open_figure(5.6, 3.2) as (figure, axes):
        for c, (label, points) in enumerate(curves):
            xs = [n + 0.06 * (c - (len(curves) - 1) / 2) for n in range(len(points))]
            ys = [p.value for p in points]
            spread = [[p.value - p.low for p in points], [p.high - p.value for p in points]]
            axes.errorbar(
                xs, ys, yerr=spread, color=COLOURS[c % 6], marker=MARKERS[c % 6], capsize=3, linewidth=1.4, label=label
            )
        axes.set_xticks(range(len(levels)), levels)
        axes.set_xlim(-0.4, len(levels) - 0.6)
        axes.set_xlabel(name)
        axes.set_ylabel(axis)
        axes.grid(axis="y", color="#d3cdbb", linewidth=0.6)
        if len(curves) > 1:
            axes.legend(frameon=False, fontsize=8)
        return _render_svg(figure)


def _label_rows(axes: Axes, names: Sequence[str], axis: str) -> None:
    """Label the rows of a chart, the first at the top, and its axis; draw a grid behind the bars."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.7)
    axes.set_xlabel(axis)
    axes.grid(axis="x", color="#d3cdbb", linewidth=0.6)
    axes.set_axisbelow(True)


@contextmanager
def _open_figure(width: float, height: float) -> Iterator[tuple[Any, Any]]:
    """Yield a matplotlib figure of a size in inches, and its axes, drawn with our own settings."""
    with import_module("matplotlib").rc_context(_SETTINGS):
        figure = import_module("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.add_subplot()


def _render_svg(figure: Figure) -> str:
    """Return the SVG markup, scaled to the available width."""
    out = StringIO()
    with catch_warnings():
        simplefilter("ignore")  # of signs that matplotlib's own font lacks: the reader's has them
        figure.savefig(out, format="svg", metadata={"Date": None}, transparent=False, facecolor="#fbfaf5")
    text = out.getvalue()
    text = text[text.index("<svg ") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' (?:width|height)="[\d.]+pt"', "", text, count=2)
    wide = f"max-width:{5.5 * figure.get_figwidth():.1f}rem;width:100%;height:auto"
    text = text.replace("<svg ", f'<svg role="img" class="chart" style="{wide}" ', 1)
    return re.sub(r"font: ?([\d.]+px) [^;\"]*", rf"font-size: \1; font-family: {_FONTS}", text)
