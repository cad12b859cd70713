"""Training text: reading, choosing sentences, and keeping evaluation data out."""

import gzip
import json
import lzma
import shutil
from itertools import islice

import pytest

from pairlens.errors import InputError
from pairlens.training.corpus import normal
from pairlens.training.packing import open_lines, paragraphs
from workshop import everyday
from workshop.evaluation_sets import benchmark_strings, strings
from workshop.exclusion import exclusion
from workshop.language_models.contamination import contamination
from workshop.language_models.languages import ENGLISH, FRENCH, PORTUGUESE
from workshop.language_models.portuguese import Modernizer, bare, present, proposals
from workshop.language_models.prepare import prepare_lines, tidy
from workshop.language_models.sources import FRENCH as FRENCH_TEXT
from workshop.language_models.sources import SEED, Origins, Source, all_lines, described, prepared_text

TEXT = """The old house stood near the river.
It was very quiet in the evening.

Thou hast not seen the valley yet.
The boy laughs loudly.
My brother said that the boy laughs loudly every day.
He slept.
The CATS that annoy Tim, scratch the door!
Nobody could find the key to the cellar.
"""


def test_reads_plain_gzip_and_xz_and_unreadable_text_is_one_sentence(tmp_path):
    (tmp_path / "a.txt").write_text("One.\nTwo é.\n", encoding="utf-8")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress("One.\r\nTwo é.\r\n".encode()))
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress("One.\nTwo é.".encode()))
    for name in ("a.txt", "a.txt.gz", "a.txt.xz"):
        assert list(open_lines(tmp_path / name)) == ["One.", "Two é."]
    damaged = gzip.compress(b"", mtime=0)[:10] + b"\xff" * 20
    files = {"a.txt": b"\xff\xfe\xfa", "a.txt.gz": b"not gzip", "b.txt.gz": damaged, "a.txt.xz": b"not xz"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="not readable"):
            list(open_lines(tmp_path / name))
    with pytest.raises(InputError, match=r"no text file .*gone\.txt"):
        list(open_lines(tmp_path / "gone.txt"))


def test_paragraphs_tidy_wanted_and_normal_sentences():
    assert list(paragraphs(["a", "b", "", "  ", "c"])) == [["a", "b"], ["c"]]
    assert tidy('"There ,  that is all .') == "There, that is all."
    assert tidy('"There," he said.') == '"There," he said.'
    assert ENGLISH.wants("The letters were very old.") and ENGLISH.wants('"I do not know," she said.')
    for unwanted in ("He slept.", "Thou hast seen the valley.", "the start is a small letter.", "The end has no mark",
                     "A strange sign ☃ is inside.", " ".join(["Word"] * 41) + "."):  # fmt: skip
        assert not ENGLISH.wants(unwanted)
    foreign = {
        "- Où est la clé, mon frère ?": FRENCH, "« Les lettres sont arrivées », dit-il.": FRENCH,
        "As cartas não chegaram à cidade.": PORTUGUESE,
    }  # fmt: skip
    for sentence, language in foreign.items():
        assert language.wants(sentence) and not ENGLISH.wants(sentence)
    assert normal('  "The  DOG\'s bone," he_said! ') == "the dogs bone hesaid"


def test_equal_sentences_and_those_of_passages_are_forbidden_and_containing_ones_only_for_held_out_text():
    forbidden = exclusion(["The cats annoy Tim."], ["The boy laughs loudly.", "He slept."])
    for sentence in ("the cats annoy tim", "I think the boy laughs loudly now.", "He slept."):
        assert forbidden.forbids(sentence)
    assert not forbidden.forbids("I think the cats annoy Tim.") and not forbidden.forbids("He slept in the barn.")
    assert exclusion(["What did you get?\nI got a new chair. It is red."], []).forbids("I got a new chair.")


def test_prepared_text_holds_no_forbidden_sentence_and_made_text_is_filtered_like_any_other(tmp_path):
    (tmp_path / "raw.txt").write_text(TEXT, encoding="utf-8")
    forbidden = exclusion(["The cats that annoy Tim scratch the door."])
    made = prepare_lines(open_lines(tmp_path / "raw.txt"), tmp_path / "out" / "text.txt.gz", forbidden.forbids)
    kept = ["The old house stood near the river.", "It was very quiet in the evening."]
    assert list(paragraphs(open_lines(made.path))) == [kept, ["Nobody could find the key to the cellar."]]
    assert (made.sentences, made.words, made.forbidden) == (3, 22, 3)
    (tmp_path / "SOURCES.tsv").write_text("file\trepo\tcommit\n", encoding="utf-8")
    first, *_ = made = [one for one in everyday.sentences(300, SEED) if PORTUGUESE.wants(one)]
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "known.txt").write_text(first, encoding="utf-8")
    source = Source("pt", "everyday", "Made by rule", "Apache-2.0", makes=300)
    found = prepared_text([source], Origins(tmp_path, tmp_path / "benchmarks"), tmp_path / "work")
    assert list(all_lines(found)) == [one for one in made if one != first]
    assert found[source.path].forbidden == 1
    (described_source,) = described([source], found, tmp_path)
    assert described_source["origins"] == [] and described_source["sentences"] == len(made) - 1


def test_benchmark_strings_come_from_lines_of_json_and_tables(tmp_path):
    item = {"good": "The dog barks.", "more": [{"bad": "The dog bark."}], "n": 1}
    (tmp_path / "a.jsonl").write_text(json.dumps(item) + "\n\n", encoding="utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"True\tthe author laughs\n"))
    regions = {"conditions": [{"regions": [{"content": "The dog"}, {"content": ""}, {"content": "sleeps ."}]}]}
    (tmp_path / "c.json").write_text(json.dumps(regions), encoding="utf-8")
    (tmp_path / "d.csv").write_text('1,"The dog, it eats.",x\n', encoding="utf-8")
    (tmp_path / "e.xml").write_text('<pair id="1">\n<t>O cão &amp; o gato dormem.</t>\n</pair>\n', encoding="utf-8")
    found = list(benchmark_strings(tmp_path))
    assert found[:3] == ["The dog barks.", "The dog bark.", "True\tthe author laughs"]
    forbidden = exclusion(found, [])
    for sentence in ("The author laughs.", "The dog sleeps.", "The dog, it eats.", "O cão & o gato dormem."):
        assert forbidden.forbids(sentence)


def test_no_blimp_sentence_passes(tmp_path, shared_data):
    pairs = shared_data("blimp/data") / "anaphor_number_agreement.jsonl.gz"
    shutil.copy(pairs, tmp_path)
    forbidden = exclusion(benchmark_strings(tmp_path))
    lines = [json.loads(line)["sentence_good"] for line in open_lines(pairs)]
    (tmp_path / "raw.txt").write_text("\n".join([*lines, TEXT]), encoding="utf-8")
    made = prepare_lines(open_lines(tmp_path / "raw.txt"), tmp_path / "text.txt.gz", forbidden.forbids)
    kept = {normal(line) for line in open_lines(made.path)}
    assert made.forbidden > 800
    assert not kept & {normal(line) for line in lines}


@pytest.mark.soak
def test_french_training_text_is_free_of_what_is_evaluated(tmp_path, shared_corpora, shared_data):
    """The first part of the novels, prepared as for the bundled model, and what is picked from it."""
    corpora, benchmarks = tmp_path / "corpora", tmp_path / "benchmarks"
    part = list(islice(open_lines(shared_corpora("fr/eltec-fra.txt.xz")), 100_000))
    known = [line for line in part if FRENCH.wants(tidy(line))][::5_000]
    (corpora / "fr").mkdir(parents=True)
    (corpora / "fr" / "eltec-fra.txt.xz").write_bytes(lzma.compress("\n".join(part).encode(), preset=0))
    shutil.copy(shared_corpora("SOURCES.tsv"), corpora)
    shutil.copytree(shared_data("qfrblimp/datastore"), benchmarks)
    (benchmarks / "known.txt").write_text("\n".join(known), encoding="utf-8")
    novels, picked = (one for one in FRENCH_TEXT if one.picks or one.file == "eltec-fra.txt.xz")
    made = prepared_text((novels, picked), Origins(corpora, benchmarks), tmp_path / "work")
    kept = list(all_lines(made))
    pairs, forbidden = contamination(), exclusion([*benchmark_strings(benchmarks), *strings()])
    assert made[novels.path].forbidden >= len(known) + 10
    assert made[picked.path].sentences > 100
    assert not any(map(pairs.forbids, kept))
    assert not any(map(forbidden.forbids, kept))


# Old Portuguese spelling into today's

WORDS = (
    "ele ela aquela anos também família fazê farmácia física teatro conhecer cometer emoção ato ótimo ciência "
    "português pôs mês homem ontem criança igreja enquanto céu compreender tranqüilo idéia água casa fazer num "
    "daquela mãos sistema retrato o a de que os as não era na em esta noite vez"
)

TODAY = (
    "elle ele, aquella aquela, annos anos, tambem também, pharmacia farmácia, theatro teatro, "
    "commetter cometer, emoção emoção, acto ato, optimo ótimo, sciencia ciência, portuguez português, "
    "creança criança, egreja igreja, emquanto enquanto, comprehender compreender, systema sistema, "
    "fazel-o fazê-lo, n'um num, d'aquella daquela, Hontem Ontem, céo céu, vez vez, xyzzy xyzzy"
)
"""Old spellings, each with today's."""
MODERNIZER = Modernizer(WORDS.split(" "))


def test_old_spellings_become_todays_in_words_and_sentences():
    spellings = [pair.split() for pair in TODAY.split(", ")]
    assert [[old, MODERNIZER.text(old)] for old, _ in spellings] == spellings
    assert MODERNIZER.sentence("Elle não era na egreja, hontem!") == "Ele não era na igreja, ontem!"
    assert MODERNIZER.sentence("o blorp a grunt de snark") == ""
    assert [present(word) for word in ("tranqüilo", "idéia", "vôo", "lêem")] == ["tranquilo", "ideia", "voo", "leem"]
    assert bare("Ação") == "açao"
    forms = list(proposals("elle"))
    assert forms[0] == "elle" and forms.index("ele") < 20, "nearer ones are proposed first"
