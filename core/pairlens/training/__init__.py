"""Train small language models from plain text, or continue training existing ones, on CPU or accelerator.

    specification    a training as requested by flags, configuration or page
    running          run: from the specification to a model in its folder
    corpus           sequences from files and tables: kept or dropped by regular expressions, without watched pairs,
                     sampled, held out
    loop             the loop of every training, resumable; looks at the model, the best state, publication
    checkpoint       work folders, checkpoints, a request to stop, the lock of a training

A small language model from scratch, for a number of steps or minutes:

    recipe           TrainingRecipe, Progress; shapes by name, what a given time buys on this machine
    from_scratch     train(recipe, texts, output): isolation of units, masking, losses, rates
    packing          a byte-level BPE; from text files to rows of token ids and their order
    optimizer        Muon and AdamW, schedules of their rates
    export           networks of a recipe; safetensors, config.json and tokenizer files for transformers

An existing model, or an untrained one, for a number of epochs:

    options          the options in experiments' configurations
    continued        continue_training: from a model to a complete folder
    chunks           from documents to pieces to batches, masks

A head for pairs of texts over an existing model: `heads`. And what stays:

    card             a model folder's description of itself, for programs, people and pages
    own_models       the models that were trained here: names, cards, histories (files that grow with a training)
    watched_pairs    pairs whose margins a training follows
    recorder         writes the history: losses, and at some moments margins and a sample of text
    learning_curves  the margins as a table: shares that are right, sentences

Importing this package loads neither torch nor transformers.
"""
