"""`pairlens compare`."""

import json
import shlex

import pytest

import pairlens
from pairlens.files.tables import read_table
from tests.refusals import refused

pytestmark = pytest.mark.model
PAIR = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")


@pytest.fixture
def printed(cli):
    """`printed("A.", "B.", ...)`: what the verb prints."""

    def run(*arguments):
        status, out, errors = cli("compare", *arguments)
        assert status == 0, errors
        return out

    return run


def test_text_and_files_have_the_answer_the_place_the_words_and_the_signature(printed, tmp_path):
    lines = printed(*PAIR).splitlines()
    found = pairlens.compare(*PAIR)
    assert lines[0].startswith(f"Prefers A by {found.bits:.1f} bits (about ")
    assert lines[1:3] == ["First differs at are | is; settled there.", ""]
    assert lines[3].split()[:3] == ["Position", "Member", "Word"] and len(lines) == 4 + len(found.words) + 2
    assert lines[-1] == found.provenance.signature
    table, page = tmp_path / "tokens.tsv", tmp_path / "pair.html"
    printed(*PAIR, "--table", "tokens", "--output", table)
    assert read_table(table)["token"].tolist() == pairlens.compare(*PAIR).tokens["token"].tolist()
    printed(*PAIR, "-o", page)
    written = page.read_text("utf-8")
    assert written.count("<svg") == 2 and "Prefers A by" in written and "pairlens compare --model" in written


def test_json_has_what_the_library_gives(printed):
    whole = json.loads(printed(*PAIR, "--format", "json", "--as", "minicons"))
    found = pairlens.compare(*PAIR, like="minicons")
    margin = whole["headlines"][0]
    assert (margin["name"], margin["unit"], margin["value"]) == ("margin", "nats per token", found.margin)
    for name in ("words", "steps", "tokens"):
        rows, frame = whole["tables"][name]["rows"], getattr(found, name)
        assert rows == frame.astype(object).where(frame.notna(), None).to_dict("records") and rows


def test_models_stand_under_each_other_and_several_lines_are_several_pairs(printed):
    lines = printed(*PAIR, "-m", "english-small", "-m", "bilingual-masked", "--table", "steps").splitlines()
    assert lines[0].startswith("english-small: Prefers A by") and lines[1].startswith("bilingual-masked: Prefers A:")
    assert "Causal and masked models score on different scales" in lines[3]
    assert [line.split()[0] for line in lines[6:20]] == ["english-small"] * 7 + ["bilingual-masked"] * 7
    pairs = ("The dogs sleep.\nThe cat sleeps.", "The dogs sleeps.\nThe cat sleep.")
    lines = printed(*pairs).splitlines()
    assert lines[0] == "english-small prefers A in 2 of 2 pairs."
    assert "Margin (bits)" in lines[2] and [line.split()[0] for line in lines[3:5]] == ["1", "2"]
    words = json.loads(printed(*pairs, "--format", "json"))["tables"]["words"]["rows"]
    assert [row["pair"] for row in words] == [1] * 4 + [2] * 4


def test_the_command_in_the_receipt_makes_the_result_again(cli):
    found = pairlens.compare("- No, they sleep.", "- No, they sleeps.", like="nlpscholar", unit="nats")
    program, *arguments = shlex.split(found.provenance.command)
    status, out, _ = cli(*arguments)
    assert (program, status) == ("pairlens", 0) and out.splitlines()[-1] == found.provenance.signature
    again = eval(found.provenance.call, {"pairlens": pairlens})  # what a reader would copy
    assert again.margin == found.margin and again.provenance.receipt == found.provenance.receipt


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["x", ""], "Sentence B is empty"),
        (["x\ny", "x"], "Line 2 of B is empty"),
        ([*PAIR, "--table", "sums"], "There is no table 'sums'"),
        ([*PAIR, "--format", "xml"], "There is no format 'xml'"),
        ([*PAIR, "--model", "gpt99"], "There is no model"),
        ([*PAIR, "-m", "english-small", "-m", "english-small"], "english-small is named twice"),
        ([*PAIR, "--output", "x.doc"], ".xlsx, .html."),
    ],
)
def test_mistakes_are_one_sentence(arguments, why, cli):
    refused(cli("compare", *arguments), why)
