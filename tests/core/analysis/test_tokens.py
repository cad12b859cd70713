"""The table of tokens, and all that is computed for one: in proportion to the text, up to the longest one."""

import os
import subprocess
import sys
from collections import deque
from itertools import pairwise

import pytest

import pairlens
from pairlens.analysis.tokens import LONG, token_table
from pairlens.cli import main
from pairlens.evaluation.imported_scores.token_table import Columns, read_token_table
from pairlens.places import FOLDER as ROOT
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.text import detokenise
from pairlens.text.words import word_positions

MODEL = "unigram-english"
SENTENCE = "The keys to the cabinet, of which there were many, are here. "


def table_of(unigram, *texts):
    return token_table(texts, recipe_of(unigram), Store(), watch=lambda steps: deque(steps, maxlen=1)[0])


def text_of(characters):
    """A text of exactly so many characters, the last of which is a full stop."""
    return (SENTENCE * (characters // len(SENTENCE) + 1))[: characters - 2].rstrip().ljust(characters - 1, "s") + "."


@pytest.mark.slow
def test_a_long_text_is_in_its_first_row_only_and_can_be_imported_again(unigram, tmp_path):
    short, long = text_of(LONG), text_of(LONG + 1)
    table, note = table_of(unigram, short, long)
    assert set(table.loc[table["item"] == 1, "text"]) == {short}
    assert table.loc[table["item"] == 2, "text"].tolist() == [long, *[""] * (sum(table["item"] == 2) - 1)]
    assert "A text of more than 1,000 characters stands in its first row only" in note
    assert not table_of(unigram, short)[1]
    assert pairlens.score(long, unigram).attrs["note"] == note
    sizes = [table_of(unigram, text_of(n))[0].memory_usage(deep=True).sum() for n in (20_000, 40_000)]
    assert sizes[1] < 2.3 * sizes[0]
    text, path = text_of(3 * LONG), tmp_path / "scores.tsv"
    (tmp_path / "texts.txt").write_text(f"{text}\nThe end.\n")
    assert main(["score", "-i", str(tmp_path / "texts.txt"), "-m", unigram, "-o", str(path)]) == 0
    assert [*read_token_table(path, Columns(), model="m").scores] == [text, "The end."]


@pytest.mark.parametrize("verb", ["score", "perplexity"])
def test_the_longest_text_is_scored_and_a_longer_one_named(unigram, tmp_path, limit, verb, capsys):
    limit("max_text_characters", 300)
    path = tmp_path / "texts.txt"
    ask = [verb, "--input", str(path), "--model", unigram]
    for characters in (299, 300):
        path.write_text(f"Short.\n{text_of(characters)}\n")
        assert main(ask) == 0
    capsys.readouterr()
    path.write_text(f"Short.\n{text_of(301)}\n")
    assert main(ask) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "texts.txt, line 2: a text of 301 characters is longer than the 300" in said
    assert "PAIRLENS_MAX_TEXT_CHARACTERS" in said


def test_tokens_of_spaces_belong_to_the_word_they_introduce_and_many_are_read_once():
    text = "a" + " " * 50_000 + "b "
    assert word_positions([(i, i + 1) for i in range(len(text))], text) == [0, *[1] * 50_002]
    text = '"' + " " * 20_000 + "a" * 20_000
    assert detokenise(text, "en") == '"' + "a" * 20_000
    assert detokenise('He said " go   home " .', "en") == 'He said "go   home".'


_PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (7 << 30, 7 << 30))
import pandas, pyarrow.parquet, pairlens.analysis.tokens, pairlens.store, pairlens.scorers.unigram
before = resource.getrusage(resource.RUSAGE_SELF)
from pairlens.cli import main
if status := main(sys.argv[1:]):
    sys.exit(status)
after = resource.getrusage(resource.RUSAGE_SELF)
print(after.ru_maxrss - before.ru_maxrss, after.ru_utime - before.ru_utime, file=sys.stderr)
"""


@pytest.mark.soak
@pytest.mark.parametrize("verb", ["score", "perplexity", "zero-shot"])
@pytest.mark.parametrize("kind", ["long", "lines"])
def test_twice_as_much_takes_twice_the_memory_and_time(tmp_path, verb, kind, home):
    """Up to a million characters in one text, and up to 200,000 short lines: in a process with 7 GB."""
    taken = [measured(tmp_path, home / str(share), verb, kind, share) for share in (4, 2, 1)]
    for (less, sooner), (more, later) in pairwise(taken):
        assert more < 2.3 * max(less, 20_000), taken
        assert later < 2.6 * max(sooner, 0.5), taken


def measured(folder, home, verb, kind, share):
    """Kilobytes and processor seconds beyond those of the start."""
    texts = (
        [text_of(1_000_000 // share)] if kind == "long" else [f"Line {n} is here." for n in range(200_000 // share)]
    )
    source = folder / f"{kind}{share}.{'tsv' if verb == 'zero-shot' else 'txt'}"
    pairs = ["good\tbad", *(f"{text}\t{text[:-1]}!" for text in texts)]
    source.write_text("\n".join(pairs if verb == "zero-shot" else texts) + "\n")
    ask = {"zero-shot": ["--task", "pairs", "--data_path", str(source), "--model_path_or_name", MODEL]}.get(
        verb, ["--input", str(source), "--model", MODEL, "--output", str(folder / "out.tsv")]
    )
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, verb, *ask], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PAIRLENS_HOME": str(home)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-500:]
    memory, seconds = done.stderr.split("\n")[-2].split()
    return float(memory), float(seconds)
