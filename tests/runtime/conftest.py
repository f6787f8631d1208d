"""The ruleset of a test module: the tiny one with the rules that the module defines."""

from __future__ import annotations

import pytest

from interpreter.api.game import Rules
from tests.tiny import build


@pytest.fixture(scope="module")
def rules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """Return the tiny ruleset with the `RULES` of the module."""
    return build(tmp_path_factory.mktemp("rules"), request.module.RULES)
