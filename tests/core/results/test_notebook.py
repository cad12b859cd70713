"""A result between two cells of a notebook: what was found, its chart, its first rows, nothing from elsewhere."""

import re

import pandas as pd
import pytest

import pairlens
from pairlens.errors import InputError

PAIR = ("The keys <b>&</b> the door are here.", "The keys <b>&</b> the door is here.")


@pytest.fixture
def found(unigram, home):
    return pairlens.compare(*PAIR, model=unigram)


@pytest.mark.slow
def test_it_says_what_was_found_in_any_colours_without_scripts_and_draws_its_first_figure(found, unigram, cli):
    html = found._repr_html_()
    (sentence,) = [found.sentences[model][0] for model in found.models]
    assert f'<strong><bdi dir="auto">{sentence}</bdi></strong>' in html
    assert "<svg" in html and found.provenance.signature in html
    assert "<script" not in html and "http" not in re.sub(r'xmlns(:\w+)?="[^"]+"', "", html)
    assert "<b>&</b>" not in html and "&lt;b&gt;&amp;&lt;/b&gt;" in html, "texts stay texts"
    assert "currentColor" in html
    _, out, _ = cli("compare", *PAIR, "--model", unigram)
    assert f"{found}\n" == out
    assert found.chart.to_dict()["layer"]
    object.__setattr__(found, "figures", ())
    with pytest.raises(InputError, match="no chart"):
        found.chart  # noqa: B018


@pytest.mark.slow
def test_a_run_shows_its_paradigms(unigram, home):
    run = pairlens.benchmark(model=unigram)
    html = run._repr_html_()
    assert repr(run).startswith("blimp-") and run.signature in html
    for paradigm in run.paradigms["group"]:
        assert paradigm in html and paradigm in str(run)
    assert run.chart.to_dict()


@pytest.mark.model
def test_what_comes_next_is_drawn_as_bars_and_computed_with_as_a_table(home):
    found = pairlens.expected("The keys to the <i>cabinet</i>", number=3)
    html = found._repr_html_()
    first = found.loc[0, "text"]
    assert html.startswith("<svg") and "<script" not in html and html.count("<tr") == 4
    assert found.finding.endswith(f"expects “{first}” most ({found.loc[0, 'probability']:.1%}).")
    assert found.chart.to_dict()["layer"] and "<i>" not in html
    assert type(found[found["rank"] > 1]) is type(found.copy()) is pd.DataFrame and len(found[found["rank"] > 1]) == 2
