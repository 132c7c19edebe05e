"""A scenario to fill in: every key of the file, with what it means."""

from __future__ import annotations

TEMPLATE = """\
# A position to be settled. Put yours in place of this one, then:
#   simcli referee position.yaml
name: may I transfer, too?

# The rules: a name (simcli variants list), a file, or keys as in such a file.
variant: classic

# Cards are 6 7 8 9 10 J Q K A and C, D, H or S for clubs, diamonds, hearts or
# spades: 10D, QC.
trump: D

# What each seat held when the bout began, the cards that now lie on the table
# among them. Seats go clockwise, from 0. Hands that you cannot see may be any:
# for most questions only their number of cards matters. A seat without cards,
# once the stock is used up, has left the deal.
hands:
  - 9C 6D 7H
  - 9D KC
  - 9S QC AH

# The stock as it will be drawn, the exposed trump last, such as [7C, AS, 6D];
# [] when it is used up.
stock: []

leader: 0             # who leads the bout
first_bout: false     # true in the first bout of a deal
beaten_before: false  # true once a defence of this deal has succeeded

# What was done, each with the seat that did it: attack 9C, transfer 9D,
# cover 9C QC (the attack, then the card that beats it), throw QH, pick_up,
# stop (adds no more to what it has just played, while it could), pass (adds
# nothing). One card a line: 0 attack 9C, then 0 attack 9H. Then what you ask
# about: an action that the rules forbid is answered with the rule, and at the
# end stands what is allowed.
steps:
  - 0 attack 9C
  - 1 transfer 9D
  - 2 transfer 9S
"""
"""Ends with a question that the rules answer with no."""
