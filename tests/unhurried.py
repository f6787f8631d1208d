"""How tests with values drawn by chance are run: no clock fails one on a busy machine. Tests nothing."""

from hypothesis import HealthCheck, settings

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
