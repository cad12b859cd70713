"""The page of one's own experiments in a real browser: score, mark by clicking, choose points, every tab."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY

TYPED = "# sg\nThe cat is red.\nThe cat are red.\n\n# pl\nThe cats are red.\nThe cats is red."


def link(**params: str) -> str:
    return "/minimal_pairs?" + urlencode({"model_name": TINY, **params})


def test_the_sample_is_scored_as_a_job_and_then_shown(visitor):
    visitor.open(link())
    visitor.press("Run")
    assert visitor.reads("of 48 pairs")
    visitor.settle()
    assert visitor.errors() == []
    assert len(visitor.all('[data-testid="stVegaLiteChart"]')) == 2 and visitor.overflow() <= 0


def test_words_are_marked_by_clicking_them(visitor):
    visitor.open(link(data="Type or paste", typed=TYPED))
    visitor.press("Words I mark")
    assert visitor.reads("until then the whole sentence counts")
    visitor.settle()
    for word in ("2 is", "2 are"):
        visitor.press(word)
        visitor.settle()
    assert visitor.reads("The region is")
    assert visitor.linked("marks=2%2F2")
    visitor.reload()
    assert visitor.reads("The region is"), "the link holds the marks"
    assert visitor.errors() == []


def test_every_tab_fits_every_screen_and_a_clicked_point_opens_in_compare(visitor):
    visitor.open(link(data="Type or paste", typed=TYPED))
    visitor.headline()
    for tab in ("Conditions", "Words", "All policies", "Left out", "Pairs"):
        visitor.tab(tab)
        assert (visitor.errors(), visitor.overflow() <= 0) == ([], True), tab
    visitor.phone()
    for theme in ("light", "dark"):
        visitor.theme(theme)
        visitor.settle()
        assert visitor.overflow() <= 0
    visitor.width(1280)
    visitor.settle()
    visitor.point('.mark-symbol path[aria-label*="Pair: "]')
    assert visitor.reads("The pairs you clicked")
    visitor.press("Open in Compare")
    assert visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("red.")


def test_a_bad_upload_is_one_sentence(visitor, tmp_path):
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("words,numbers\na,1\n")
    visitor.open(link(data="Upload"))
    visitor.give(wrong)
    (sentence,) = visitor.until(visitor.errors, reason="nothing was said about the file")
    assert "wrong.csv" in sentence
