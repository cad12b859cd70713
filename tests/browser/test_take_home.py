"""What is taken home, opened from a file: its numbers are Python's, and everything works without a server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import pairlens
from pairlens import measures
from pairlens.store import Store
from pairlens.studies.compare.pair import compare
from pairlens.studies.compare.tables import word_table
from pairlens.studies.lesson import Lesson, Step
from pairlens.studies.next_word.forms import compare_forms
from pairlens.studies.take_home.making import take_home
from tests.browser.visitor import Visitor
from tests.rounded_scorer import rounded_scorer
from tests.thinned import thinned

NEAR = 1e-3
"""Bits: what two programs may differ by with the same weights."""
PAIRS = {
    "english-small": [
        ("The keys to the cabinet are here.", "The keys to the cabinet is here."),
        ("THE CHILDREN’S teacher didn’t “say” so…", "The children’s teacher didn't say “so” —"),
        ("He slept.", "He slept very well that night, oh!?"),
        (" Two  spaces ", "ﬁve (old) 3.5% U.S. mother-in-law's 'em"),
        ("naïve e\u0301te\u0301 İstanbul 漢字 と 🙂🙂", "naive été Istanbul 漢 字 と 🙂"),
        ("\tA tab, a no-break\u00a0space. . .", "<s> & </s> <b>"),
        ("One dog barks. " * 20, "One dog barks. " * 19 + "One dog bark."),
    ],
    "french-small": [
        ("Les lettres que le facteur a apportées sont là.", "Les lettres que le facteur a apportée sont là."),
        ("« Est-ce qu’il l’a vue ? »", "“Est-ce qu'il l'a vu ?”"),
    ],
}
FORMS = [
    ("The keys to the cabinet", ("is", "are", "were not")), ("It’s (", ("a", "the")),
    ("The dog", ("'s", "’ll", "is")), ("She does", ("n't", "not")), ("Does", ("n’t", "she")),
    ("The dog barked", (".", "_.", "at", "—", "-ish", "+s")), ('He said "yes', ('"', "'em", "漢", "%")),
    ("He likes", ("l'", "them")),
]  # fmt: skip
BIASED = {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": False, "vocab_size": 401}
LESSON = Lesson(
    "Agreement",
    (
        Step(pair=("The keys to the cabinet are here.", "The keys to the cabinet is here."), expected="A",
             notice="The verb agrees with *keys*.", reference="Bock & Miller 1991"),
        Step(prefix="The keys to the cabinet", forms=("is", "are"), expected="are", question="Is or are?"),
        Step(prefix="She opened the"),
    ),
    about="Guess first.",
)  # fmt: skip


@pytest.fixture
def opened(arrive, tmp_path):
    """`opened(lesson, model, votes)`: somebody who has opened the file of a lesson."""
    reader = arrive("file://")

    def open_(lesson: Lesson, model: str = "", votes: Any = None) -> Visitor:
        path = tmp_path / "lesson.html"
        path.write_text(take_home(lesson, model, votes), "utf-8")
        reader.driver.get(path.as_uri())
        reader.until(lambda: reader.all("#step > *"), reason="the lesson does not begin")
        return reader

    return open_


def ask(reader: Visitor, call: str, *given: object) -> Any:
    """What `window.pairlens` answers."""
    script = f"const [given, done] = arguments; pairlens.{call}(...given).then(done, (error) => done(String(error)));"
    return reader.driver.execute_async_script(script, given)


def check(reader: Visitor, model: str, pairs: Sequence[tuple[str, str]], store: Path) -> None:
    """Every token, word and lead is Python's with the same weights."""
    recipe = pairlens.recipe(model)
    scorer = rounded_scorer(recipe)
    for pair, wanted in zip(pairs, compare(pairs, recipe, Store(store, shipped=None), lambda: scorer), strict=True):
        for text, scores in zip(pair, wanted.scores, strict=True):
            tokens = ask(reader, "score", text)
            assert [token["id"] for token in tokens] == list(scores.ids)
            assert [token["logprob"] for token in tokens] == pytest.approx(scores.logprobs, abs=NEAR)
        found, rows = ask(reader, "compare", *pair), word_table(wanted)
        assert found["bits"] == pytest.approx(measures.bits(wanted.margin), abs=NEAR)
        names = ["position", "label", "member", "word"]
        assert [[word[name] for name in names] for word in found["words"]] == rows[names].to_numpy().tolist()
        assert [word["bits"] for word in found["words"]] == pytest.approx(rows["surprisal"].tolist(), abs=NEAR)


@pytest.mark.parametrize("model", thinned(PAIRS, 2))
def test_the_page_scores_as_python_does_token_by_token(opened, model, tmp_path):
    """And, after the English one's prefixes, form by form."""
    reader = opened(LESSON, model)
    check(reader, model, PAIRS[model], tmp_path / "pairs")
    recipe = pairlens.recipe(model)
    scorer, asked = rounded_scorer(recipe), FORMS if model == "english-small" else []
    for (prefix, forms), found in zip(
        asked, compare_forms(asked, recipe, Store(tmp_path / "forms", shipped=None), lambda: scorer), strict=True
    ):
        step = {"prefix": prefix, "joint": "" if prefix.endswith("(") else " ", "open": ["l'", "—"]}
        said = ask(reader, "forms", step, list(forms))
        assert said == pytest.approx([measures.bits(form.whole) for form in found.forms], abs=NEAR)


@pytest.mark.soak
def test_other_networks_of_the_family_too(opened, tiny, tmp_path):
    """Biases, heads that share keys, an output layer of its own, an odd vocabulary, no lower case, no card."""
    model = str(tiny("llama", tokenizer="byte-bpe", **BIASED))
    reader = opened(Lesson("L", LESSON.steps[:2]), model)
    check(reader, model, [*PAIRS["english-small"][:6], ("Oui. " * 60, "Oui. " * 59 + "Non.")], tmp_path)


def test_a_lesson_is_played_by_keyboard_and_read_everywhere_without_network(opened, axe):
    reader = opened(LESSON, votes=[{"A": 18, "B": 6}, {}, {"door": 3}])
    button = reader.button("Show the answer")
    assert not button.is_enabled()
    assert "Bock" not in reader.driver.find_element(By.TAG_NAME, "main").text
    keys = ActionChains(reader.driver)
    keys.send_keys(Keys.TAB, Keys.SPACE, Keys.TAB, Keys.ENTER).perform()
    answer = answered(reader)
    for said in ("english-small prefers A by 4.5 bits (about 22 times as likely).", "are | is", "You chose A.",
                 "Speakers prefer A.", "24 votes", "The verb agrees with keys.", "Bock & Miller 1991"):  # fmt: skip
        assert said in answer
    is_read_everywhere(reader, axe)
    reader.press("Next")
    assert "2 of 3" in reader.driver.find_element(By.TAG_NAME, "nav").text
    assert not reader.all("#step .answer")
    reader.all(".choice")[0].click()
    reader.press("Show the answer")
    assert "prefers “are”" in answered(reader)
    reader.press("Next")
    reader.all("input[name=guess]")[0].send_keys("door", Keys.ENTER)
    assert "expects “door” most" in answered(reader)
    assert [row.text.split()[0] for row in reader.all("#step .own")] == ["door"] * 2  # among words and votes
    reader.press("Back")
    assert "prefers “are”" in answered(reader)  # what was answered stays answered
    pair_of_ones_own(reader)
    reader.listen()
    assert not {url for url in reader.requested if not url.startswith(("file:", "data:", "chrome"))}
    assert not reader.complaints


def answered(reader: Visitor) -> str:
    """The answer below the step, once it is there."""
    reader.until(lambda: reader.all("#step .answer .headline"), reason="no answer")
    return str(reader.all("#step .answer")[0].text)


def pair_of_ones_own(reader: Visitor) -> None:
    """Typed below the lesson."""

    def own(a: str, b: str) -> str:
        for name, text in (("a", a), ("b", b)):
            field = reader.all(f"#own [name={name}]")[0]
            field.clear()
            field.send_keys(text)
        reader.driver.execute_script("document.getElementById('found').replaceChildren()")
        reader.press("Compare")
        reader.until(lambda: reader.all("#found .headline, #found .warning"), reason="no answer")
        return str(reader.all("#found")[0].text)

    assert "prefers A by" in own("The dogs bark.", "The dogs barks.")
    assert "both sentences are the same" in own("The dog's here.", "The dog’s here.")
    assert "never read ñ" in own("The dogs bark.", "The dogs ñark.")
    assert "Both may be fine" in own("The dogs bark.", "The dogs bark loudly at night.")
    assert "Both may be fine" not in own("The dogs bark.", "The dogs barks.")


def test_difficult_texts_stay_texts(opened):
    hostile = "</script><img src=x onerror=\"document.title='taken'\">"
    reader = opened(Lesson(hostile, (Step(pair=(f"{hostile} a", f"{hostile} b"), notice=hostile),), about=hostile))
    reader.all(".choice")[0].click()
    reader.press("Show the answer")
    assert hostile in answered(reader)
    assert reader.driver.title == hostile
    assert not reader.all("img")


def is_read_everywhere(reader: Visitor, axe: str) -> None:
    """By day and at night, on a phone too."""
    grounds = set()
    for theme, width in (("dark", 390), ("light", 1280)):
        reader.theme(theme)
        reader.width(width)
        script = "return document.scrollingElement.scrollWidth - window.innerWidth"
        assert reader.driver.execute_script(script) <= 0
        assert reader.violations(axe) == []
        grounds.add(reader.driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2
