"""A report to hand on: everything is in the file, nothing in it is code, and its numbers are the run's."""

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pairlens
from pairlens.cli import main
from pairlens.errors import PolicyError, StoreError
from pairlens.files.exports.latex import escaped, number
from pairlens.reports.run_report import html_report, latex_table
from pairlens.results.printed import MOST_ROWS, Numerals, environment, table
from pairlens.types import Candidate, Item
from tests.core.reports.conftest import SAMPLES

HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202eright to left\u202c שלום & 🙂\x00",
    "\\input{/etc/passwd} 100 % of $x_1^2$ & more",
)


def pair(name, good, bad, uid="u"):
    return Item(str(name), (Candidate(good, "good"), Candidate(bad, "bad")), "good", {"UID": uid})


@pytest.fixture
def undrawn(monkeypatch):
    """`undrawn()`: from here on pages are without their drawings, which take most of their time."""
    return lambda: monkeypatch.setattr("pairlens.results.printed.svg", lambda *_, **__: "")


ODD = [pair(text, f"The horses are tired. {text}", f"The is. {text} is", text) for text in HOSTILE]


class Reader(HTMLParser):
    """Checks that tags are closed in order, and collects words, tags and attributes."""

    VOID = ("meta", "br", "col")

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.words = [], [], [], ""
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


@pytest.mark.slow
def test_the_page_says_the_runs_numbers_also_with_a_decimal_comma_and_how_they_were_made(stored, store):
    result = stored("blimp")
    page = Reader(html_report([result], store))
    first = result.metrics.iloc[0]
    assert f"accuracy {100 * first['value']:.2f} %" in page.words
    assert f"{int(first['ties'])} ties" in page.words
    assert result.manifest["signature"] in page.words
    assert result.manifest["weights"] in page.words
    assert all(group in page.words for group in result.paradigms["group"])
    assert page.tags.count("svg") == 2
    assert any(name == "aria-label" and "ccuracy" in (value or "") for name, value in page.attributes)
    assert Numerals(decimal_comma=True).real(float("nan")) == "–"
    words = Reader(html_report([result], store, decimal_comma=True)).words
    assert f"accuracy {100 * result.metrics.iloc[0]['value']:.2f} %".replace(".", ",") in words
    assert result.manifest["signature"] in words


@pytest.mark.slow
def test_nothing_is_asked_of_a_host_and_nothing_is_run(stored, store):
    text = html_report([stored("pairs", ODD, title=HOSTILE[0])], store)
    page = Reader(text)
    assert not {"script", "img", "link", "iframe", "object", "image", "use", "a", "base", "form"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href", "xlink:href")]
    assert re.findall(r"url\(|@import", text) == []
    assert "default-src 'none'" in text
    assert "\x00" not in text
    for hostile in HOSTILE[:2]:
        assert hostile in page.words
        assert hostile not in text


@pytest.mark.slow
def test_two_runs_are_compared_item_by_item(undrawn, stored, store):
    results = [stored("blimp"), stored("blimp", ties="wrong")]
    page = Reader(html_report(results, store))
    assert "Tests by group" in page.words and "on the same 100 pairs" in page.words
    assert "No clear difference" in page.words or "better than" in page.words
    undrawn()
    other = Reader(html_report([results[0], stored("comps")], store))
    assert "Tests by group" not in other.words
    assert {"BLiMP", "COMPS"} <= set(re.findall(r"\b(?:BLiMP|COMPS)\b", other.words))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["ewok", "aoa", "syntaxgym", "stereoset", "crows_pairs", "linzen"])
def test_every_kind_of_task_has_a_report(stored, store, task):
    result = stored(task)
    text = html_report([result], store)
    page = Reader(text)
    assert result.task.title in page.words and ">nan<" not in text
    latex_table([result])
    if task in ("stereoset", "crows_pairs"):
        assert "The lowest margin first." in text, "preferring neither side is no wrong decision"
    if task == "syntaxgym":
        text = html_report([replace(result, items=result.items.assign(margin=-1.0))], store)
        assert ">nan<" not in text, "a prediction that fails is shown with its formula"
        assert '<bdi dir="auto">Prediction</bdi>' in text and '<bdi dir="auto">Preferred</bdi>' not in text
    if result.task.confidential:
        for item in result.task.read(SAMPLES / task):
            assert all(one.text.strip() not in page.words for one in item.candidates)


def test_tables_are_cut_and_say_so():
    def drawn(*about):
        return Reader(environment().get_template("parts.html").module.table(table("Items.", ("Item",), *about)))

    cut = drawn(((str(number),) for number in range(200_000)), 200_000, Numerals())
    assert cut.tags.count("tr") == MOST_ROWS + 1
    assert f"The first {MOST_ROWS} of 200,000 are shown." in cut.words
    assert "are shown" not in drawn([("a",)], 1, Numerals()).words
    assert not drawn([], 0, Numerals()).tags


@given(st.text())
def test_text_stays_text_in_html(text):
    shown = str(environment().get_template("parts.html").module.text(text))
    shown = shown.removeprefix('<bdi dir="auto">').removesuffix("</bdi>")
    assert not set("<>\"'") & set(shown)
    shown.encode()


# LaTeX


@pytest.mark.slow
def test_what_only_ties_has_no_interval_in_its_headline(store, unigram):
    """Two words in the other order are as probable to what knows no order."""
    good, bad = ["The horses are tired.", "The cat is tired."], ["are The horses tired.", "is The cat tired."]
    swapped = pd.DataFrame({"good": good, "bad": bad})
    result = pairlens.benchmark(swapped, unigram).result()
    assert "interval" not in result.headlines[0].sentence
    notice = result.notices_of(unigram)[0].message
    assert notice.startswith("It cannot tell: all are ties, each counted as half. 2 pairs")
    told = pairlens.benchmark(swapped.head(1).assign(bad="The cat is tired."), unigram).result()
    assert "interval" not in told.headlines[0].sentence
    assert "No interval: there is only 1 item." in told.notices[0].message


@pytest.mark.slow
def test_the_latex_table_has_a_row_for_each_group_as_many_cells_as_columns_and_its_unit_in_the_caption(stored):
    result = stored("blimp")
    text = latex_table([result, result])
    rows = [line for line in text.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
    assert {line.count("&") for line in rows} == {4}
    assert len(rows) == 1 + len(result.paradigms) + 1
    first = result.paradigms.iloc[0]
    assert f"{100 * first['value']:.1f} & [{100 * first['low']:.1f}, {100 * first['high']:.1f}]" in text
    assert rows[-1].startswith(f"Mean & {100 * result.metrics.iloc[0]['value']:.1f}")
    assert [text.count(f"\\{rule}rule") for rule in ("top", "bottom")] == [1, 1]
    text = latex_table([result], decimal=",")
    assert not re.search(r"\d\.\d", text)
    assert re.search(r"\[\d+\{,\}\d; \d+\{,\}\d\]", text)
    of_surprisal = latex_table([stored("aoa")])
    assert "Surprisal (bits), intervals over items}" in of_surprisal and "ties" not in of_surprisal
    both = latex_table([result, stored("blimp", ties="wrong")])
    assert "Accuracy (per cent), intervals over items, ties count half / wrong}" in both


@pytest.mark.slow
def test_a_long_latex_table_goes_over_pages_and_other_tasks_and_unknown_metrics_are_refused(stored):
    many = [pair(n, "The cat is tired.", "The cat are tired.", f"u{n}") for n in range(45)]
    text = latex_table([stored("pairs", many)])
    assert text.count("longtable}") == 3
    assert r"\begin{table}" not in text
    blimp = stored("blimp")
    with pytest.raises(StoreError, match="runs of one task"):
        latex_table([blimp, stored("comps")])
    with pytest.raises(PolicyError, match="Did you mean 'accuracy'"):
        latex_table([blimp], "accurcy")


@given(st.text())
@example('a "b"')
def test_text_stays_text_in_latex(text):
    """`\\textquotedbl` is no command of OT1, which is LaTeX's encoding where none is named."""
    shown = escaped(text)
    assert "\n" not in shown
    known = "textasciitilde|textasciicircum|textbackslash|textless|textgreater|textbar"
    bare = re.sub(rf"\\(?:(?:{known}){{}}|symbol\{{34\}}|[&%$#_{{}}])", "", shown).replace("{}", "")
    assert not set("&%$#_{}^~\\<>|") & set(bare)


@pytest.mark.parametrize(
    ("value", "written"), [(-0.386, r"$-$0.39"), (-0.001, "0.00"), (0.0, "0.00"), (float("nan"), "--"), (2, "2.00")]
)
def test_a_minus_is_no_hyphen_in_latex(value, written):
    assert number(value) == written
    assert number(value, decimal=",") == written.replace(".", "{,}")


def test_latex_compiles(stored, tmp_path):
    program = next(filter(shutil.which, ("pdflatex", "tectonic")), None)
    if program is None:
        pytest.skip("neither pdflatex nor tectonic is installed")
    body = latex_table([stored("pairs", ODD[3:])])
    packages = r"\usepackage[T1]{fontenc}\usepackage{booktabs,longtable}"
    document = rf"\documentclass{{article}}{packages}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "table.tex").write_text(document, "utf-8")
    done = subprocess.run(
        [program, "table.tex"], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout


# The command line


@pytest.mark.slow
def test_report_writes_html_and_latex_and_says_what_is_wrong(undrawn, stored, own, tmp_path, capsys, monkeypatch):
    run_id = stored("blimp").manifest["run_id"]
    own()
    undrawn()
    assert main(["report", run_id, "--output", str(tmp_path / "a.html")]) == 0
    assert main(["report", run_id, "--output", str(tmp_path / "a.tex"), "--decimal-comma"]) == 0
    assert (tmp_path / "a.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "\\begin{tabular}" in (tmp_path / "a.tex").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    for message, output, *arguments in (
        ("There is no run 'nothing'", "a.html", "nothing"),
        ("one of these endings", "a.pdf", run_id),
        ("named twice", "a.html", run_id, run_id),
        ("--metric is for the LaTeX table", "a.html", run_id, "--metric", "accuracy"),
        ("cannot be written", "/proc/nothing/a.html", run_id),
    ):
        assert main(["report", *arguments, "--output", output]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.slow
def test_a_list_of_pairs_has_every_decision_and_long_texts_make_no_long_report(undrawn, stored, store, monkeypatch):
    most = 60
    undrawn()
    monkeypatch.setattr("pairlens.results.printed.MOST_ROWS", most)
    items = [pair(n, f"The cat {n} is.", f"The cat {n} are.") for n in range(most + 1)]
    page = html_report([stored("pairs", items[:most])], store)
    assert "The worst decision first." in page and "are shown." not in page
    assert all(page.count(f"The cat {n} is.") for n in range(most))
    assert f"The first {most} of {most + 1} are shown." in html_report([stored("pairs", items)], store)
    long = "the cat is . " * 400
    same = [pair(n, f"{n} {long}", f"{n} {long}") for n in range(most)]
    page = html_report([stored("pairs", same)], store)
    assert len(page.encode()) < most * len(long), "half of the texts"
    assert long[:100] in page and "…" in page
