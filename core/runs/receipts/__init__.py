"""How a number was made, in one way for every kind of number.

    run             a number of a stored run, or one of its items, as plain values that JSON can hold (schema.json)
    stored_run      what a run has: what was asked, what came out
    numbers         which number; the items that enter it, their weights, what was left out
    evidence        the stored tokens behind some requests, and the parts they are in
    worked          items worked out: candidates, requests, tokens
    narrowed        from an item down to a candidate or a token
    recompute       the number again, from such a receipt alone
    in_windows      texts longer than the model sees at once
    wording         the arithmetic in words, with the numbers
    scored_by       the model, scorer and policy behind log-probabilities, of a recipe or of a run
    sentences       the clauses of a Methods section
    methods         the Methods sentence of a number of a run
    bibtex          what to cite; papers.bib
    asked_for       what the command line and the library ask of a receipt; text: a receipt as text

What typed sentences, forecasts, experiments and evaluations add to it is in their own `receipt` modules.
"""
