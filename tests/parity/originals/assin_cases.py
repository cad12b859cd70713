"""What the official scorer of ASSIN and Pairlens are both asked: files of pairs and of answers, in ASSIN's XML.

Nothing of either program is used here. An attribute that is None is not written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

E, P, N = "Entailment", "Paraphrase", "None"
ASSIN = (E, N, P, N, E, N, P, N, E, N, N, P)
ASSIN2 = (E, N, E, N, E, N, E, N, E, N, E, N)
ANSWERS = ("ENTAILMENT", N, E, N, E, E, "paraphrase", N, N, P, N, P)
SIMILARITIES = ("4.5", "1", "5", "2.25", "3.5", "1.5", "4.75", "2", "4", "1.25", "1", "5")
SAID = ("4", "1.5", "4.5", "2", "3", "2.5", "5", "2", "3.75", "1", "1", "4.25")
REPEATED = ("7", "24-rev", "7", "3", "1", "24-rev", "2", "2", "9", "10", "3", "12")


@dataclass(frozen=True)
class Case:
    """Gold labels, answers and their similarities by place, and the ids of the pairs; `force` is the scorer's `-f`.

    `system` is the label system of the answers; `refused` is what we say where we do not judge as the scorer does.
    Some pairs are `nested` in an element of their own. If `guessed`, we are not told the label system of gold.
    """

    system: str
    gold: Sequence[str]
    answers: Sequence[str | None]
    similarities: Sequence[str | None] = SAID
    force: bool = False
    ids: Sequence[str] = field(default_factory=lambda: [str(number) for number in range(12)])
    refused: str = ""
    nested: bool = False
    guessed: bool = False


UNKNOWN = (E, "Contradiction", P, None, "LABEL_1", N, "", N, "Entails", N, N, "2")

CASES = {
    "three classes": Case("assin", ASSIN, ANSWERS),
    "two classes": Case("assin2", ASSIN2, [N if answer == P else answer for answer in ASSIN]),
    "a class that gold lacks": Case("assin", [N if label == P else label for label in ASSIN], ANSWERS),
    "missing and unknown answers, forced": Case("assin", ASSIN, UNKNOWN, force=True),
    "a label of the larger system, forced": Case("assin2", ASSIN2, ANSWERS, force=True),
    "no answer that is a label, forced": Case(
        "assin", ASSIN, ["LABEL_0", "LABEL_1"] * 6, force=True, refused="the answers are numbers"
    ),
    "missing similarities, forced": Case("assin", ASSIN, ANSWERS, [None, *SAID[1:8], "", *SAID[9:]], force=True),
    "answers without anything, forced": Case(
        "assin", ASSIN, [None, *ANSWERS[1:5], "", *ANSWERS[6:]], [None, *SAID[1:5], "", *SAID[6:]], force=True
    ),
    "answers without anything": Case(
        "assin", ASSIN, [*ANSWERS[:5], None, *ANSWERS[6:]], [*SAID[:5], None, *SAID[6:]], refused="there is no label"
    ),
    "nested pairs": Case("assin", ASSIN, ANSWERS, nested=True),
    "a class that gold lacks, by its labels": Case(
        "assin", [E if label == P else label for label in ASSIN], ANSWERS, guessed=True
    ),
    "ids that repeat": Case("assin", ASSIN, ANSWERS, ids=REPEATED),
    "an unknown answer": Case(
        "assin", ASSIN, ["Contradiction", *ANSWERS[1:]], refused="There is no ASSIN label 'Contradiction'"
    ),
}


def write(case, folder):
    """The file of pairs and that of answers."""
    gold, answers = folder / "gold.xml", folder / "answers.xml"
    for path, labels, similarities in ((gold, case.gold, SIMILARITIES), (answers, case.answers, case.similarities)):
        root = ElementTree.Element("entailment-corpus")
        for number, (name, label, similarity) in enumerate(zip(case.ids, labels, similarities, strict=True)):
            given = {"id": name, "entailment": label, "similarity": similarity}
            group = ElementTree.SubElement(root, "group") if case.nested and number % 3 else root
            pair = ElementTree.SubElement(
                group, "pair", {key: value for key, value in given.items() if value is not None}
            )
            ElementTree.SubElement(pair, "t").text = f"O gato {number} dorme."
            ElementTree.SubElement(pair, "h").text = "Um gato dorme."
        ElementTree.ElementTree(root).write(path, "utf-8", xml_declaration=True)
    return gold, answers
