"""StereoSet's files (Nadeem, Bethke & Reddy 2021, ACL; Öztürk et al. 2023): examples, and what can be asked of them.

examples   the nouns: an example, its three candidates
reading    files into examples, by what they hold
original   the format of the original
wide       the format of its multilingual successor
long       the format of the Portuguese edition
checking   what cannot be used, and what is strange
words      which word stands in for BLANK
asked      examples into items
"""
