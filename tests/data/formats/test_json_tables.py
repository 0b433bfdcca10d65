"""JSON that is not well formed: the place, and the rule that is broken there."""

import pytest

import bayesrank as br


@pytest.mark.parametrize(
    ("text", "place", "rule"),
    [
        ('[{"a": 1,\n "b" 2}]', "line 2, column 6", "there must be a colon after a name"),
        ('[\n{"a": 1} {"a": 2}]', "line 2, column 10", "there must be a comma between two values"),
        ('[{"a": yes}]', "line 1, column 8", "there must be a value"),
        ('[{a: 1}]', "line 1, column 3", "there must be a name in double quotation marks"),
        ('[{"a": "x}]', "line 1, column 8", "a text that starts with a quotation mark must end"),
        ('[{"a": 1}]\n]', "line 2, column 1", "there must be nothing after the end of the array"),
        ('[{"a": "x\ny"}]', "line 1, column 10", "ends of lines and tabs must be written as"),
        (r'[{"a": "\x"}]', "line 1, column 9", "after a backslash there must be one of"),
        (r'[{"a": "\ud83c"}]', "line 1, column 9", "there must be both halves of a character"),
        (r'[{"a": "\ud83c\udfc6 \udfc6"}]', "line 1, column 22", "there must be both halves"),
        ('[\n{"a": ' + "9" * 5000 + "}]", "line 2, column 7", "a number must have fewer digits"),
        ("[" * 100_000, "line 1, column 1", "nothing may be nested so deeply"),
        ('[{"a": 1', "line 1, column 9", "there must be a comma between two values"),
        ('[{"a": 1,}]', "line 1, column ", "there must be "),
    ],
)  # fmt: skip
def test_arrays(text, place, rule, write):
    path = write("games.json", text)
    with pytest.raises(ValueError, match=rule) as caught:
        br.read(path)
    assert str(caught.value).startswith(f"'{path}', {place}")
    assert "char " not in str(caught.value)  # as Python says it


def test_lines(write):
    path = write("games.jsonl", '{"a": 1}\n\n{"a": 1, "b" 2}\n')
    rule = r"line 3: a line must be one object, .*; in column 14 there must be a colon after a name"
    with pytest.raises(ValueError, match=rule):
        br.read(path)


def test_numbers_and_texts_of_two_columns_are_one_name(write):
    rows = '[{"left": 1, "right": "2", "outcome": 1}, {"left": 2, "right": "1", "outcome": "2"}]'
    data = br.read(write("games.json", rows))
    assert data.items == ["1", "2"] and data.counts.tolist() == [[1, 0, 0], [1, 0, 0]]
    rows = '{"winner": 3, "loser": "x"}\n{"winner": "x", "loser": "3"}\n{"winner": 3.0, "loser": 4}'
    data = br.read(write("games.jsonl", rows))
    assert data.items == ["3", "4", "x"] and data.counts.sum() == 3
    rows = (
        '[{"left": 1, "right": "1", "outcome": "left"}, {"left": 2, "right": 1, "outcome": "tie"}]'
    )
    with pytest.raises(ValueError, match="An item cannot be compared with itself: 1, row 0"):
        br.read(write("same.json", rows))


def test_numbers_alone_stay_numbers(write):
    rows = (
        '[{"left": 10, "right": 9, "outcome": "left"}, {"left": 9, "right": 10, "outcome": "left"}]'
    )
    assert br.read(write("games.json", rows)).items == [9, 10]
