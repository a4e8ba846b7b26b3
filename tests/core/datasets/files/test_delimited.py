"""Delimited text, value by value."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files import WHITESPACE, ReadOptions, read, read_with_notes, sniff
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import prepare


def rows(content: str | bytes, **options) -> list[list[object]]:
    raw = content.encode() if isinstance(content, str) else content
    return read(raw, ReadOptions(**options)).table.to_numpy(dtype=object).tolist()


def said(content: str, **options) -> str:
    return " ".join(read_with_notes(content.encode(), ReadOptions(**options)).notes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be",
                                      "utf-32", "cp1252", "latin-1"])  # fmt: skip
def test_the_encoding_is_found(encoding):
    raw = "größe,naïve\n1,é\n2,ü\n".encode(encoding)
    found = read(raw).table
    assert list(found.columns) == ["größe", "naïve"]
    assert found["naïve"].tolist() == ["é", "ü"]


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp"])
def test_japanese_text_is_known_by_its_kana(encoding):
    raw = "なまえ,値\nりんご,1\nミカン,2\n梨,3\n".encode(encoding)
    sniffed = sniff(raw)
    assert sniffed.options.encoding == encoding
    assert "Japanese" in " ".join(sniffed.notes)
    assert list(read(raw).table["なまえ"]) == ["りんご", "ミカン", "梨"]


def test_western_letters_that_could_be_japanese_are_not():
    raw = "größe,straße\n1,Ärger ‚ƒ’\n2,Fuß\n".encode("cp1252")
    assert sniff(raw).options.encoding == "cp1252"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("имя,город\nИван,Москва\nМария,Казань\nПётр,Тверь\n", "cp1251"),
        ("имя,город\nИван,Москва\nМария,Казань\nПётр,Тверь\n", "koi8_r"),
        ("όνομα,πόλη\nΓιώργος,Αθήνα\nΜαρία,Πάτρα\n", "cp1253"),
        ("姓名,城市\n张三,北京\n李四,上海\n王五,广州\n", "gb18030"),
        ("姓名,城市\n張三,臺北\n李四,高雄\n王五,臺中\n", "big5"),
        ("이름,도시\n김철수,서울\n이영희,부산\n박민수,대구\n", "cp949"),
        ("imię,miasto\nŁukasz,Łódź\nMałgorzata,Kraków\nPaweł,Gdańsk\n", "cp1250"),
        ("prénom,ville\nHélène,Orléans\nFrançois,Besançon\nNoël,Nîmes\n", "cp1252"),
        ("año,ciudad\nseñor,España\nJosé,Málaga\nrazón,Cádiz\n", "cp1252"),
        ("navn,by\nSøren,Århus\nBjørn,Ærø\nÅse,Køge\n", "cp1252"),
        ("area,price\n5 m²,3 £\n7 m²,9 £\n“quoted”,½\n", "cp1252"),
    ],
)
def test_older_encodings_are_told_by_their_letters(text, encoding):
    sniffed = sniff(text.encode(encoding))
    assert sniffed.options.encoding == encoding
    assert any("older encoding is not certain" in note for note in sniffed.notes)
    assert read(text.encode(encoding)).feature_names == text.partition("\n")[0].split(",")


def test_without_the_package_older_encodings_are_taken_for_western(monkeypatch):
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    assert sniff("имя,город\nИван,Москва\n".encode("cp1251")).options.encoding == "cp1252"


def test_an_encoding_can_be_corrected():
    raw = "имя,x\nда,1\nнет,2\n".encode("cp1251")
    sniffed = sniff(raw)
    assert any("older encoding is not certain" in note for note in sniffed.notes)
    assert read(raw, replace(sniffed.options, encoding="cp1251")).feature_names == ["имя", "x"]


def test_text_that_stops_being_utf8_far_down_is_named_by_line():
    raw = b"a,b\n" + b"111111111,222222222\n" * 250_000 + b"3,\xe9\n"
    with pytest.raises(DataError, match=r"near line 250002 is not utf-8"):
        read(raw)
    assert read(raw, ReadOptions(encoding="cp1252")).table["b"].iloc[-1] == "é"


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        ("a,b\n1,2\n3,4\n", ","),
        ("a;b\n1,5;2\n3,5;4\n", ";"),
        ("a\tb\n1,5\t2\n3,5\t4\n", "\t"),
        ("a|b\n1|2\n3|4\n", "|"),
        ("a b\n1 2\n3 4\n", " "),
        ("   a    b\n 1.5  2.0\n10.5 20.0\n", WHITESPACE),
        ('a,b\n"1;2","x;y"\n"3;4","z"\n', ","),
        ("a;b\n12:30;2020-01-01\n13:45;2020-02-03\n", ";"),
    ],
)
def test_the_delimiter_is_found(content, delimiter):
    assert sniff(content.encode()).options.delimiter == delimiter


_EQUAL = ["I give it 5 stars", "We gave it 10 points", "They had just 2 ideas"]
_UNEQUAL = ["This film is long and slow but good", "Dull", "I saw all 3 of them twice"]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("sentences", [_EQUAL, _UNEQUAL, ["Slow, but good", "Good, not slow"]])
@pytest.mark.parametrize("labels", [("pos", "neg"), ("0", "1"), ("very good", "very bad")])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("quoted", [True, False])
def test_sentences_are_not_cut_at_their_blanks(mark, sentences, labels, header, first, quoted):
    lines = []
    for i in range(12):
        text, label = sentences[i % len(sentences)], labels[i % 2]
        cells = [f'"{text}"' if quoted or mark in text else text, label]
        lines.append(mark.join(cells if first else cells[::-1]))
    if header:
        lines.insert(0, mark.join(["text", "label"] if first else ["label", "text"]))
    found = sniff("\n".join(lines).encode())
    assert found.options.delimiter == mark
    assert found.preview.shape[1] == 2


@pytest.mark.parametrize(
    "content",
    [
        "Paris,France 48.9 2.4\nRome,Italy 41.9 12.5\nOslo,Norway 59.9 10.8\n",
        "1,5 2,5\n3,5 4,5\n6,5 7,5\n",
        '1 "a,b"\n2 "c,d"\n3 "e,f"\n',
        "red x (2,3) 1\nblue y (5,6) 2\nred z (8,9) 3\n",
    ],
)
def test_commas_inside_cells_leave_blanks_the_delimiter(content):
    assert sniff(content.encode()).options.delimiter == " "


@pytest.mark.parametrize("mark", [",", ";", "|"])
@pytest.mark.parametrize("between", [" {} ", "  {}  ", "{}  ", " {}"])
def test_blanks_around_a_delimiter_are_no_delimiters(mark, between):
    joint = between.format(mark)
    lines = [f" a{joint}b ", *(f" {i}{joint}{i * i} " for i in range(8))]
    found = read("\n".join(lines).encode()).table
    assert [name.strip() for name in found.columns] == ["a", "b"]
    assert found.iloc[:, 1].tolist() == [i * i for i in range(8)]


def test_a_y_beside_an_x_is_a_coordinate_and_no_target():
    assert sniff(b"x,y\n0.5,1.5\n2.5,3.5\n").suggested_target is None
    assert sniff(b"x1,x2,y\n0.5,1.5,0\n2.5,3.5,1\n").suggested_target == "y"


def test_the_delimiter_can_be_corrected():
    raw = b"a;b\n1;2\n3;4\n"
    sniffed = sniff(raw)
    assert read(raw, replace(sniffed.options, delimiter=",")).feature_names == ["a;b"]
    again = sniff(raw, options=ReadOptions(delimiter=","))
    assert list(again.preview.columns) == ["a;b"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_read(end):
    assert rows(end.join(["a,b", "1,2", "3,4"])) == [[1, 2], [3, 4]]


def test_a_cell_keeps_its_own_line_ends():
    assert rows('a,b\r\n"x\r\ny",1\r\n"z\nw",2\r\n') == [["x\r\ny", 1], ["z\nw", 2]]


@pytest.mark.parametrize(
    ("first_line", "header"),
    [("a,b,c", True), ("5,6,7", False), ("1,2,3", True), ("0,1,2", True), (",a,b", True)],
)
def test_the_header_is_found(first_line, header):
    raw = f"{first_line}\n8,2,5\n4,9,1\n".encode()
    assert sniff(raw).options.header is header


def test_a_header_that_cannot_be_told_is_said_and_correctable():
    sniffed = sniff(b"red,big\nblue,small\ngreen,tiny\n")
    assert any("is a header is not certain" in note for note in sniffed.notes)
    found = read(b"red,big\nblue,small\n", replace(sniffed.options, header=False))
    assert found.n_rows == 2
    assert found.feature_names == ["column_1", "column_2"]


def test_types_are_those_of_the_values():
    table = read(b"i,f,b,t,e\n1,1.5,True,x,\n2,,False,y,\n").table
    assert [str(dtype) for dtype in table.dtypes] == ["int64", "float64", "bool", "str", "float64"]


def test_truth_values_with_gaps_stay_truth_values():
    column = read(b"t,x\nTrue,1\n,2\nFalse,3\n").table["t"]
    assert str(column.dtype) == "boolean"
    assert column.isna().tolist() == [False, True, False]


def test_every_usual_mark_of_a_missing_value_is_one():
    marks = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A"]
    column = read(("x,y\n" + "".join(f"{m},1\n" for m in marks) + "7,1\n").encode()).table["x"]
    assert column.isna().tolist() == [True] * len(marks) + [False]
    assert str(column.dtype) == "float64"


def test_a_mark_that_is_taken_out_of_missing_is_a_value():
    assert rows("x,y\nNA,1\nb,2\n", missing=("",)) == [["NA", 1], ["b", 2]]


def test_another_missing_mark_is_said_and_can_be_given():
    content = "x,y\n1,1\n-,2\n3,3\n4,4\n5,5\n-,6\n"
    assert "holds numbers and the word '-'" in said(content)
    assert np.isnan(rows(content, missing=("", "-"))[1][0])


def test_a_column_of_numbers_then_words_is_words_throughout():
    content = "a,b\n" + "1.50,True\n" * 300_000 + "x,True\n"
    column = read(content.encode()).table["a"]
    assert str(column.dtype) == "str"
    assert column.iloc[0] == "1.50"
    assert column.iloc[-1] == "x"


def test_what_stands_above_the_table_is_left_out_and_said():
    for above in ("# a comment\n# another\n", "A title\n\n", "sep=;\n"):
        content = above + "a;b;c\n1;2;3\n4;5;6\n"
        assert rows(content) == [[1, 2, 3], [4, 5, 6]]
        assert "left out" in said(content)


def test_a_hash_that_belongs_to_the_table_is_kept():
    assert read(b"#chrom\tpos\nchr1\t5\nchr2\t6\n").feature_names == ["#chrom", "pos"]


def test_row_names_as_r_writes_them_get_a_column():
    content = '"x" "y"\n"r1" 1.5 2\n"r2" 2.5 3\n'
    assert read(content.encode()).feature_names == ["column_1", "x", "y"]
    assert "one name fewer" in said(content)


@pytest.mark.parametrize("header", ["a,b,", "a,b"])
def test_a_delimiter_at_the_end_of_every_row_makes_no_column(header):
    assert rows(f"{header}\n1,2,\n3,4,\n") == [[1, 2], [3, 4]]


def test_blanks_after_delimiters_are_left_out_where_all_have_them():
    found = read(b'a, b, c\n1, "x, y", 2\n3, z, 4\n').table
    assert list(found.columns) == ["a", "b", "c"]
    assert found["b"].tolist() == ["x, y", "z"]


@pytest.mark.parametrize("bad", ["4,5", "4,5,6,7"])
def test_a_ragged_line_is_named_by_read_and_shown_by_sniff(bad):
    content = f"a,b,c\n1,2,3\n{bad}\n7,8,9\n"
    with pytest.raises(DataError, match="Line 3 has"):
        rows(content)
    sniffed = sniff(content.encode())
    assert any("Line 3 has" in note for note in sniffed.notes)
    assert len(sniffed.preview) == 3


def test_rows_that_pandas_would_lose_are_not_lost_in_silence():
    # pandas leaves out a row of missing values below an empty line that ends with CR.
    with pytest.raises(DataError, match="2 rows were counted but 1 were read"):
        rows(",\r\r,\r", delimiter=",", header=False)


def test_columns_and_target_are_chosen_by_name():
    raw = b"a,b,class\n1,2,u\n3,4,v\n"
    assert sniff(raw).suggested_target == "class"
    assert read(raw).target is None
    found = read(raw, ReadOptions(target="class", columns=("b",)))
    assert found.feature_names == ["b"]
    assert found.target is not None
    assert found.target.tolist() == ["u", "v"]
    with pytest.raises(DataError, match="no column 'z'; the columns are a, b, class"):
        read(raw, ReadOptions(target="z"))
    with pytest.raises(DataError, match="no column left"):
        read(raw, ReadOptions(target="a", columns=("a",)))


def test_a_header_alone_is_no_table():
    with pytest.raises(DataError, match="names of columns but no rows"):
        rows("a,b,c\n")


def test_a_path_gives_what_its_bytes_give(tmp_path):
    path = tmp_path / "measured.csv"
    path.write_bytes(b"a,b\n1,2\n3,4\n")
    found = read(path)
    assert found.name == "measured"
    assert found.provenance.source == "file"
    assert found.provenance.identifier == "measured.csv"
    assert found.fingerprint == read(path.read_bytes()).fingerprint
    assert sniff(path).n_bytes == 12


@pytest.mark.thorough
def test_reading_copies_no_file_into_memory(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_bytes(b"0.5,0.25,0.125\n" * 400_000)  # 6 MB
    import tracemalloc

    tracemalloc.start()
    read(path, ReadOptions(header=False))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    table = 3 * 8 * 400_000
    assert peak < 2.5 * table


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "doc"), ("compression", "rar"), ("delimiter", "::"), ("delimiter", "\n"),
        ("quote", "''"), ("decimal", ";"), ("thousands", "5"), ("skip_lines", -1),
        ("encoding", "utf-99"), ("encoding", "hex"), ("max_bytes", 0),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(DataError, match=name):
        ReadOptions(**{name: value})


def test_marks_that_clash_are_refused():
    with pytest.raises(DataError, match="must differ"):
        ReadOptions(delimiter='"', quote='"')
    with pytest.raises(DataError, match="must differ"):
        ReadOptions(decimal=",", thousands=",")


def test_the_preview_never_has_more_than_twenty_rows():
    preview = sniff(b"a,b\n" + b"1,2\n" * 100_000).preview
    assert preview.shape == (20, 2)
    assert isinstance(preview.index, pd.RangeIndex)


def test_a_first_column_called_label_is_suggested_as_target():
    text = "label,a,b\n" + "".join(f"{i % 2},{i},{i * i}\n" for i in range(9))
    assert sniff(text.encode()).suggested_target == "label"


@pytest.mark.parametrize("mark", ["pixel{}", "1x1"])
def test_a_table_of_pixels_is_known_as_pictures(mark):
    names = [mark.format(i) if "{" in mark else f"{i // 4 + 1}x{i % 4 + 1}" for i in range(16)]
    lines = [",".join(["label", *names]), *(",".join(["7", *map(str, range(16))]),) * 3]
    dataset = read("\n".join(lines).encode(), ReadOptions(target="label"))
    assert dataset.image_shape == (4, 4)


def test_the_index_that_pandas_writes_is_no_feature():
    table = pd.DataFrame({"a": np.linspace(0, 1, 9), "b": np.arange(9) ** 2})
    made = prepare(Dataset(name="made", table=read(table.to_csv().encode()).table))
    assert made.points.shape == (9, 2)
