"""The page of data: every shelf, getting and deleting, uploads and what is wrong with them, the linter's report."""

import hashlib
import importlib
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.data import chosen
from pages.components.shared import datasets
from pairlens.evaluation.zero_shot import sample
from pairlens.files import apart
from pairlens.files.datasets import catalogue, named, path_of
from pairlens.files.tables import _source
from pairlens.places import bundled
from pairlens.settings import settings
from pairlens.store import uploads
from pairlens.tasks import TASKS
from tests.on_page import box, downloads, errors, links, markup, open_tabs, uploaders, words

PUBLIC, FILES = "Public sets", "Your files"
SOUND = "sentence_good,sentence_bad\nThe cat is tired.,The cat are tired.\nTwo dogs are old.,Two dogs is old.\n"
TIES = """sentence_good,sentence_bad
The cat is tired.,The cat are tired.
A <b>dog</b> is *old*.,A <b>dog</b> is *old*.
"""
ENTRY = """
[{name}]
title = "{name} set"
about = "Pairs, for a test."
task = "pairs"
reads = "pairs.csv"
languages = ["en"]
items = "2 pairs"
licence = "{licence}"
terms = "Not for commercial use."
citation = "Somebody 2026, Pairs"
repository = "somebody/pairs"
commit = "{commit}"
"""
BROUGHT = """
[ewok]
title = "EWoK"
about = "Knowledge."
task = "ewok"
languages = ["en"]
items = "16 items"
licence = "CC-BY-4.0"
terms = "Keep its texts to yourself."
citation = "Ivanova et al. 2024"
address = "https://example.org/ewok"
bring = "Agree to its terms there."
"""


@pytest.fixture
def visit(visit_page):
    """`visit(shelf=..., set=...)`: the page as opened by a link with these parameters."""
    return partial(visit_page, "data", model_name=[])


@pytest.fixture
def public(tmp_path, monkeypatch):
    """A catalogue of three sets: `free` and `asks` (no licence) in the mirror folder, `ewok` to be brought."""
    module = importlib.import_module("pairlens.files.datasets")
    tables, mirror = tmp_path / "tables", tmp_path / "mirror"
    tables.mkdir()
    text = BROUGHT
    for name, licence in (("free", "CC-BY-NC-4.0"), ("asks", "not stated")):
        (mirror / name).mkdir(parents=True)
        (mirror / name / "pairs.csv").write_text(SOUND)
        digest = hashlib.sha256(SOUND.encode()).hexdigest()
        (tables / f"{name}.csv").write_text(f"path,bytes,sha256\npairs.csv,{len(SOUND)},{digest}\n")
        text = ENTRY.format(name=name, licence=licence, commit="a" * 40) + text
    (tmp_path / "datasets.toml").write_text(text)
    monkeypatch.setattr(module, "CATALOGUE", tmp_path / "datasets.toml")
    monkeypatch.setattr(module, "FILES", tables)
    monkeypatch.setenv("PAIRLENS_MIRROR", str(mirror))
    settings.cache_clear()
    catalogue.cache_clear()
    yield mirror
    catalogue.cache_clear()


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label.startswith(label)).click().run()


def buttons(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def give(page: AppTest, *files: tuple[str, str]) -> AppTest:
    content = [(name, text.encode(), "text/plain") for name, text in files]
    return uploaders(page)[0].set_value(content).run()


def test_on_arrival_a_sample_is_looked_at(visit):
    page = visit()
    assert "<strong>BLiMP</strong> · 100 pairs" in words(page)
    assert 'class="pl-headline"' in words(page) and not errors(page)
    assert "zero_shot?task=blimp" in links(page)["Run it in Benchmarks"]
    page = visit(set="attraction")
    assert "minimal_pairs?data=Our+samples&sample=attraction" in links(page)["Open in Your experiment"]
    assert "48 pairs" in words(page) and not errors(page)
    page = visit(set="blmp")
    assert len(errors(page)) == 1 and "Did you mean 'blimp'?" in errors(page)[0]
    assert "100 pairs" in words(page), "the usual one is shown instead"


def test_every_sample_is_listed_and_those_of_each_form_are_shown_as_sound(visit):
    """That all of them are clean is tested where they are checked."""
    for name in ("blimp", "nli", "reading", "syntaxgym"):
        with open_tabs("Items", "By group"):
            page = visit(set=name)
        assert not errors(page) and "1 error" not in words(page), name
        assert set(page.dataframe[0].value["title"]) >= {task.title for task in TASKS.values()}


def test_the_catalogue_says_what_is_where(visit, public):
    page = visit(shelf=PUBLIC)
    assert list(page.dataframe[0].value["here"]) == ["in the mirror", "in the mirror", "bring your own"]
    assert "0 of 3 are on this machine." in words(page) and "Pairlens is offline" in words(page)
    assert str(public) in words(page)


def test_a_set_is_got_looked_at_and_deleted(visit, public):
    page = press(visit(shelf=PUBLIC, set="free"), "Get (0.1 MB)")
    assert path_of(named("free")) and not errors(page)
    assert "2 pairs" in words(page) and "No problems found" in words(page)
    assert "zero_shot?task=pairs&data=free+set" in links(page)["Run it in Benchmarks"]
    assert not [label for label in buttons(page) if label.startswith("Get")]
    page = press(page, "Delete it here")
    assert path_of(named("free")) is None and "Get (0.1 MB)" in buttons(page)


def test_a_set_without_a_licence_is_got_by_those_who_have_a_right_to_it(visit, public):
    page = visit(shelf=PUBLIC, set="asks")
    assert next(button for button in page.button if button.label.startswith("Get")).disabled
    press(page.checkbox[0].check().run(), "Get")
    assert path_of(named("asks"))


def test_a_set_that_must_be_brought_says_how_and_shows_no_text(visit, public, home):
    page = visit(shelf=PUBLIC, set="ewok")
    assert "Agree to its terms there." in words(page) and "Get" not in "".join(buttons(page))
    folder = home / "datasets" / "ewok"
    folder.mkdir(parents=True)
    for file in sample(TASKS["ewok"]).iterdir():
        line = file.read_text().splitlines()[0] + "\n"
        (folder / file.name).write_text(line * 2)  # duplicates are found, and told without their texts
    with open_tabs("Problems found", "Items", "By group"):
        page = visit(shelf=PUBLIC, set="ewok")
    candidates = [one for item in TASKS["ewok"].read(folder) for one in item.candidates]
    texts = {text.strip() for one in candidates for text in (one.context, one.text)}
    seen = words(page) + "".join(frame.value.to_csv() for frame in page.dataframe)
    assert not errors(page) and not [text for text in texts if text in seen]
    assert "Open in Compare" not in links(page) and "Duplicate items: 4." in seen


def test_an_upload_is_read_and_looked_at(visit):
    page = give(visit(shelf=FILES), ("mine.csv", TIES))
    text = markup(page)
    assert "<strong>mine.csv</strong> · 2 pairs" in text and not errors(page)
    assert "1 of 2 pairs is identical and can only tie (row 3)." in words(page)
    assert "&lt;b&gt;dog&lt;/b&gt;" in text and "<b>dog" not in text, "nothing of a visitor's is markup"
    assert "a=A+%3Cb%3Edog%3C%2Fb%3E+is+%2Aold%2A." in links(page)["Open in Compare"]
    assert "task=pairs&data=Upload&file=" in links(page)["Run it in Benchmarks"]
    assert "minimal_pairs?data=Upload&upload=" in links(page)["Open in Your experiment"]
    assert [one.name for one in uploads.kept()] == ["mine.csv"]


def test_an_upload_stays_until_it_is_deleted(visit):
    kept = uploads.keep([("mine.csv", SOUND.encode())])
    uploads.keep([("other.csv", TIES.encode())])
    page = visit(shelf=FILES, set=kept.relative_to(settings().uploads).as_posix())
    assert set(page.dataframe[0].value["name"]) == {"mine.csv", "other.csv"}
    assert "<strong>mine.csv</strong>" in words(page)
    page = press(page, "Delete the files")
    assert not kept.exists() and list(page.dataframe[0].value["name"]) == ["other.csv"]
    assert "<strong>other.csv</strong>" in words(page) and not errors(page)
    page = press(page, "Delete the files")
    assert "No files yet." in words(page)


def test_what_reads_a_file_can_be_corrected(visit):
    kept = uploads.keep([("mine.csv", SOUND.encode())])
    page = visit(shelf=FILES)
    read_as = box(page, "Format")
    assert read_as.value == "pairs"
    page = read_as.set_value("Your experiment").run()
    name = f"upload={kept.parent.name}%2Fmine.csv"
    assert name in links(page)["Open in Your experiment"] and "2 pairs" in words(page)
    page = box(page, "Format").set_value("crows_pairs").run()
    assert len(errors(page)) == 1 and "mine.csv" in errors(page)[0]


def test_sentences_without_partners_are_looked_at(visit):
    page = visit(shelf=FILES)
    with open_tabs("Items"):
        give(page, ("alone.csv", "sentence,condition\nThe cat is old.,a\nThe cat is  odd.,b\n"))
    assert "<strong>alone.csv</strong> · 2 sentences" in words(page) and "in 2 sentences." in words(page)
    assert "there are no pairs" in words(page) and not errors(page)


def test_a_finding_about_a_sentence_opens_its_pair(visit):
    """Sentences and pairs are both numbered: the finding about sentence 3 is not about pair 3."""
    rows = [
        ("1", "3", "expected", "The cat is old.", "2"),
        ("2", "3", "unexpected", "The cat are old.", "2"),
        ("3", "1", "expected", "The dogs are old.", "9"),
        ("4", "1", "unexpected", "The dogs is old.", "9"),
    ]
    table = pd.DataFrame(rows, columns=["sentid", "pairid", "comparison", "sentence", "ROI"])
    page = give(visit(shelf=FILES), ("design.tsv", table.to_csv(sep="\t", index=False)))
    assert list(page.dataframe[1].value["item"]) == ["3", "4"]
    assert links(page)["Open in Compare"].startswith("compare?a=The+dogs+are+old.&b=The+dogs+is+old.")


@pytest.mark.parametrize(
    ("file", "kind", "opened", "there"),
    [
        (
            "stereoset_predictions/english-small_GPT2LM_GPT2LM_d_en.json",
            "StereoSet",
            "stereoset",
            "english-small_GPT2LM",
        ),
        ("nli/sick_answers.jsonl", "premise and hypothesis", "nli", "sick_answers"),
    ],
)
def test_answers_of_a_model_are_named_for_what_they_are_and_read_by_their_page(
    visit, visit_page, file, kind, opened, there
):
    path = bundled("samples", file)
    page = give(visit(shelf=FILES), (path.name, path.read_text()))
    assert f"<strong>{path.name}</strong> holds a model's" in words(page) and kind in words(page)
    assert "No format fits." not in words(page) and not errors(page)
    link = next(link for link in links(page).values() if link.startswith(f"{opened}?"))
    page = visit_page(opened, **parse_qs(link.partition("?")[2]))
    assert there in words(page) and not errors(page)


def test_a_file_that_no_format_fits_is_one_sentence(visit):
    for name, content in (("x.jsonl", "{}\n"), ("x.csv", "a;b\n1;2\n"), ("x.xlsx", "no workbook"), ("x.pdf", "%PDF")):
        page = give(visit(shelf=FILES), (name, content))
        assert "No format fits." in words(page) and not errors(page), name
        box(page, "Format").set_value("blimp").run()
        assert len(errors(page)) == 1 and name in errors(page)[0]
    n = len(uploads.kept())
    page = give(visit(shelf=FILES), ("empty.csv", ""))
    assert len(errors(page)) == 1 and "the file is empty" in errors(page)[0]
    assert len(uploads.kept()) == n


def test_a_large_set_is_looked_at_when_asked(visit, monkeypatch):
    monkeypatch.setattr(chosen, "_AT_ONCE", 1)
    uploads.keep([("mine.csv", TIES.encode())])
    page = visit(shelf=FILES)
    assert "identical" not in words(page)
    page = press(page, "Check 2 pairs (about 1 s)")
    assert "1 of 2 pairs is identical" in words(page)
    assert "1 of 2 pairs is identical" in words(page.run()), "it stays"


@pytest.fixture
def all_is_large(monkeypatch):
    """Every file is read in a process of its own."""
    monkeypatch.setattr(_source, "_LARGE_LINES", 1)
    yield monkeypatch
    monkeypatch.undo()
    settings.cache_clear()


def test_a_large_file_is_read_in_another_process(visit, all_is_large):
    def never(*_: object, **__: object) -> None:
        raise AssertionError("read here")

    uploads.keep([("mine.csv", TIES.encode())])
    for name in ("read_items", "lint_reading"):
        all_is_large.setattr(chosen, name, never)
    page = visit(shelf=FILES)
    page = box(page, "Format").set_value("pairs").run()
    assert "<strong>mine.csv</strong> · 2 pairs" in words(page) and not errors(page)
    page = press(page, "Check 2 pairs")
    assert "1 of 2 pairs is identical" in words(page) and "Cancel" not in buttons(page)
    assert "1 of 2 pairs is identical" in words(page.run()), "it stays"


def test_a_file_that_takes_too_long_is_one_sentence_and_can_be_deleted(visit, all_is_large):
    all_is_large.setenv("PAIRLENS_READING_SECONDS", "0.01")
    settings.cache_clear()
    uploads.keep([("mine.csv", TIES.encode())])
    page = visit(shelf=FILES)
    (said,) = errors(page)
    assert "mine.csv: takes longer than 0.01 s, the limit (reading_seconds)." in said
    press(page, "Delete the files")
    assert not uploads.kept()


def test_a_file_that_nothing_reads_is_one_sentence_and_can_be_deleted(visit, unreadable):
    unreadable("garbage.parquet")
    page = give(visit(shelf=FILES), ("garbage.parquet", "PAR1\0nothing\n"))
    assert not errors(page) and "No format fits." in words(page)
    for reader in ("blimp", "stereoset", "Your experiment"):
        box(page, "Format").select(reader).run()
        assert len(errors(page)) == 1, reader
    press(visit(shelf=FILES), "Delete the files")  # on a later visit
    assert not uploads.kept()


def test_what_a_visitor_stopped_is_not_begun_again(visit, monkeypatch):
    path = uploads.keep([("mine.csv", TIES.encode())])
    page = visit(shelf=PUBLIC)
    monkeypatch.setattr(_source, "_LARGE_LINES", 1)
    page.session_state[f"stopped_{path}"] = True
    monkeypatch.setattr(apart, "read", None)  # no process is started
    page = next(one for one in page.segmented_control if one.label == "Data").set_value(FILES).run()
    assert "reading was stopped. To read it after all, reload the page." in words(page)
    assert "Delete the files" in buttons(page)


def test_tokens_of_a_model_are_counted(visit, unigram):
    uploads.keep([("mine.csv", b"good,bad\nThe cat is tired.,The cat is so tired.\n")])
    page = visit(shelf=FILES)
    assert "tokens" not in words(page)
    page = box(page, "Also check with the tokens of").set_value(unigram).run()
    assert "1 of 1 pair has texts with different numbers of tokens" in words(page)


def test_findings_can_be_taken_away(visit, monkeypatch):
    made: dict[str, bytes] = {}

    def download(_: str, data: Callable[[], bytes | str], file_name: str, *__: object, **___: object) -> None:
        made[file_name] = data()

    monkeypatch.setattr(st, "download_button", download)
    uploads.keep([("mine.csv", TIES.encode())])
    downloads(visit(shelf=FILES))
    assert set(made) == {f"mine-findings.{ending}" for ending in ("csv", "json", "xlsx", "tex")}
    assert b"identical_texts,error" in made["mine-findings.csv"]


def test_the_bar_is_drawn_from_bytes(monkeypatch):
    drawn: list[tuple[float, str]] = []

    class Bar:
        def progress(self, value: float, text: str) -> None:
            drawn.append((value, text))

    times = iter([1.0, 3.0, 3.05, 5.0])
    monkeypatch.setattr(datasets.time, "monotonic", lambda: next(times))
    bar = datasets._Bar(Bar())  # type: ignore[arg-type]
    for done in (1_000_000, 2_000_000, 2_500_000, 3_000_000):
        bar(done, 5_000_000)
    assert drawn == [
        (0.2, "1.0 of 5.0 MB"),
        (0.4, "2.0 of 5.0 MB · about 6 s left"),
        (0.6, "3.0 of 5.0 MB · about 4 s left"),
    ], "a million bytes were there before; not every step is drawn"


def test_a_table_with_unknown_columns_asks_which_hold_the_pairs(visit):
    page = give(visit(shelf=FILES), ("mine.csv", "ok,not ok\nThe cat is tired.,The cat are tired.\n"))
    assert "Which columns hold the good and the bad texts?" in words(page) and not errors(page)
    box(page, "Good").set_value("ok")
    box(page, "Bad").set_value("not ok").run()
    assert "1 pair" in words(page) and "No problems found" in words(page) and not errors(page)
    page = page.switch_page("pages/results.py").run().switch_page("pages/data.py").run()
    assert "No problems found" in words(page), "the columns are there again"


def test_the_chosen_set_its_tab_and_format_are_there_again(visit):
    uploads.keep([("mine.csv", SOUND.encode())])
    page = visit(shelf=FILES)
    page = box(page, "Format").set_value("Your experiment").run()
    page = page.switch_page("pages/results.py").run().switch_page("pages/data.py").run()
    assert box(page, "Format").value == "Your experiment"
    assert page.query_params["reader"] in ("Your experiment", ["Your experiment"]), "for a reload"
    page = visit(set="agreement")
    page = page.switch_page("pages/results.py").run().switch_page("pages/data.py").run()
    assert "64 items" in words(page)
