"""Surface heuristics for the agreement of a French participle with its object, computed from a parse.

A model can choose the right number without any syntax, from the number of a noun or word that is easy to find. Li,
Wisniewski & Crabbé (2021, Are Transformers a Modern Version of ELIZA?, EMNLP) count how many of five such rules give
the right answer for an item. The participle (*acceptées*) is the verb of a relative clause (`acl:relcl`), and its
head in the tree is the antecedent (*les offres que le directeur a acceptées*). The *span* goes from the antecedent,
included, to the participle, excluded; a word shows a number if its feature `Number` is `Sing` or `Plur`.

    cls_noun    the last noun or proper noun of the span that shows a number
    cls_token   the last word of the span that shows a number
    fst_noun    the first common noun of the sentence that shows a number, if one stands before the antecedent; else
                the antecedent
    com         the number that most words before the participle show; in a tie that of the nearest one
    que_n       the last noun or proper noun that shows a number before *que* (*qu'*), the participle's object

A heuristic without such a word predicts nothing (`none`). Words inside a contraction (*du*, *aux*) show no number for
`cls_token` and `com`, since the contraction is one word, without features.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.tables import read_lines
from pairlens.tasks._agreement_pairs import HEURISTICS, UNKNOWN, count_right
from pairlens.tasks.agreement import read
from pairlens.types import Item

_FIELDS = 10
_NONE = "none"
_NUMBERS = {"Sing": "singular", "Plur": "plural"}
_NOUNS = frozenset(("NOUN", "PROPN"))
_QUE = frozenset(("que", "qu'", "qu’"))


@dataclass(frozen=True, slots=True)
class Token:
    """A syntactic word. `number` is the one that it shows: `singular`, `plural` or `none`.

    `place` is that of its written word, from 0; `contracted` if others share that word.
    """

    id: int
    form: str
    upos: str
    number: str
    head: int
    relation: str
    place: int
    contracted: bool


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence: its words as written (*du*, not *de* and *le*), and its syntactic words in order."""

    words: tuple[str, ...]
    tokens: tuple[Token, ...]


Parses = Mapping[tuple[str, ...], Parse]
"""Sentences by their words."""


def read_parses(path: Path) -> Parses:
    """The sentences of a .conllu file, also as .gz or .xz; InputError with the line that is wrong."""
    return {parse.words: parse for parse in _sentences(path)}


def _sentences(path: Path) -> Iterator[Parse]:
    block: list[tuple[str, Sequence[str]]] = []
    for number, line in enumerate([*read_lines(path), ""], start=1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append((f"{path.name}, line {number}", line.split("\t")))
        elif block:
            yield _parse(block)
            block = []


def _parse(block: Sequence[tuple[str, Sequence[str]]]) -> Parse:
    words: list[str] = []
    tokens: list[Token] = []
    last_contracted = 0
    for where, fields in block:
        if len(fields) != _FIELDS:
            raise InputError(f"found {len(fields)} columns, expected the {_FIELDS} of CoNLL-U.", where)
        first, _, last = fields[0].partition("-")
        try:
            if last:
                words.append(fields[1])
                last_contracted = int(last)
            elif "." not in first:  # empty nodes are not words
                contracted = int(first) <= last_contracted
                if not contracted:
                    words.append(fields[1])
                tokens.append(_token(fields, len(words) - 1, contracted))
        except ValueError:
            raise InputError("the columns ID, HEAD and FEATS are not those of CoNLL-U.", where) from None
    return Parse(tuple(words), tuple(tokens))


def _token(fields: Sequence[str], place: int, contracted: bool) -> Token:
    identifier, form, _, upos, _, written, head, relation, *_ = fields
    features = dict(feature.split("=", 1) for feature in written.split("|")) if written != "_" else {}
    number = _NUMBERS.get(features.get("Number", ""), _NONE)
    return Token(int(identifier), form, upos, number, int(head.replace("_", "0")), relation, place, contracted)


def read_items(source: Path, table: Path | None = None, parses: Path | None = None) -> Iterator[Item]:
    """The items as the task `agreement` reads them; `parses` (CoNLL-U) supplies missing heuristics."""
    items = read(source, table)
    if parses is None:
        return items
    parsed = read_parses(parses)
    return (described(item, parsed) for item in items)


def described(item: Item, parses: Parses) -> Item:
    """The item with its `unknown` groups computed from its parse; unchanged if its sentence has no parse."""
    candidate = next(candidate for candidate in item.candidates if candidate.label == item.gold)
    parse = parses.get(tuple((candidate.context + candidate.text).split()))
    if parse is None:
        return item
    computed = groups_of(parse, len(candidate.context.split()))
    groups = {name: computed.get(name, value) if value == UNKNOWN else value for name, value in item.groups.items()}
    predicted = {name: groups[name] for name in HEURISTICS}
    return replace(item, groups={**groups, "heuristics": count_right(groups["number"], predicted)})


def groups_of(parse: Parse, place: int) -> dict[str, str]:
    """The groups (`pairlens.tasks.agreement`) of an item whose form is the word at this place of the sentence.

    Empty if that word is not the verb of a relative clause with an antecedent before it.
    """
    participle = next((token for token in parse.tokens if token.place == place), None)
    if participle is None or participle.relation != "acl:relcl":
        return {}
    before = [token for token in parse.tokens if token.id < participle.id]
    antecedent = next((token for token in before if token.id == participle.head), None)
    if antecedent is None:
        return {}
    number, span = participle.number, [token for token in before if token.id >= antecedent.id]
    nouns = [token for token in before if token.upos in _NOUNS]
    firsts = [one for one in before if one.id < antecedent.id and one.upos == "NOUN" and one.number != _NONE]
    objects = [one for one in before if one.head == participle.id and one.relation.startswith("obj")]
    que = next((token for token in objects if token.form.lower() in _QUE), None)
    subjects = [token for token in parse.tokens if token.head == participle.id and token.relation.startswith("nsubj")]
    follows = "yes" if subjects and subjects[0].id > participle.id else "no"
    return {
        "number": number,
        "attractors": str(sum(token in nouns and token.number not in (_NONE, number) for token in span)),
        "cls_noun": _last([token for token in span if token in nouns]),
        "cls_token": _last([token for token in span if not token.contracted]),
        "fst_noun": (firsts or [antecedent])[0].number,
        "com": _commonest([token for token in before if not token.contracted]),
        "que_n": _last([token for token in nouns if que and token.id < que.id]),
        "distance": str(participle.place - antecedent.place),
        "prefix_length": str(participle.place),
        "inverted": follows if len(subjects) == 1 else "undetermined",
        **({"que_id": str(que.place)} if que else {}),
    }


def _last(tokens: Sequence[Token]) -> str:
    """The number of the last of these that shows one."""
    return next((token.number for token in reversed(tokens) if token.number != _NONE), _NONE)


def _commonest(tokens: Sequence[Token]) -> str:
    counts = Counter(token.number for token in tokens if token.number != _NONE)
    if counts["singular"] == counts["plural"]:
        return _last(tokens)
    return max(counts, key=counts.__getitem__)
