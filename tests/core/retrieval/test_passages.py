"""A chunk is taken apart into what can be quoted."""

from core.retrieval.passages import PassageKind, passages

CHUNK = """## Building

Build it first. Yes.

The steps are:

1. Make a workspace. It is a folder.
2. Run the build.

Then try it:

```bash
colcon build
```

| part | use |
|---|---|
| src | code |
"""


def texts(kind: PassageKind) -> list[str]:
    return [passage.of(CHUNK) for passage in passages(CHUNK) if passage.kind is kind]


def test_headings_lead_ins_and_single_words_are_no_sentences() -> None:
    assert texts(PassageKind.SENTENCE) == ["Build it first."]


def test_a_list_comes_whole_with_the_line_that_leads_to_it_and_by_item() -> None:
    (whole,) = texts(PassageKind.LIST)

    assert whole.startswith("The steps are:")
    assert whole.endswith("2. Run the build.")
    assert texts(PassageKind.ITEM) == ["1. Make a workspace. It is a folder.", "2. Run the build."]


def test_code_and_tables_are_never_cut() -> None:
    assert texts(PassageKind.CODE) == ["Then try it:\n\n```bash\ncolcon build\n```"]
    assert texts(PassageKind.TABLE) == ["| part | use |\n|---|---|\n| src | code |"]


def test_marks_inside_code_make_no_list() -> None:
    text = "Look:\n\n```\n- one\n- two\n```\n"

    assert [passage.kind for passage in passages(text)] == [PassageKind.CODE]


def test_a_list_that_nothing_leads_to_is_quoted_by_item_only() -> None:
    kinds = [
        passage.kind for passage in passages("Some remarks follow.\n\n- One is red here.\n- Two is blue here.\n")
    ]

    assert kinds == [PassageKind.SENTENCE, PassageKind.ITEM, PassageKind.ITEM]


def test_a_term_in_bold_stays_with_what_it_introduces() -> None:
    text = "**DAgger.** The policy drives and a person corrects. It is slow."

    assert [passage.of(text) for passage in passages(text)] == [
        "**DAgger.** The policy drives and a person corrects.",
        "It is slow.",
    ]


def test_a_wiki_heading_is_not_glued_to_the_sentence_below_it() -> None:
    text = "= = Civil War = =\nThe arsenal served as a simple arms depot.\n"

    assert [passage.of(text) for passage in passages(text)] == ["The arsenal served as a simple arms depot."]
