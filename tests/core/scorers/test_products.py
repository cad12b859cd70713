"""Products by oneDNN and the quicker GELU: those of torch but for rounding, and what they leave to torch."""

import pytest
import torch
from transformers import activations
from transformers.pytorch_utils import Conv1D

from pairlens.models import products
from pairlens.models.products import gated_product, product
from pairlens.scorers._output import fuse

pytestmark = pytest.mark.model


def drawn(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(len(shape)))


@pytest.fixture
def computed(monkeypatch):
    """How many products oneDNN has computed."""
    calls = []
    operator = torch.ops.mkldnn._linear_pointwise
    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", lambda *given: calls.append(1) or operator(*given))
    return calls


@pytest.fixture(autouse=True)
def on_any_processor(monkeypatch):
    """As if torch's usual library were not made for this processor."""
    monkeypatch.setattr(products, "_usual_is_faster", lambda: False)


@pytest.mark.skipif(not products._HAS_ONEDNN, reason="this torch was built without oneDNN")
@pytest.mark.parametrize(
    ("states", "weight", "biased"),
    [
        (drawn(3, 500, 96), drawn(40, 96), True),
        (drawn(3, 500, 96), drawn(96, 40).T, False),
        (drawn(500, 3, 96).transpose(0, 1), drawn(80, 192)[::2, ::2], True),
        (drawn(1, 2048), drawn(2048, 2048), False),
    ],
)
def test_they_are_those_of_double_precision_but_for_rounding(states, weight, biased, computed):
    bias = torch.arange(float(weight.shape[0])) if biased else None
    wanted = states.double() @ weight.T.double() + (0 if bias is None else bias.double())
    with torch.inference_mode():
        values = product(states, weight, bias)
    assert computed and values.shape == wanted.shape
    assert torch.allclose(values.double(), wanted, atol=1e-3)


def test_few_states_other_precisions_layers_and_processors_are_left_to_torch(computed, monkeypatch):
    few = [(drawn(*shape), drawn(40, 24)) for shape in ((2, 0, 24), (9, 24))]
    others = [(drawn(2048, 96).to(dtype), drawn(40, 96).to(dtype)) for dtype in (torch.bfloat16, torch.double)]
    for states, weight in (*few, *others):
        with torch.inference_mode():
            assert torch.equal(product(states, weight), torch.nn.functional.linear(states, weight))
    monkeypatch.setattr(products, "_usual_is_faster", lambda: True)
    with torch.inference_mode():
        product(drawn(3, 500, 96), drawn(40, 96))
    assert not computed

    class Own(torch.nn.Linear):
        def forward(self, states):
            return super().forward(states) + 1

    network = torch.nn.Sequential(Own(2, 2), torch.nn.Linear(2, 2))
    products.use_in(network)
    assert type(network[0]) is Own and type(network[1]) is not torch.nn.Linear


@pytest.mark.parametrize(("count", "biased"), [(3, True), (1024, False), (1024, True)])
def test_gates_are_those_of_double_precision_but_for_rounding(count, biased):
    gates, ups = (torch.nn.Linear(96, 128, bias=biased) for _ in range(2))
    states = drawn(count, 96)
    with torch.inference_mode():
        said = gated_product(states, gates, ups)
        wanted = torch.nn.functional.silu(gates.double()(states.double())) * ups.double()(states.double())
    assert torch.allclose(said.double(), wanted, atol=1e-5)


@pytest.mark.parametrize("layer", [torch.nn.Linear(96, 64), Conv1D(64, 96)])
def test_layers_keep_what_they_are_and_their_gradients(layer, computed):
    states, before = drawn(1024, 96), dict(layer.state_dict())
    wanted = layer(states)
    products.use_in(layer)
    assert isinstance(layer, torch.nn.Linear | Conv1D) and layer.state_dict().keys() == before.keys()
    layer(states).sum().backward()
    assert layer.weight.grad is not None and not computed
    with torch.inference_mode():
        assert torch.allclose(layer(states), wanted, atol=1e-5)
    assert bool(computed) == products._HAS_ONEDNN


@pytest.mark.parametrize("form", [activations.NewGELUActivation, activations.FastGELUActivation])
def test_the_quicker_gelu_is_that_of_transformers_but_for_rounding(form):
    network = torch.nn.Sequential(form())
    states = torch.cat([torch.linspace(-12, 12, 4001), torch.tensor([-1e30, -0.0, 1e30])])
    wanted = network(states.double())
    fuse(network)
    assert type(network[0]) is not form
    with torch.inference_mode():
        quick = network(states)
    assert torch.allclose(quick.double(), wanted, rtol=1e-6, atol=1e-6)
    assert torch.allclose(network(states), quick, rtol=1e-6, atol=1e-6)
