"""StereoSet's files (Nadeem, Bethke & Reddy 2021, ACL; Öztürk et al. 2023): examples, and items made of them.

examples   the nouns: an example, its three candidates
reading    files of any format into examples
original   the format of the original
wide       the formats of its multilingual successor and of the Portuguese edition
checking   records into examples: which are unusable, which unusual; which word replaces BLANK
as_items   examples into items
"""
