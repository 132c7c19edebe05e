"""Compare the house rules of the card game Durak by playing millions of deals."""

__version__ = "0.1.0"
