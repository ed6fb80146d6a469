"""What the desk gives, told in Markdown; every platform renders it its own way (pure)."""

import re
from collections.abc import Callable, Mapping, Sequence

from bot.markup import escape_markdown as plain
from bot.reply import Footnote, Pointer, Reply, ReplyKind
from bot.splitting import shortened
from core.model import Book, Message, Role, SearchHit, SearchResults, Session
from core.store.feedback import Report, ReportedQuestion
from core.store.job import Job, JobStatus
from core.store.uses import Usage

MAX_SHOWN_ERRORS = 5
_STATES = {
    JobStatus.QUEUED: "waiting",
    JobStatus.RUNNING: "being read",
    JobStatus.COMPLETED: "ready",
    JobStatus.FAILED: "failed",
    JobStatus.CANCELLED: "cancelled",
}


def help_text(ask: str, commands: Mapping[str, str]) -> str:
    """How to ask. *ask* is how one mentions the bot; *commands* are the platform's names with what each does."""
    listed = "\n".join(f"- `{name}` {does}" for name, does in commands.items())
    return (
        "**Ask me about the book.** I answer from it alone, each sentence with a footnote to its page, "
        "and say so when the book does not cover it.\n\n"
        f"- {ask} and ask; I answer in a thread. There, just go on talking: “why?”, “give an example”.\n"
        "- Reply to any message and mention me: I answer about that message.\n"
        "- Write `stop` to break off an answer, `show source 2` to read a passage, `mute` to keep me quiet.\n\n"
        f"**Commands**\n\n{listed}"
    )


def books_text(books: Sequence[Book], current: Sequence[str]) -> str:
    """The books a group can ask about; those that answer here are marked."""
    if not books:
        return "There is no book here yet. A leader can add one with `/book add`."
    lines = [f"- {_book_line(book, is_current=book.id in current)}" for book in books]
    return "**Books**\n" + "\n".join(lines)


def _book_line(book: Book, *, is_current: bool) -> str:
    here = " · **answers here**" if is_current else ""
    lessons = _count(book.lesson_count, "lesson")
    return f"**{plain(book.title)}** (`{book.id}`) · {lessons}, {_count(book.chunk_count, 'passage')}{here}"


def job_text(job: Job) -> str:
    """How far one book has come."""
    title = plain(str(job.options.get("title") or job.book))
    lines = [f"**{title}**: {_STATES[job.status]}{_progress(job)}"]
    if job.current_file and job.status is JobStatus.RUNNING:
        lines.append(f"Reading {plain(job.current_file)}")
    if job.error_message:
        lines.append(plain(job.error_message))
    lines += [f"- {plain(each.source_file)}: {plain(each.message)}" for each in job.errors[:MAX_SHOWN_ERRORS]]
    more = len(job.errors) - MAX_SHOWN_ERRORS
    return "\n".join([*lines, f"- and {more} more"] if more > 0 else lines)


def _progress(job: Job) -> str:
    if job.status is JobStatus.RUNNING and job.files_total:
        done = round(10 * job.files_done / job.files_total)
        return f"\n{'█' * done}{'░' * (10 - done)} {job.files_done} of {_count(job.files_total, 'file')}"
    if job.status is JobStatus.COMPLETED:
        return f" · {_count(job.chunks_created, 'passage')} from {_count(job.files_processed, 'file')}" + (
            f", {_count(job.files_failed, 'file')} could not be read" if job.files_failed else ""
        )
    return ""


def jobs_text(jobs: Sequence[Job]) -> str:
    if not jobs:
        return "No book has been added here yet."
    return "\n\n".join(job_text(job) for job in jobs)


def history_text(session: Session, messages: Sequence[Message], *, limit: int = 10) -> str:
    """The last of what was said, oldest first."""
    said = [message for message in messages if message.role in (Role.USER, Role.ASSISTANT)]
    head = f"**This conversation**, {_count(session.turn_count, 'question')} so far."
    if session.topic_summary:
        head += f" {plain(session.topic_summary)}"
    who = {Role.USER: "You", Role.ASSISTANT: "Footnote"}
    lines = [f"**{who[each.role]}**: {plain(shortened(each.content, 300))}" for each in said[-limit:]]
    return "\n\n".join([head, *lines])


def usage_text(mine: Usage, group: Usage) -> str:
    return f"**Today**\n- You: {_usage(mine)}\n- The whole group: {_usage(group)}"


def _usage(usage: Usage) -> str:
    cost = f", {usage.cost_usd:.2f} US dollars" if usage.cost_usd else ""
    counted = f"{_count(usage.questions, 'question')}, {_count(usage.searches, 'search', 'searches')}"
    return f"{counted}, {_count(usage.tokens, 'token')}{cost}"


def report_text(report: Report, *, place: Callable[[ReportedQuestion], str]) -> str:
    """What to teach next. *place* says where a question was asked, in the platform's own words."""
    votes = f"{report.up_votes} 👍, {report.down_votes} 👎"
    head = f"**The last {_count(report.days, 'day')}**: {_count(report.answered, 'answer')}, {votes}."
    parts = [head]
    for title, questions in (("Not in the book", report.unanswered), ("Voted down", report.down_voted)):
        if questions:
            parts.append(f"**{title}**\n" + "\n".join(f"- {_reported(each, place(each))}" for each in questions))
    if len(parts) == 1:
        parts.append("No question went unanswered, and no answer was voted down.")
    return "\n\n".join(parts)


def _reported(question: ReportedQuestion, place: str) -> str:
    times = f" (asked {question.times} times)" if question.times > 1 else ""
    comments = "".join(f"\n  “{plain(shortened(each, 200))}”" for each in question.comments[:3])
    return f"{plain(shortened(question.text, 200))}{times}{' · ' + place if place else ''}{comments}"


def links_of(reply: Reply) -> dict[int, str]:
    """Where the marks of a reply lead."""
    return {footnote.number: footnote.url for footnote in reply.footnotes}


def sources_of(reply: Reply) -> list[tuple[str, Footnote]]:
    """The footnotes as a list of sources: each section once, with all its marks, such as "[1][3]"."""
    sections: dict[tuple[str, str | None, str], list[Footnote]] = {}
    for footnote in reply.footnotes:
        sections.setdefault((footnote.title, footnote.section, footnote.url), []).append(footnote)
    return [("".join(f"[{note.number}]" for note in notes), notes[0]) for notes in sections.values()]


def source_name(footnote: Footnote | Pointer) -> str:
    """A source as members read it: the page and the section in it."""
    section = footnote.section if footnote.section and footnote.section != footnote.title else None
    return f"{footnote.title} › {section}" if section else footnote.title


CONFIDENCE = {
    "high": "🟢 The book says so plainly.",
    "medium": "🔵 The book supports this well.",
    "low": "🟠 Thin support in the book: check the sources.",
}


def confidence_text(reply: Reply) -> str:
    """How sure an answer is; empty where there is nothing to say."""
    return CONFIDENCE.get(reply.confidence_level, "") if reply.kind is ReplyKind.ANSWER else ""


def results_head(results: SearchResults) -> str:
    """What a search found, in one line."""
    if not results.hits:
        return f"Nothing in the book fits “{plain(results.query)}”. Try other words or fewer filters."
    shown = f"the best {len(results.hits)} of {results.total_found}"
    found = _count(results.total_found, "passage") if len(results.hits) == results.total_found else shown
    return f"**{plain(results.query)}**: {found}"


def hit_place(hit: SearchHit) -> str:
    """Where in the book a passage stands, in plain words."""
    chunk = hit.chunk
    section = chunk.section_title
    return f"{chunk.breadcrumb} › {section}" if section and section not in chunk.breadcrumb else chunk.breadcrumb


def hit_words(hit: SearchHit, *, most: int) -> str:
    """The beginning of a passage, in Markdown, without the headings that its place names already."""
    lines = [line for line in hit.chunk.text.strip().split("\n") if not re.match(r"#{1,6} ", line)]
    return shortened(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() or hit.chunk.text.strip(), most)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
