"""A lesson to take home: one HTML file that holds it together with the model, and needs no network.

making      the file: the lesson, the model with rounded weights as text, the programs that read them, the votes of a
            class from a table
page/       the page: its HTML and look; in JavaScript the tokenizer, the network, words, answers and the lesson
"""
