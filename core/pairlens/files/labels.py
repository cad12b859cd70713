"""Label systems of natural language inference, and how answers in one are judged by gold labels of another.

A system is data: which of the five possible situations of two sentences a (premise) and b (hypothesis) each label
covers. From that follows which gold labels an answer stands for, whether the model must also answer for (b, a), and
which labels cannot be told apart and count as one. `cell` derives these rules for two systems, as symbols and as
text. A new system is a new entry in `SYSTEMS`.

Three modes where the data also have paraphrases: `strict`, entailment is one-way, and a model that entails both ways
has answered paraphrase; `lenient`, that model is also right where the gold label is entailment; `forward`, the model
answers in one direction only, and entailment and paraphrase count as one.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType

from pairlens.errors import InputError, PolicyError, unknown
from pairlens.messages import Message, both, either, joined

ENTAILMENT, PARAPHRASE, NONE, CONTRADICTION, NEUTRAL = LABELS = (
    "entailment", "paraphrase", "none", "contradiction", "neutral",
)  # fmt: skip
"""Every label of every system, as it is written in code and files."""
CODES: Mapping[str, str] = MappingProxyType(dict(zip(LABELS, "EP∅CN", strict=True)))
PORTUGUESE: Mapping[str, str] = MappingProxyType(
    dict(zip(LABELS, ("acarretamento", "paráfrase", "nenhuma", "contradição", "neutro"), strict=True))
)
"""What Portuguese files call them."""
_ALSO: Mapping[str, tuple[str, ...]] = {
    ENTAILMENT: ("implicação", "inferência"), NONE: ("nenhum",), NEUTRAL: ("neutra",),
}  # fmt: skip
"""Other words that Portuguese files have. English ones stay unknown, as they are to ASSIN's scorer."""
ONE_WAY, BOTH_WAYS, BACKWARD, EXCLUDED, UNRELATED = (
    "a entails b, b does not entail a",
    "each entails the other",
    "b entails a, a does not entail b",
    "not both can be true",
    "nothing follows",
)


def turned(situation: str) -> str:
    return {ONE_WAY: BACKWARD, BACKWARD: ONE_WAY}.get(situation, situation)


@dataclass(frozen=True, slots=True)
class System:
    """`situations` in which each label is right, the usual one first; in public data labels are `numbered` so."""

    name: str
    title: str
    situations: Mapping[str, tuple[str, ...]]
    numbered: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.situations)


_ONE_WAY = {ENTAILMENT: (ONE_WAY,), PARAPHRASE: (BOTH_WAYS,), NONE: (UNRELATED, BACKWARD, EXCLUDED)}
_TWO_CLASSES = {ENTAILMENT: (ONE_WAY, BOTH_WAYS), NONE: (UNRELATED, BACKWARD, EXCLUDED)}
_THREE_CLASSES = {ENTAILMENT: (ONE_WAY, BOTH_WAYS), CONTRADICTION: (EXCLUDED,), NEUTRAL: (UNRELATED, BACKWARD)}

SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System("assin", "ASSIN", _ONE_WAY, (NONE, ENTAILMENT, PARAPHRASE)),
        System("assin2", "ASSIN 2", _TWO_CLASSES, (NONE, ENTAILMENT)),
        System("sick", "SICK", _THREE_CLASSES, (ENTAILMENT, NEUTRAL, CONTRADICTION)),
        System("snli", "SNLI", _THREE_CLASSES, (ENTAILMENT, NEUTRAL, CONTRADICTION)),
        System("mnli", "MultiNLI", _THREE_CLASSES, (ENTAILMENT, NEUTRAL, CONTRADICTION)),
    )
}
"""The known systems by name."""


def system_of(name: str) -> System:
    """The system of that name, whatever its case; PolicyError, with the nearest, if there is none."""
    if name.lower() not in SYSTEMS:
        raise PolicyError(unknown(Message("label system"), name, SYSTEMS))
    return SYSTEMS[name.lower()]


def code(name: str) -> str:
    return either(CODES.get(part, part) for part in name.split(" or "))


def in_words(name: str) -> str:
    """A label, or several that count as one (`entailment or paraphrase`)."""
    return either(map(Message, name.split(" or ")))


def codes(labels: Iterable[str], between: str = ", ") -> str:
    return joined(map(code, labels), between)


def spellings(system: str) -> Mapping[str, str]:
    """How files spell a system's labels, in small letters: names, codes, other words; also without accents."""
    forms = dict[str, str]()
    for label in system_of(system).labels:
        for word in (label, CODES[label], PORTUGUESE[label], *_ALSO.get(label, ())):
            plain = "".join(letter for letter in unicodedata.normalize("NFD", word) if letter.isascii())
            forms |= {form.lower(): label for form in (word, plain) if form}
    return forms


def unknown_label(text: str, system: str) -> InputError:
    """The error for a label that is not the system's: names the nearest, and all."""
    chosen = system_of(system)
    return InputError(unknown(Message("{system} label", system=chosen.title), text, chosen.labels))


@dataclass(frozen=True, slots=True)
class Rule:
    """The answers stand for `label` if m(a,b) is in `forward` and, unless that is empty, m(b,a) in `reverse`."""

    label: str
    forward: tuple[str, ...]
    reverse: tuple[str, ...] = ()

    def matches(self, forward: str, reverse: str) -> bool:
        return forward in self.forward and (not self.reverse or reverse in self.reverse)

    @property
    def words(self) -> Message:
        forward, name = either(map(in_words, self.forward)), in_words(self.label)
        if self.reverse:
            return Message(
                "{forward} for (a, b) together with {reverse} for (b, a) counts as {name}.",
                forward=forward, reverse=either(map(in_words, self.reverse)), name=name,
            )  # fmt: skip
        if len(self.forward) > 1:
            return Message(
                "{letters} counts: either answer, {forward}, is taken as {name}.",
                letters=either(map(code, self.forward)), forward=forward, name=name,
            )  # fmt: skip
        return Message("The answer {forward} counts as {name}.", forward=forward, name=name)


@dataclass(frozen=True, slots=True)
class Cell:
    """How a model with the labels of `model` is judged on data with the labels of `data`.

    `gold` is the class of each gold label. `rules` give the class of a model's answers; if two match, that of the
    gold label counts.
    """

    data: str
    model: str
    mode: str
    gold: Mapping[str, str]
    rules: tuple[Rule, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.gold.values()))

    @property
    def collapses(self) -> bool:
        return len(self.classes) < len(self.gold)

    @property
    def merged(self) -> dict[str, list[str]]:
        """The gold labels of each class that is not just the label of its name."""
        sources = {name: [label for label in self.gold if self.gold[label] == name] for name in self.classes}
        return {name: labels for name, labels in sources.items() if labels != [name]}

    @property
    def reason(self) -> str:
        """Why the data's own labels cannot be evaluated; empty where they can."""
        if not self.collapses:
            return ""
        confused = "; ".join(codes(labels, " from ") for labels in self.merged.values() if len(labels) > 1)
        more = self.mode == "forward" and len(cell(self.data, self.model).classes) > len(self.classes)
        direction = " when it is asked in one direction only" if more else ""
        return f"A model with the labels {codes(system_of(self.model).labels)} cannot tell {confused}{direction}."

    @property
    def needs_reverse(self) -> bool:
        return any(rule.reverse for rule in self.rules)

    @property
    def gold_rule(self) -> str:
        """How gold labels are translated, as symbols: `C, N → ∅`."""
        if not self.merged:
            return Message("unchanged")
        return joined((joined((codes(labels), "→", code(name))) for name, labels in self.merged.items()), " · ")

    @property
    def gold_words(self) -> Message:
        if not self.merged:
            return Message("The gold labels stay as they are.")
        return joined(
            Message("Gold {labels} count as {name}.", labels=both(map(Message, labels)), name=in_words(name))
            for name, labels in self.merged.items()
        )

    @property
    def as_they_are(self) -> bool:
        """Whether the model's answers are the classes."""
        return all(rule.forward == (rule.label,) and not rule.reverse for rule in self.rules)

    @property
    def prediction_rule(self) -> str:
        """The class of the model's answers, as symbols: `E(a,b) ∧ E(b,a) → P`; `E or P` means either counts."""
        if self.as_they_are:
            return Message("unchanged")
        if self.needs_reverse:
            return joined((_symbols(rule, system_of(self.model)) for rule in self.rules), " · ")
        arrows = (joined((either(map(code, rule.forward)), "→", code(rule.label))) for rule in self.rules)
        return joined(arrows, " · ")

    @property
    def answer_words(self) -> list[Message]:
        if self.as_they_are:
            return [Message("The model's answers are taken as they are.")]
        return [rule.words for rule in self.rules]

    @property
    def words(self) -> str:
        return " ".join(words[:1].upper() + words[1:] for words in (self.gold_words, *self.answer_words))


def _symbols(rule: Rule, model: System) -> str:
    forward, meant = (either(map(code, rule.forward)), "(a,b)"), (" → ", code(rule.label))
    if not rule.reverse:
        return joined((*forward, *meant), "")
    others = [label for label in model.labels if label not in rule.reverse]
    sign, named = ("¬", others) if len(others) < len(rule.reverse) else ("", rule.reverse)
    return joined((*forward, " ∧ ", sign, either(map(code, named)), "(b,a)", *meant), "")


def label_of(text: str, system: str) -> str:
    """The label with this name, code or Portuguese name, whatever its case; InputError names the nearest."""
    written, known = text.strip(), spellings(system)
    if written.lower() not in known:
        raise unknown_label(written, system)
    return known[written.lower()]


def translate(gold: Sequence[str], data: str, model: str, mode: str = "strict") -> list[str]:
    """The class that each gold label counts as for such a model; InputError for an unknown label."""
    classes = cell(data, model, mode).gold
    for label in gold:
        if label not in classes:
            raise unknown_label(label, data)
    return [classes[label] for label in gold]


def decode(
    forward: Sequence[str],
    reverse: Sequence[str] | None,
    data: str,
    model: str,
    mode: str = "strict",
    gold: Sequence[str] = (),
) -> list[str]:
    """The class that a model's answers stand for: `forward` for (a, b), `reverse` for (b, a), labels of `model`.

    Only `lenient` needs `gold`, the translated gold labels: where an answer stands for two classes, the gold one
    counts. Raises PolicyError if answers for (b, a) or gold labels are needed and missing, InputError for an unknown
    label.
    """
    rules = cell(data, model, mode)
    if rules.needs_reverse and reverse is None:
        raise PolicyError(
            Message(
                "{data} labels from a model with {model} labels need its answers for premise and hypothesis swapped "
                "(reverse predictions). Give them, or choose the mode forward.",
                data=system_of(data).title, model=system_of(model).title,
            )
        )  # fmt: skip
    if mode == "lenient" and rules.needs_reverse and len(gold) != len(forward):
        raise PolicyError("the mode lenient needs a gold label for each answer")
    backward = reverse if reverse is not None and rules.needs_reverse else [""] * len(forward)
    wanted = gold if len(gold) else [""] * len(forward)
    known = cache(partial(_decoded, rules))
    return [known(*answers) for answers in zip(forward, backward, wanted, strict=True)]


def _decoded(rules: Cell, forward: str, reverse: str, gold: str) -> str:
    for label in (forward, reverse) if rules.needs_reverse else (forward,):
        if label not in SYSTEMS[rules.model].labels:
            raise unknown_label(label, rules.model)
    classes = [rule.label for rule in rules.rules if rule.matches(forward, reverse)]
    return gold if gold in classes else classes[0]


MODES: Mapping[str, str] = MappingProxyType(
    {
        "strict": Message("entailment is one-way: a model that entails both ways has said paraphrase"),
        "lenient": Message("a model that entails both ways is right on entailment and on paraphrase"),
        "forward": Message("asked in one direction, entailment and paraphrase count as one class"),
    }
)


def cell(data: str, model: str, mode: str = "strict") -> Cell:
    """The rules for data and a model with the labels of these systems; PolicyError for an unknown system or mode."""
    if mode not in MODES:
        raise PolicyError(unknown("mode", mode, MODES))
    ours, model_system = system_of(data), system_of(model)
    meanings = _meanings(ours, model_system, mode)
    gold = _classes(ours, model_system, meanings.values())
    rules = _rules(dict.fromkeys(gold.values()), {answers: gold[labels[0]] for answers, labels in meanings.items()})
    if mode == "lenient":
        rules = _widened(ours, model_system, gold, rules)
    return Cell(ours.name, model_system.name, mode, MappingProxyType(gold), tuple(rules))


def _meanings(data: System, model: System, mode: str) -> dict[tuple[str, str], list[str]]:
    """The labels of the data that the possible answers for (a, b) and (b, a) stand for.

    That for (b, a) is empty unless the one for (a, b) fits several labels. If both cannot be right at once, the
    answers stand for the usual situation of that for (a, b).
    """
    meanings = {}
    for forward, situations in model.situations.items():
        both_ways = mode != "forward" and len(_touched(data, situations)) > 1
        for reverse in model.labels if both_ways else ("",):
            right = [
                situation for situation in situations if not reverse or turned(situation) in model.situations[reverse]
            ]
            meanings[forward, reverse] = _touched(data, right or situations[:1])
    return meanings


def _touched(data: System, situations: Iterable[str]) -> list[str]:
    """The labels of the data that are right in one of the situations."""
    wanted = set(situations)
    return [label for label in data.labels if wanted.intersection(data.situations[label])]


def _classes(data: System, model: System, alike: Iterable[list[str]]) -> dict[str, str]:
    """The class of each gold label: those that one answer may stand for are one, named by the model or after all."""
    groups = [{label} for label in data.labels]
    for labels in alike:
        joined = set().union(*(group for group in groups if group.intersection(labels)))
        groups = [group for group in groups if not group & joined] + [joined]
    names = dict[str, str]()
    for group in groups:
        labels = [label for label in data.labels if label in group]
        situations = {situation for label in labels for situation in data.situations[label]}
        same = [label for label in model.labels if set(model.situations[label]) == situations]
        names |= dict.fromkeys(labels, labels[0] if len(labels) == 1 else [*same, " or ".join(labels)][0])
    return {label: names[label] for label in data.labels}


def _rules(classes: Iterable[str], means: Mapping[tuple[str, str], str]) -> list[Rule]:
    """For each class the answers that stand for it, alone or together with one for (b, a)."""
    reverses = defaultdict[tuple[str, str], list[str]](list)
    for (forward, reverse), name in means.items():
        reverses[name, forward].append(reverse)
    n_meanings = Counter(forward for _, forward in reverses)
    rules = []
    for name in classes:
        own = {forward: tuple(backward) for (named, forward), backward in reverses.items() if named == name}
        rules += [Rule(name, (forward,), backward) for forward, backward in own.items() if n_meanings[forward] > 1]
        if alone := tuple(forward for forward in own if n_meanings[forward] == 1):
            rules.append(Rule(name, alone))
    return rules


def _widened(data: System, model: System, gold: Mapping[str, str], rules: list[Rule]) -> list[Rule]:
    """Let an answer stand for its usual class whatever the one for (b, a); such rules come last."""
    usual = {(label, gold[_touched(data, cases[:1])[0]]) for label, cases in model.situations.items()}
    wider = [replace(rule, reverse=()) if (rule.forward[0], rule.label) in usual else rule for rule in rules]
    return sorted(wider, key=lambda rule: not rule.reverse)
