"""Names for every slot of the state, every code and every limit of the engine.

The state is one int64 array of `STATE_SIZE` slots. It begins with the rules, one slot an option in the
order of the variant file, coded as the index of the value among the allowed ones (numbers stand for
themselves), so that options are data the engine reads while it plays.
"""

from __future__ import annotations

from itertools import count
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from simcli.rules.variant import RULE_OPTIONS

#: int64 array of `STATE_SIZE` slots: one deal in play at one table.
State: TypeAlias = npt.NDArray[np.int64]

MAX_PLAYERS = 6
HAND_SIZE = 6
N_CARDS = 52
MAX_STOCK = 52
N_RANKS = 13
ALL_CARDS = (1 << N_CARDS) - 1
SUIT_CLUBS = sum(1 << (4 * rank) for rank in range(N_RANKS))
RECALLED_BOUTS = 8  # the last bouts of which the state keeps what everybody saw; a power of two
N_BOT_PARAMS = 4  # numbers that each seat's bot may be set to
NOBODY = -1
NO_LIMIT = 99  # more than any number of attacks

# ---------------------------------------------------------------------------------------- rules

RULE_KEYS: tuple[str, ...] = tuple(option.key for option in RULE_OPTIONS)
N_RULES = len(RULE_KEYS)
_VALUES = {option.key: option.values for option in RULE_OPTIONS}


def rule_slot(key: str) -> int:
    """Return the state slot of a rule option.

    >>> rule_slot("opening.first")
    0
    """
    return RULE_KEYS.index(key)


def rule_code(key: str, value: str | int | bool) -> int:
    """Return the number that stands for a value of an option.

    >>> rule_code("transfer.mode", "late"), rule_code("attack.limit", 5)
    (2, 5)
    """
    values = _VALUES[key]
    return int(value) if values is None else values.index(value)


#: stands for all options together where one option is expected
ALL_OPTIONS = N_RULES

#: the rules of `classic`, coded: the defaults of a variant file
CLASSIC_RULES: tuple[int, ...] = tuple(rule_code(option.key, option.default) for option in RULE_OPTIONS)

R_OPENING_FIRST = rule_slot("opening.first")
OPEN_LOWEST_TRUMP = rule_code("opening.first", "lowest_trump")
OPEN_DEALER_LEFT = rule_code("opening.first", "dealer_left")
OPEN_RANDOM = rule_code("opening.first", "random")
R_NO_TRUMP = rule_slot("opening.no_trump")
NO_TRUMP_RANDOM = rule_code("opening.no_trump", "random")
R_OPENING_LATER = rule_slot("opening.later")
LATER_DEALER_LEFT = rule_code("opening.later", "dealer_left")
LATER_ATTACK_LOSER = rule_code("opening.later", "attack_loser")
LATER_LOWEST_TRUMP = rule_code("opening.later", "lowest_trump")
R_LEAD = rule_slot("attack.lead")
LEAD_SEVERAL = rule_code("attack.lead", "several")
R_LIMIT = rule_slot("attack.limit")
R_FIRST_LIMIT = rule_slot("attack.first_limit")
R_FIRST_SCOPE = rule_slot("attack.first_scope")
SCOPE_FIRST_BOUT = rule_code("attack.first_scope", "first_bout")
R_WHO = rule_slot("throw_in.who")
WHO_ALL = rule_code("throw_in.who", "all")
WHO_NEIGHBOURS = rule_code("throw_in.who", "neighbours")
WHO_ATTACKER = rule_code("throw_in.who", "attacker")
WHO_NONE = rule_code("throw_in.who", "none")
R_WINDOW = rule_slot("throw_in.window")
WINDOW_FROM_LEAD = rule_code("throw_in.window", "from_lead")
WINDOW_AFTER_COVER = rule_code("throw_in.window", "after_cover")
WINDOW_WHEN_BEATEN = rule_code("throw_in.window", "when_beaten")
R_ORDER = rule_slot("throw_in.order")
ORDER_CLOCKWISE = rule_code("throw_in.order", "clockwise")
R_ON_PICKUP = rule_slot("throw_in.on_pickup")
R_TRANSFER = rule_slot("transfer.mode")
TRANSFER_NONE = rule_code("transfer.mode", "none")
TRANSFER_EARLY = rule_code("transfer.mode", "early")
TRANSFER_LATE = rule_code("transfer.mode", "late")
R_TRANSFER_CARDS = rule_slot("transfer.cards")
TRANSFER_SEVERAL = rule_code("transfer.cards", "several")
R_TRANSFER_FIRST_BOUT = rule_slot("transfer.first_bout")
R_PASS_CARD = rule_slot("pass_card.enabled")
R_PER_BOUT = rule_slot("pass_card.per_bout")
R_DRAW_FIRST = rule_slot("draw.first")
DRAW_ORIGINAL_ATTACKER = rule_code("draw.first", "original_attacker")
DRAW_FINAL_ATTACKER = rule_code("draw.first", "final_attacker")
DRAW_JOIN_ORDER = rule_code("draw.first", "join_order")
R_DRAW_DEFENDER = rule_slot("draw.defender")
DEFENDER_LAST = rule_code("draw.defender", "last")
DEFENDER_LAST_UNLESS_ORIGINAL = rule_code("draw.defender", "last_unless_original")
DEFENDER_IN_TURN = rule_code("draw.defender", "in_turn")
R_EXCHANGE = rule_slot("trump_exchange")
EXCHANGE_NONE = rule_code("trump_exchange", "none")
R_OBJECTIVE = rule_slot("end.objective")
LAST_LOSES = rule_code("end.objective", "last_loses")
R_TIE = rule_slot("end.tie")
TIE_SHARED = rule_code("end.tie", "shared")
R_STALL_BOUTS = rule_slot("end.stall_bouts")
R_TEAMS = rule_slot("teams")
TEAMS_NONE = rule_code("teams", "none")
TEAMS_TWO = rule_code("teams", 2)

# ---------------------------------------------------------------------------------------- state

_slot = count(N_RULES)


def _one() -> int:
    return next(_slot)


def _many(n: int) -> int:
    first = next(_slot)
    for _ in range(n - 1):
        next(_slot)
    return first


# the table
PLAYERS = _one()  # seats at the table
PACK = _one()  # set of all cards of the pack
PARTNERS = _many(MAX_PLAYERS)  # per seat: mask of the seats of its team, itself included
BOT = _many(MAX_PLAYERS)  # per seat: code of the bot that decides for it
BOT_PARAMS = _many(MAX_PLAYERS * N_BOT_PARAMS)  # per seat: the numbers it is set to, see `bot_param`

# the deal
DEALER = _one()
OPENER = _one()
TRUMP_CARD = _one()  # index of the exposed card as dealt
TRUMPS = _one()  # set of all cards of the trump suit
HAND = _many(MAX_PLAYERS)  # per seat: set of cards
STOCK = _many(MAX_STOCK + 1)  # prefix sets: entry i holds the first i stock cards in drawing order
STOCK_SIZE = _one()  # cards of the stock as dealt
STOCK_NEXT = _one()  # cards of the stock already drawn
ACTIVE = _one()  # mask of the seats still in the deal
DISCARD = _one()  # set of cards discarded for good
KNOWN = _many(MAX_PLAYERS)  # per seat: cards once shown or picked up; in the hand still where HAND has them
EXPOSED_HOLDER = _one()  # seat that drew the exposed trump, NOBODY while none has
# per bout, a ring by the number of the bout: what everybody saw, and a bot that looks ahead weighs
SEEN_RANKS = _many(RECALLED_BOUTS)  # ranks on the table, from bit 52 the seats that might have added more
SEEN_FACED = _many(RECALLED_BOUTS)  # what the defender picked up uncovered, and from bit 52 the defender
SEEN_STOCK = _many(RECALLED_BOUTS)  # stock cards drawn before the bout closed
FIRST_BOUT = _one()  # 1 during the deal's first bout
BEATEN_BEFORE = _one()  # 1 once a defence has succeeded
TAKEN_RUN = _one()  # bouts taken in a row
PLACE = _many(MAX_PLAYERS)  # per seat: 1 = left first, 0 = not decided
RESULT = _one()
LOSER = _one()

# the bout
PHASE = _one()
ACTOR = _one()  # the seat that is asked
LEADER = _one()  # the seat that led the bout
ATTACKER = _one()
DEFENDER = _one()
BOUT_LIMIT = _one()  # B of docs/rules.md 3
FACING = _one()  # covered + cards in the defender's hand when L was fixed
LIMIT = _one()  # L of docs/rules.md 3.2; 0 until the defender begins to defend
TABLE = _one()  # set of all cards on the table
UNCOVERED = _one()  # set of the attacks that no card covers
RANKS = _one()  # set of all cards of the ranks that lie on the table
N_ATTACKS = _one()
ELIGIBLE = _one()  # mask of the seats that may throw in
PASSED = _one()  # mask of the seats whose pass stands; in the last round: the seats already asked
STOPPED = _one()  # mask of the seats whose stop counts until the defender's next response
JOINED = _one()  # seats in the order of their first attack card, four bits each
N_JOINED = _one()
JOINED_MASK = _one()
FACED = _one()  # what was uncovered at the declaration to pick up
SHOWN = _one()  # shows of each seat in this bout, six bits each
ADDABLE = _one()  # cards the asked seat may add as an attack, room being given

# the bout that closed last, for records
BOUT_CLOSED = _one()
CLOSED_DEFENDER = _one()
CLOSED_CARDS = _one()
DRAW_ORDER = _one()  # seats in drawing order, four bits each
N_DRAWERS = _one()
DREW = _many(MAX_PLAYERS)  # per seat: set of cards drawn after that bout
LEFT_NOW = _one()  # mask of the seats that left after it

# counters
BOUTS = _one()
DECISIONS = _one()
CARDS_PLAYED = _one()
N_TRANSFERS = _one()
N_LATE_TRANSFERS = _one()
N_SHOWS = _one()
N_THROW_INS = _one()
N_COVERS = _one()
N_PICKUPS = _one()
CARDS_PICKED_UP = _one()
LARGEST_HAND = _one()
TRUMPS_DEALT = _many(MAX_PLAYERS)
TRIGGERED = _one()  # bit set of the options that have decided something in this deal
TRACE = _one()

# the options that differ from classic, and what is set aside while one of them is put in question
WATCHED = _one()
OPEN = _one()  # those of them that have decided nothing yet in this deal
LIMIT_EDGE = _one()  # the number of attacks from which another limit of this bout could matter
SAVED = _many(3)
SAVED_RULES = _many(N_RULES)

# random streams and a work area for the shuffle
RACE_STREAM = _one()
BOT_STREAM = _many(MAX_PLAYERS)
SHUFFLE = _many(N_CARDS)

STATE_SIZE = _one()

# ---------------------------------------------------------------------------------------- codes

# phases: who is asked for what
PH_EXCHANGE = 0  # the holder of the lowest trump
PH_LEAD = 1  # the attacker, for the first card
PH_LEAD_MORE = 2  # the attacker, for further cards of the lead
PH_RESPOND = 3  # the defender
PH_TRANSFER_MORE = 4  # the new attacker, for further cards of the transfer
PH_THROW = 5  # a seat in a window
PH_THROW_MORE = 6  # the same seat after it has added
PH_LAST_THROW = 7  # a seat in the last round after a pick-up
PH_LAST_THROW_MORE = 8
PH_OVER = 9

# verbs, the kinds of an action
ATTACK = 0
TRANSFER = 1
SHOW = 2
COVER = 3
THROW = 4
PICK_UP = 5
PASS = 6
STOP = 7
EXCHANGE = 8
KEEP = 9

# results
LOST = 0
DRAWN = 1
WON = 2
STALLED = 3
UNDECIDED = 4

# how a bout closed
BOUT_NONE = 0
BOUT_BEATEN = 1
BOUT_TAKEN = 2

# purposes of random streams
FOR_PACK = 0
FOR_DEALER = 1
FOR_OPENING = 2
FOR_RACE = 3
FOR_BOT = 4

# An action is one int64: cards in bits 0–51, the index of the covered attack in bits 52–57, the verb in
# bits 58–61. Bit 62 marks a whole turn: all the cards are added one after the other (non-trumps from the
# lowest, then trumps from the lowest), and the seat then stops if it is still asked.
TARGET_SHIFT = 52
VERB_SHIFT = 58
WHOLE_TURN = 1 << 62
