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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import InputError
from core.files.tables import read_lines
from core.tasks._agreement_pairs import HEURISTICS, UNKNOWN, count_right
from core.tasks.agreement import read
from core.types import Item

_FIELDS = 10


@dataclass(frozen=True, slots=True)
class Token:
    """A syntactic word. `place` is that of its written word, from 0; `contracted` if others share that word."""

    id: int
    form: str
    lemma: str
    upos: str
    features: Mapping[str, str]
    head: int
    relation: str
    place: int
    contracted: bool


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence: its words as written (*du*, not *de* and *le*), and its syntactic words in order."""

    words: tuple[str, ...]
    tokens: tuple[Token, ...]


def read_parses(path: Path) -> dict[tuple[str, ...], Parse]:
    """The sentences of a .conllu file, also as .gz or .xz, by their words; InputError with the line that is wrong."""
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
    identifier, form, lemma, upos, _, features, head, relation, *_ = fields
    pairs = [] if features == "_" else [feature.split("=", 1) for feature in features.split("|")]
    return Token(
        int(identifier), form, lemma, upos, dict(pairs), int(head) if head != "_" else 0, relation, place, contracted
    )  # fmt: skip


__all__ = ["Parses", "described", "groups_of", "read_items", "read_parses"]

Parses = Mapping[tuple[str, ...], Parse]
"""Sentences by their words."""

_NUMBERS = {"Sing": "singular", "Plur": "plural"}
_NOUNS = frozenset(("NOUN", "PROPN"))
_QUE = frozenset(("que", "qu'", "qu’"))


def read_items(source: Path, table: Path | None = None, parses: Path | None = None) -> Iterator[Item]:
    """The items as the task `agreement` reads them; `parses` (CoNLL-U) supplies missing heuristics."""
    items = read(source, table)
    if parses is None:
        return items
    parsed = read_parses(parses)
    return (described(item, parsed) for item in items)


def described(item: Item, parses: Parses) -> Item:
    """The item with its `unknown` groups computed from its parse; unchanged if its sentence has no parse."""
    candidate = next(one for one in item.candidates if one.label == item.gold)
    sentence, prefix = (candidate.context + candidate.text).split(), candidate.context.split()
    parse = parses.get(tuple(sentence))
    if parse is None:
        return item
    computed = groups_of(parse, len(prefix))
    groups = {name: computed.get(name, value) if value == UNKNOWN else value for name, value in item.groups.items()}
    predicted = {name: groups[name] for name in HEURISTICS}
    return replace(item, groups={**groups, "heuristics": count_right(groups["number"], predicted)})


def groups_of(parse: Parse, place: int) -> dict[str, str]:
    """The groups (`core.tasks.agreement`) of an item whose form is the word at this place of the sentence.

    Empty if that word is not the verb of a relative clause with an antecedent before it.
    """
    tokens = parse.tokens
    participle = next((token for token in tokens if token.place == place), None)
    if participle is None or participle.relation != "acl:relcl":
        return {}
    antecedent = next((token for token in tokens if token.id == participle.head), participle)
    if antecedent.id >= participle.id:
        return {}
    before = [token for token in tokens if token.id < participle.id]
    span = [token for token in before if token.id >= antecedent.id]
    objects = [token for token in before if token.head == participle.id and token.relation.startswith("obj")]
    que = next((token for token in objects if token.form.lower() in _QUE), None)
    return {
        "number": _number(participle),
        "attractors": str(_attractors(span, _number(participle))),
        **_predictions(before, span, antecedent, que),
        "distance": str(participle.place - antecedent.place),
        "prefix_length": str(participle.place),
        "inverted": _inverted(tokens, participle),
        **({"que_id": str(que.place)} if que else {}),
    }


def _predictions(
    before: Sequence[Token], span: Sequence[Token], antecedent: Token, que: Token | None
) -> dict[str, str]:
    whole = [token for token in before if not token.contracted]
    left_of_que = [token for token in before if que and token.id < que.id]
    first = [token for token in before if token.id < antecedent.id and token.upos == "NOUN" and _shows(token)]
    return {
        "cls_noun": _last(token for token in span if token.upos in _NOUNS),
        "cls_token": _last(token for token in span if not token.contracted),
        "fst_noun": _number((first or [antecedent])[0]),
        "com": _commonest(whole),
        "que_n": _last(token for token in left_of_que if token.upos in _NOUNS),
    }


def _number(token: Token) -> str:
    return _NUMBERS.get(token.features.get("Number", ""), "none")


def _shows(token: Token) -> bool:
    return _number(token) != "none"


def _last(tokens: Iterable[Token]) -> str:
    """The number of the last of these that shows one."""
    shown = [_number(token) for token in tokens if _shows(token)]
    return shown[-1] if shown else "none"


def _commonest(tokens: Sequence[Token]) -> str:
    counts = Counter(_number(token) for token in tokens if _shows(token))
    if counts["singular"] == counts["plural"]:
        return _last(tokens)
    return max(counts, key=counts.__getitem__)


def _attractors(span: Sequence[Token], number: str) -> int:
    """Nouns and proper nouns between antecedent and participle that show the other number."""
    return sum(token.upos in _NOUNS and _shows(token) and _number(token) != number for token in span)


def _inverted(tokens: Sequence[Token], participle: Token) -> str:
    """Whether the subject follows the participle; undetermined unless it has just one."""
    subjects = [token for token in tokens if token.head == participle.id and token.relation.startswith("nsubj")]
    if len(subjects) != 1:
        return "undetermined"
    return "yes" if subjects[0].id > participle.id else "no"
