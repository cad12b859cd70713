"""GGUF files as models: equal numbers, the tokenizer, identity, rights, what is refused; patterns in plans."""

import shutil
import sys
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
import tokenizers
from safetensors.numpy import load_file, save_file

from pairlens import sharing
from pairlens.errors import ModelError
from pairlens.identity import signature
from pairlens.models import find, load
from pairlens.models import gguf as files
from pairlens.models.facts import unknown_token
from pairlens.models.gguf_tokenizer import refuse_other
from pairlens.models.inventory import inventory, offer, offer_in_words
from pairlens.models.loading import load_tokenizer, load_window
from pairlens.plans.cells import ModelEntry, PlanFile, _models
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS
from pairlens.scoring.model_cache import memory_megabytes
from pairlens.scoring.recipe import provenance_of, recipe_of
from pairlens.settings import settings
from pairlens.types import Request
from tests.refusals import error_of
from tests.tiny import SENTENCES, WINDOW

gguf = pytest.importorskip("gguf", reason="files of llama.cpp are read with the gguf package")
writer = pytest.importorskip("workshop.gguf", reason="it writes files with the gguf package")
pytestmark = pytest.mark.model

REQUESTS = [Request("", sentence) for sentence in SENTENCES]
_NAMES = {
    "token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}  # fmt: skip


@pytest.fixture(scope="module")
def original(tiny):
    return tiny("llama", tokenizer="byte-bpe", intermediate_size=64, head_dim=8)


@pytest.fixture
def file(original, tmp_path):
    """`file("Q8_0")`: the tiny model as a GGUF file of this type, with other metadata where they are given."""

    def written(number_type="F32", name="model.gguf", drop=(), **changed):
        path = writer.write(find(original), tmp_path / "whole.gguf", number_type)
        if not (changed or drop):
            return path.rename(tmp_path / name)
        reader = gguf.GGUFReader(path)
        stated = {key: field for key, field in reader.fields.items() if not key.startswith("GGUF.")}
        architecture = changed.pop("architecture", "llama")
        copied = gguf.GGUFWriter(tmp_path / name, architecture)
        for key, field in stated.items():
            if key not in (*drop, *changed, "general.architecture"):
                kind = field.types[0]
                inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
                copied.add_key_value(key.replace("llama.", f"{architecture}."), field.contents(), kind, inner)
        for key, (value, kind) in changed.items():
            copied.add_key_value(key, value, kind)
        for tensor in reader.tensors:
            copied.add_tensor(tensor.name, np.array(tensor.data), raw_dtype=tensor.tensor_type)
        for step in ("write_header_to_file", "write_kv_data_to_file", "write_tensors_to_file", "close"):
            getattr(copied, step)()
        return tmp_path / name

    return written


def logprobs(source):
    scores = recipe_of(str(source)).open().score(REQUESTS)
    return np.concatenate([score.logprobs for score in scores])


def with_dequantised(original, path, folder):
    """A copy of the model's folder with the file's numbers, by gguf's own functions and the tensors' names."""
    shutil.copytree(original, folder)
    weights = {}
    for tensor in gguf.GGUFReader(path).tensors:
        *block, part, _ = tensor.name.split(".")
        rows = gguf.dequantize(tensor.data, tensor.tensor_type)
        if part in ("attn_q", "attn_k"):  # neighbours of a rotary pair go half a head apart
            rows = rows.reshape(-1, 4, 2, rows.shape[1]).transpose(0, 2, 1, 3).reshape(rows.shape)
        layer = f"model.layers.{block[1]}." if block else ""
        weights[f"{layer}{_NAMES[part]}.weight"] = np.ascontiguousarray(rows, np.float32)
    save_file(weights, folder / "model.safetensors")
    return folder


def test_in_single_precision_the_file_scores_like_the_folder_and_rounded_like_its_dequantised_numbers(
    original, file, tmp_path, monkeypatch
):
    reference, whole = logprobs(original), logprobs(f"{file()}#{original}")
    assert np.nanmax(np.abs(whole - reference)) <= 1e-5, "the folder is read by our own network"
    with monkeypatch.context() as patched:
        patched.setattr("pairlens.models.plain.called.recognised", lambda *_: None)
        assert np.array_equal(whole, logprobs(original), equal_nan=True), "and this one by the same"
    distances = []
    for number_type in ("F16", "Q8_0", "Q4_0"):
        path = file(number_type, f"{number_type}.gguf")
        values = logprobs(f"{path}#{original}")
        plain = logprobs(with_dequantised(original, path, tmp_path / number_type))
        assert np.nanmax(np.abs(values - plain)) <= 1e-5
        distances.append(np.nanmax(np.abs(values - reference)))
    assert 1e-5 < distances[0] < distances[1] < distances[2], "fewer bits, larger differences"


def test_queries_and_keys_in_the_order_of_the_folder_are_another_model(original, file, tmp_path, monkeypatch):
    monkeypatch.setattr("workshop.gguf._permuted", lambda weights, name, config: weights)
    assert np.nanmax(np.abs(logprobs(f"{file()}#{original}") - logprobs(original))) > 0.1


def test_a_rebuilt_tokenizer_is_used_if_it_does_what_the_file_says(original, file):
    model = find(path := file("Q8_0"))
    own, rebuilt = load_tokenizer(find(original)), load_tokenizer(model)
    for text in (*SENTENCES, " été  42"):
        assert rebuilt.backend.encode(text).ids == own.backend.encode(text).ids
    assert (rebuilt.start, rebuilt.before, unknown_token(model)) == (own.start, own.before, "")
    assert np.array_equal(logprobs(path), logprobs(f"{path}#{original}"), equal_nan=True)


UINT32, STRING, BOOL = gguf.GGUFValueType.UINT32, gguf.GGUFValueType.STRING, gguf.GGUFValueType.BOOL


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"tokenizer.ggml.pre": ("strange", STRING)}, "it does not know how 'strange' cuts texts into words"),
        ({"tokenizer.ggml.add_bos_token": (True, BOOL)}, ""),
        ({"tokenizer.ggml.bos_token_id": (7, UINT32)}, ""),
        ({"tokenizer.ggml.add_space_prefix": (True, BOOL)}, "it puts no space before texts"),
    ],
)
def test_otherwise_a_tokenizer_is_asked_for(original, file, changed, why):
    path = file(**changed)
    if why:
        said = error_of(lambda: load_tokenizer(find(path)), ModelError)
        assert why in said and f"{path}#FOLDER" in said
    else:  # transformers does as the file says
        start = changed.get("tokenizer.ggml.bos_token_id", (0,))[0]
        tokenizer = load_tokenizer(find(path))
        assert tokenizer.bos == start and tokenizer.before == ((0,) if "add_bos_token" in str(changed) else ())
    assert load_tokenizer(find(f"{path}#{original}")).size == load_tokenizer(find(original)).size


def test_each_thing_that_a_file_says_is_compared_with_the_rebuilt_tokenizer(original, file):
    header, own = files.header(path := file(), "x"), load_tokenizer(find(original))
    refuse_other(own, header, str(path), None)
    tokens = header.metadata["tokenizer.ggml.tokens"]
    for key, value, difference in (
        ("bos_token_id", 5, r"texts should begin with the tokens \(\), not \(\)"),
        ("add_bos_token", True, r"texts should begin with the tokens \(0,\), not \(\)"),
        ("tokens", [*tokens[:-1], "x"], f"its token {len(tokens) - 1} is not 'x'"),
        ("pre", "llama4", ""),
    ):
        other = replace(header, metadata={**header.metadata, f"tokenizer.ggml.{key}": value})
        with pytest.raises(ModelError, match=difference) if difference else nullcontext():
            refuse_other(own, other, str(path), None)
    lower = tokenizers.Tokenizer.from_str(own.backend.to_str())
    lower.normalizer = tokenizers.normalizers.Lowercase()
    with pytest.raises(ModelError, match=r"it does not give 'The keys .*' back"):
        refuse_other(replace(own, backend=lower), header, str(path), None)


def test_another_models_tokenizer_is_refused(file, tiny):
    other = tiny("gpt2", tokenizer="byte-bpe-bare")
    said = error_of(lambda: load(find(f"{file()}#{other}"), "causal"), ModelError)
    assert "is not the file's: its token 1 is not '!'" in said
    assert "There is no model 'english-smal'" in error_of(lambda: find(f"{file()}#english-smal"), ModelError)


def test_identity_card_memory_and_provenance_say_what_the_file_is(original, file, tmp_path, monkeypatch):
    name = f"{file('Q8_0')}#{original}"
    recipe, folder = recipe_of(name), find(original)
    model = recipe.model
    number = sum(array.size for array in load_file(original / "model.safetensors").values())
    assert (model.kind, model.name, model.tokenizer) == ("causal", name, folder.tokenizer)
    assert (model.card["quantisation"], model.card["parameters"], load_window(model)) == ("Q8_0", number, WINDOW)
    assert memory_megabytes(recipe) == 4 * number / 1e6
    assert offer_in_words(offer(name)).startswith(f"{name}: causal model, llama in Q8_0, {number:,} parameters")
    assert provenance_of(recipe)["quantisation"] == "Q8_0" and "quantisation" not in provenance_of(
        recipe_of(str(original))
    )
    line = signature("blimp", 1, "", "data", SCORERS["causal"], model, PRESETS["pairlens"], "1")
    assert "|quantisation:Q8_0|" in line
    same = find(file("Q8_0", "again.gguf"))
    assert same.weights == model.weights != find(file("F16", "half.gguf")).weights
    (entry,) = inventory([model])
    assert (entry.origin, entry.megabytes) == ("folder", (tmp_path / "model.gguf").stat().st_size / 1e6)
    (tmp_path / "model.gguf").write_bytes((tmp_path / "half.gguf").read_bytes())
    assert "have changed since they were identified" in error_of(lambda: load(model, "causal"), ModelError)


def test_the_type_that_a_file_names_counts_where_it_has_tensors_of_it(file):
    assert find(file("Q8_0", **{"general.file_type": (gguf.LlamaFileType.MOSTLY_Q4_K_M, UINT32)})).card[
        "quantisation"
    ] == "Q8_0"  # fmt: skip
    assert find(file("Q4_0", "b.gguf", drop=["general.file_type"])).card["quantisation"] == "Q4_0"


def test_what_is_no_whole_file_of_a_model_that_is_read_is_refused_in_one_sentence(file, tmp_path, monkeypatch):
    path = file("Q8_0")
    content = path.read_bytes()
    for damaged in (b"", b"GGUF", b"PK\3\4" + content[4:], content[:200], content[:5000], content[:-64]):
        (tmp_path / "bad.gguf").write_bytes(damaged)
        assert "damaged or cut short" in error_of(lambda: find(tmp_path / "bad.gguf"), ModelError)
    at = content.index(b"tokenizer.ggml.tokens") + len(b"tokenizer.ggml.tokens") + 8  # the length of this array
    (tmp_path / "bad.gguf").write_bytes(content[:at] + b"\xff" * 7 + b"\x0f" + content[at + 8 :])
    assert "it ends too early" in error_of(lambda: find(tmp_path / "bad.gguf"), ModelError)
    shutil.copy(path, part := tmp_path / "m-00001-of-00003.gguf")
    assert "is a part of a model" in error_of(lambda: find(part), ModelError)
    for name, sentence, changed in (
        ("a", "is a part of a model", {"split.count": (3, gguf.GGUFValueType.UINT16)}),
        ("b", "'t5' models are not read as causal models", {"architecture": "t5"}),
        ("c", "scaled positions", {"llama.rope.scaling.type": ("yarn", STRING)}),
    ):
        strange = file("Q8_0", f"{name}.gguf", **changed)
        assert sentence in error_of(lambda strange=strange: find(strange), ModelError)
    assert "No such file" in error_of(lambda: find(tmp_path / "none.gguf"), ModelError)
    assert "name one of them" in error_of(lambda: find(tmp_path), ModelError)
    assert "is a causal model, not a masked one" in error_of(lambda: find(path, kind="masked"), ModelError)
    monkeypatch.chdir(tmp_path.parent)
    assert f"./{tmp_path.name}/model.gguf" in error_of(lambda: find(f"{tmp_path.name}/model.gguf"), ModelError)


def test_numbers_that_transformers_leaves_out_are_noticed(original, file):
    model = find(path := file())
    header = files.header(path, model.name)
    more = replace(header, parameters=header.parameters + 1)
    module = load(find(f"{path}#{original}"), "causal").module
    files.refuse_unused(header, module, "whole")
    assert "numbers are read" in error_of(lambda: files.refuse_unused(more, module, "x"), ModelError)


def test_without_the_package_its_name_is_said_and_what_a_file_cannot_do_is_refused(original, file, monkeypatch):
    from pairlens.models.heads import refuse_other_bases

    name = f"{file()}#{original}"
    assert "a head stands on its original" in error_of(lambda: refuse_other_bases(find(name)), ModelError)
    assert "neither trained nor spread" in error_of(lambda: load(find(name), "causal", trainable=True), ModelError)
    monkeypatch.setenv("PAIRLENS_DEVICE", "spread")
    settings.cache_clear()
    assert "neither trained nor spread" in error_of(lambda: load(find(name), "causal"), ModelError)
    files._header.cache_clear()
    monkeypatch.setitem(sys.modules, "gguf", None)
    assert "pip install 'gguf>=0.19'" in error_of(lambda: find(name), ModelError)


def test_nothing_beside_the_file_is_read(original, file, tmp_path):
    name = f"{file()}#{original}"
    for beside in ("adapter_config.json", "config.json", "tokenizer_config.json", "generation_config.json"):
        (tmp_path / beside).write_text('{"base_model_name_or_path": "/etc", "auto_map": {"AutoTokenizer": "x.Y"}}')
    (tmp_path / "adapter_model.bin").write_bytes(b"\x80\x04")
    assert np.nanmax(np.abs(logprobs(name) - logprobs(original))) <= 1e-5


def test_on_a_shared_dashboard_file_and_tokenizer_must_be_in_folders_that_the_operator_names(
    original, file, tmp_path, monkeypatch
):
    (tmp_path / "open").mkdir()
    path = shutil.copy(file(), tmp_path / "open" / "model.gguf")
    monkeypatch.setenv("PAIRLENS_ALLOWED", str(tmp_path / "open"))
    settings.cache_clear()
    sharing.share("a test")
    assert find(str(path)).kind == "causal"
    for name in (str(tmp_path / "model.gguf"), f"{path}#{original}", f"{path}#../../{original.name}"):
        assert "read only from folders" in error_of(lambda name=name: find(name), ModelError)
    assert "hub cannot be named here" in error_of(lambda: find(f"{path}#org/name"), ModelError)


def test_a_plan_names_files_by_patterns_with_a_tokenizer_from_its_own_folder(original, file, tmp_path):
    shutil.copytree(original, tmp_path / "tokenizer")
    for number_type in ("Q8_0", "F16"):
        file(number_type, f"m-{number_type}.gguf")
    plan = PlanFile(tmp_path / "plan.yaml", (), ())
    rows = list(_models(ModelEntry("./m-*.gguf#./tokenizer"), plan))
    assert [row["model"] for row in rows] == [f"m-{kind}.gguf#{tmp_path}/tokenizer" for kind in ("F16", "Q8_0")]
    assert find(rows[0]["source"]).tokenizer == find(original).tokenizer
    (row,) = _models(ModelEntry("./m-F16.gguf#english-small"), plan)
    assert row["model"] == "m-F16.gguf#english-small"


def test_a_name_is_split_after_the_ending():
    assert files.named("./a#b/m.GGUF#org/name@v1") == ("./a#b/m.GGUF", "org/name@v1")
    assert files.named("./m.gguf") == ("./m.gguf", "") and files.named("org/name-GGUF") == ("org/name-GGUF", "")


def test_a_folder_with_a_gguf_name_is_a_folder(original, tmp_path):
    folder = shutil.copytree(original, tmp_path / "folder.gguf")
    assert find(folder).folder == folder
