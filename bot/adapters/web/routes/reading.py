"""Reading a lesson here, so that footnotes lead somewhere even where a book has no site of its own."""

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import not_found
from bot.adapters.web.reading import neighbours, reading_page
from core.model import LOCAL_GROUP

router = APIRouter(include_in_schema=False)


@router.get("/read/{book_id}/{slug:path}")
async def read_lesson(book_id: str, slug: str, parts: PartsOf) -> HTMLResponse:
    """One lesson as a page."""
    book = await parts.library.book(book_id, group=LOCAL_GROUP)
    outline = await parts.library.outline(book_id)
    entry = next((entry for entry in outline if entry.slug.strip("/") == slug.strip("/")), None)
    chunks = await parts.library.lesson(entry.parent_id) if entry else []
    if entry is None or not chunks:
        raise not_found("There is no such page in this book.")
    before, after = neighbours(book_id, outline, entry.slug)
    return HTMLResponse(reading_page(chunks, book_title=book.title, before=before, after=after))
