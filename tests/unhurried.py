"""Hypothesis settings for property tests: equal examples in every run, and no deadline, so that none is flaky."""

from hypothesis import HealthCheck, settings, strategies as st

unhurried = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def texts(most: int | None = None) -> st.SearchStrategy[str]:
    """Return a strategy for texts of any letters, often plain ones.

    The strategy of Hypothesis itself first classifies a million letters.
    """
    letters = st.one_of(st.integers(0, 0x2FF), st.integers(0x2000, 0x3100), st.integers(0, 0x10FFFF))
    return st.lists(letters.map(chr), max_size=most).map("".join)
