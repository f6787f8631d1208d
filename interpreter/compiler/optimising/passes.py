"""Names of the optimizations; each can be left out of a program, which changes its speed only.

The compiler tests these names, never the form of a program.
"""

from __future__ import annotations

REMEMBERING = "remembering"  # answers of defines that go through much, and values that loops share
MARKING = "marking"  # defines that ask who stands around a place, turned round
SEARCHES = "searches"  # one search for a distance serves every goal
WRITING_OUT = "writing out"  # small defines where they are called
LOOPS = "loops"  # counts and quantifiers as statements; tests split where `and` joins them
PARTITIONS = "partitions"  # things sorted out once for all by what never changes of them
NARROWING = "narrowing"  # parameters that go through the set they must be in
OPENING = "opening"  # tests of rules made where they are called
DRAFTS = "drafts"  # the search of a draft as one function
SPREADS = "spreads"  # searches over the map as functions of their own
WAYS = "ways"  # steps of searches in tables and as bits, as far as they are known before a game
HOISTING = "hoisting"  # what goes through a set and does not hang on the loops around it
TABLES = "tables"  # what hangs on nothing but the map, once for all
TIDYING = "tidying"  # loops of functions that write nothing
ON_DEMAND = "on demand"  # options of decisions that are reached on trial
CANDIDATES = "candidates"  # parameters that go through what fixed tests can ever allow
UNROLLING = "unrolling"  # quantifiers over a few numbers, test by test
EARLY = "early"  # requirements of an option tested as soon as the names they read are bound
DOMINANCE = "dominance"  # states of a draft that can offer nothing new
ENDS = "ends"  # where a draft can end, remembered on trial
AFRESH = "afresh"  # nothing kept of defines that are never asked the same again
CELLS = "cells"  # look-ups in charts whose axes have a row for each value
ROWS = "rows"  # what is fixed of each member of a loop, beside it
JOINING = "joining"  # blocks that only one other leads to
COLUMNS = "columns"  # what loops read turn by turn, in names before them
SHARING = "sharing"  # loops of several options through the same things
RUNS = "runs"  # how many members one after the other pass a test
OWNERS = "owners"  # what hangs on some pieces only, forgotten with these
PARTS = "parts"  # of what a position is worth: defines without parameters, forgotten each by itself
STATIC = "static"  # answers of defines that read no state, for all positions
FORGETTING = "forgetting"  # of what is remembered, only what a write may change is forgotten
BEGINNINGS = "beginnings"  # first decisions of games that begin alike
LASTING = "lasting"  # answers that hang on who stands at a place, until others stand there
TURNS = "turns"  # a turn that follows another without leaving the function
SHORTER = "shorter"  # builtins and comparisons for which no set and no fraction need be made

ALL: frozenset[str] = frozenset(value for word, value in vars().items() if word.isupper())  # of those above
# For code that counts what requirements answer: every requirement is asked of whatever it is about.
ASKING = ALL - {NARROWING, OPENING, DRAFTS, CANDIDATES, BEGINNINGS, TURNS, ENDS}
# For procedures made beside play's: they run seldom, and call play's functions for whatever goes through much.
BESIDE = ALL - {TIDYING, ROWS, JOINING, OWNERS, BEGINNINGS, TURNS}
# For code that notes what it covers: nothing may pass by what is to be noted.
NOTING = frozenset(
    {
        REMEMBERING,
        SEARCHES,
        LOOPS,
        PARTITIONS,
        EARLY,
        AFRESH,
        CELLS,
        RUNS,
        STATIC,
        FORGETTING,
        SHORTER,
    }
)
