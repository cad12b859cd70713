"""StereoSet's files (Nadeem, Bethke & Reddy 2021, ACL; Öztürk et al. 2023): examples, and items made of them.

examples   the nouns, records into examples: which are unusable, which unusual; which word replaces BLANK
reading    files of any format into examples, and back: the original's JSON, the successor's wide tables
as_items   examples into items
predictions  a score per candidate sentence, as published
"""
