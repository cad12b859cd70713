"""What joins a word, or a form of a word, to the text before it."""

import re
import unicodedata

from pairlens.text.words import unspaced_letter
from pairlens.text.words.segmentation import is_segmented

_ELIDED = re.compile(r"(?:^|[\s(«“\"'’-])(?:[cdjlmnstç]|\w*qu|entr)['’]$", re.IGNORECASE)
"""French words whose last letter an apostrophe stands for: what follows touches it."""

TOUCHING = (
    r"n['’]t$"
    r"|[-‐‑][^\s\-‐‑]"
    r"|['’ʼ](?!\d|(?:em|tis|twas|til|cause|bout)$|.*['’]$)"
    r"|[.,;:!?…%‰°/)\]}»›”。、，．！？；：）］」』】》〉؟،؛।·]"
    r"|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
)
"""How a form begins that touches the text before it, in Python and JavaScript: *n't*, hyphens, apostrophes, closing
marks, scripts that do not part words (Thai, Lao, Burmese, Khmer)."""
_TOUCHING = re.compile(TOUCHING, re.IGNORECASE)
_OPENED_BY = {"“": "„", "‘": "‚", "«": "»", "‹": "›"}
"""Marks that open a quotation (“so”, «so»), but close one that is open (German „so“, »so«), and what opens that."""


def following(prefix: str, form: str, always: bool = False) -> str:
    """A form as it follows a prefix: the one rule for all forms that are typed.

    After a space, unless `joint` needs none or the form touches what stands before it: *n't*; what begins with a
    hyphen (`-se`, `-t-il`), an apostrophe (`'s`, `'ll`, not `'em`), a closing mark (`.`, `%`, `»`) or a character of
    a script without spaces, unless the text has spaces between such words (`小男孩 游 了`); a `"` or “ that closes
    what is open there. `_` before a form puts a space there in any case (French `_!`), `+` before a letter none
    (`+s`). `always` is for models of whole words, which a space always parts.
    """
    if form[:1] in ("_", "+") and (form[:1] == "_" or form[1:2].isalpha()) and form[1:]:
        return (" " if prefix and (form[0] == "_" or always) else "") + form[1:]
    unspaced = unspaced_letter(form, 0, 1) and not is_segmented(prefix)
    touches = _closes(prefix, form[:1]) or _TOUCHING.match(form) or unspaced
    return ("" if touches and not always else joint(prefix, always)) + form


def joint(prefix: str, always: bool = False) -> str:
    """What joins a word to the prefix: a space, or nothing.

    Nothing at the beginning of a text. Unless words are `always` spaced, nothing either in scripts without spaces
    where the text puts none between words, after an opening bracket or quotation mark, after a dash that touches a
    word, and after a French elision (`l'`).
    """
    if always or not prefix:
        return " " if prefix else ""
    last, touching = prefix[-1], bool(prefix[-2:-1].strip())
    kind = unicodedata.category(last)
    opens = last in "¿¡" or (last in "\"'" and not touching) or (kind == "Pd" and touching)
    opens = opens or (kind in ("Ps", "Pi") and not _closes(prefix[:-1], last))
    unspaced = unspaced_letter(prefix, len(prefix) - 1, -1) and not is_segmented(prefix)
    return "" if opens or unspaced or _ELIDED.search(prefix) else " "


def _closes(text: str, mark: str) -> bool:
    """Whether a quotation mark that may open or close one closes one, as the next sign of this text."""
    if mark == '"':
        return text.count(mark) % 2 == 1
    return mark in _OPENED_BY and text.count(_OPENED_BY[mark]) > text.count(mark)
