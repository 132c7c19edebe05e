"""The weights of `counting`: what cards, turns, risks and chances are worth to it at each stage of a deal."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

#: int64 array of shape (N_ROWS, N_WEIGHTS)
WeightTable: TypeAlias = npt.NDArray[np.int64]

# stages of a deal, by the stock: more than LATE_STOCK cards, some, none
EARLY = 0
LATE = 1
END = 2
N_STAGES = 3

#: rows begin with three stages of two seats, then of three … six seats
MOST_SEATS = 6
#: the three stages of three or more seats where the first one out wins
AMONG_RACERS = N_STAGES * (MOST_SEATS - 1)
#: all of these once where attacks may be transferred, and once more where they may not
WITHOUT_TRANSFERS = AMONG_RACERS + N_STAGES
N_ROWS = 2 * WITHOUT_TRANSFERS

# the weights, all in points, the step from one rank to the next being 12 in a pack of 36
W_TRUMP = 0  # what the lowest trump is worth
W_TRUMP_SLOPE = 1  # what a step of height adds to a trump, in 64ths of what it adds to another card
W_RELATIVE = 2  # 64ths of a height that go by the higher cards still out, the rest by rank
W_USEFUL = 3  # what each lower card of its suit that is still out adds to a card
W_PAIR = 4  # added to a card while the hand holds another of its rank, where attacks may be transferred
W_HOLD = 5  # covering or transferring with a card costs its worth less this
W_TURN = 6  # what it is worth to have covered everything and to lead next
W_OUT = 7  # what it is worth to cover with the last cards of the hand
W_RISK = 8  # what a card costs that a cover lets others throw in, if the hand can beat it
W_FAIL = 9  # what such a card costs if the hand cannot beat it
W_PICK = 10  # picking up a card gives its strength less this
W_TRANSFER = 11  # what it is worth to pass the attack on by a transfer
W_TRANSFER_FORCE = 12  # added if the receiver cannot beat the attacks
W_TRANSFER_BACK = 13  # taken off if the receiver can pass them on as well
W_SHOW = 14  # what it is worth to pass the attack on by showing a trump
W_LEAD = 15  # leads and adds cards below this strength, and the more of them the better
W_LEAD_MATES = 16  # what each card of its rank that is still out costs a lead
W_LEAD_FORCE = 17  # added to a lead that the defender cannot beat
W_LEAD_BACK = 18  # taken off a lead that the defender can transfer
W_LEAD_TRUMP = 19  # added for each card led that the defender can beat with a trump alone, or not at all
W_THROW = 20  # throws in cards worth less than this
W_THROW_NEXT = 21  # added to `throw` if the seat leads next should the defender pick up
W_THROW_FORCE = 22  # added to `throw` for a card that the defender cannot beat
W_THROW_FEW = 23  # added to `throw` while the defender holds two cards or fewer
W_GIVE = 24  # throws in cards worth less than this once the defender picks up
W_GIVE_NEXT = 25  # added to `give` if the seat leads next
N_WEIGHTS = 26

NAMES = (
    "trump",
    "trump_slope",
    "relative",
    "useful",
    "pair",
    "hold",
    "turn",
    "out",
    "risk",
    "fail",
    "pick",
    "transfer",
    "transfer_force",
    "transfer_back",
    "show",
    "lead",
    "lead_mates",
    "lead_force",
    "lead_back",
    "lead_trump",
    "throw",
    "throw_next",
    "throw_force",
    "throw_few",
    "give",
    "give_next",
)

#: what the rows are for: the stock, the seats still in, and whether attacks may be transferred
ROW_NAMES = tuple(
    f"{stage}, {seats}{kind}"
    for kind in ("", ", no transfers")
    for seats in ("two", "three", "four", "five", "six", "first out wins")
    for stage in ("early", "late", "end")
)

# a row for each stage and number of seats, a column for each weight
# fmt: off
WEIGHTS: WeightTable = np.array([
    # early, two
    [180, 117, 29, 0, -25, 72, 38, 46, 59, -10, 87, 15, 17, -11, 90, 147, 7, -3, 7, -62, 108,
     46, -16, 20, 49, -38],
    # late, two
    [128, 27, 12, 14, 15, 113, 76, -55, 46, 18, 122, 97, -3, -22, 61, 103, 38, 26, -11, 68,
     133, 59, -23, -11, 5, -6],
    # end, two
    [113, 28, 58, 6, 26, 150, 89, 382, 50, 85, 146, 6, 52, -30, 77, 88, 34, 4, 19, 41, 164, 32,
     61, 57, 206, -4],
    # early, three
    [241, 24, -29, -4, -15, 32, 89, 278, 110, 12, 49, 58, -16, 9, 141, 122, 21, 1, 1, -69, 101,
     86, -24, 27, 6, 48],
    # late, three
    [224, 55, -4, 12, -9, 130, 97, 65, 72, 48, 146, 12, 17, 29, 83, 130, 31, 34, 98, 45, 179,
     40, -31, 13, 14, -16],
    # end, three
    [129, 20, 8, 0, 13, 118, 130, 170, 42, 65, 138, 62, -1, -92, 52, 108, 13, -38, 4, 31, 144,
     28, 62, -4, 50, 5],
    # early, four
    [230, -39, -34, -2, 4, 45, 86, 104, 88, 46, 89, -8, 14, 7, 69, 130, 8, -13, -10, -41, 47,
     25, 26, 46, 85, -52],
    # late, four
    [187, 39, 21, -3, -12, 48, 85, 152, 66, 44, 122, 15, -14, -75, 51, 144, 17, -50, 39, 12,
     138, 16, -25, 26, -40, -9],
    # end, four
    [109, 25, 22, -2, -5, 50, 72, 280, 27, 28, 126, 60, 23, -53, 88, 72, 9, 4, 18, -1, 111, 66,
     -13, 47, 106, -11],
    # early, five
    [200, 8, 0, 0, 2, 23, 60, 169, 36, 36, 80, 48, 0, 0, 97, 126, 12, 0, 0, 0, 90, 51, 0, 0,
     39, 0],
    # late, five
    [207, 6, -8, 1, -4, -6, 42, 107, 77, 17, 162, 48, 80, 20, 88, 98, 27, -2, -15, 19, 118, 39,
     20, -4, 100, -9],
    # end, five
    [167, -19, -30, 1, 2, 127, 12, 292, 47, 7, 142, 114, 5, -49, 145, 127, -2, 11, 11, 10, 154,
     2, -37, -22, 133, -56],
    # early, six
    [200, 8, 0, 0, 2, 23, 60, 169, 36, 36, 80, 48, 0, 0, 97, 126, 12, 0, 0, 0, 90, 51, 0, 0,
     39, 0],
    # late, six
    [193, 36, 0, 0, 4, 18, 65, 119, 24, 24, 166, 39, 0, 0, 85, 104, 18, 0, 0, 0, 113, 18, 0, 0,
     41, 0],
    # end, six
    [179, 6, -26, -2, -6, 122, 31, 286, 45, 8, 143, 99, 4, -56, 120, 124, 4, 17, 13, 10, 153,
     -4, -8, -10, 118, -46],
    # early, first out wins
    [189, 88, 7, -3, -4, 16, 40, 212, 65, -2, 85, 29, 8, 22, 107, 135, -8, -8, 46, 7, 107, 45,
     -5, -4, 50, -44],
    # late, first out wins
    [128, 102, -17, 2, -1, 61, 67, 21, 2, 72, 145, 29, -40, 42, 75, 98, 11, -31, -11, 24, 104,
     7, 1, -2, 30, 2],
    # end, first out wins
    [90, 34, -22, -1, 13, 103, 65, 353, 4, 25, 286, 11, 35, 1, 88, 93, 14, -12, -2, 100, 216,
     -51, -4, -52, 242, 5],
    # early, two, no transfers
    [191, 107, 1, 2, 10, 113, 24, 153, 72, 2, 101, 15, 11, -76, 87, 98, -1, 28, 41, -64, 118,
     39, 6, -20, -27, -2],
    # late, two, no transfers
    [157, -1, 18, 14, -7, 84, 96, 9, 29, 6, 125, 124, -6, 66, 29, 80, 29, 26, 9, 41, 145, 73,
     -58, -14, 27, -57],
    # end, two, no transfers
    [81, 46, 60, 14, 27, 136, 64, 411, 65, 110, 133, 0, 68, -77, 85, 100, 13, -39, 55, 42, 145,
     93, 54, -5, 186, -26],
    # early, three, no transfers
    [294, 49, -11, -4, 29, 41, 73, 314, 63, -5, 64, 7, 42, 55, 34, 68, 8, 41, 10, -55, 132,
     111, -20, 13, -76, 104],
    # late, three, no transfers
    [264, 30, -5, 0, -4, 82, 168, 172, 128, 90, 112, 47, -41, 48, 23, 60, 2, -32, 123, -36,
     134, 63, -67, -11, 12, -45],
    # end, three, no transfers
    [146, 11, 18, 6, -8, 151, 145, 195, 76, 174, 104, 71, 55, -56, 53, 78, 9, -52, -2, 12, 130,
     102, 53, -36, 109, 26],
    # early, four, no transfers
    [300, -43, -2, -8, 13, 114, 87, 211, 105, 41, 65, 58, 29, 60, 63, 78, -1, 2, 24, -110, 55,
     9, 48, -23, 77, -34],
    # late, four, no transfers
    [239, 25, -40, -2, -3, 93, 82, 171, 101, 55, 102, 54, -41, -3, 33, 62, 20, -53, 263, -37,
     115, 41, -14, 2, 96, -20],
    # end, four, no transfers
    [107, 79, -17, -4, 5, 65, 110, 184, 43, 79, 108, 24, 49, -23, 99, 37, -7, -19, 44, 44, 94,
     48, 26, 17, 99, 51],
    # early, five, no transfers
    [200, 8, 0, 0, 2, 23, 60, 169, 36, 36, 80, 48, 0, 0, 97, 126, 12, 0, 0, 0, 90, 51, 0, 0,
     39, 0],
    # late, five, no transfers
    [217, 85, -14, 0, 4, 3, -16, 111, 140, 2, 111, 26, 17, -20, 59, 100, 40, 9, -4, -5, 119, 4,
     -31, -4, 123, -16],
    # end, five, no transfers
    [222, 9, -25, -1, 12, 199, 39, 280, 42, -50, 84, 30, -52, -21, 188, -50, 17, -33, 71, 2,
     144, -19, 50, -31, 141, -40],
    # early, six, no transfers
    [200, 8, 0, 0, 2, 23, 60, 169, 36, 36, 80, 48, 0, 0, 97, 126, 12, 0, 0, 0, 90, 51, 0, 0,
     39, 0],
    # late, six, no transfers
    [193, 36, 0, 0, 4, 18, 65, 119, 24, 24, 166, 39, 0, 0, 85, 104, 18, 0, 0, 0, 113, 18, 0, 0,
     41, 0],
    # end, six, no transfers
    [207, 15, -19, -4, 8, 217, 78, 285, 61, -22, 82, 41, -72, -27, 144, -32, -5, -3, 62, -1,
     136, -20, 31, -46, 111, -29],
    # early, first out wins, no transfers
    [180, 32, 5, -2, -3, -11, 50, 183, 30, 29, 98, 87, 20, -1, 88, 160, 12, -14, 26, -15, 103,
     56, -13, -22, 38, -8],
    # late, first out wins, no transfers
    [124, 33, -18, -2, 9, 41, 53, -66, 35, 45, 137, 9, 21, 21, 109, 101, 3, -22, 6, -11, 116,
     55, -15, 23, 36, 30],
    # end, first out wins, no transfers
    [124, 33, -11, 1, 9, 76, 51, 291, -1, 2, 253, 27, 25, 31, 103, 102, 14, 17, -25, 25, 218,
     -2, -18, 1, 240, -3],
], dtype=np.int64)
# fmt: on
