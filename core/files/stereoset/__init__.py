"""StereoSet's files (Nadeem, Bethke & Reddy 2021, ACL; Öztürk et al. 2023): examples, and items made of them.

examples   the nouns: an example, its three candidates
reading    files of any format into examples
original   the format of the original
wide       the format of its multilingual successor
long       the format of the Portuguese edition
checking   records into examples: which are unusable, which unusual
words      which word replaces BLANK
as_items   examples into items
"""
