"""What belongs to a seat is found at that seat."""

from __future__ import annotations

import numpy as np

from simcli.engine.layout import BOT_PARAMS, MAX_PLAYERS, N_BOT_PARAMS, STATE_SIZE
from simcli.engine.seats import bot_param


def test_each_seat_finds_the_numbers_that_its_own_bot_is_set_to() -> None:
    state = np.arange(STATE_SIZE, dtype=np.int64)
    read = [bot_param(state, seat, index) for seat in range(MAX_PLAYERS) for index in range(N_BOT_PARAMS)]
    assert read == list(range(BOT_PARAMS, BOT_PARAMS + MAX_PLAYERS * N_BOT_PARAMS))
