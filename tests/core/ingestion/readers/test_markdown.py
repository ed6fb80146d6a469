from textwrap import dedent

import pytest

from core.ingestion.lesson import BlockKind
from core.ingestion.readers.markdown import markdown_blocks


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
