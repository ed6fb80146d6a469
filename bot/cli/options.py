"""Options that several commands share, each said once."""

from typing import Annotated

import typer

from core.errors import QuestionError
from core.model import Filters, Layer, Level

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Sure = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Books = Annotated[
    list[str] | None, typer.Option("--book", metavar="BOOK", help="Id or title of a book; may be given again.")
]
Module = Annotated[str | None, typer.Option("--module", metavar="NAME", help="Only this module.")]
ChapterMin = Annotated[
    int | None, typer.Option("--chapter-min", metavar="N", help="Only this chapter and later ones.")
]
ChapterMax = Annotated[
    int | None, typer.Option("--chapter-max", metavar="N", help="Only this chapter and earlier ones.")
]
Lesson = Annotated[int | None, typer.Option("--lesson", metavar="N", help="Only lessons of this number.")]
Tier = Annotated[
    int | None, typer.Option("--tier", metavar="N", help="For this hardware tier (1 to 4) or a lower one.")
]
Levels = Annotated[
    list[str] | None,
    typer.Option("--level", metavar="LEVEL", help="Proficiency, A1 to C2; may be given again, any of them fits."),
]
LayerName = Annotated[str | None, typer.Option("--layer", metavar="LAYER", help="Teaching layer, L1 to L4.")]
Parent = Annotated[str | None, typer.Option("--parent", metavar="ID", help="Only the lesson with this id.")]


def to_filters(
    *,
    books: list[str] | None,
    module: str | None,
    chapter_min: int | None,
    chapter_max: int | None,
    lesson: int | None,
    tier: int | None,
    levels: list[str] | None,
    layer: str | None,
    parent: str | None,
) -> Filters:
    """The options as filters.

    Raises:
        QuestionError: a limit was broken, or a level or layer does not exist.
    """
    named = [name for given in levels or () for name in given.replace(",", " ").split()]
    return Filters(
        books=tuple(books or ()),
        module=module,
        chapter_min=chapter_min,
        chapter_max=chapter_max,
        lesson=lesson,
        tier=tier,
        levels=tuple(Level(_one_of("level", name, list(Level))) for name in named),
        layer=Layer(_one_of("layer", layer, list(Layer))) if layer else None,
        parent_id=parent,
    )


def _one_of(field: str, name: str, allowed: list[Level] | list[Layer]) -> str:
    if name.upper() not in allowed:
        raise QuestionError(
            f"{field} must be one of {', '.join(allowed)}; found {name}.", details={"field": field, "found": name}
        )
    return name.upper()
