"""What takes the BabyLM pipeline's place for encoder-decoders, where its own code ends in an error.

Our own loop, after a measured description of it: it pads a batch on the right and keeps the whole [batch, length,
vocabulary] tensor that the pipeline keeps.
"""

import torch

from tests.benchmarks.measuring import System


def babylm(opened, texts, batch):
    """A loop over padded batches."""
    tokenizer, module = opened.tokenizer(), opened.module
    mask = tokenizer.convert_tokens_to_ids("<extra_id_0>")

    @torch.no_grad()
    def rows(part):
        asked = [module.config.decoder_start_token_id, mask]
        ids, seen = _padded(
            [asked + tokenizer(text, add_special_tokens=False).input_ids for text in part], tokenizer.pad_token_id
        )
        encoder = torch.tensor([[mask, tokenizer.eos_token_id]] * len(part))
        said = module(input_ids=encoder, decoder_input_ids=ids, decoder_attention_mask=seen).logits.log_softmax(-1)
        picked = said[:, 1:-1].gather(-1, ids[:, 2:, None]).squeeze(-1) * seen[:, 2:]
        return [float(value) for value in picked.sum(1)]

    def score():
        return [total for start in range(0, len(texts), batch) for total in rows(texts[start : start + batch])]

    return System(f"BabyLM pipeline (stand-in), batch {batch}", score)


def _padded(rows, pad):
    longest = max(map(len, rows))
    ids = torch.tensor([row + [pad] * (longest - len(row)) for row in rows])
    seen = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    return ids, seen
