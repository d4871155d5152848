"""What the browser asks of the small wiki, and what the page says to it in English."""

from functions.ui.wording import words

PORT = "Na akom porte počúva server?"
BREAD = "Ako dlho sa pečie chlieb z ražnej múky?"
"""The wiki answers the one and not the other."""

SAID = words("en")
