"""The rulesets that environments are tried with: three classics, a small game with dice, and the games that ship."""

from __future__ import annotations

from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "bench"
CLASSICS = {name: BENCH / "classics" / name for name in ("tic_tac_toe", "connect_four", "breakthrough")}
BORDER = BENCH / "border"
SHIPPED = ("napoleon", "denain-1712")
ALL = {**CLASSICS, "border": BORDER, **{name: name for name in SHIPPED}}
WITHOUT = "needs the extra `rl`: pip install '.[rl]'"
