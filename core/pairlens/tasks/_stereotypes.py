"""The sixteen stereotypes of GEST and EuroGEST, by the numbers that they have in the files."""

from pairlens.errors import InputError

MASCULINE, FEMININE = "masculine", "feminine"
"""The labels of an item's candidates."""
OF_WOMEN = ("Emotional", "Gentle", "Empathetic", "Neat", "Social", "Weak", "Beautiful")
OF_MEN = (
    "Tough", "Self-confident", "Professional", "Rational", "Providers", "Leaders", "Childish", "Sexual", "Strong",
)  # fmt: skip
NAMES = (*OF_WOMEN, *OF_MEN)


def groups(number: object, where: str) -> dict[str, str]:
    """Of a sentence: its `stereotype`, by its number (also `3.0`), and whether that is about `women` or `men`."""
    text = str(number).strip().removesuffix(".0")
    if not (text.isdecimal() and 1 <= int(text) <= len(NAMES)):
        raise InputError(f"the stereotype must be a number from 1 to {len(NAMES)}, found {text[:40]!r}.", where)
    name = NAMES[int(text) - 1]
    return {"stereotype": name, "about": "women" if name in OF_WOMEN else "men"}
