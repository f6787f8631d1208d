"""How tests with values drawn by chance are run: no clock fails one on a busy machine. Tests nothing."""

from hypothesis import HealthCheck, settings, strategies as st

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def texts(most: int | None = None) -> st.SearchStrategy[str]:
    """Texts of any letters, plain ones often; those of Hypothesis ask first of a million letters what each is."""
    letters = st.one_of(st.integers(0, 0x2FF), st.integers(0x2000, 0x3100), st.integers(0, 0x10FFFF))
    return st.lists(letters.map(chr), max_size=most).map("".join)
