"""The networks that are trained here, in plain torch: they score without transformers, from the same files.

    shapes           sizes and options, read from a config; None for what is not known here
    stack            the causal network (Llama's) and the masked one (EuroBERT's)
    encoder_decoder  the encoder-decoder (T5's)
    called           the networks with their output layers, called like transformers' own; forms of their parts that
                     are faster where no gradients are needed; `network`: weights from safetensors, if exactly those

Numbers equal those of transformers' classes but for rounding. Whatever is not recognised is transformers' to load.
"""
