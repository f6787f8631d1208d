"""The Border in plain Python, as one would write it for this game alone."""

from __future__ import annotations

from interpreter.runtime.dice import SeededDice

ROWS, COLUMNS = "abcd", "123"
PLACES = [r + c for r in ROWS for c in COLUMNS]
LOST = len(PLACES)
LIMIT = [3 if p[1] == "2" else 4 for p in PLACES]
FIRE = {1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}
FACES = (1, 2, 3, 4, 5, 6)


def _neighbours() -> list[tuple[int, ...]]:
    out = []
    for n, _ in enumerate(PLACES):
        row, column = divmod(n, 3)
        around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        out.append(tuple(r * 3 + c for r, c in around if 0 <= r < 4 and 0 <= c < 3))
    return out


NEIGHBOURS = _neighbours()


class Border:
    """One game; `options` lists the legal choices, `choose` makes one."""

    def __init__(self, seed: int) -> None:
        self.dice = SeededDice(seed)
        self.owner = [0] * 10 + [1] * 10
        self.at = [0] * 10 + [11] * 10
        self.worn = [False] * 20
        self.moved = [False] * 20
        self.here: list[list[int]] = [[] for _ in range(LOST + 1)]
        self.here[0] = list(range(10))
        self.here[11] = list(range(10, 20))
        for side in (0, 1):
            for u in range(side * 10, side * 10 + 5):
                self.move(u, NEIGHBOURS[self.at[u]][0])
        self.turn = 1
        self.side = 0
        self.winner: int | None = None
        self.over = False
        self.listed = self.options()
        self.skip_empty()

    def move(self, u: int, h: int) -> None:
        self.here[self.at[u]].remove(u)
        self.here[h].append(u)
        self.here[h].sort()
        self.at[u] = h

    def options(self) -> list[tuple[int, int, int]]:
        side, owner, out = self.side, self.owner, []
        for u in range(side * 10, side * 10 + 10):
            if self.at[u] == LOST or self.moved[u]:
                continue
            for h in NEIGHBOURS[self.at[u]]:
                foes = own = 0
                for v in self.here[h]:
                    if owner[v] == side:
                        own += 1
                    else:
                        foes += 1
                if foes <= 2 and own < LIMIT[h]:
                    out.append((0, u, h))
        for u in range(side * 10, side * 10 + 10):
            if self.at[u] != LOST and not self.moved[u] and self.worn[u]:
                out.append((1, u, 0))
        return out

    def skip_empty(self) -> None:
        """Advance until a player has an option."""
        while not self.listed and not self.over:
            self.next_side()
        if self.listed:
            self.listed.append((-1, 0, 0))

    def next_side(self) -> None:
        if self.side == 0:
            self.side = 1
        else:
            self.moved = [False] * 20
            self.fights()
            if self.turn >= 12:
                counts = [sum(1 for u in range(20) if self.owner[u] == s and self.at[u] != LOST) for s in (0, 1)]
                self.winner = None if counts[0] == counts[1] else counts.index(max(counts))
                self.over = True
                return
            self.turn += 1
            self.side = 0
        self.listed = self.options()

    def fights(self) -> None:
        for h in range(LOST):
            owners = {self.owner[u] for u in self.here[h]}
            if len(owners) == 2:
                for side in (0, 1):
                    shooters = [u for u in self.here[h] if self.owner[u] == side]
                    thrown = self.dice.roll_faces("shots", "", FACES, len(shooters))
                    hits = sum([FIRE[d] for d in thrown])
                    for u in [v for v in self.here[h] if self.owner[v] != side][:hits]:
                        if self.worn[u]:
                            self.move(u, LOST)
                        else:
                            self.worn[u] = True

    def choose(self, n: int) -> None:
        what, u, h = self.listed[n]
        if what == 0:
            self.move(u, h)
            self.moved[u] = True
        elif what == 1:
            self.worn[u] = False
            self.moved[u] = True
        if what < 0:
            self.listed = []
            self.next_side()
        else:
            self.listed = self.options()
        self.skip_empty()

    def copy_lists(self) -> tuple[list[object], ...]:
        """Return copies of this game's lists, for the time of copying a position by hand."""
        return (self.owner[:], self.at[:], self.worn[:], self.moved[:], [h[:] for h in self.here], self.listed[:])


def play(seed: int) -> tuple[int, list[int], int | None]:
    """Play a random game; return the decisions, the final places and the winner."""
    game, choices, count = Border(seed), SeededDice(seed + 1_000_000), 0
    while not game.over:
        game.choose(choices.roll(len(game.listed)) if len(game.listed) > 1 else 0)
        count += 1
    return count, game.at, game.winner
