"""Training heads: it learns, the same for a seed, goes on after a kill, keeps the best, refuses in words."""

import itertools
import json
import random

import pytest
import torch
from safetensors.torch import load_file

from pairlens.cli import main
from pairlens.errors import InputError
from pairlens.files.nli.readers import read_corpus
from pairlens.models import find, labels_of
from pairlens.models.loading import load_tokenizer
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.settings import settings
from pairlens.training import loop
from pairlens.training.checkpoint import ask_to_stop, work_folder
from pairlens.training.heads import HeadRecipe
from pairlens.training.heads.pairs import LabelledPair, encoded, split
from pairlens.training.heads.tables import NEXT, following, read_labelled
from pairlens.training.heads.trainer import Head, HeadTraining, request, train_head
from pairlens.types import Request

pytestmark = pytest.mark.model

WORDS = ("cat", "keys", "table", "dogs", "boats", "boy", "book", "author")
HEAD = Head("classifier", ("same", "other"))
QUICK = HeadRecipe(rank=2, rows=8, epochs=1.0, core_rate=5e-3, head_rate=5e-3, validation_share=0.1)


def examples(number=80, seed=1):
    """Whether the second text has the same noun as the first."""
    chance = random.Random(seed)
    pairs = [chance.sample(WORDS, 2) for _ in range(number)]
    return [LabelledPair(f"The {two[0]} sleeps.", f"The {two[n % 2]} is here.", n % 2) for n, two in enumerate(pairs)]


def others(number, seed=1):
    """Whether the second text has another verb: easy for random weights, whatever the seed and the processor."""
    chance, verbs = random.Random(seed), ("sleeps", "is not here")
    pairs = [chance.choices(WORDS, k=2) for _ in range(number)]
    texts = [(f"The {one} sleeps.", f"The {other} {verbs[n % 2]}.") for n, (one, other) in enumerate(pairs)]
    return [LabelledPair(*both, n % 2) for n, both in enumerate(texts)]


@pytest.fixture
def base(tiny):
    return find(tiny("bert"))


@pytest.fixture
def output(home):
    settings().models.mkdir(parents=True)
    return settings().models / "a-head"


def weights(folder):
    return load_file(folder / "head.safetensors")


def same(one, other):
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def trained(*asked, **options):
    return [*train_head(HEAD, *asked, **options)]


def training_of(folder):
    return json.loads((folder / "card.json").read_text())["training"]


def test_it_learns_and_is_used_at_once(base, output):
    recipe = HeadRecipe(rank=4, rows=16, epochs=6, core_rate=5e-3, head_rate=5e-3, validation_share=0.2)
    assert trained(base, others(200), recipe, output)[-1].stage == "saved"
    model = find("a-head")
    assert (model.kind, labels_of(model)) == ("classifier", ("same", "other"))
    scorer, fresh = SCORERS["entailment"].open(model, Policy()), others(100, seed=2)
    scores = scorer.score([Request(f"{one}\n{other}\n", "same") for one, other, *_ in fresh])
    right = sum((score.total > -0.6931) == (pair.label == 0) for score, pair in zip(scores, fresh, strict=True))
    assert right >= 75, "half of them by chance; 99 to 100 with other seeds"
    assert training_of(output)["validation_accuracy"] >= 75
    assert not work_folder(output).exists()


def test_the_same_seed_gives_the_same_weights_also_after_a_kill(base, output, monkeypatch):
    """Nothing half-made is in the catalogue, and the base stays as it was; only deltas and the head are trained."""
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    before = {path.name: path.read_bytes() for path in base.folder.iterdir()}
    whole = output.with_name("whole")
    trained(base, examples(), QUICK, whole)
    run = train_head(HEAD, base, examples(), QUICK, output)
    list(itertools.islice(run, 7))
    run.close()
    assert not output.exists(), "nothing half-made is in the catalogue"
    steps = [progress.step for progress in trained(base, examples(), QUICK, output)]
    assert steps[1] == 6, "five steps were kept"
    assert same(weights(output), weights(whole))
    assert {path.name: path.read_bytes() for path in base.folder.iterdir()} == before
    matrices = {name for name, tensor in weights(output).items() if tensor.ndim == 2}
    assert all(name.endswith((".down", ".up")) or name.startswith("head.") for name in matrices)


def test_another_request_begins_anew_only_if_told_to_and_a_stop_keeps_what_was_best(base, output, monkeypatch):
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    run = train_head(HEAD, base, examples(), QUICK, output)
    list(itertools.islice(run, 7))
    run.close()
    with pytest.raises(InputError, match="had other text or settings"):
        next(train_head(HEAD, base, examples(seed=3), QUICK, output))
    run = train_head(HEAD, base, examples(seed=3), QUICK, output, resume=False)
    assert [progress.step for progress in itertools.islice(run, 5)][1] == 1
    ask_to_stop(output)
    assert [progress.stage for progress in run] == ["training", "saved"]
    assert training_of(output)["steps"] == 4
    assert find("a-head").kind == "classifier"


def test_the_best_state_is_published_not_the_last(base, output, monkeypatch):
    accuracies, measured = iter([0.5, 0.9, 0.7]), []

    def measure(run):
        accuracy = next(accuracies, 0.6)
        measured.append((accuracy, run.network.out.bias.detach().half().clone()))
        return loop.Held(1.0, accuracy)

    monkeypatch.setattr(HeadTraining, "measure", measure)
    trained(base, examples(), QUICK, output)
    best = next(bias for accuracy, bias in measured if accuracy == 0.9)
    assert torch.equal(weights(output)["head.out.bias"], best)
    assert not torch.equal(best, measured[-1][1])


def test_a_recipe_that_cannot_work_is_refused():
    wrong = {"rank": -1, "rows": 0, "epochs": 0, "core_rate": 0, "validation_share": 1, "longest": 3}
    for name, value in wrong.items():
        with pytest.raises(InputError):
            HeadRecipe(**{name: value})


def test_every_pair_is_in_one_batch_and_rank_nought_trains_all_but_too_long_or_too_few_pairs(base, output):
    pairs = encoded(examples(50), load_tokenizer(base), 64)
    batches = pairs.epoch(8, seed=3)
    assert sorted(place for batch in batches for place in batch) == list(range(50))
    assert batches == pairs.epoch(8, seed=3) != pairs.epoch(8, seed=4)
    assert len(encoded(examples(1), load_tokenizer(base), len(pairs.ids[0]))) == 1, "just short enough"
    long = [LabelledPair("cat " * 80, "cat", 0)] * 3
    trained(base, [*examples(40), *long], HeadRecipe(rank=0, rows=8, core_rate=1e-3), output)
    names = weights(output)
    assert "delta.encoder.layer.0.attention.self.query.weight" in names
    assert not any(name.endswith(".down") for name in names)
    assert training_of(output)["left_out"] == 3
    with pytest.raises(InputError, match="too few to train a head"):
        trained(base, long, QUICK, output.with_name("none"))
    with pytest.raises(InputError, match="Pairs of at most 64 tokens: 1, too few"):
        split(examples(1), base, QUICK)


PARAGRAPHS = [[f"Paragraph {p} sentence {s}." for s in range(4)] for p in range(30)]


def test_half_of_the_pairs_follow_each_other_and_nothing_does_without_paragraphs():
    pairs = following(PARAGRAPHS, 80, seed=1)
    assert pairs == following(PARAGRAPHS, 80, seed=1) != following(PARAGRAPHS, 80, seed=2)
    assert sum(pair.label == NEXT for pair in pairs) == 40
    for first, second, label, _ in pairs:
        (_, p, _, s), (_, q, _, r) = first.rstrip(".").split(), second.rstrip(".").split()
        assert (p == q and int(r) == int(s) + 1) if label == NEXT else p != q
    for paragraphs in ([], [["One sentence."]] * 30, PARAGRAPHS[:1]):
        with pytest.raises(InputError, match="text in paragraphs"):
            following(paragraphs, 10, seed=1)


ROWS = [f"The cat {n} sleeps.,The dogs laugh.,{'yes' if n % 2 else 'no'}" for n in range(20)]


@pytest.fixture
def table(save):
    """`table(rows, header)`: a file of labelled pairs."""
    return lambda rows=ROWS, header="premise,hypothesis,label": save("pairs.csv", "\n".join([header, *rows]) + "\n")


@pytest.fixture
def classifier(cli, tiny):
    """`classifier(path, *options)`: status and errors of the verb that trains one, from a tiny model."""

    def run(path, *options, **sizes):
        asked = ("--input", path, "--from", tiny("bert", **sizes), *options)
        status, _, errors = cli("train-classifier", *asked)
        return status, errors

    return run


def test_labels_come_from_the_table_in_a_stated_order_and_columns_can_be_named(table):
    path = table([*ROWS, "The cat sleeps.,,yes"])
    read = read_labelled([path], {})
    assert (read.labels, read.left_out, len(read.examples)) == (("no", "yes"), 1, 20)
    turned = read_labelled([path], {}, ("yes", "no"))
    assert [pair.label for pair in turned.examples] == [1 - pair.label for pair in read.examples]
    path = table(header="a,b,c")
    with pytest.raises(InputError, match="no column with the premise"):
        read_labelled([path], {})
    assert len(read_labelled([path], {"premise": "a", "hypothesis": "b", "label": "c"}).examples) == 20
    for rows, labels, message in (
        (ROWS[:3], (), "3 pairs with a label are too few"),
        (ROWS[::2], (), "there is one label, 'no'"),
        (ROWS, ("yes", "maybe"), "the label 'no' is not one of yes, maybe"),
    ):
        with pytest.raises(InputError, match=message):
            read_labelled([table(rows)], {}, labels)


SICK = ROOT / "data" / "samples" / "nli" / "sick.txt"


def test_pairs_in_both_directions_have_the_labels_of_both_and_options_mean_the_same(tmp_path, capsys, table):
    read = read_labelled([SICK], {}, both=True)
    pairs = read_corpus(SICK).pairs
    assert read.labels == ("contradiction", "entailment", "neutral")
    labels = [(read.labels[one.label], read.labels[one.back]) for one in read.examples]
    assert labels == [(pair.gold, pair.reverse_gold) for pair in pairs]
    assert any("All parts of sick.txt are trained on" in note for note in read.notes)
    written = tmp_path / "train.csv"
    command = ["nli", "translate", "--gold", str(SICK), "--into", "sick", "--split", "TEST", "-o", str(written)]
    assert main(command) == 0
    again = read_labelled([written], {}, both=True)
    assert again.examples == [one for one, pair in zip(read.examples, pairs, strict=True) if pair.split == "TEST"]
    assert main([*command, "--both-directions"]) == 0
    both = [pair for one in again.examples for pair in (one[:3], (one.second, one.first, one.back))]
    assert [pair[:3] for pair in read_labelled([written], {}).examples] == both
    with pytest.raises(InputError, match="both directions already: leave out --both-directions"):
        read_labelled([written], {}, both=True)
    capsys.readouterr()
    plain = read_labelled([SICK], {}, ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"))
    read = read_labelled([SICK], {}, plain.labels, both=True)
    assert read.labels == plain.labels
    assert [pair[:3] for pair in read.examples] == [pair[:3] for pair in plain.examples]
    columns = {"premise": "sentence_A", "hypothesis": "sentence_b", "label": "entailment_label"}
    assert read_labelled([SICK], columns, plain.labels, both=True).examples == read.examples
    rows = [*(f"{row},yes" for row in ROWS), ",The dogs laugh.,yes,no", "The cat sleeps.,The dogs laugh.,,no"]
    path = table(rows, "A,hypothesis,label,reverse_gold")
    for both in (False, True):
        pairs = read_labelled([path], {"premise": "a"}, both=both)
        assert (len(pairs.examples), pairs.left_out, pairs.labels) == (20, 2, ("no", "yes"))
    assert {pair.back for pair in pairs.examples} == {1}


def test_both_directions_of_a_pair_are_trained_on_or_held_out_together(tiny):
    base = find(tiny("bert", max_position_embeddings=256))
    pairs = read_labelled([SICK], {}, both=True).examples
    training, held_out = split(pairs, base, QUICK)
    assert (len(training), len(held_out)) == (2 * 45, 2 * 5)
    assert split([LabelledPair(*pair[:3]) for pair in pairs], base, QUICK)[0].ids == training.ids[::2]
    assert request(HEAD, base, pairs, QUICK) != request(HEAD, base, [pair._replace(back=0) for pair in pairs], QUICK)
    texts = [(f"A{' a' * n} cat.", "The dogs laugh.") for n in range(40)]  # or pairs of their own
    pairs = [LabelledPair(*order, 0) for pair in texts for order in (pair, pair[::-1])]
    training, held_out = split(pairs, base, QUICK)
    assert (len(training), len(held_out)) == (72, 8)
    trained, held = ({tuple(sorted(ids)) for ids in part.ids} for part in (training, held_out))
    assert not trained & held


def test_the_command_line_trains_on_both_directions_says_a_guessed_encoding_and_takes_no_name_twice(
    classifier, table, save
):
    asked = ("--rank", "2", "--both-directions", "--name")
    status, errors = classifier(SICK, *asked, "mine", max_position_embeddings=256)
    card = find("mine").card
    assert status == 0 and card["training"]["pairs"] + card["training"]["held_out_pairs"] == 100
    assert "trained on pairs in both directions" in card["description"]
    assert "Each pair is there twice" in errors
    status, errors = classifier(table(), *asked, "other")
    assert status == 2 and "20 pairs without a label for the swapped pair (row 1, ...)" in errors
    rows = [row.replace("The cat", "Ёлка стоит у дома") for row in ROWS]
    path = save("pairs.csv", "\n".join(["premise,hypothesis,label", *rows]), "koi8_r")
    status, errors = classifier(path, "--rank", "2", "--name", "one")
    assert status == 0 and "it is read as KOI8-R (Cyrillic), which is a guess" in errors
    assert "held-out pairs are right" in errors and labels_of(find("one")) == ("no", "yes")
    status, errors = classifier(path, "--rank", "2", "--name", "one", "--encoding", "koi8-r")
    assert status == 2 and "There is a model 'one' already" in errors and "which is a guess" not in errors


@pytest.mark.parametrize(("verb", "text"), [("train-classifier", "premise\nx\n"), ("train-next-sentence", "One.\n")])
def test_a_job_ends_with_the_reason_when_its_input_cannot_train(home, tiny, save, tmp_path, cli, verb, text):
    job = home / "jobs" / "one"
    job.mkdir(parents=True)
    (job / "job.json").write_text(json.dumps({"state": "running", "title": "", "arguments": [], "created": 0}))
    asked = ("--input", save("a.csv", text), "--from", tiny("bert"), "--output", tmp_path / "x", "--job", job)
    status, _, errors = cli(verb, *asked)
    ended = json.loads((job / "job.json").read_text())
    assert status == 2 and ended["state"] == "failed" and ended["error"] and ended["error"] in errors


def test_the_command_line_trains_a_next_sentence_head(tiny, save, tmp_path, cli):
    path = save("text.txt", "\n\n".join("\n".join(group) for group in PARAGRAPHS))
    asked = ("train-next-sentence", "--input", path, "--from", tiny("llama"), "--output")
    assert cli(*asked, tmp_path / "head", "--pairs", "60", "--rank", "2")[0] == 0
    assert find(tmp_path / "head").kind == "next-sentence"
    path.write_text("One sentence.\n")
    status, _, errors = cli(*asked, tmp_path / "other")
    assert status == 2 and "text in paragraphs" in errors
    assert not (tmp_path / "other").exists()


def test_what_cannot_work_is_said_before_anything_is_made(home, classifier, table):
    path = table([f"{one},{other},{HEAD.labels[label]}" for one, other, label, _ in examples(40)])
    for asked, words in (
        (("--name", "x", "--output", "b"), "say where the model goes"),
        ((), "say where the model goes"),
        (("--name", "x", "--rank", "5000"), "is more than the base's matrices have"),
        (("--name", "x", "--seed", "-1"), "seed must not be less than 0"),
        (("--name", "x", "--epochs", "nan"), "must be more than zero"),
        (("--name", "x", "--labels", "same,same,other"), "named twice"),
        (("--name", "x", "--from", "unigram-english"), "a head stands on a causal or masked one"),
    ):
        status, errors = classifier(path, *asked)
        assert status == 2 and words in errors and not (home / "models" / "x").exists()
