"""Count action sequences with the oracle ("perft", the chess programmers' name for it).

Run ``python -m tests.perft VARIANT PLAYERS SEED DEPTH`` to print the counts of a shuffled deal.
"""

from __future__ import annotations

import random
import sys

from tests.oracle import Deal, pack_of
from tests.oracle_variants import resolve


def perft(deal: Deal, depth: int) -> int:
    """Count the sequences of exactly `depth` recorded actions that may follow.

    A deal that ends earlier counts for nothing. Where seats race, each seat that may be first counts with its
    own actions. `deal` is left as it is.
    """
    if depth == 0:
        return 1
    moves = [(seat, action) for seat in deal.askable() for action in deal.legal(seat)]
    if depth == 1:
        return len(moves)
    count = 0
    for seat, action in moves:
        after = deal.clone()
        after.play(seat, action)
        count += perft(after, depth - 1)
    return count


def divide(deal: Deal, depth: int) -> dict[str, int]:
    """Split `perft(deal, depth)` by the first action, to find where two counts part."""
    parts = {}
    for seat in sorted(deal.askable()):
        for action in sorted(deal.legal(seat)):
            after = deal.clone()
            after.play(seat, action)
            parts[f"{seat} {action}"] = perft(after, depth - 1)
    return parts


def main(variant: str, players: str, seed: str, depth: str) -> None:
    """Print the counts of one shuffled deal, depth by depth."""
    rules = resolve(variant)
    rng = random.Random(int(seed))
    pack = pack_of(rules["deck"])
    rng.shuffle(pack)
    deal = Deal(rules, int(players), pack, rng.randrange(int(players)), random_opener=0)
    for each in range(1, int(depth) + 1):
        print(f"{each} {perft(deal, each)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
