"""The file that is taken home, as text: `tests/browser/test_take_home.py` opens it."""

import json
import re
from html import unescape

import pytest

import pairlens
from pairlens.cli import main
from pairlens.errors import ModelError
from pairlens.models import find
from pairlens.models.byte_pairs import byte_pairs
from pairlens.studies.lesson import Lesson, Step
from pairlens.studies.take_home import making
from pairlens.studies.take_home.making import MOST_BYTES, take_home
from tests.refusals import error_of

pytestmark = pytest.mark.model


@pytest.fixture(autouse=True)
def packed_once(once, monkeypatch):
    """The weights of a model are rounded once and written once."""

    def kept(function, key):
        def call(one):
            place = function.__name__, key(one)
            if place not in once:
                once[place] = function(one)
            return once[place]

        return call

    monkeypatch.setattr(making, "rounded", kept(making.rounded, lambda model: model.weights))
    monkeypatch.setattr(making, "packed", kept(making.packed, id))


ONE = (Step(pair=("The dogs bark.", "The dogs barks.")),)


def data(page):
    """What the page's program reads."""
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_the_page_asks_no_host_for_anything_and_texts_stay_texts():
    page = take_home(Lesson("L", ONE), "french-small")
    assert not re.search(r"https?:|src=|@import|url\(", page) and "default-src 'none'" in page
    assert len(page.encode()) < MOST_BYTES
    hostile = "</script><script>alert(1)</script>"
    step = Step(pair=(f"{hostile} A", "<!-- B"), notice=hostile, question=hostile)
    page = take_home(Lesson(hostile, (step,), about=f"<b>{hostile}"))
    assert page.count("</script>") == 3
    assert data(page)["lesson"]["steps"][0]["pair"] == [f"{hostile} A", "<!-- B"]
    assert hostile in unescape(re.search(r"<h1.*?</h1>", page)[0])


def test_where_the_better_sentence_is_always_the_first_they_change_places():
    pairs = [(f"Dog {n} barks.", f"Dog {n} bark.") for n in range(20)]
    lesson = Lesson("L", tuple(Step(pair=pair, expected="A") for pair in pairs))
    steps = data(take_home(lesson))["lesson"]["steps"]
    places = {step["expected"] for step in steps}
    assert places == {"A", "B"}
    assert [step["pair"]["AB".index(step["expected"])] for step in steps] == [good for good, _ in pairs]
    voted = data(take_home(lesson, votes=[{"A": 5, "B": 2}] * 20))["lesson"]["steps"]
    assert all(step["votes"] == {step["expected"]: 5, "AB".replace(step["expected"], ""): 2} for step in voted)


@pytest.mark.parametrize("name", ["bilingual-masked", "unigram-english", "english-seq2seq", "bilingual-entailment"])
def test_a_model_of_another_kind_is_refused(name):
    error_of(lambda: take_home(Lesson("L", ONE), name), ModelError)


@pytest.mark.parametrize("architecture", ["llama", "gpt2"])
def test_a_network_or_a_tokenizer_of_another_family_is_refused(tiny, architecture):
    folder = tiny(architecture)  # llama has a tokenizer of another kind
    assert "cannot be taken home" in error_of(lambda: take_home(Lesson("L", ONE), str(folder)), ModelError)


def test_likeliest_words_are_those_of_the_page_next_word_and_tokens_end_words_as_the_scorer_counts():
    pairs = byte_pairs(find("english-small"))
    ids = pairs.alone | {merge.replace(" ", ""): pairs.first + rank for rank, merge in enumerate(pairs.merges)}
    assert len(ids) == 10240
    assert [pairs.ends[ids[token]] for token in ("Ġthe", "the", ",", "'", "-")] == ["s", ".", "m", ".", "."]
    lesson = Lesson("L", (Step(prefix="She opened the "), Step(prefix="The keys", forms=("is", "are"))))
    free, forms = data(take_home(lesson))["lesson"]["steps"]
    wanted = pairlens.expected("She opened the", number=10)
    assert [word for word, _ in free["likeliest"]] == wanted["text"].tolist()
    assert [2**bits for _, bits in free["likeliest"]] == pytest.approx(wanted["probability"].tolist())
    assert (free["prefix"], free["joint"], "likeliest" in forms) == ("She opened the", " ", False)


def test_the_verb_writes_what_the_library_gives_and_not_over_a_lesson_nor_more_steps_than_fit(tmp_path, capsys):
    lesson, votes, output = tmp_path / "pairs.csv", tmp_path / "votes.csv", tmp_path / "out.html"
    lesson.write_text("good,bad\nThe dogs bark.,The dogs barks.\n")
    votes.write_text("step,choice,votes\n1,A,3\n1,B,4\n")
    assert main(["take-home", str(lesson), "--votes", str(votes), "--output", str(output)]) == 0
    assert "MB)" in capsys.readouterr().out
    assert output.read_text("utf-8") == pairlens.take_home(lesson, votes=votes)
    assert data(output.read_text("utf-8"))["lesson"]["steps"][0]["votes"] == {"A": 3, "B": 4}
    path = tmp_path / "lesson.html"
    path.write_text("x")
    assert main(["take-home", str(path), "--output", str(path)]) == 2
    assert "would be lost" in capsys.readouterr().err
    steps = tuple(Step(pair=("a" * 3000, "b" * 3000)) for _ in range(300))
    assert "take fewer steps" in error_of(lambda: take_home(Lesson("L", steps)))
    for name in ("out.txt", "out"):
        assert main(["take-home", str(tmp_path / "l.toml"), "--output", str(tmp_path / name)]) == 2
        assert ".html" in capsys.readouterr().err
