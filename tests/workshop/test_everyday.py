"""Made Portuguese sentences: forms as in a grammar book, agreement, the right mood, the same text for a seed."""

import re
from collections import Counter

import pytest

from workshop.everyday import sentences
from workshop.everyday.conjugation import PERSONS, conjugated
from workshop.everyday.phrases import DETERMINERS
from workshop.everyday.words import words
from workshop.language_models.languages import PORTUGUESE

APART = re.compile(r"\b(?:(?:de|em|por) (?:o|a|os|as)|(?:de|em) (?:ele|ela|esse|este|aquele)s?)\b")
"""What should have been contracted."""
VERBS = [verb for some in words().verbs.values() for verb in some]

TAUGHT = """
comprar present: compro compra compramos compram
chegar past: cheguei chegou chegamos chegaram
ficar subjunctive: fique fique fiquemos fiquem
começar subjunctive: comece comece comecemos comecem
conhecer present: conheço conhece conhecemos conhecem
esquecer past subjunctive: esquecesse esquecesse esquecêssemos esquecessem
vender future subjunctive: vender vender vendermos venderem
abrir past subjunctive: abrisse abrisse abríssemos abrissem
ser past subjunctive: fosse fosse fôssemos fossem
estar future subjunctive: estiver estiver estivermos estiverem
fazer subjunctive: faça faça façamos façam
fazer future subjunctive: fizer fizer fizermos fizerem
trazer past subjunctive: trouxesse trouxesse trouxéssemos trouxessem
ver future subjunctive: vir vir virmos virem
vir past subjunctive: viesse viesse viéssemos viessem
vir imperfect: vinha vinha vínhamos vinham
pedir subjunctive: peça peça peçamos peçam
ouvir present: ouço ouve ouvimos ouvem
saber subjunctive: saiba saiba saibamos saibam
sair future subjunctive: sair sair sairmos saírem
sair past subjunctive: saísse saísse saíssemos saíssem
dormir subjunctive: durma durma durmamos durmam
pôr past subjunctive: pusesse pusesse puséssemos pusessem
"""


@pytest.mark.parametrize("line", TAUGHT.strip().splitlines())
def test_verbs_are_conjugated_as_in_a_grammar_book(line):
    name, forms = line.split(": ")
    infinitive, tense = name.split(" ", 1)
    known = next(verb for verb in VERBS if verb.infinitive == infinitive)
    assert [known.form(tense, person) for person in PERSONS] == forms.split()


def test_a_verb_in_several_classes_is_the_same_everywhere_and_a_group_of_forms_can_be_left_regular():
    forms = {}
    for verb in VERBS:
        forms.setdefault(verb.infinitive, set()).add((*verb.tenses.items(), verb.participle))
    assert [infinitive for infinitive, found in forms.items() if len(found) > 1] == []
    written = conjugated("escrever: -; -; escrito")
    assert (written.form("past", "3p"), written.participle) == ("escreveram", "escrito")


@pytest.fixture(scope="module")
def text():
    return list(sentences(12_000, 5))


def test_the_same_seed_makes_the_same_text_of_plain_sentences(text):
    assert text[:200] == list(sentences(200, 5)) != list(sentences(200, 6))
    assert len(set(text)) > 0.98 * len(text)
    for made in text:
        assert PORTUGUESE.allowed.fullmatch(made) and re.search(r"[^ .?,][.?]$", made) and made[0].isupper(), made
        assert not APART.search(made), made


def test_determiners_agree_with_their_nouns(text):
    """Right beside each other, in gender and number, in thousands of places."""
    nouns = {}
    for noun in (noun for some in words().nouns.values() for noun in some):
        for plural in (False, True):
            nouns.setdefault(noun.form(plural), set()).add((noun.gender, plural))
    forms = (DETERMINERS[name] for name in ("the", "this", "that", "yonder", "my", "our", "another", "a"))
    agreeing = [(form, number) for row in forms for number, form in enumerate(row)]
    checked = 0
    for made in text:
        for first, second in re.findall(r"\b(\w+) (?=(\w[\w-]*))", made):
            wanted = {("mf"[number % 2], number > 1) for form, number in agreeing if form == first.lower()}
            if wanted and second in nouns:
                assert wanted & nouns[second], f"{first} {second}: {made}"
                checked += 1
    assert checked > 5000


def test_clauses_have_the_mood_that_they_need(text):
    """A pronoun right after the opening, and its verb; questions, and forms of both moods, do not count."""
    for opening, right, wrong in (
        (r"[Qq]uero que|[Tt]alvez|[Éé] bom que|[Ee]mbora", "subjunctive", "present"),
        (r"[Ss]ei que|[Éé] claro que|[Vv]ejo que", "present", "subjunctive"),
        (r"[Ss]e|Quando|[Aa]ssim que", "future subjunctive", "present"),
    ):
        persons = {"eu": "1s", "você": "3s", "ele": "3s", "ela": "3s", "nós": "1p", "vocês": "3p", "eles": "3p"}
        found = Counter()
        for made in (one for one in text if not one.endswith("?")):
            if match := re.search(rf"\b(?:{opening}) ({'|'.join(persons)}) (\w+)", made):
                person, form = persons[match[1]], match[2]
                moods = {one for verb in VERBS for one in (right, wrong) if verb.form(one, person) == form}
                if len(moods) == 1:
                    found[right in moods] += 1
        assert found[True] >= 8 and not found[False]
