"""The page Entailment: on arrival, with models and files, in two languages, and with all that can be wrong."""

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pairlens.files import datasets
from pairlens.files.nli.readers import read_corpus
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.nli.examples import examples
from pairlens.studies.nli.report import PublicSet
from tests.on_page import downloads, errors, of_tab, open_tabs, press, wait_for_jobs, words
from tests.thinned import thinned
from tests.tiny import tiny_model

PAGE = "nli"
SAMPLES = ROOT / "data" / "samples" / "nli"
TABS = ("By class", "Confusion", "Disagreements", "Pairs", "Baselines", "Contradictions")
THREE = ("contradiction", "neutral", "entailment")
GOLD = "id,premise,hypothesis,label\n" + "".join(
    f"{n},The cat number {n} sleeps.,A cat sleeps.,{label}\n"
    for n, label in enumerate(["entailment", "neutral", "contradiction", "neutral"])
)


@pytest.fixture(scope="module")
def home_folder(lasting_home, tmp_path_factory):
    """With two classifiers in its catalogue: one whose classes have names, one whose classes have numbers."""
    for name, labels in (("tiny-named", THREE), ("tiny-numbers", ("LABEL_0", "LABEL_1", "LABEL_2"))):
        folder = tiny_model(lasting_home / "models" / name, "roberta", labels=labels, max_position_embeddings=514)
        characters = "".join(map(chr, range(32, 383)))
        card = {"kind": "classifier", "description": "Random weights.", "characters": characters}
        (folder / "card.json").write_text(json.dumps(card))
    return lasting_home


def box(page: AppTest, label: str):
    return next(one for one in page.selectbox if one.label.startswith(label))


def upload(page: AppTest, place: str, *files: tuple[str, str]) -> AppTest:
    content = [(name, text.encode(), "text/plain") for name, text in files]
    return next(one for one in page.file_uploader if one.label.startswith(place)).set_value(content).run()


def with_gold(visit, content: str = "", name: str = "mine.csv", **link: str) -> AppTest:
    """The page with pairs and their gold labels."""
    place = "Pares com rótulos" if "lang" in link else "Pairs with gold labels"
    return upload(visit(data="upload", **link), place, (name, content or GOLD))


def with_answers(page: AppTest, *files: tuple[str, str]) -> AppTest:
    return upload(page, "Answers from", *files)


def labelled(answer: Callable[[int], str]) -> str:
    """Answers to the pairs of our sample of ASSIN 2, by their places."""
    rows = (f"{pair.id},{answer(n)}\n" for n, pair in enumerate(read_corpus(SAMPLES / "assin2.xml")))
    return "id,label\n" + "".join(rows)


def test_on_arrival_a_pair_is_answered_and_stored_answers_are_evaluated(visit):
    with open_tabs(*TABS):
        page = visit()
    assert not errors(page) and [tab.label for tab in page.tabs] == list(TABS)
    text = words(page)
    for sentence in (
        "Our sample answers, SICK labels: macro-F1 0.",
        "on our 48 sample pairs with the labels of ASSIN",
        "bilingual-entailment on published sets, according to its model card: SICK macro-F1 0.7",
        "Accuracy 85.4\u00a0% (69.9\u00a0% to 93.7\u00a0%); always the commonest class: 58.3\u00a0%",
        "b follows from a (100\u00a0%); the other way round, b leaves open whether a is true (100\u00a0%).",
        "bilingual-entailment ·",
        "Entailment for (a, b) together with entailment for (b, a) counts as paraphrase.",
        "E(a,b) ∧ E(b,a) → P",
    ):
        assert sentence in text
    assert text.count('class="pl-pair"') == 3 and text.count("✓") == 3
    assert {"CSV", "LaTeX", "All numbers (JSON)", "Report (HTML)", "Answers (ASSIN XML)"} <= set(downloads(page))
    options = box(page, "Details of").options
    assert len(options) == 5
    for option, example in zip(options[1::3], (examples()[0], examples()[-1]), strict=True):
        box(page, "Details of").select(option)
        press(page, example.title)
        assert not errors(page), option
        assert option.partition(" like ")[2].partition(" ·")[0] in words(page).partition("Over ")[0], option
        assert f"Should be: {example.label('sick')} / " in words(page)
        typed = [page.text_input(key=key).value for key in ("premise", "hypothesis")]
        assert typed == [example.premise, example.hypothesis]


VERDICT = "the other way round, "
WORDS = {
    "entailment": "{b} follows from {a}", "neutral": "{a} leaves open whether {b} is true",
    "contradiction": "{a} and {b} cannot both be true",
}  # fmt: skip

OWN = "par;premissa;hipotese;ouro;modelo\n" + "".join(
    f"{n};O gato número {n % 2} dorme.;Um gato dorme.;{gold};{answer}\n"
    for n, (gold, answer) in enumerate(zip("ENCNENCN", "ENCCENCC", strict=True))
)
"""Gold and answers in one table; premises repeat, as labels do."""


@pytest.mark.parametrize(
    "table",
    thinned(
        [
            OWN.replace(";", ","),
            OWN.replace("par;premissa;hipotese;ouro;modelo", "paire;prémisse;hypothèse;or;modèle"),
            OWN.replace("par;premissa;hipotese;ouro;modelo", "pair;one;two;truth;the answer"),
            "".join(f"{line.rsplit(';', 1)[1]};{line.rsplit(';', 1)[0]}\n" for line in OWN.splitlines()),
        ],
        3,
    ),
    ids=["portuguese", "french", "english", "answers first"],
)
def test_one_table_is_gold_and_answers(visit, table):
    page = with_answers(with_gold(visit, table, "own.csv"), ("own.csv", table))
    assert not errors(page)
    names = table.split("\n")[0].replace(",", ";").split(";")
    answers, gold = (names[0], names[4]) if names[0] == "modelo" else (names[4], names[3])
    assert box(page, "Column of the answer").value == answers and box(page, "Column of the gold label").value == gold
    assert "own: macro-F1 0.778 on own" in words(page) and "Accuracy 75.0\u00a0%" in words(page)
    again = ("own.csv", table.replace(";", "\t"))  # with another delimiter it is another file
    assert not errors(with_answers(page, ("own.csv", table), again)) and not errors(page.run())


def test_one_file_that_cannot_be_read_in_two_places_is_said_in_both(visit, unreadable):
    unreadable("own.jsonl")
    garbage = ("own.jsonl", "\0nothing\n" * 9)
    page = upload(visit(data="upload"), "Pairs with gold labels", garbage, ("other_own.jsonl", GOLD))
    with_answers(page, garbage)
    upload(page, "Its answers with premise", garbage)
    assert len(errors(page)) >= 2 and all("own.jsonl" in line for line in errors(page))
    assert len(errors(page.run())) >= 2


def test_quotation_marks_are_text_where_somebody_says_so(visit):
    quoted = OWN.replace("O gato", '"O gato').replace("dorme.;Um", 'dorme.";Um')
    page = with_answers(with_gold(visit, quoted, "own.csv", tab="Pairs"), ("own.csv", OWN))
    choices = [widget for widget in page.selectbox if widget.label == "Quotation marks"]
    assert len(choices) == 2, "one for the answers, one for the gold"

    def premises() -> str:
        return "".join(frame.value.to_csv() for frame in page.dataframe)

    assert "O gato" in premises() and '"""O gato' not in premises()
    choices[1].set_value("part of the text").run()
    assert not errors(page) and '"""O gato' in premises()


@pytest.fixture
def public(shared_data, monkeypatch):
    """`public("sick_br")`: puts a set here, until the test ends."""
    monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data("sick_br").parent))
    settings.cache_clear()
    yield lambda name: datasets.get(datasets.named(name), accepted=True)
    shutil.rmtree(settings().home / "datasets", ignore_errors=True)


def test_a_public_set_that_is_here_is_offered_with_its_parts(visit, public):
    path = public("sick_br")
    page = visit(data="upload")
    page.session_state[f"part_{path}"] = "TEST"
    page.session_state["nli_data"] = "public"
    assert box(page.run(), "Public set").value == "SICK-BR"
    assert box(page, "Part of").options == ["all pairs", "TRAIN", "TRIAL", "TEST"]
    assert not errors(page) and "bilingual-entailment on SICK-BR TEST: 4,906 questions" in words(page)


@pytest.mark.soak
def test_another_public_set_takes_its_place(visit, public):
    public("sick_br")
    public("snli_mnli_dev")
    page = visit(data="public", public="SICK-BR")
    assert "bilingual-entailment on SICK-BR: 9,840 questions" in words(page)
    box(page, "Public set").select("SNLI and MNLI, development sets").run()
    assert "bilingual-entailment on mnli/dev: 9,815 questions" in words(page) and "on SICK-BR" not in words(page)


def test_rules_are_said_in_words_symbols_and_pairs_and_follow_the_mode(visit):
    page = visit()
    strict = words(page)
    box(page, "Labels of the data (origem)").select("SICK")
    page.selectbox(key="model_system").select("ASSIN").run()
    assert "Gold contradiction and neutral count as none." in words(page)
    assert "E or P counts: either answer, entailment or paraphrase, is taken as entailment." in words(page)
    assert "C, N → ∅" in words(page) and "what is evaluated is E, ∅" in words(page)
    assert "source" not in words(page).lower().partition("<style")[0]
    lenient, forward = visit(mode="lenient"), visit(mode="forward")
    assert len({strict, words(lenient), words(forward)}) == 3 and not errors(lenient) and not errors(forward)
    assert "Gold entailment and paraphrase count as entailment." in words(forward)
    lenient.session_state["nli_mode"] = "forward"
    assert words(lenient.run()) == words(forward), "a link keeps it"


def test_portuguese_is_portuguese(visit):
    with open_tabs("Linhas de base", "Contradições"):
        page = visit(lang="Português")
    text = words(page)
    for portuguese in (
        "Um par, nas duas direções", "conta como paráfrase", "Sempre a classe mais comum", "acarretamento",
        "uma cabeça sobre o modelo mascarado bilíngue",
    ):  # fmt: skip
        assert portuguese in text
    for english in ("The gold labels", "counts as", "Always the", "Each cell"):
        assert english not in text
    assert {"Premissa (a)", "Hipótese (b)"} <= {box.label for box in page.text_input}
    assert page.title[0].value == "Acarretamento" and "O que se segue de uma frase" in text
    labels = {button.label for button in page.button} | {one.proto.popover.label for one in page.get("popover")}
    assert {"Como este número foi feito", "Compartilhar", "O que significam as classes"} <= labels
    assert "Acurácia 85,4\u00a0% (" in text
    who = of_tab(page, "Linhas de base").dataframe[-1].value
    assert who["Acurácia"].str.fullmatch(r"\d+,\d\u00a0%").all() and who["macro-F1"].str.fullmatch(r"0,\d{3}").all()
    assert who["Como"].str.contains("sempre nenhuma").any() and not who["Como"].str.contains("fold|always").any()
    assert "acarretamento" in words(press(page, examples("pt")[0].title)) and not errors(page)
    page.session_state["lang"] = "English"
    assert page.run().title[0].value == "Entailment"


UNNAMED = "frase1;frase2;rotulo\n" + "".join(
    f"{line};Algo aconteceu no parque.;{label}\n"
    for line, label in (
        ("Um menino corre no parque.", "entailment"), ("Uma menina lê em casa.", "neutral"),
        ("Ninguém está no parque.", "contradiction"), ("O cão dorme no sofá.", "neutral"),
    )
)  # fmt: skip


def test_columns_with_names_of_their_own_are_found_and_can_be_chosen(visit):
    page = with_gold(visit, UNNAMED, "meu.csv", lang="Português")
    assert not errors(page) and "bilingual-entailment em meu: 4 perguntas" in words(page)
    roles = {one.label: one.value for one in page.selectbox if one.label.startswith("Coluna")}
    assert list(roles.values()) == ["frase1", "frase2", "rotulo", "–"]
    page = upload(
        page, "Respostas de", ("dele.csv", "n;resposta\n1;neutral\n2;neutral\n3;contradiction\n4;neutral\n")
    )
    assert not errors(page) and "dele: macro-F1 0,600 em meu" in words(page)
    page = with_gold(visit, "um,dois\na,b\n", "um.csv")
    assert not errors(page) and "Choose a column for each of these: Column of the premise" in words(page)


def test_files_in_an_archive_are_read_one_by_one(visit):
    with zipfile.ZipFile(archive := io.BytesIO(), "w") as zipped:
        for name in ("first", "second"):
            zipped.writestr(f"answers/{name}.csv", "id,label\n1,neutral\n2,neutral\n3,contradiction\n4,neutral\n")
    answers = next(one for one in with_gold(visit).file_uploader if one.label.startswith("Answers from"))
    page = answers.set_value([("answers.zip", archive.getvalue(), "application/zip")]).run()
    assert not errors(page) and "first" in words(page) and "second" in words(page)


def test_files_are_named_in_the_link_and_there_again(visit):
    page = with_gold(visit)
    identifier = page.query_params["nli_gold_files"]
    again = visit(data="upload", nli_gold_files=identifier)
    assert "Uploaded earlier: mine.csv" in words(again) and "on mine: 4 questions" in words(again)
    assert "on mine" not in words(press(again, "Take out"))
    assert "is not on this machine" in errors(visit(data="upload", nli_gold_files="0" * 16 + "/x.csv"))[0]
    assert not upload(page, "Pairs with gold labels").query_params.get("nli_gold_files"), "taken out again"


def test_a_pair_that_says_nothing_has_no_verdict(visit, monkeypatch):
    same = visit(premise="A dog sleeps.", hypothesis="A dog sleeps.")
    assert "Both are the same sentence" in words(same) and VERDICT not in words(same)
    monkeypatch.setattr("pages.components.nli.rules.unreadable", lambda texts, recipe: f"Never read: {texts[0]}")
    page = visit()
    assert "Never read: A black dog" in words(page) and VERDICT not in words(page)


def test_a_classifier_answers_the_typed_pair_in_both_directions(visit):
    page = visit(nli_model="tiny-named")
    asked = nli_runs.ask(pairlens.recipe("tiny-named"))
    premise, hypothesis = (page.text_input(key=name).value for name in ("premise", "hypothesis"))
    forward, reverse = nli_runs.typed(premise, hypothesis, asked, Store())
    first, second = (max(one, key=lambda label: one[label]) for one in (forward, reverse))
    verdict = WORDS[first].format(a="a", b="b"), WORDS[second].format(a="b", b="a")
    shares = f"{forward[first]:.0%}", f"{reverse[second]:.0%}"
    said = [part for pair in zip(verdict, shares, strict=True) for part in pair][: 3 if first == second else 4]
    text = words(page).replace("\u00a0%", "%")
    assert all(part in text for part in said) and VERDICT in text
    assert "a → b / b → a: ASSIN: " in text and "Should be: entailment / neutral" in text
    page.text_input(key="hypothesis").set_value("").run()
    assert "Type a premise and a hypothesis." in words(page)


def test_a_model_is_asked_as_a_job_and_its_answers_are_evaluated(visit):
    page = press(visit(nli_model="tiny-named", data="path", path=str(SAMPLES / "assin.xml")), "Ask the models")
    wait_for_jobs()
    page.run()
    assert not errors(page) and "Ask the models" not in [button.label for button in page.button]
    assert "tiny-named: macro-F1" in words(page)
    corpus, asked = read_corpus(SAMPLES / "assin.xml"), nli_runs.ask(pairlens.recipe("tiny-named"))
    assert Store().has_finished(nli_runs.plan(corpus, asked, reverse=True).run_id), "both directions, as ASSIN needs"


def test_where_no_pair_can_be_asked_about_the_reason_is_said(visit):
    long = f"id,premise,hypothesis,label\n1,{'A cat. ' * 300},A dog.,none\n"
    page = with_gold(visit, long, "long.csv", nli_model="tiny-named", lang="Português")
    box(page, "Rótulos dos dados (origem) em").select("assin2").run()
    press(page, "Perguntar aos modelos")
    wait_for_jobs()
    page.run()
    assert "não se pôde perguntar sobre nenhum par" in errors(page)[0] and "é mais longo do que" in errors(page)[0]


def test_classes_with_numbers_are_asked_about_with_three_pairs(visit):
    page = visit(nli_model="tiny-numbers")
    assert any(one.label.startswith("What do the classes mean? LABEL") for one in page.expander)
    tables = [one.value for one in page.dataframe]
    assert len(tables[0]) == 3 and len(tables[1]) == 12
    assert "Choose a model above" in words(page), "nothing is answered before somebody says what the classes mean"
    box(page, "Labels of the model (destino)").select("sick").run()
    unnamed = [choice for choice in page.selectbox if choice.label.startswith("LABEL") and choice.value is None]
    for choice, label in zip(unnamed, ("neutral", "entailment", "entailment"), strict=True):
        choice.select(label)
    page.run()
    assert "Two classes cannot mean the same" in words(page)
    next(one for one in page.selectbox if one.label.startswith("LABEL") and one.label.endswith("2")).select(
        "contradiction"
    ).run()
    assert not errors(page) and VERDICT in words(page)


def test_a_language_model_is_asked_in_words(visit):
    asked = {"nli_model": "english-small", "premise": "A dog runs on the beach.", "hypothesis": "An animal runs."}
    page = visit(**asked)
    assert "was not trained for this" in words(page) and VERDICT in words(page)
    plain = words(page)
    page.toggle(key="calibrated").set_value(True).run()
    calibrated = words(page)
    assert not errors(page) and calibrated != plain
    box(page, "Asked in").select("Português").run()
    link = visit(**asked, calibrated="True", prompt="Português")
    assert words(link) == words(page) != calibrated, "a link keeps it"


def test_a_visitor_s_files_are_evaluated(visit):
    page = with_gold(visit)
    assert not errors(page) and "bilingual-entailment on mine: 4 questions" in words(page)
    with open_tabs("Left out"):
        with_answers(page, ("answers.csv", "id,label\n0,entailment\n1,none\n2,none\n3,entailment\n9,none\n"))
    assert not errors(page)
    assert "Pairs or answers that are not in these numbers: 1." in words(page)
    assert "answers: macro-F1 0.733 on mine" in words(page)  # E: 2/3, none: 4/5
    assert "9" in of_tab(page, "Left out").dataframe[-1].value.to_string()


def test_what_data_lint_calls_an_error_is_said(visit):
    page = with_gold(visit, GOLD.replace("A cat sleeps.", "#N/A", 1))
    assert "mine: 1 of 8 texts has what data lint calls an error and is scored all the same:" in words(page)
    page.segmented_control(key="lang").set_value("Português").run()
    assert "mine: 1 de 8 textos tem o que data lint chama de erro" in words(page) and "(par 0)" in words(page)


def test_the_headline_is_that_of_all_pairs_until_a_visitor_says_otherwise(visit, monkeypatch):
    other = SimpleNamespace(name="sick_br", title="SICK-BR", pairs=lambda: read_corpus(SAMPLES / "sick.txt").pairs)
    monkeypatch.setattr("pairlens.studies.nli.report.SHARED", {("assin2", "sick"): other})
    page = visit(data="path", path=str(SAMPLES / "assin2.xml"))
    page = with_answers(page, ("answers.csv", labelled(lambda n: ("entailment", *THREE[:2])[n % 3])))
    assert not errors(page)
    over = "Over entailment 50.0\u00a0%, none 50.0\u00a0%"
    assert f"{over}, 40 pairs; 95 % interval 0.346 to 0.633, over 10 related sets of sentences." in words(page)
    assert "Pairs that are in SICK-BR too, in one order or the other: 24." in words(page)
    assert re.search(r"Beside the headline, without pairs that are in SICK-BR: macro-F1 .* 16 pairs\.", words(page))
    page.toggle(key="trained").set_value(True).run()
    assert not errors(page) and f"{over}, 16 pairs; no interval, over 4 related sets of sentences." in words(page)
    assert "Too few pairs of entailment (8), none (8) for an interval of macro-F1: at least 20." in words(page)
    assert re.search(r"Beside the headline, all pairs: macro-F1 .* 40 pairs\.", words(page))


def test_similarities_alone_are_judged_too(visit):
    pairs = read_corpus(SAMPLES / "assin2.xml")
    answers = "id,similarity\n" + "".join(f"{pair.id},{pair.relatedness}\n" for pair in pairs)
    page = with_answers(visit(data="path", path=str(SAMPLES / "assin2.xml")), ("near.csv", answers))
    assert not errors(page) and "no label to judge on assin2" in words(page)
    assert "Relatedness: Pearson 1.000, mean squared error 0.00, over 40 pairs." in words(page)


def test_where_every_pair_is_in_the_other_set_that_is_said(visit, monkeypatch):
    monkeypatch.setattr(PublicSet, "pairs", lambda _: list(read_corpus(SAMPLES / "assin2.xml")))
    page = visit(data="path", path=str(SAMPLES / "assin2.xml"))
    with_answers(page, ("a.csv", labelled(lambda n: THREE[n % 3])))
    assert not errors(page) and "in one order or the other: 40." in words(page)
    page.toggle(key="trained").set_value(True).run()
    assert not errors(page)
    assert "no number of its own on assin2, because each of its pairs is in SICK-BR too" in words(page)


def test_files_may_have_the_same_name_or_be_given_twice(visit):
    page = upload(visit(data="upload"), "Pairs with gold labels", ("mine.csv", GOLD), ("mine.csv", GOLD))
    first, second = ("id,label\n0,entailment\n1,neutral\n", "id,label\n0,neutral\n1,neutral\n")
    files = [("mine.csv", first), ("mine.csv", second), ("mine.csv", first), ("bilingual-entailment.csv", second)]
    page = with_answers(page, *files)
    assert not errors(page)
    names = ["mine", "mine (2)", "bilingual-entailment (2)"]
    assert box(page, "Details of").options == [f"mine · {name}" for name in names]


def test_swapped_answers_are_asked_for_and_go_with_one_file(visit):
    forward, back = ((SAMPLES / f"assin_answers{end}.csv").read_text("utf-8") for end in ("", "_reverse"))
    page = with_answers(visit(data="path", path=str(SAMPLES / "assin.xml")), ("one.csv", forward))
    assert "reverse" in errors(page)[0], "they are missing"
    upload(page, "Its answers with premise and hypothesis swapped", ("reverse.csv", back))
    assert not errors(page) and "one: macro-F1" in words(page)
    with_answers(page, ("one.csv", forward), ("two.csv", forward))
    assert len(errors(page)) == 2, "one file of swapped answers is not taken to go with both"
    box(page, "Swapped answers that go with one").select_index(0).run()
    assert "two" in errors(page)[0] and "one: macro-F1" in words(page)


def test_a_file_that_cannot_be_read_is_one_sentence(visit):
    bomb = '<!DOCTYPE a [<!ENTITY b "c">]><entailment-corpus>&b;</entailment-corpus>'
    page = upload(visit(data="upload"), "Pairs with gold labels", ("bomb.xml", bomb))
    assert len(errors(page)) == 1 and "bomb.xml" in errors(page)[0]
    said = errors(with_gold(visit, f"{GOLD}9,,A dog.,neutral\n", lang="Português"))
    assert "mine.csv, linha 5: não há premissa." in said[0]
