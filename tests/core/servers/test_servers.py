"""Servers as models: right ones give transformers' numbers, wrong ones give none."""

import math

import pytest

import pairlens
from pairlens import settings as _settings
from pairlens.errors import ModelError, PairlensError, PolicyError
from pairlens.models import find, served
from pairlens.scoring.into_store import score_missing
from pairlens.scoring.recipe import recipe_of
from pairlens.servers import Address, connection, is_address, parsed
from pairlens.store import Store
from pairlens.types import PLAIN, Extras, Request
from tests.fake_hub import fake_hub
from tests.fake_server import FOLDER, fake_server

pytestmark = pytest.mark.model
TEXTS = (
    "The keys to the cabinet are here.", "The keys to the cabinet is here.", "Ein naïver Hund 😀 schläft.", "A",
    "Who said that the horses that were tired are here?",
)  # fmt: skip


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(connection, "_PAUSES", (0.0, 0.0, 0.0))
    served._dialect.cache_clear()
    served._connection.cache_clear()


def scored(name, extras=PLAIN, texts=TEXTS):
    recipe = recipe_of(name)
    return recipe.open().score([recipe.request(Request("", text)) for text in texts], extras)


def apart(ours, theirs):
    """The largest difference of a token's value, which both leave out at the same places."""
    assert [one.ids for one in ours] == [one.ids for one in theirs]
    pairs = [pair for a, b in zip(ours, theirs, strict=True) for pair in zip(a.logprobs, b.logprobs, strict=True)]
    assert all(math.isnan(a) == math.isnan(b) for a, b in pairs)
    return max(abs(a - b) for a, b in pairs if not math.isnan(a))


@pytest.mark.parametrize("dialect", ["vllm", "sglang", "completions"])
def test_a_server_gives_the_numbers_of_the_folder(dialect):
    with fake_server(dialect) as server:
        theirs = scored(server.address)
    assert apart(scored("english-small"), theirs) < 1e-4


def test_what_is_likeliest_stands_beside_and_what_no_server_tells_is_missing():
    with fake_server() as server:
        one = scored(server.address, Extras(boundary=True, entropy=True, top=3))[0]
        with pytest.raises(PolicyError, match="temperature 1 only"):
            scored(server.address, Extras(temperatures=(2.0,)))
    own = scored("english-small", Extras(top=3))[0]
    assert [[token for token, _ in top] for top in one.tops] == [[token for token, _ in top] for top in own.tops]
    assert all(math.isnan(value) for value in (*one.entropies, *one.boundary_logprobs, *one.eos_logprobs))


WRONG = {
    "echo ignored": ("completions", "gives 1 values for"),
    "displaced": ("completions", "its values are displaced"),
    "another text": ("vllm", "gives"),
    "likeliest only": ("vllm", "it tells only the likeliest"),
    "tempered": ("vllm", "changes its values with the temperature"),
    "truncated": ("vllm", "it has cut the text"),
    "zeros": ("completions", "as if each were certain"),
    "always 500": ("vllm", "does not answer"),
    "another form": ("vllm", "of a form that is not known"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_server_gives_no_number(fault):
    dialect, words = WRONG[fault]
    with fake_server(dialect, fault) as server, pytest.raises(ModelError, match=words) as refusal:
        scored(server.address)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("fault", ["some 500", "cut connection", "slow"])
def test_a_server_that_stumbles_is_asked_again_and_tested_again(fault):
    with fake_server(fault=fault) as server:
        theirs = scored(server.address)
    assert apart(scored("english-small"), theirs) < 1e-4


def test_nothing_is_lost_where_a_server_dies_halfway(home, tmp_path, monkeypatch):
    monkeypatch.setenv("PAIRLENS_CHUNK_REQUESTS", "8")
    _settings.settings.cache_clear()
    table = tmp_path / "pairs.tsv"
    table.write_text("good\tbad\n" + "".join(f"The horses are {n}.\tThe horses is {n}.\n" for n in range(20)))
    with fake_server(fault="dies", lives=15) as server:
        with pytest.raises(ModelError, match="the same run continues"):
            pairlens.benchmark(table, model=server.address, task="pairs")
        server.fault.name, before = "", server.fault.asked
        served._dialect.cache_clear()
        theirs = pairlens.benchmark(table, model=server.address, task="pairs")
        assert server.fault.asked - before < 30, "what was stored is not asked again"
    own = pairlens.benchmark(table, model="english-small", task="pairs")
    assert theirs.value == own.value and (theirs.items["margin"] - own.items["margin"]).abs().max() < 1e-3
    assert "|server:vLLM 0.32.0|" in theirs.signature
    kept = [str(part.about) for part in Store().parts(theirs.manifest["fingerprint"])]
    assert kept and all("self_test" in about and "'drift': 0.0" in about for about in kept)


@pytest.mark.parametrize(
    ("dialect", "words"),
    [("ollama", "Ollama gives no log-probabilities"), ("tgi", "TGI takes texts"), ("chat", "only chats"),
     ("elsewhere", "no server of language models")],
)  # fmt: skip
def test_what_cannot_score_says_so(dialect, words):
    with fake_server(dialect) as server, pytest.raises(ModelError, match=words):
        find(server.address)


def test_an_address_is_read_or_refused_in_one_sentence():
    address = parsed("HTTPS://Host/v1/?tokenizer=./folder#a/b")
    assert (address.base, address.model, address.tokenizer) == ("https://host:443", "a/b", "./folder")
    assert parsed("http://[::1]:8000").base == "http://[::1]:8000"
    assert parsed("llamacpp:./a.gguf#gpt2") == Address("", tokenizer="gpt2", file="./a.gguf")
    assert is_address("HTTP://x") and not is_address("org/http")
    for wrong in ("http://", "http://x:port", "http://user:key@x", "http://x?key=1"):
        with pytest.raises(ModelError):
            parsed(wrong)
    for wrong in ("http://a b:80", "llamacpp:", "llamacpp:~nobody/x.gguf", "http://127.0.0.1:9?tokenizer=~nobody/x"):
        with pytest.raises(PairlensError):
            find(wrong)
    with pytest.raises(ModelError, match="does not answer"):
        find("http://127.0.0.1:9")


def test_a_key_is_sent_and_never_kept(monkeypatch, home):
    monkeypatch.setenv("PAIRLENS_SERVER_KEY", "s3cret")
    with fake_server() as server:
        recipe = recipe_of(server.address)
        scorer = recipe.open()
        scorer.score([recipe.request(Request("", TEXTS[0]))])
        assert server.seen[-1] == "Bearer s3cret"
    assert "s3cret" not in f"{scorer.about}{recipe}{recipe.model.card}"
    assert not [path for path in home.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]


OPEN = "http://127.0.0.1:8000"
ATTACKS = (
    "http://localhost:8000", "http://127.0.0.1:8001", "http://127.0.0.1", "http://127.1:8000", "http://[::1]:8000",
    "http://[::ffff:127.0.0.1]:8000", "http://0.0.0.0:8000", "http://127.0.0.1:8000@evil.org", "https://127.0.0.1:8000",
    "http://127.0.0.1:8000.nip.io", "http://169.254.169.254", "http://evil.org#http://127.0.0.1:8000",
    "http://127.0.0.1:8000?tokenizer=/etc", "llamacpp:/etc/passwd", "llamacpp:~/x.gguf", "llamacpp:~nobody/x.gguf", "HTTP://2130706433:8000",
)  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_visitor_cannot_make_a_shared_dashboard_ask_anywhere(attack, monkeypatch):
    from pairlens import sharing

    monkeypatch.setenv("PAIRLENS_ALLOWED", OPEN)
    monkeypatch.setattr(sharing, "_SHARED", ["a test"])
    monkeypatch.setattr(connection.Connection, "ask", lambda *_, **__: pytest.fail("it was asked"))
    _settings.settings.cache_clear()
    with pytest.raises(PairlensError):
        find(attack)


def test_a_redirect_is_not_followed():
    with fake_server("elsewhere") as server, pytest.raises(connection.RefusedError, match="sends elsewhere"):
        connection.Connection(server.address.partition("?")[0]).ask("/version")


def test_of_a_tokenizer_on_the_hub_no_weights_are_fetched(tmp_path, monkeypatch):
    with fake_hub({"lab/small": FOLDER}, tmp_path / "cache", monkeypatch), fake_server() as server:
        theirs = scored(server.address.replace("english-small", "lab/small"))
    assert apart(scored("english-small"), theirs) < 1e-4
    fetched = [path.name for path in (tmp_path / "cache").rglob("snapshots/*/*")]
    assert "tokenizer.json" in fetched and not [name for name in fetched if name.endswith(".safetensors")]


def test_a_run_by_a_server_keeps_how_far_it_is_from_the_original(home):
    store = Store(shipped=None)
    with fake_server() as server:
        recipe = recipe_of(server.address)
        requests = {str(n): recipe.request(Request("", text)) for n, text in enumerate(TEXTS)}
        assert [*score_missing(requests, recipe, store)][-1].done == len(TEXTS)
    (part,) = store.parts(recipe.fingerprint)
    checked = part.about["provenance"]["against_float32"]
    assert checked["texts"] == len(TEXTS) and checked["largest"] < 1e-4
