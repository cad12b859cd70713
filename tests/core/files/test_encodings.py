"""Which encoding a file has: right or in doubt, never wrong; the sentences are our own."""

from contextlib import suppress

import pytest

from pairlens.errors import InputError
from pairlens.files.tables import encoding_of, guesses, read_lines, read_table
from tests.refusals import error_of

RUSSIAN = "Ёлка стоит у дома.\nМоя сестра читает газету вечером.\nСтарый учитель ждёт автобус.\n"
TURKISH = "Küçük çocuk koltukta uyuyor.\nKız kardeşim gazeteyi okuyor.\nYağmurlu havalarda sıcak çay içeriz.\n"
GREEK = "Η γάτα κοιμάται στον καναπέ.\nΟ δάσκαλος διαβάζει την εφημερίδα κάθε μέρα.\n"
HEBREW = "החתול ישן על הספה.\nהמורה קוראת עיתון אחרי העבודה.\nהילדה מחכה לאוטובוס כל יום.\n"
JAPANESE = "猫がソファーで寝ている。\n姉は新聞を読んでいると母が言った。\n"
CHINESE = "猫在沙发上睡觉，因为时间还早。\n我的姐姐正在看报纸。\n"
TRADITIONAL = "貓在沙發上睡覺，因為時間還早。\n我的姐姐正在看報紙。\n"
KOREAN = "고양이가 소파에서 자고 있다.\n우리 누나는 신문을 읽고 있다.\n"
FRENCH = "Ma sœur lit le journal près de la gare.\nOù va l’élève, à Noël ?\n"
GERMAN = "Die Ärztin hört früh Geschichten.\nDas Mädchen grüßt freundlich.\n"
LITHUANIAN = "Vaikai eina į mokyklą.\n"
LATVIAN = "Bērni iet uz skolu katru dienu.\nMāte gatavo ēdienu, jo viņai ir laiks.\n"
POLISH = "Mała dziewczynka śpi na kanapie.\nSąsiad lubi gorącą herbatę i żyje w mieście.\n"

WRITTEN = [
    (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (RUSSIAN, "iso8859_5"), (TURKISH, "cp1254"), (TURKISH, "iso8859_9"),
    (GREEK, "cp1253"), (GREEK, "iso8859_7"), (HEBREW, "cp1255"), (JAPANESE, "cp932"), (JAPANESE, "shift_jis"),
    (JAPANESE, "euc_jp"), (CHINESE, "gb18030"), (CHINESE, "gb2312"), (TRADITIONAL, "big5"), (KOREAN, "euc_kr"),
    (FRENCH, "cp1252"), (FRENCH, "mac_roman"), (GERMAN, "latin_1"), (GERMAN, "mac_roman"), (POLISH, "cp1250"),
    (POLISH, "iso8859_2"), ("It’s the captain’s dog.\n“Who?” – nobody.\n", "cp1252"), (FRENCH, "utf-8-sig"),
    (RUSSIAN, "utf-16"), (JAPANESE, "utf-16"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "encoding"), WRITTEN)
def test_what_was_written_is_read(save, text, encoding):
    assert read_lines(save("a.txt", text, encoding)) == text.splitlines()


ALL = [
    RUSSIAN, TURKISH, GREEK, HEBREW, JAPANESE, CHINESE, TRADITIONAL, KOREAN, FRENCH, GERMAN, POLISH, LITHUANIAN,
    LATVIAN,
]  # fmt: skip
OTHERS = ["cp1257", "cp855", "cp866", "cp437", "cp850", "cp862", "cp737", "mac_greek", "mac_turkish"]


@pytest.mark.parametrize("encoding", sorted({*OTHERS, *(name for _, name in WRITTEN if not name.startswith("utf"))}))
def test_no_line_is_read_in_a_wrong_encoding(save, encoding):
    """A whole text, and in capitals and in small letters, in any encoding that holds it."""
    versions = [version for text in ALL for version in (text, text.upper(), text.lower())]
    for number, text in enumerate(versions):
        with suppress(UnicodeEncodeError, InputError):
            assert read_lines(save(f"{number}.txt", text, encoding)) == text.splitlines()


def test_a_guess_is_shown_with_lines_and_doubt_names_the_readings_and_the_way_out(save):
    (said,) = guesses(save("a.txt", "ASCII first.\n" + RUSSIAN, "koi8_r"))
    assert said.startswith("a.txt is not UTF-8; it is read as KOI8-R (Cyrillic), which is a guess: 'Ёлка стоит")
    assert "PAIRLENS_ENCODING, or --encoding of verbs that have it" in said and "ASCII first" not in said
    assert guesses(save("b.txt", RUSSIAN)) == []
    path = save("a.csv", "text\nThe naïve girl sleeps.\n", "cp1252")
    message = error_of(lambda: read_table(path))
    assert "'The naïve girl sleeps.' (cp1252); " in message and "'The naďve girl sleeps.' (cp1250)" in message
    assert "--encoding" in message
    assert read_table(path, encoding="cp1252")["text"].tolist() == ["The naïve girl sleeps."]
    message = error_of(lambda: read_lines(save("a.txt", LITHUANIAN, "cp1257")))
    assert "'Vaikai eina į mokyklą.' (cp1257)" in message and "(cp1252)" in message


def test_one_bad_byte_in_utf8_is_named_and_the_rest_not_read_otherwise(save):
    path = save("a.csv", "text\nL’été est là.\n".encode() + b"Une for\xeat ici.\n")
    message = error_of(lambda: encoding_of(path))
    assert message.startswith("a.csv, line 3: byte 0xEA at position 8 is not UTF-8, as the rest of the file is (1")
    assert [error_of(lambda name=name: read_table(path, encoding=name)) for name in ("", "cp1252")] == [message] * 2


def test_an_encoding_is_set_for_all_that_is_not_utf8(save, limit):
    limit("encoding", "cp1252")
    assert read_lines(save("a.txt", "The naïve girl.\n", "cp1252")) == ["The naïve girl."]
    assert read_lines(save("b.txt", "The naïve girl.\n")) == ["The naïve girl."]
    limit("encoding", "utf-16-le")
    assert read_lines(save("c.txt", "The girl.\n", "utf-16-le")) == ["The girl."]
    for name in ("utf-16-le", "utf-16"):
        limit("encoding", name)
        assert read_lines(save("b.txt", "The naïve girl.\n")) == ["The naïve girl."]
        assert read_lines(save("b.txt", "The naïve girl.\n", "utf-16")) == ["The naïve girl."]
    message = error_of(lambda: read_lines(save("c.txt", "The girl.\n", "utf-16-le")))
    assert message.startswith("c.txt: not UTF-16 text, though its byte-order mark or the encoding that was named")


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.jsonl"])
def test_utf8_stays_utf8_whatever_is_given_or_set(save, limit, name):
    written = '{"text": "été"}\n' if name.endswith("jsonl") else "text\nété\n"
    assert read_table(save(name, written), encoding="cp1251")["text"].tolist() == ["été"]
    limit("encoding", "cp1252")
    assert read_table(save(name, written))["text"].tolist() == ["été"]
    assert read_table(save(name, written, "cp1252"))["text"].tolist() == ["été"]
