"""The page of one's own experiments: on arrival, filled, with everything that can be wrong with what is given."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Tab

from pages.components.results.stored_run import page_of
from pages.components.shared.sentences import MADE, TYPED, UPLOAD, samples
from pairlens.analysis.experiment import NLPSCHOLAR
from pairlens.files.exports import written
from pairlens.settings import settings
from pairlens.store import Store
from tests.on_page import box, downloads, errors, of_tab, open_tabs, press, uploaders, wait_for_jobs, words

LASTING = True
PAGE = "minimal_pairs"
HEADLINE = 'class="pl-headline"'
TWO = "The cat is tired.\nThe cat are tired.\n\nThe horses are tired.\nThe horses is tired."
ROWS = [
    (str(2 * pair + place), str(pair), side, number, sentence, "2")
    for pair, (number, sentences) in enumerate(
        [
            ("sg", ("The cat is tired.", "The cat are tired.")),
            ("sg", ("The horse is tired.", "The horse are tired.")),
            ("pl", ("The horses are tired.", "The horses is tired.")),
            ("pl", ("The cats are tired.", "The cats is tired.")),
        ]
    )
    for place, (side, sentence) in enumerate(zip(("expected", "unexpected"), sentences, strict=True))
]
TABLE = pd.DataFrame(ROWS, columns=["sentid", "pairid", "comparison", "num", "sentence", "ROI"])


def table(page: AppTest | Tab, column: str) -> pd.DataFrame:
    """The last table on the page, or in one of its tabs, that has this column: the first is that of the columns."""
    return [one.value for one in page.dataframe if column in one.value][-1]


def upload(page: AppTest, table: pd.DataFrame | bytes, name: str = "x.csv") -> AppTest:
    content = table if isinstance(table, bytes) else written(table, Path(name).suffix)
    return uploaders(page)[0].set_value((name, content, "text/plain")).run()


def widget(page: AppTest, kind: str, label: str):
    return next(one for one in page.get(kind) if one.label == label)


def test_a_sample_is_shown_on_arrival_with_what_scoring_would_take(visit):
    page = visit()
    assert "96 sentences in 48 pairs of 24 items" in words(page)
    assert "<strong>96 sentences</strong> to be scored, about" in words(page)
    assert not errors(page)
    for name in [*samples()][1:]:
        page = visit(sample=name)
        assert "96 sentences" in words(page) and not errors(page), name


def test_a_model_of_another_language_is_named_beside_the_answer(visit):
    accord = "Accord du verbe (French)"
    page = visit(data=MADE, n="4", template_of=accord, model_name="unigram-english")
    assert HEADLINE not in words(page), "the reason stands in the verdict's place"
    assert words(page).count("unigram-english has read no French") == 1
    assert "has read no text" not in words(visit(data=MADE, n="4", model_name="unigram-english"))


def test_a_few_typed_sentences_are_scored_while_one_waits(visit, unigram):
    page = visit(data=TYPED, typed=TWO, model_name=[unigram, "unigram-english"])
    assert words(page).count(HEADLINE) == 2, "several models stand side by side"
    assert box(page, "Shown word by word").options == [unigram, "unigram-english"]
    page = visit(data=TYPED, typed=TWO)
    assert "Prefers the expected sentence in 1 of 2 pairs, by the whole sentence: 50 %" in words(page)
    tabs = ["Pairs", "Conditions", "Words", "All policies", "Fragile pairs", "Left out"]
    assert [tab.label for tab in page.tabs] == tabs and not errors(page)
    page.text_area[0].set_value("The cat is tired.\nThe cat are tired.").run()
    assert "Prefers the expected sentence, by the whole sentence." in words(page)
    assert "there is no interval" in words(page)
    page.text_area[0].set_value("The cat is red.\nThe cat is red.").run()
    assert "The two sentences of every pair are identical" in words(page) and HEADLINE not in words(page)
    page.text_area[0].set_value("").run()
    assert len(errors(page)) == 1 and "type one sentence per line" in errors(page)[0]


def test_pairs_are_predicted_before_anything_is_told(visit):
    page = visit(data=TYPED, typed=TWO, reveal="0")
    assert HEADLINE not in words(page) and "should win" not in words(page)
    pressed = [one for one in page.button if (one.key or "").startswith("better_A")]
    assert len(pressed) == 2
    right = pressed[0].label.endswith(("The cat is tired\\.", "The horses are tired\\."))
    page = pressed[0].click().run()
    press(page, "Show the answers")
    assert HEADLINE in words(page)
    assert f"You chose the expected sentence in {int(right)} of 1 pair; " in words(page)
    own = table(page, "you")
    assert list(own.columns) == ["expected", "unexpected", "you", "tiny-unigram"]
    assert own["you"].tolist() == ["expected" if right else "unexpected"]


def test_an_upload_is_analysed_by_condition(visit):
    page = visit(data=UPLOAD)
    with open_tabs("Pairs", "Conditions", "Words"):
        upload(page, TABLE)
    assert "conditions = num. Read as UTF-8 with commas between columns." in words(page)
    assert "Prefers the expected sentence in 2 of 4 pairs" in words(page)
    assert "No item has a sentence in each" in words(page)
    rows = table(page, "Expected wins")
    assert dict(zip(rows["num"], rows["Expected wins"], strict=True)) == {"sg": 1.0, "pl": 0.0}
    assert len(table(page, "word_mod")) == 8 * 4
    assert all("Difference (bits)" in of_tab(page, tab).dataframe[0].value for tab in ("Pairs", "Conditions"))
    page.session_state["tab"] = "Conditions"
    before = len(page.run().get("vega_lite_chart"))
    box(page, "A chart for each").set_value(["num"]).run()
    assert len(page.get("vega_lite_chart")) == before + 1 and page.query_params["facets"] == "num"
    widget(page, "text_input", "A contrast of your own").set_value("sg - -").run()
    assert len(errors(page)) == 1
    upload(page, TABLE, "x.xlsx")
    assert "Prefers the expected sentence in 2 of 4 pairs" in words(page)


def test_a_new_analysis_scores_nothing_again(visit, monkeypatch):
    page = upload(visit(data=UPLOAD), TABLE)
    from pairlens.studies.experiment import words as of_scores

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was scored, or looked up, again")

    monkeypatch.setattr("pages.components.minimal_pairs.show_experiment.evaluate", refuse)
    monkeypatch.setattr("pages.components.minimal_pairs.show_experiment.missing", refuse)
    box(page, "Measure").set_value("prob").run()
    assert "The mean probability of the region is" in words(page)
    monkeypatch.setattr(of_scores, "scores_of", refuse)
    box(page, "Value of a region").set_value("sum")
    widget(page, "number_input", "Regions after it").set_value(1).run()
    assert HEADLINE in words(page) and not errors(page)


def test_choices_are_in_the_link_and_come_back(visit):
    page = visit(data=TYPED, typed=TWO, analysis="measure:perplexity,spill:2,word_summary:mean")
    assert "The mean perplexity of a whole sentence is" in words(page)
    assert page.query_params["analysis"] == "measure:perplexity,spill:2,word_summary:mean"
    press(page, "As NLPScholar does it")
    assert dict(part.split(":") for part in page.query_params["analysis"].split(","))["fold"] == NLPSCHOLAR.fold
    assert not errors(page)
    assert "surprising" in words(visit(data=TYPED, typed=TWO, analysis="measure:x,spill:many,:"))


def test_words_are_marked_by_clicking_them_and_the_mark_can_be_undone(visit):
    page = upload(visit(data=UPLOAD), TABLE)
    by_table = words(page)
    control = widget(page, "button_group", "Region of interest")
    control.set_value("words").run()
    assert "until then the whole sentence counts" in words(page)
    rows = [one for one in page.get("button_group") if one.label.startswith("Click the words")]
    assert [len(one.options) for one in rows] == [4, 4]
    rows[0].set_value([3]).run()
    assert words(page).count("tired.</mark>") == 8, "the other row follows until it has marks of its own"
    rows = [one for one in page.get("button_group") if one.label.startswith("Click the words")]
    rows[1].set_value([3]).run()
    assert page.query_params["marks"] == "3/3"
    assert "<mark> tired.</mark>" in words(page) or "<mark>tired.</mark>" in words(page)
    assert "Undo: choose 'In the table'" in words(page)
    widget(page, "button_group", "Region of interest").set_value("column").run()
    assert next(line for line in by_table.splitlines() if HEADLINE in line) in words(page)


def test_words_that_are_named_are_the_region_wherever_they_stand(visit):
    typed = "Yes, the cat is tired.\nThe cat are tired."
    page = visit(data=TYPED, typed=typed, region="named", region_words="is / are", tab="Left out")
    assert "Prefers" in words(page) and "by the region" in words(page)
    assert "is</mark>" in words(page) and "are</mark>" in words(page)
    field = "Words that are the region, wherever they stand"
    widget(page, "text_input", field).set_value("cat / was").run()
    assert "cat</mark>" in words(page)
    widget(page, "text_input", field).set_value("is").run()
    assert table(page, "Reason")["Reason"].tolist()[0] == "none of the words 'is' stands in it once"
    widget(page, "text_input", field).set_value(" ").run()
    assert "until then the whole sentence counts" in words(page) and not errors(page)


def test_each_model_has_a_chart_of_its_own_if_that_is_asked(visit, unigram):
    page = upload(visit(data=UPLOAD, model_name=[unigram, "unigram-english"]), TABLE)
    before = len(page.get("vega_lite_chart"))
    box(page, "A chart for each").set_value(["model"]).run()
    assert len(page.get("vega_lite_chart")) == before + 1 and page.query_params["facets"] == "model"
    assert f"model: {unigram}" in words(page) and "model: unigram-english" in words(page) and not errors(page)


def test_bars_in_typed_text_are_regions(visit):
    page = visit(
        data=TYPED, typed="The cat | is tired. | Yes.\nThe cat | are tired. | Yes.", region="bars", marks="1/1"
    )
    assert "<mark>is tired.</mark>" in words(page).replace("> is", ">is")
    assert "The region is" in words(page)


def test_sentences_without_pairs_still_have_their_surprisal_and_nothing_to_predict(visit):
    page = upload(visit(data=UPLOAD, reveal="0"), TABLE[["sentid", "sentence"]])
    assert "The table has no pairs" in words(page)
    press(page, "Show the answer")
    assert "Nothing is compared: the table has no pairs." in words(page)
    assert [tab.label for tab in page.tabs] == ["Conditions", "Words", "Left out"]
    assert page.get("vega_lite_chart") and not errors(page)


def test_a_table_of_other_names_is_corrected_by_hand(visit):
    renamed = TABLE.rename(columns={"sentence": "zin", "comparison": "typ", "ROI": "stelle"})
    renamed["typ"] = renamed["typ"].map({"expected": "gut", "unexpected": "schlecht"})
    page = upload(visit(data=UPLOAD), renamed)
    assert len(errors(page)) == 1
    box(page, "Sentence").set_value("zin").run()
    box(page, "Comparison: which of two should win").set_value("typ").run()
    assert "Prefers ‘gut’ in 2 of 4 pairs" in words(page)
    assert "‘gut’ should win. A negative difference means: ‘gut’ is less surprising than" in words(page)
    widget(page, "button", "Swap sides").click().run()
    assert "‘schlecht’ should win." in words(page) and "Prefers ‘schlecht’ in 2 of 4 pairs" in words(page)
    assert page.query_params["role_expected"] == "schlecht"
    assert page.query_params["role_sentence"] == "zin"


def test_two_columns_of_other_names_are_corrected_by_hand(visit):
    wide = pd.DataFrame(
        {"gut": ["The cat is tired.", "The dogs are red."], "schlecht": ["The cat are tired.", "It."]}
    )
    page = upload(visit(data=UPLOAD), wide)
    assert "say which column holds the sentences, or which two. Found gut, schlecht" in errors(page)[0]
    box(page, "Should win").set_value("gut")
    box(page, "Should lose").set_value("schlecht").run()
    assert "4 sentences in 2 pairs." in words(page) and not errors(page)
    again = visit(
        **{name: page.query_params[name] for name in ("data", "upload", "role_expected", "role_unexpected")}
    )
    assert "4 sentences in 2 pairs." in words(again)
    widget(again, "toggle", "Each pair has two rows").set_value(True).run()
    assert "role_expected" not in again.query_params
    box(again, "Sentence").set_value("gut").run()
    assert "Nothing is compared" in words(again) or "2 sentences" in words(again)


LONG = "The old woman who lived in the house near the river with her young son"


def test_characters_that_a_model_has_never_read_are_named(visit):
    warned = "has never read \u2068ж\u2069: what it makes of words with them says little."
    model = {"data": TYPED, "model_name": "english-small"}
    assert f"english-small {warned}" in words(visit(typed=f"{LONG} is ж red.\n{LONG} are ж red.", **model))
    assert "english-small has hardly read such words (жat" in words(visit(typed="The жat is.\nThe жat are.", **model))
    assert "has never read" not in words(visit(typed=TWO, **model))


def test_what_is_left_out_is_listed_with_its_row(visit):
    page = visit(data=UPLOAD)
    with open_tabs("Left out"):
        upload(page, pd.concat([TABLE.head(7), TABLE.tail(1).assign(sentence="")]))
    assert [one.proto.popover.label for one in page.get("popover")].count("2 rows left out") == 1
    assert "2 rows of the table, and what follows" in words(page)
    listed = table(page, "Reason")
    assert 8 in set(listed["Row"]) and listed["Reason"].astype(bool).all()


def test_a_bad_upload_is_one_sentence(visit):
    page = visit(data=UPLOAD)
    for content, name, sentence in (
        (b"no workbook", "x.xlsx", "x.xlsx"),
        (b"sentid,sentence,pairid,comparison\n1,A.,1,yes\n2,B.,1,yes\n", "x.csv", "expected"),
        (b"sentid,sentence\n1,\n", "x.csv", "no sentence can be used"),
    ):
        upload(page, content, name)
        assert len(errors(page)) == 1 and sentence in errors(page)[0], (content, words(page))
        assert HEADLINE not in words(page)


def test_thirty_six_columns_are_shown_without_thirty_six_conditions(visit):
    wide = TABLE.assign(**{f"column_{n}": f"{n}a" for n in range(15)})
    wide = wide.assign(**{f"factor_{n}": (["a"] * 4 + ["b"] * 4) for n in range(15)})
    page = upload(visit(data=UPLOAD), wide)
    assert "Prefers the expected sentence in 2 of 4 pairs" in words(page) and not errors(page)


def test_text_from_right_to_left_and_of_great_length(visit):
    long = " ".join(["the"] * 120)
    page = visit(data=TYPED, typed=f"הילדים ישנים\nהילדים ישן\n{long} cat is.\n{long} cat are.")
    assert "Prefers the expected sentence" in words(page) and not errors(page)
    assert [slider.label for slider in page.slider] == ["24 of 122 positions are drawn, from"]


def test_hostile_text_stays_text(visit):
    page = visit(data=TYPED, typed="*a* <script>x</script> $y$\n*a* <script>z</script> $y$", region="words")
    rows = [one for one in page.get("button_group") if one.label.startswith("Click the words")]
    assert rows[0].options[0] == r"0 \*a\*"
    raw = "\n".join(element.proto.body for element in page.get("html"))
    assert "<script>x" not in raw and "<script>z" not in raw


def test_a_link_to_an_upload_opens_it_and_nothing_else(visit):
    page = upload(visit(data=UPLOAD), TABLE)
    linked = page.query_params["upload"]
    again = visit(data=UPLOAD, upload=linked)
    assert HEADLINE in words(again) and not errors(again)
    (settings().home / "secret.csv").write_text("sentence\nno\n")
    for other in ("../secret.csv", "/etc/passwd", "0123456789abcdef/x.csv", "\0"):
        refused = visit(data=UPLOAD, upload=other)
        assert len(errors(refused)) == 1 and "is not on this machine" in errors(refused)[0]


def test_items_are_made_from_a_template_and_a_wrong_one_is_one_sentence(visit):
    page = visit(data=MADE, n="8")
    assert "16 sentences in 8 pairs of 8 items" in words(page) and HEADLINE in words(page)
    page.text_area[0].set_value("The {nonsense:sg} {verb:sg|verb:pl}.").run()
    assert len(errors(page)) == 1 and "nonsense" in errors(page)[0]


def test_many_sentences_are_a_job_whose_scores_are_shown_when_it_ends(visit):
    many = pd.concat([TABLE.assign(sentid=TABLE["sentid"] + f"_{n}", pairid=TABLE["pairid"] + f"_{n}",
                                   sentence=TABLE["sentence"] + f" {n}") for n in range(12)])  # fmt: skip
    uploaded = upload(visit(data=UPLOAD), many)
    box(uploaded, "Between columns").set_value("comma").run()
    typed = visit(data=TYPED, typed="\n".join(f"The cat is {n}.\nThe cat are {n}.\n" for n in range(48)))
    for page in (uploaded, typed):
        press(page, "Run")
    wait_for_jobs()
    for page in (uploaded, typed):
        assert "of 48 pairs" in words(page.run()) and not errors(page)


def test_an_experiment_is_saved_to_results(visit):
    page = upload(visit(data=UPLOAD), TABLE.assign(sentence=TABLE["sentence"].str.replace("cat", "dog")))
    widget(page, "text_input", "Title").set_value("My experiment")
    press(page, "Save")
    assert "Saved to Results as pairs-" in words(page)
    (manifest,) = Store().runs().query("title == 'My experiment'")["manifest"]
    link = json.loads(manifest)["link"]
    assert "reveal" not in link and "model_name=" in link
    assert f"upload={page.query_params['upload'][0]}" in link.replace("%2F", "/")
    assert any("run=pairs-" in one.proto.query_string for one in page.get("page_link"))
    (run,) = Store().runs().query("title == 'My experiment'")["run_id"]
    assert len(Store().candidates(run)) == 8


def test_what_was_saved_opens_again_with_the_same_headlines(visit, unigram):
    page = upload(visit(data=UPLOAD, model_name=[unigram, "unigram-english"], region="whole"), TABLE)
    box(page, "Value of a region").set_value("sum")
    box(page, "A chart for each").set_value(["num"])
    widget(page, "text_input", "Title").set_value("Two models").run()
    press(page, "Save")
    runs = Store().runs().query("title == 'Two models'")["run_id"]
    (where, link), other = map(page_of, runs)
    assert where == "pages/minimal_pairs.py" and other == (where, link)
    again = visit(**link)
    assert heads(again) == heads(page) and len(heads(page)) == 2
    assert again.query_params["facets"] == "num"


def heads(page: AppTest) -> list[str]:
    return [line for line in words(page).splitlines() if HEADLINE in line]


def test_every_model_is_saved_and_named_in_the_receipt(visit, unigram):
    page = upload(visit(data=UPLOAD, model_name=[unigram, "unigram-english"]), TABLE)
    assert "2 runs of whole sentences as pairs" in words(page)
    press(page, "Save")
    assert {*Store().runs()["model"]} >= {unigram, "unigram-english"}
    press(page, "How this number was made")
    methods = next(code.value for code in page.code if "were computed with" in code.value)
    assert "likewise with" in methods and "of 4 items scored" in methods and "Holm's correction" in methods
    assert methods.count("task:experiment") == 2 and not errors(page)


def test_a_doubtful_encoding_stops_until_it_is_chosen(visit):
    content = "sentence;pairid;comparison\nThe naïve girl is.;1;expected\nThe naïve girl are.;1;unexpected\n"
    page = upload(visit(data=UPLOAD), content.encode("cp1252"))
    assert "its encoding is in doubt" in errors(page)[0] and "naďve" in errors(page)[0]
    box(page, "Characters").set_value("Windows-1252 (western Europe)").run()
    assert HEADLINE in words(page) and "naïve" in words(page) and not errors(page)


def test_every_download_can_be_made(visit, monkeypatch):
    made: dict[str, bytes] = {}

    def download(_: str, data: Callable[[], bytes | str] | bytes, file_name: str, *__: object, **___: object) -> None:
        if file_name not in made:
            content = data() if callable(data) else data
            made[file_name] = content.encode() if isinstance(content, str) else content

    page = upload(visit(data=UPLOAD), TABLE)
    assert {"Excel", "Workbook of all tables"} <= {*downloads(page)}, "under names of their own"
    monkeypatch.setattr(st, "download_button", download)
    page.run()
    (stem,) = (name.removesuffix(".html") for name in made if name.endswith(".html"))
    assert re.fullmatch(r"minimal-pair-x-tiny-unigram-\d{4}-\d\d-\d\d", stem), "study, data, model, day"
    assert {f"{stem}-tsv.zip", f"{stem}-mixed-model.zip", f"{stem}-notebook.zip"} <= set(made)
    assert {"Pairs · Surprisal (bits)", "Conditions"} < {*box(page, "Figure").options}, "those of closed tabs too"
    for name in ("by_word", "tokens", "by_cond"):
        widget(page, "toggle", "Decimal comma").set_value(name == "by_cond")
        box(page, "Table").set_value(f"{stem}-{name}").run()
        assert not errors(page)
    assert made[f"{stem}-by_word.csv"].count(b"\n") == 1 + 8 * 4
    assert made[f"{stem}-tokens.parquet"].startswith(b"PAR1")
    assert b";" in made[f"{stem}-by_cond.excel.csv"] and all(made.values())
    assert {f"{stem}.svg", f"{stem}.pdf"} <= set(made)


def test_sentences_without_a_scored_word_are_said_to_have_none(visit, tiny):
    page = visit(data=TYPED, typed="A\nB", but="first_token:none", model_name=str(tiny("llama")))
    assert "No word of these sentences is scored" in words(page) and not errors(page)
    assert "No pair can be compared." in words(page)


def test_odd_lines_never_end_in_a_traceback(visit):
    for typed, analysis in (
        ("...\n!!!", ""),
        ("...\n!!!", "punctuation:ignore"),
        ("# only a heading", "fold:nlpscholar,punctuation:next"),
        ("a\tb\n1\t2\t3", "fold:nlpscholar,punctuation:next"),
        ("x\t\n\ty", "measure:prob,word_probability:mean"),
    ):
        assert words(visit(data=TYPED, typed=typed, analysis=analysis))


ITEMS = pd.DataFrame(
    [
        (item, attractor, side, f"The {noun} near the {other} {verb} old.", "5")
        for item, (noun, others) in enumerate(
            [("key", ("box", "boxes")), ("dog", ("cat", "cats")), ("boy", ("hat", "hats"))]
        )
        for attractor, other in zip(("sg", "pl"), others, strict=True)
        for side, verb in (("grammatical", "is"), ("ungrammatical", "are"))
    ],
    columns=["item", "attractor", "gram", "sentence", "ROI"],
)  # fmt: skip


def test_a_two_by_two_has_pairs_from_its_items_and_its_own_words(visit):
    """The table says no pairs: they follow from item and attractor, and no number is over both sides of `gram`."""
    page = visit(data=UPLOAD)
    with open_tabs("Conditions", "Cells"):
        upload(page, ITEMS.rename(columns={"gram": "grammaticality"}))
    assert "12 sentences in 6 pairs of 3 items; conditions: attractor (sg, pl)" in words(page)
    assert "pairs = the same item in the same conditions" in words(page)
    assert "‘grammatical’ should win. A negative difference means" in words(page)
    assert "Prefers the grammatical sentence in" in words(page) and "expected sentence" not in words(page)
    assert box(page, "Interaction of").value == "attractor × grammaticality"
    assert "The interaction of attractor and grammaticality is" in words(page) and not errors(page)
    rows = table(page, "Grammatical wins")
    assert rows["attractor"].tolist() == ["sg", "pl"]
    assert "Over 3 items only: with fewer than 10" in words(page)
    cells = of_tab(page, "Cells").dataframe[0].value
    assert len(cells) == 4 and cells["Items"].eq(3).all()
    assert "Region by region" not in words(page), "the tiny model tells nothing apart"


def test_a_two_by_two_without_comparison_has_means_interaction_policies_and_nothing_to_save(visit):
    page = visit(data=UPLOAD)
    with open_tabs("Conditions", "All policies"):
        upload(page, ITEMS.replace({"grammatical": "agreeing", "ungrammatical": "clashing"}))
    assert "attractor and gram are crossed" in words(page) and "expected" not in words(page)
    assert "The interaction of attractor and gram is" in words(page)
    tabs = ["Conditions", "Interaction", "Cells", "Region by region", "Words", "All policies", "Left out"]
    assert [tab.label for tab in page.tabs] == tabs
    means = table(of_tab(page, "Conditions"), "Mean (bits)")
    assert [*zip(means["attractor"], means["gram"], strict=True)] == [
        ("sg", "agreeing"), ("sg", "clashing"), ("pl", "agreeing"), ("pl", "clashing"),
    ]  # fmt: skip
    assert table(page, "p")["Analysis"][0] == "as chosen here"
    assert not errors(page)
    assert widget(page, "button", "Save to Results").disabled


def test_items_without_complete_pairs_have_means_and_nothing_to_save(visit):
    """Two sentences per item and side: which two would be a pair?"""
    rows = [(item, side, f"The {item} {verb} {how}.") for item in ("cat", "dog", "boy")
            for side, verb in (("good", "is"), ("bad", "are")) for how in ("old", "here")]  # fmt: skip
    page = visit(data=UPLOAD)
    with open_tabs("Conditions"):
        upload(page, pd.DataFrame(rows, columns=["item", "grammaticality", "sentence"]))
    assert "No two sentences are a pair: an item has several in the same conditions" in words(page)
    assert not errors(page) and all(button.label != "Save" for button in page.button)
    assert table(page, "Mean (bits per word)")["N"].tolist() == [6, 6]


def test_a_comparison_without_items_says_that_items_are_missing(visit):
    page = visit(data=UPLOAD)
    with open_tabs("Conditions"):
        upload(page, ITEMS.rename(columns={"gram": "grammaticality"}).drop(columns="item"))
    assert "no column of items is named" in words(page) and "the table has no pairs" not in words(page)
    assert "95 % intervals over sentences" in words(page) and not errors(page)
