"""A game that plays itself and may be killed: begun, or resumed, in the file named on the command line.

Its choices depend on nothing but their number, so every way to the end gives the same file. After each
choice that is kept, its number is written to the output.
"""

from __future__ import annotations

import os
import sys
from hashlib import blake2b
from pathlib import Path

from interpreter.api.loading import load
from interpreter.api.resume import build_replay
from interpreter.saves.journal import JournalWriter, read_journal
from interpreter.saves.recorder import Recorder

RULESET, SEED = "napoleon", 11


def play(path: Path) -> None:
    """Play to the end, in the file."""
    rules = load(RULESET)
    if path.exists() and b"\n" in path.read_bytes():
        journal = read_journal(path)
        game = build_replay(journal, rules, path).finish()
        recorder = Recorder(game, JournalWriter.reopen(path, journal), journal)
    else:
        path.unlink(missing_ok=True)  # killed before the first line was whole: there is no game yet
        game = rules.start(seed=SEED)
        recorder = Recorder(game, JournalWriter(path), seats={"both": "script"})
    while not game.over:
        game.pick(_number(len(game.keys), game.count()))
        recorder.record_progress()
        os.write(1, f"{len(game.keys)}\n".encode())
    recorder.close()


def _number(decision: int, options: int) -> int:
    digest = blake2b(str(decision).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little") % options


if __name__ == "__main__":
    play(Path(sys.argv[1]))
