"""Two kinds of scorer that are nobody's choice: they are not in `pairlens.scorers.SCORERS`.

`WORD_IN_GAP`: the word in a gap as the programs of StereoSet score it, to reproduce published numbers (Nadeem et al.
2021). The word is cut into tokens w1 .. wk on its own. For each of them the text has the tokens before it, written
out, and one mask in place of the rest of the word; the token is read at this mask, the first one of several.
Encoder-decoders read the token after their start symbol and the mask, which the programs took to come first. See
`_words_apart`.

`PATCHED`: forms after a beginning into whose run states of another beginning are put (activation patching). Vig et
al. 2020 ("Investigating gender bias in language models using causal mediation analysis") and Finlayson et al. 2021
("Causal analysis of syntactic agreement mechanisms in neural language models") intervene on neurons of language
models, Geiger et al. 2021 ("Causal abstractions of neural networks") interchange the states of two inputs, Meng et
al. 2022 ("Locating and editing factual associations in GPT") make maps of layers and positions. The ladder, where an
earlier layer's states stand for the last one's, is the logit lens (nostalgebraist 2020). See `_patch`.
"""

from pairlens.policies import Policy
from pairlens.scorers import network_for
from pairlens.types import Model, Scorer, ScorerKind


def _open_word(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._words_apart import RestOfWordScorer

    return RestOfWordScorer(network_for(WORD_IN_GAP, model, policy))


WORD_IN_GAP = ScorerKind(
    name="stereoset",
    version=1,
    title="stereoset: each token of a word, one mask in place of the rest of it",
    accepts=frozenset({"masked", "seq2seq"}),
    reads=("dtype",),
    open=_open_word,
    speed=5.0,
)


def _open_patched(model: Model, policy: Policy) -> Scorer:
    from pairlens.scorers._patching import PatchedScorer

    return PatchedScorer(network_for(PATCHED, model, policy), policy)


PATCHED = ScorerKind(
    name="patched",
    version=1,
    title="patched: a form after a beginning into which states of another were put",
    accepts=frozenset({"causal"}),
    reads=("first_token", "dtype"),
    open=_open_patched,
    speed=2.0,
)
