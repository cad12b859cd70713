"""A result made by hand: what its attributes, its renderings and its JSON hold."""

import json
import math

import pandas as pd
import pytest

from pairlens.errors import InputError
from pairlens.files.tables import read_table
from pairlens.results.files import check, plain, printed, write
from pairlens.results.report import report
from pairlens.results.result import Column, Headline, Notice, Provenance, Result, Table
from pairlens.results.text import text

COLUMNS = [
    Column("word", "Word", "The word."), Column("bits", "Surprisal", "How unexpected it was.", "bits"),
    Column("key", "Key", "Its number.", drawn=False),
]  # fmt: skip
ROWS = {"word": ["<b>a</b>", "bb"], "bits": [1.25, float("nan")], "key": [7, 8]}
WORDS = Table("words", "Words", COLUMNS, lambda: pd.DataFrame(ROWS))


def of(*models, notices=()):
    """The margin of each model is the number of its place, from 1; nobody knows where the last one decides."""
    margins = [
        Headline("margin", model, float(n), "bits", f"Leads by {n} bits.", 1, "pair", more={"preferred": "A"})
        for n, model in enumerate(models, start=1)
    ]
    places = [Headline("place", model, math.nan, "word", "", 1, "pair") for model in models]
    signed = {"signature": "task:x|v:1"}
    made = Provenance(signed, "Computed with care.", "@misc{x}", command="pairlens x", call="x()")
    return Result("x", "Which?", "A / B", "x", [*margins, *places], [WORDS], [], notices, lambda: made)


def test_tables_and_headlines_are_attributes():
    one, two = of("m"), of("m", "n")
    assert one.margin == 1 and one.preferred == "A" and math.isnan(one.place)
    assert two.margin.to_dict() == {"m": 1, "n": 2} and two.preferred.to_dict() == {"m": "A", "n": "A"}
    assert one.words is one.words is one.table("words").frame, "made once"
    assert {"margin", "preferred", "place", "words", "provenance"} <= {*dir(one)}
    with pytest.raises(AttributeError, match="has no 'tokens'; it has margin, preferred, place, words"):
        _ = one.tokens
    with pytest.raises(InputError, match="table 'tokens'"):
        one.table("tokens")


def test_what_stands_instead_of_a_finding_replaces_it_everywhere():
    said = of("m", "n", notices=(Notice("unread", "instead", "n reads no Greek.", "n"),))
    assert repr(said) == "m: Leads by 1 bits.\nn: n reads no Greek."
    for whole in (text(said), report(said)):
        assert "Leads by 1 bits." in whole and "n reads no Greek." in whole and "Leads by 2 bits." not in whole


def test_text_has_findings_notices_the_table_and_the_signature():
    notices = (Notice("few", "note", "There are few.", advice="Take more."), Notice("w", "remark", "Slow.", "n"))
    assert text(of("m", "n", notices=notices)).split("\n") == [
        "m: Leads by 1 bits.", "n: Leads by 2 bits.", "There are few. Take more.", "n: Slow.", "",
        "Word      Surprisal (bits)", "<b>a</b>             1.250", "bb                       –", "", "task:x|v:1",
    ]  # fmt: skip
    assert text(of("n", notices=notices[1:])).split("\n")[:2] == ["Leads by 1 bits.", "Slow."]


def test_json_has_everything_and_the_report_is_text_and_says_what_columns_are():
    found = json.loads(printed(of("m"), "json"))
    assert found == json.loads(json.dumps(plain(of("m"))))
    assert [one["value"] for one in found["headlines"]] == [1, None]
    assert found["tables"]["words"]["rows"][1] == {"word": "bb", "bits": None, "key": 8}
    assert found["provenance"]["receipt"]["signature"] == "task:x|v:1"
    page = report(of("m"))
    assert "<b>a" not in page and "&lt;b&gt;a" in page and "How unexpected it was." in page
    assert "Its number." not in page, "a column that is not drawn"
    for part in ("Which?", "Computed with care.", "@misc{x}", "pairlens x", "task:x|v:1"):
        assert part in page


def test_the_ending_of_a_file_decides_what_is_written(tmp_path):
    for name in ("x.html", "x.csv"):
        check(tmp_path / name)
        write(of("m"), tmp_path / name, "words")
    assert "<!DOCTYPE html>" in (tmp_path / "x.html").read_text("utf-8")
    assert read_table(tmp_path / "x.csv")["word"].tolist() == ["<b>a</b>", "bb"]
    assert printed(of("m"), "csv") == (tmp_path / "x.csv").read_bytes().decode().removesuffix("\r\n")
    with pytest.raises(InputError):
        check(tmp_path / "x.doc")
