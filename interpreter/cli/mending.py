"""`check --fix` and `check --watch`: what they say. Must not decide what a cure is, nor which cases are touched."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from interpreter.cli.failures import counted
from interpreter.cli.output import say, say_prepared
from interpreter.files.unknown_files import write_whole
from interpreter.source.printing import printable
from interpreter.source.rendering import place, render
from interpreter.words.speech import Say

if TYPE_CHECKING:
    from interpreter.tools.mending.vigil import Seen, Vigil

PAUSE = 0.5  # seconds between two looks


def fix(target: str, told: Say, is_told: bool = True) -> int:
    """Carry out the certain cures of a target; how many there were."""
    from interpreter.tools.mending.curing import mend

    mended = mend(target)
    for path, content in mended.texts.items():
        mode = path.stat().st_mode
        write_whole(path, content)
        path.chmod(mode & 0o7777)
    for cured in mended.cured if is_told else ():
        say(
            told(
                "{place}: `{before}` is now `{after}` [{code}]",
                place=place(cured.found.span),
                before=printable(cured.before),
                after=printable(cured.after),
                code=cured.found.code,
            )
        )
    return len(mended.cured)


def watch(target: str, told: Say, looks: int | None = None) -> None:
    """Look again and again, until somebody stops it or it has looked so many times; say what is found."""
    from interpreter.tools.mending.vigil import Vigil

    vigil = Vigil(target)
    say(told("watching {target}; stop with Ctrl-C", target=target))
    while looks is None or looks > 0:
        _look(vigil, told)
        looks = None if looks is None else looks - 1
        if looks != 0:
            time.sleep(PAUSE)


def _look(vigil: Vigil, told: Say) -> None:
    seen = vigil.look()
    if seen is not None:
        tell_seen(vigil.target, seen, told)


def tell_seen(target: str, seen: Seen, told: Say) -> None:
    """What was found after a change."""
    if seen.findings:
        say_prepared(render(seen.findings, say=told) + "\n")
    say(f"{target}: {counted(seen.findings, told)}")
    if not seen.cases:
        return
    for result in seen.failed:
        say(told("FAILED {id}  {title}", id=result.id, title=result.title))
        for line in result.message.splitlines():
            say(f"    {line}")
    say(told("cases run: {run} of {cases}; failed: {failed}", run=seen.run, cases=seen.cases, failed=len(seen.failed)))
