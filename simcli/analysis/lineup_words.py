"""Line-ups in words: who sits at a table, and what they were set to."""

from __future__ import annotations

from simcli.rules.wording import listing

ROTATED = " rotated"
"""Stands behind a line-up that was played in all its rotations."""
SETTINGS = {
    "weights=own": "adapted to the rule",
    "transfer=always": "always transferring",
    "transfer=never": "never transferring",
    "show=always": "always showing",
    "show=never": "never showing",
    "throw=always": "always throwing in",
    "throw=never": "never throwing in",
}
"""What bots are set to, where it has words of its own."""
BARE = {"montecarlo": "playouts", "endgame": "nodes"}
"""What a bot's number without a name counts."""


def bots_of(lineup: str) -> list[str]:
    """Return the bots of a line-up, one a seat, or the one at all seats.

    >>> bots_of("montecarlo:64,thrifty rotated"), bots_of("thrifty")
    (['montecarlo:64', 'thrifty'], ['thrifty'])
    """
    return lineup.removesuffix(ROTATED).split(",")


def players_words(lineup: str) -> str:
    """Return who sits at a table of any size.

    >>> players_words("thrifty"), players_words("thrifty,lowest rotated")
    ('thrifty players', 'players (thrifty, lowest; rotated)')
    >>> players_words("thrifty:weights=own"), players_words("montecarlo:32:depth=3")
    ('thrifty players adapted to the rule', 'montecarlo players with 32 playouts and depth 3')
    """
    if "," in lineup:
        return f"players ({lineup_words(lineup)})"
    name, settings = _parted(lineup)
    return f"{name} players{settings}"


def lineup_words(lineup: str) -> str:
    """Return a line-up as what stands in a list of them.

    >>> lineup_words("thrifty:weights=own"), lineup_words("montecarlo:32,thrifty rotated")
    ('thrifty adapted to the rule', 'montecarlo with 32 playouts, thrifty; rotated')
    """
    moved = f";{ROTATED}" if lineup.endswith(ROTATED) else ""
    return ", ".join("".join(_parted(bot)) for bot in bots_of(lineup)) + moved


def lineups_words(lineups: list[str]) -> str:
    """Return several line-ups one after the other.

    >>> lineups_words(["lowest", "thrifty"]), lineups_words(["lowest", "thrifty,lowest"])
    ('lowest, thrifty', 'lowest; thrifty, lowest')
    """
    between = "; " if any("," in lineup for lineup in lineups) else ", "
    return between.join(map(lineup_words, lineups))


def _parted(bot: str) -> tuple[str, str]:
    """Return a bot's name and, with a space before it, what it is set to; a bot of a file stays as it is.

    >>> _parted("thrifty:weights=podkidnoy"), _parted("./mine.py:choose:k=2")
    (('thrifty', ' with weights for podkidnoy'), ('./mine.py:choose:k=2', ''))
    """
    name, *settings = bot.split(":")
    if "/" in name or "." in name:
        return bot, ""
    told = [SETTINGS[each] for each in settings if each in SETTINGS]
    others = [_setting(name, each) for each in settings if each not in SETTINGS]
    told += [f"with {listing(others)}"] if others else []
    return name, f" {', '.join(told)}" if told else ""


def _setting(bot: str, setting: str) -> str:
    """Return what a bot is set to as a noun: 32 playouts, depth 3."""
    name, equals, value = setting.partition("=")
    if equals:
        return f"weights for {value}" if name == "weights" else f"{name} {value}"
    number = f"{int(setting):,}" if setting.isdigit() else setting
    return f"{number} {BARE[bot]}" if bot in BARE else number
