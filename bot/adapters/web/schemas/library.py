"""Books, their outline, passages and ingestion jobs as JSON."""

from pydantic import BaseModel, Field

from bot.adapters.web.marking import render_marked
from bot.adapters.web.reading import read_address
from core.model import Book, Chunk
from core.store.job import Job
from core.store.library import LessonEntry


class BookForm(BaseModel):
    """One book of the library."""

    id: str
    title: str
    base_url: str | None
    lesson_count: int = Field(ge=0)
    chunk_count: int = Field(ge=0)
    pending_count: int = Field(ge=0, description="Passages found by words only, until their meaning is embedded.")
    embedding_model: str | None
    created_at: str
    updated_at: str

    @classmethod
    def of(cls, book: Book) -> "BookForm":
        return cls(
            id=book.id,
            title=book.title,
            base_url=book.base_url,
            lesson_count=book.lesson_count,
            chunk_count=book.chunk_count,
            pending_count=book.pending_count,
            embedding_model=book.embedding_model,
            created_at=book.created_at,
            updated_at=book.updated_at,
        )


class LessonForm(BaseModel):
    """One lesson in a book's outline."""

    title: str
    module: str
    chapter: int
    lesson: int
    breadcrumb: str
    read_at: str = Field(description="Where on this site the lesson can be read.")
    url: str = Field(description="Where it was published, if it was.")
    chunk_count: int
    sections: list[str]

    @classmethod
    def of(cls, book_id: str, entry: LessonEntry) -> "LessonForm":
        return cls(
            title=entry.title,
            module=entry.module,
            chapter=entry.chapter,
            lesson=entry.lesson,
            breadcrumb=entry.breadcrumb,
            read_at=read_address(book_id, entry.slug),
            url=entry.url,
            chunk_count=entry.chunk_count,
            sections=list(entry.sections),
        )


class JobErrorForm(BaseModel):
    """A file that could not be taken in, and why."""

    source_file: str
    message: str


class JobForm(BaseModel):
    """One ingestion: how far it has come."""

    job_id: int
    book_id: str
    title: str = Field(description="What the book is called; its id where nobody said.")
    mode: str
    source: str
    status: str
    files_total: int
    files_processed: int
    files_skipped: int
    files_failed: int
    chunks_created: int
    chunks_deleted: int
    current_file: str | None
    created_at: str
    started_at: str | None
    completed_at: str | None
    duration_seconds: float | None
    error_message: str | None
    errors: list[JobErrorForm]

    @classmethod
    def of(cls, job: Job) -> "JobForm":
        return cls.model_validate({**job.to_dict(), "title": str(job.options.get("title") or job.book)})


class RemarkForm(BaseModel):
    """What was noticed in a file that was taken in all the same."""

    source_file: str
    message: str


class BookDetails(BookForm):
    """A book with its outline and its latest ingestion."""

    lessons: list[LessonForm]
    remarks: list[RemarkForm]
    last_job: JobForm | None


class Passage(BaseModel):
    """A passage with its way to the ones around it."""

    chunk_id: str
    text: str
    html: str
    title: str
    section: str | None
    breadcrumb: str
    url: str
    book_id: str
    position: int = Field(ge=1, description="Its place in the lesson, counted from 1.")
    total: int = Field(ge=1)
    previous_id: str | None
    next_id: str | None

    @classmethod
    def of(cls, chunk: Chunk, *, quote: str) -> "Passage":
        return cls(
            chunk_id=chunk.id,
            text=chunk.text,
            html=render_marked(chunk.text, quote),
            title=chunk.page_title,
            section=chunk.section_title,
            breadcrumb=chunk.breadcrumb,
            url=chunk.url,
            book_id=chunk.place.book,
            position=chunk.index + 1,
            total=chunk.total,
            previous_id=chunk.previous_id,
            next_id=chunk.next_id,
        )


class SuggestionForm(BaseModel):
    """What a member may mean."""

    value: str
    label: str


class Starters(BaseModel):
    """Questions that the books can answer, to begin with."""

    questions: list[str]
