"""Names that a slip could exchange: slots, codes and calls of the same kind."""

from __future__ import annotations

#: groups of names in which each could stand for the next one; in a group of three, for both others
KINDS: tuple[tuple[str, ...], ...] = (
    # seats
    ("LEADER", "ATTACKER", "DEFENDER"),
    ("DEALER", "OPENER", "LOSER"),
    ("ACTIVE", "ELIGIBLE"),
    ("PASSED", "STOPPED"),
    ("LEFT_NOW", "ACTIVE"),
    # cards
    ("TABLE", "UNCOVERED", "RANKS"),
    ("HAND", "KNOWN"),
    ("STOCK_NEXT", "STOCK_SIZE"),
    ("TRUMPS", "PACK"),
    # the bout
    ("LIMIT", "BOUT_LIMIT"),
    ("FIRST_BOUT", "BEATEN_BEFORE"),
    ("JOINED", "JOINED_MASK"),
    ("N_ATTACKS", "N_JOINED"),
    ("CLOSED_DEFENDER", "CLOSED_CARDS"),
    ("BOUT_BEATEN", "BOUT_TAKEN"),
    # counters
    ("N_TRANSFERS", "N_LATE_TRANSFERS", "N_SHOWS"),
    ("N_THROW_INS", "N_COVERS", "N_PICKUPS"),
    ("CARDS_PLAYED", "CARDS_PICKED_UP"),
    ("BOUTS", "DECISIONS", "TAKEN_RUN"),
    # phases, verbs, results, what follows
    (
        "PH_EXCHANGE",
        "PH_LEAD",
        "PH_LEAD_MORE",
        "PH_RESPOND",
        "PH_TRANSFER_MORE",
        "PH_THROW",
        "PH_THROW_MORE",
        "PH_LAST_THROW",
        "PH_LAST_THROW_MORE",
        "PH_OVER",
    ),
    (
        "ATTACK",
        "TRANSFER",
        "SHOW",
        "COVER",
        "THROW",
        "PICK_UP",
        "PASS",
        "STOP",
        "EXCHANGE",
        "KEEP",
    ),
    ("LOST", "DRAWN", "WON", "STALLED"),
    (
        "ASKED",
        "NEXT_WINDOW",
        "NEXT_LAST_ROUND",
        "NEXT_RESPONSE",
        "NEXT_CLOSE_BEATEN",
        "NEXT_CLOSE_TAKEN",
    ),
    # options and their values
    ("R_LIMIT", "R_FIRST_LIMIT"),
    ("R_LEAD", "R_TRANSFER_CARDS"),
    ("R_WHO", "R_WINDOW"),
    ("R_ORDER", "R_ON_PICKUP"),
    ("R_TRANSFER", "R_TRANSFER_FIRST_BOUT"),
    ("R_PASS_CARD", "R_PER_BOUT"),
    ("R_DRAW_FIRST", "R_DRAW_DEFENDER"),
    ("R_OPENING_FIRST", "R_OPENING_LATER", "R_NO_TRUMP"),
    ("R_TIE", "R_OBJECTIVE"),
    ("WHO_ALL", "WHO_NEIGHBOURS", "WHO_ATTACKER"),
    ("WINDOW_FROM_LEAD", "WINDOW_AFTER_COVER", "WINDOW_WHEN_BEATEN"),
    ("TRANSFER_NONE", "TRANSFER_EARLY", "TRANSFER_LATE"),
    ("DRAW_ORIGINAL_ATTACKER", "DRAW_FINAL_ATTACKER", "DRAW_JOIN_ORDER"),
    ("DEFENDER_LAST", "DEFENDER_LAST_UNLESS_ORIGINAL", "DEFENDER_IN_TURN"),
    ("OPEN_LOWEST_TRUMP", "OPEN_DEALER_LEFT", "OPEN_RANDOM"),
    ("LATER_DEALER_LEFT", "LATER_ATTACK_LOSER", "LATER_LOWEST_TRUMP"),
    # streams
    ("FOR_PACK", "FOR_DEALER", "FOR_OPENING", "FOR_RACE", "FOR_BOT"),
    # seats and masks round the table
    ("next_opponent", "next_active"),
    ("seat_after", "seat_before"),
    ("asked_before_response", "asked_after_pick_up"),
)


def _neighbours() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for kind in KINDS:
        for place, name in enumerate(kind):
            others = [kind[(place + step) % len(kind)] for step in range(1, len(kind))]
            found.setdefault(name, []).extend(others if len(kind) <= 3 else others[:1])
    return {name: tuple(dict.fromkeys(others)) for name, others in found.items()}


#: by name: what it may be taken for
NEIGHBOURS: dict[str, tuple[str, ...]] = _neighbours()
