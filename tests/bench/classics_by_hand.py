"""Three classics in plain Python, each as one would write it for that game alone.

Squares are numbered column by column from the upper left corner, as the rulesets' grids number them. Each game has
`listed` (what may be chosen, in the order of its ruleset), `choose`, `over` and `winner` (0, 1, or None when drawn).
"""

from __future__ import annotations

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THROUGH = [[line for line in LINES if square in line] for square in range(9)]


class TicTacToe:
    """Noughts and crosses."""

    def __init__(self) -> None:
        self.marks = [-1] * 9
        self.side = 0
        self.over = False
        self.winner: int | None = None
        self.listed = list(range(9))

    def choose(self, number: int) -> None:
        square, side, marks = self.listed[number], self.side, self.marks
        marks[square] = side
        for a, b, c in THROUGH[square]:
            if marks[a] == side and marks[b] == side and marks[c] == side:
                self.over, self.winner = True, side
                return
        self.listed = [s for s in range(9) if marks[s] < 0]
        self.over = not self.listed
        self.side = 1 - side

    def position(self) -> list[int]:
        return self.marks


class ConnectFour:
    """Four in a row, on seven columns of six."""

    def __init__(self) -> None:
        self.discs = [-1] * 42
        self.free = [6] * 7
        self.side = 0
        self.over = False
        self.winner: int | None = None
        self.listed = list(range(7))

    def run(self, column: int, row: int, across: int, down: int) -> int:
        side, discs, found = self.side, self.discs, 0
        while True:
            column, row = column + across, row + down
            if not (0 <= column < 7 and 0 <= row < 6) or discs[column * 6 + row] != side:
                return found
            found += 1

    def choose(self, number: int) -> None:
        column = self.listed[number]
        self.free[column] -= 1
        row = self.free[column]
        self.discs[column * 6 + row] = self.side
        for across, down in ((0, -1), (1, -1), (1, 0), (1, 1)):
            if self.run(column, row, across, down) + self.run(column, row, -across, -down) >= 3:
                self.over, self.winner = True, self.side
                return
        self.listed = [c for c in range(7) if self.free[c]]
        self.over = not self.listed
        self.side = 1 - self.side

    def position(self) -> list[int]:
        return self.discs


def _ahead(step: int) -> list[list[tuple[int, bool]]]:
    """Return, for each square, the squares before it, and whether each lies straight ahead."""
    out = []
    for square in range(64):
        column, row = divmod(square, 8)
        before = [(column + across, row + step) for across in (-1, 0, 1)]
        out.append([(c * 8 + r, c == column) for c, r in before if 0 <= c < 8 and 0 <= r < 8])
    return out


class Breakthrough:
    """Breakthrough on the board of eight by eight; men are numbered as the ruleset lists them."""

    AHEAD = (_ahead(-1), _ahead(1))

    def __init__(self) -> None:
        white = [c * 8 + r for c in range(8) for r in (6, 7)]
        black = [c * 8 + r for c in range(8) for r in (0, 1)]
        self.at = white + black
        self.board = [-1] * 64
        for man, square in enumerate(self.at):
            self.board[square] = man
        self.left = [16, 16]
        self.side = 0
        self.over = False
        self.winner: int | None = None
        self.listed = self.moves()

    def moves(self) -> list[tuple[int, int]]:
        side, board, out = self.side, self.board, []
        ahead = self.AHEAD[side]
        for man in range(side * 16, side * 16 + 16):
            square = self.at[man]
            if square < 0:
                continue
            for to, is_straight in ahead[square]:
                other = board[to]
                if other < 0 or (not is_straight and other // 16 != side):
                    out.append((man, to))
        return out

    def choose(self, number: int) -> None:
        man, to = self.listed[number]
        side, other = self.side, self.board[to]
        if other >= 0:
            self.at[other] = -1
            self.left[1 - side] -= 1
        self.board[self.at[man]] = -1
        self.board[to] = man
        self.at[man] = to
        if to % 8 == (0, 7)[side] or not self.left[1 - side]:
            self.over, self.winner = True, side
            return
        self.side = 1 - side
        self.listed = self.moves()

    def position(self) -> list[int]:
        return self.at


GAMES = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour, "breakthrough": Breakthrough}
