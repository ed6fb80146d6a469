from textwrap import dedent

import pytest

from core.ingestion.lesson import BlockKind
from core.ingestion.readers.markdown import markdown_blocks
from tests.core.ingestion.readers.raised_numbers import RAISED


def _text(body: str, *, is_mdx: bool = True) -> str:
    return "".join(block.text for block in markdown_blocks(dedent(body), is_mdx=is_mdx)).strip()


def test_blocks_know_their_kind_and_headings() -> None:
    body = """\
    # Robots

    They move.

    ## Parts {#the-parts}

    - wheels
    - arms

    ```python
    # not a heading
    ```

    | a | b |
    | - | - |
    | 1 | 2 |

    > quoted

    $$
    x = 1
    $$
    """

    blocks = markdown_blocks(dedent(body), is_mdx=False)

    assert [block.kind for block in blocks] == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.HEADING,
        BlockKind.LIST,
        BlockKind.CODE,
        BlockKind.TABLE,
        BlockKind.QUOTE,
        BlockKind.FORMULA,
    ]
    assert blocks[1].heading == ("Robots",)
    assert blocks[4].heading == ("Robots", "Parts")
    assert blocks[4].anchor == "the-parts"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("import Tabs from '@theme/Tabs';\n\nWords.\n", "Words.", id="imports"),
        pytest.param("export const x = {\n  a: 1,\n};\n\nWords.\n", "Words.", id="exports"),
        pytest.param("{/* hidden */}\n\nWords.\n", "Words.", id="JSX comments"),
        pytest.param("Words <!-- hidden --> here.\n", "Words  here.", id="HTML comments"),
        pytest.param(":::tip Careful\n\nDo it.\n\n:::\n", "**Tip: Careful**\n\nDo it.", id="admonitions"),
        pytest.param(":::note\n\nDo it.\n\n:::\n", "**Note:**\n\nDo it.", id="admonitions without title"),
        pytest.param(
            "<details>\n<summary>Answer</summary>\n\nForty-two.\n\n</details>\n",
            "**Answer**\n\nForty-two.",
            id="details",
        ),
        pytest.param("See [the guide](./guide.md#top) now.\n", "See the guide now.", id="links"),
        pytest.param("![A robot arm](arm.png)\n", "A robot arm", id="pictures"),
        pytest.param("Use `<Tabs>` here.\n", "Use `<Tabs>` here.", id="code keeps its tags"),
        pytest.param("Set x &lt; 3 &amp; go.\n", "Set x < 3 & go.", id="entities"),
        pytest.param("```mermaid\ngraph TD; A-->B\n```\n", "```mermaid\ngraph TD; A-->B\n```", id="diagrams stay"),
        pytest.param("Before.\n\n```rust\n\n```\n", "Before.", id="empty listings"),
        pytest.param("Call `foo`[^1].\n\n[^1]: A note.\n", "Call `foo`[^1].\n\n[^1]: A note.", id="footnotes"),
    ],
)
def test_mdx_is_read_as_a_person_would(body: str, expected: str) -> None:
    assert _text(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "Read this.\n\n[Warning]: never power the arm while the guard is open.\n",
            "Read this.\n\n[Warning]: never power the arm while the guard is open.",
            id="a remark that begins like a definition",
        ),
        pytest.param("> [Note]: it is hot.\n", "> [Note]: it is hot.", id="such a remark in a quote"),
        pytest.param("See [it][a].\n\n[a]: http://x.org 'X'\n", "See it.", id="definitions go"),
        pytest.param("> See [it].\n>\n> [it]: http://x.org\n", "> See it.\n>", id="definitions in a quote go"),
        pytest.param("- See [it].\n\n  [it]: http://x.org\n- Two.\n", "- See it.\n\n- Two.", id="and in a list"),
        pytest.param("[a]: http://x.org\n[a]: http://y.org\n\nOf [a].\n", "Of a.", id="and repeated ones"),
        pytest.param(
            "> Said[^1].\n>\n> [^1]: http://x.org\n", "> Said[^1].\n>\n> [^1]: http://x.org", id="notes stay"
        ),
    ],
)
def test_only_link_definitions_are_left_out(body: str, expected: str) -> None:
    assert _text(body, is_mdx=False) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            'This is <Highlight color="red">green</Highlight> text.',
            "This is green text.",
            id="components in a line",
        ),
        pytest.param("A <Term>node</Term>, a Vec<String>.", "A node, a Vec<String>.", id="components and types"),
        pytest.param("Add \\<th> and \\<br> elements.", "Add \\<th> and \\<br> elements.", id="escaped tags"),
        pytest.param("if x<b and y>z then", "if x<b and y>z then", id="comparisons"),
        pytest.param("H<sub>2</sub>O and a<b>b</b>", "H_2O and ab", id="tags inside words"),
        pytest.param(
            "<table>\n<tr><th>Joint</th><th>Torque</th></tr>\n<tr><td>Elbow</td> <td>5 Nm</td></tr>\n</table>",
            "Joint | Torque\nElbow | 5 Nm",
            id="cells",
        ),
        pytest.param(
            "<table><tr><td>Elbow</td><td>5 Nm</td></tr><tr><td>Hip</td><td>9 Nm</td></tr></table>",
            "Elbow | 5 Nm\nHip | 9 Nm",
            id="rows",
        ),
        pytest.param("Then: <ul><li>Stop</li><li>Wait</li></ul> Go.", "Then:\n- Stop\n- Wait\nGo.", id="items"),
        pytest.param("<p>One.</p><p>Two <b>is</b>.</p>", "One.\nTwo is.", id="paragraphs"),
        pytest.param("<dl><dt>Node</dt><dd>A program</dd></dl>", "Node\nA program", id="definitions"),
        pytest.param(
            "| a | b |\n| - | - |\n| <ul><li>x</li><li>y</li></ul> | 2 |",
            "| a | b |\n| - | - |\n| x y | 2 |",
            id="items in a table",
        ),
        pytest.param("Rights <div>R</div><div>W</div>, both.", "Rights R W , both.", id="boxes"),
        pytest.param("- a\n  <p>b</p>\n- c", "- a\n  b\n- c", id="paragraphs in a list"),
    ],
)
def test_tags_go_and_the_words_beside_them_stay_apart(body: str, expected: str) -> None:
    assert _text(body, is_mdx=False) == expected


@pytest.mark.parametrize(("body", "expected"), RAISED)
def test_what_is_raised_or_lowered_changes_no_number(body: str, expected: str) -> None:
    assert _text(body) == expected


def test_the_text_inside_tabs_is_kept() -> None:
    body = """\
    <Tabs>
    <TabItem value="py" label="Python">

    Run the node.

    </TabItem>
    </Tabs>
    """

    assert "Run the node." in _text(body)
    assert "Python" in _text(body)
    assert "<" not in _text(body)


def test_a_sentence_that_begins_like_a_statement_stays_in_markdown() -> None:
    assert _text("export your data often.\n", is_mdx=False) == "export your data often."


def test_repeated_headings_get_anchors_of_their_own() -> None:
    blocks = markdown_blocks("## Try it\n\na\n\n## Try it\n\nb\n", is_mdx=False)

    assert [block.anchor for block in blocks if block.kind is BlockKind.HEADING] == ["try-it", "try-it-1"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("[" * 20_000, id="brackets"),
        pytest.param("> " * 5_000 + "x", id="quotes"),
        pytest.param("- " * 5_000 + "x", id="lists"),
        pytest.param("<" * 50_000, id="tags"),
        pytest.param("`" * 30_001, id="backticks"),
        pytest.param("<!--" * 20_000, id="comments"),
        pytest.param("*_" * 20_000, id="emphasis"),
        pytest.param("![](" * 10_000, id="pictures"),
        pytest.param("$x " * 20_000 + "\\(" * 20_000 + "$$" * 20_000, id="formulas"),
        pytest.param("$$\n" * 10_001, id="formulas on lines of their own"),
        pytest.param("\\[ x\ny\n" * 10_000, id="formulas that never end"),
        pytest.param("a <p> " * 20_000 + "<p>" + " " * 20_000, id="paragraphs"),
        pytest.param("|" * 20_000 + "\n" + "|-" * 10_000, id="tables"),
    ],
)
def test_hostile_markdown_is_read_in_a_moment(body: str) -> None:
    markdown_blocks(body, is_mdx=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("import Tabs from '@theme/Tabs';\nimport {A} from \"b\"\n\nWords.\n", "Words.", id="imports"),
        pytest.param(
            "import X from './x';\n\nexport const y = {\n  a: 1,\n};\n\nWords.\n", "Words.", id="exports"
        ),
        pytest.param("import from 'abroad' costs more.\n", "import from 'abroad' costs more.", id="a sentence"),
        pytest.param("Words,\nimport A from 'b'\n", "Words,\nimport A from 'b'", id="inside a paragraph"),
        pytest.param("export const is a word.\n", "export const is a word.", id="an export without an import"),
        pytest.param("```js\nimport A from 'b'\n```\n", "```js\nimport A from 'b'\n```", id="a listing"),
    ],
)
def test_plain_markdown_may_import_as_mdx_does(text: str, expected: str) -> None:
    assert _text(text, is_mdx=False) == expected
