"""A skip ends what it leaves and nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.witness.small import agrees


def test_skip_to_later_phase_agrees_in_all_forms(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        turn:
            phase first:
                set game.once = 3
                choose c by reds:
                    option o
                skip to third
            phase second:
                nothing
            phase third:
                choose d by reds:
                    option o
                end game drawn
    """,
    )


def test_skip_out_of_phase_of_procedure_that_asks_nothing(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        turn:
            phase first:
                set game.once = 3
                leaves()
            phase third:
                choose d by reds:
                    option o
                end game drawn
        procedure leaves():
            phase second:
                nothing
            set game.once = 4
            skip to third
    """,
    )
