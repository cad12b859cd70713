"""The file that is taken home, and the votes of a class that it shows.

Its weights are text: numbers to the base 93, whose digits are the printable characters of ASCII but for `<`. Base64
has six bits in a character, this 6.5, and no sign that ends a script in HTML. A vector is its 32-bit numbers, five
digits each. A matrix is the exponents of its rows, two digits each, its levels, three of them in five digits, and
the rows that are not rounded, as vectors.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from pairlens import __version__, measures
from pairlens.errors import InputError, ModelError
from pairlens.files import tables
from pairlens.models.byte_pairs import BytePairs, byte_pairs
from pairlens.models.rounded import LEVELS, Matrix, Rounded, rounded
from pairlens.policies import PRESETS, preset_for
from pairlens.results import printed
from pairlens.scoring.recipe import Recipe, recipe_of
from pairlens.studies.lesson import Lesson, Step
from pairlens.studies.next_word import SETS
from pairlens.studies.next_word.pieces import predictor, read_prefix
from pairlens.studies.next_word.top_words import top_words
from pairlens.text.joining import TOUCHING, following, joint
from pairlens.text.typography import replacements
from pairlens.types import Model, Request

MOST_BYTES = 8_000_000
"""The size of a file that can still be sent by mail or messenger, and read by a phone."""
CLOSE = 0.1
"""Bits: a smaller difference is called too close to call, since rounded weights may turn it (docs/teaching.md)."""
_MEASURED = {
    "english-small": "of 13,400 pairs of BLiMP 16 were decided otherwise, all nearly ties, and leads differed by "
    "0.01 bits on average and 0.10 at most",
    "french-small": "of 1,761 pairs of QFrBLiMP 2 were decided otherwise, both nearly ties, and leads differed by "
    "0.01 bits on average and 0.08 at most",
}
"""The table of docs/teaching.md in words."""
_PAGE = Path(__file__).parent / "page"
_SCRIPTS = ("unpacking", "words", "tokenizer", "network", "scoring", "answers", "lesson", "page")
_LIKELIEST = 10


def take_home(lesson: Lesson, model: str = "", votes: Votes | None = None) -> str:
    """The HTML of a lesson with a causal model, by default the one it names, and with a class's votes, if any.

    ModelError for a model that is no small causal one of the kind that is trained here; InputError if the page would
    be larger than `MOST_BYTES`.
    """
    recipe = recipe_of(model or lesson.model or "english-small", policy=PRESETS["pairlens"])
    network, pairs = _network(recipe.model)
    text, listed = packed(network)
    name, card = recipe.model.name, recipe.model.card
    steps = _steps(*_mixed(lesson.steps, votes or [{} for _ in lesson.steps]), recipe)
    content: dict[str, Any] = {
        "lesson": {"language": lesson.language, "touching": TOUCHING, "steps": steps},
        "model": {"name": name, "close": CLOSE, "parts": listed} | _described(recipe.model, network, pairs),
    }
    page = printed.environment(_PAGE).get_template("page.html").render(
        title=lesson.title, about=lesson.about, language=lesson.language, made=f"Pairlens {__version__}",
        model={"name": name, "description": card.get("description", "")},
        licence=f"Licence of the model: {card['licence']}." if card.get("licence") else "",
        differs=_differs(recipe.model),
        style=Markup((_PAGE / "style.css").read_text("utf-8")),
        script=Markup("\n".join((_PAGE / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)),
        data=Markup(json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")),
        weights=Markup(text),
    )  # fmt: skip
    if (size := len(page.encode())) > MOST_BYTES:
        raise InputError(
            f"the page would have {size / 1e6:,.1f} MB, more than the {MOST_BYTES / 1e6:.0f} that can be handed on; "
            "take fewer steps or a smaller model",
            lesson.title,
        )
    return page


def _network(model: Model) -> tuple[Rounded, BytePairs]:
    network = rounded(model) if model.kind == "causal" else None
    pairs = byte_pairs(model) if network else None
    if network is None or pairs is None:
        raise ModelError(
            f"'{model.name}' cannot be taken home: a page can hold a bundled causal model, or one "
            "trained with Pairlens."
        )
    return network, pairs


def _mixed(steps: Sequence[Step], votes: Votes) -> tuple[list[Step], Votes]:
    """Steps and votes, with A and B exchanged in some if A is always the expected one, as in tables of pairs."""
    by_place = len(steps) > 2 and {step.expected for step in steps} == {"A"}
    mixed: list[Step] = []
    counts: Votes = []
    for step, own in zip(steps, votes, strict=True):
        turned = by_place and step.pair and zlib.crc32(repr(step.pair).encode()) % 2
        mixed.append(replace(step, pair=step.pair[::-1], expected="B") if turned and step.pair else step)
        counts.append({"AB"[choice == "A"]: n for choice, n in reversed(own.items())} if turned else own)
    return mixed, counts


def _steps(steps: Sequence[Step], votes: Votes, recipe: Recipe) -> list[dict[str, Any]]:
    """The steps with votes, and with the likeliest words where any word may be guessed; without what is empty."""
    values = [{**asdict(step), "votes": own} for step, own in zip(steps, votes, strict=True)]
    for step in values:
        step["prefix"] = step["prefix"].rstrip()
        step["joint"] = joint(step["prefix"])
        texts = {form: step["prefix"] + following(step["prefix"], form) for form in step["forms"]}
        step["open"] = [form for form, text in texts.items() if not joint(recipe.request(Request("", text)).text)]
    if free := [step for step in values if step["prefix"] and not step["forms"]]:
        prefixes = [read_prefix(step["prefix"], recipe) for step in free]
        policy = preset_for("pairlens", SETS)
        answers = top_words(predictor(recipe), prefixes, _LIKELIEST, policy)
        for step, answer in zip(free, answers, strict=True):
            words = (word for word in answer.words if not word.ends_text)
            step["likeliest"] = [[word.text, measures.bits(word.logprob)] for word in words]
    return [{name: value for name, value in step.items() if value} for step in values]


def _described(model: Model, network: Rounded, pairs: BytePairs) -> dict[str, Any]:
    """What the programs in the page need to know of a model beside its weights."""
    shape, characters = network.shape, model.card.get("characters")
    sizes = {name: getattr(shape, name) for name in ("width", "layers", "heads", "groups")}
    ends = pairs.ends.ljust(shape.vocabulary, ".")
    return {
        "characters": characters,
        "variants": dict(replacements(characters)) if characters is not None else {},
        "tokenizer": {**asdict(pairs), "merges": " ".join(pairs.merges), "ends": ends},
        "shape": {**sizes, "headWidth": shape.head_width, "window": network.window, "epsilon": shape.epsilon},
    }


def _differs(model: Model) -> str:
    """How far answers may be from those of Pairlens."""
    start = "To fit into this file the model's weights are rounded, so its numbers differ a little from Pairlens'."
    if measured := model.bundled and _MEASURED.get(model.name):
        return f"{start} Measured: {measured}. A lead of less than {CLOSE} bits is called too close to call."
    return f"{start} For this model nobody has measured by how much; it is 0.01 bits on average for english-small."


BASE = 93
_SIDE = 2 * LEVELS + 1


def packed(network: Rounded) -> tuple[str, list[list[str | int]]]:
    """The text of all parts, and the list by which it is read: [name, rows, columns, exact rows] or [name, size]."""
    vectors = {"turns": network.turns, **network.vectors}
    text = "".join([*map(_vector, vectors.values()), *map(_matrix, network.matrices.values())])
    listed: list[list[str | int]] = [[name, len(part)] for name, part in vectors.items()]
    return text, listed + [[name, *part.levels.shape, *part.exact] for name, part in network.matrices.items()]


def _vector(numbers: NDArray[np.float32]) -> str:
    return _digits(np.ascontiguousarray(numbers, "<f4").view("<u4").astype(np.int64), 5)


def _matrix(part: Matrix) -> str:
    levels = part.levels.astype(np.int64).ravel() + LEVELS
    first, second, third = np.concatenate([levels, np.zeros(-len(levels) % 3, np.int64)]).reshape(-1, 3).T
    threes = (first * _SIDE + second) * _SIDE + third
    exact = "".join(map(_vector, part.exact.values()))
    return _digits(part.exponents.astype(np.int64), 2) + _digits(threes, 5) + exact


def _digits(numbers: NDArray[np.int64], size: int) -> str:
    """Each number as so many digits, the highest first."""
    places = BASE ** np.arange(size - 1, -1, -1, dtype=np.int64)
    codes = numbers[:, None] // places % BASE + ord("!")
    return (codes + (codes >= ord("<"))).astype(np.uint8).tobytes().decode("ascii")


Votes = list[dict[str, int]]
"""For each step of a lesson the number of votes by choice; empty where there are none."""
_COLUMNS = ("step", "choice", "votes")


def read_votes(path: Path, lesson: Lesson) -> Votes:
    """The votes in a table; rows of one choice add up. InputError for a step or choice that the lesson lacks."""
    table = tables.read_table(path)
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        raise InputError(f"no column '{missing[0]}': votes have columns {', '.join(_COLUMNS)}", tables.label(path))
    by_step: Votes = [{} for _ in lesson.steps]
    for number, *cells in zip(tables.row_numbers(table), *(table[name] for name in _COLUMNS), strict=True):
        where, (step, choice, votes) = f"{tables.label(path)}, row {number}", cells
        place = _number(step, "step", 1, len(lesson.steps), where) - 1
        known = ("A", "B") if lesson.steps[place].pair else lesson.steps[place].forms
        chosen, own = str(choice).strip(), by_step[place]
        if not chosen or (known and chosen not in known):
            listed = f": {', '.join(known)}" if known else ""
            raise InputError(f"'{chosen}' is no choice of this step{listed}", where)
        own[chosen] = own.get(chosen, 0) + _number(votes, "votes", 0, 1_000_000, where)
    return by_step


def _number(value: object, name: str, least: int, most: int, where: str) -> int:
    with suppress(ValueError):
        number = float(str(value))
        if number.is_integer() and least <= number <= most:
            return int(number)
    raise InputError(f"'{name}' should be a whole number from {least} to {most:,}, not {value}", where)
