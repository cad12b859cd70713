"""Items from a template and a lexicon: minimal pairs and factorial designs whose cells share their words.

A template is a sentence with slots in braces, choices in brackets and a region between asterisks:

    The {noun:sg} near the {noun:pl} {verb:sg|verb:pl}.
    The {head=person:sg/pl} near the {person[side: same=@head|other=@head!number]} *{rest@head|rest@head!number}*.

**Slots.** `{person}` is any word of that class, `{verb.rest}` one that is in both classes, `{noun.person.m/f}` in
either of the last two. The features of the form follow `:`, separated by spaces: `{handling:participle f pl}`;
`sg/pl` alternates: the first item is singular, the second plural, and so on. `{head=person:sg}` gives the word a
name: `{head:pl}` is the same word again, and `@head` agrees with it in number and gender, as far as the form has
them; `@head!number` agrees except in number, `@head!gender` except in gender. Features after `:` override agreement.

**Choices.** `{verb:sg|verb:pl}` makes a minimal pair: the expected form first; one word if the classes are the same.
With literal words it is `[was|were]`. `[comma: with=,|without=]` makes a factor with its levels and the text of each:
words, slots or nothing; a level may be its own name, `[verb: left|arrived]`. A factor that occurs in several places
has the same levels everywhere. All factors are crossed, with each other and with the pair.

**Region.** `*...*` is the region of interest; without it, the words in which the sentences of a pair differ. ROI
counts words from 0; punctuation marks belong to the word before them.

*a* and *an*, elision, contraction and capitals are applied last (`core.text.spelling`). Every item draws its words
once for all its cells, no word twice and none of the template's own; no sentence is generated twice. Classes and
forms are those of `core.text.lexicon`.

syntax      the notation
drawing     the conditions of a template, the words of each item, and these inserted into a condition
template    the templates that come with Pairlens; the items of one as a table of sentences
"""

from core.studies.generator.template import Template, as_pairs, find, generate, templates

__all__ = ["Template", "as_pairs", "find", "generate", "templates"]
