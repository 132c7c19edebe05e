"""The README shows what its commands do."""

from __future__ import annotations

import pytest

from simcli.engine.jit import JIT_ENABLED
from tests.readme_result import block, lasting, printed, shown


@pytest.mark.skipif(not JIT_ENABLED, reason="a million deals need the compiled engine")
def test_the_readme_shows_what_its_command_prints() -> None:
    assert lasting(shown()) == lasting(block(printed()))
