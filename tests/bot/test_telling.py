"""What the desk gives, in words."""

from dataclasses import replace

from bot import telling
from bot.markup import to_plain
from bot.reply import Footnote, Reply
from core.model import Book, Message, Role, SearchHit, Session, SessionKey
from core.store.feedback import Report, ReportedQuestion
from core.store.job import Job, JobError, JobStatus
from core.store.uses import Usage
from tests.bot.scripted import to_answer, to_chunk

JOB = Job(
    id=1, book="rust", mode="incremental", source="x", status=JobStatus.RUNNING, files_total=4, files_processed=1
)


def test_books_show_which_one_answers_here() -> None:
    books = [Book("rust", "Rust *by* heart", lesson_count=1, chunk_count=20), Book("robots", "Robots")]

    told = to_plain(telling.books_text(books, ["rust"])).split("\n")

    assert told[2] == "- Rust *by* heart (rust) · 1 lesson, 20 passages · answers here"
    assert "answers here" not in told[3]


def test_no_book_says_how_to_add_one() -> None:
    assert "/book add" in telling.books_text([], [])


def test_a_running_job_shows_how_far_it_is() -> None:
    assert "1 of 4 files" in telling.job_text(JOB)


def test_a_finished_job_names_the_files_it_could_not_read() -> None:
    errors = tuple(JobError(f"{number}.md", "is empty") for number in range(7))
    done = replace(JOB, status=JobStatus.COMPLETED, files_failed=7, chunks_created=1200, errors=errors)

    told = to_plain(telling.job_text(done))

    assert "1,200 passages" in told
    assert "0.md: is empty" in told
    assert "and 2 more" in told


def test_history_is_told_in_order_and_without_tools() -> None:
    session = Session("s", SessionKey("t", "g", "c", "t"), None, "m", "", "", turn_count=1)
    messages = [
        Message(Role.USER, "Why?"),
        Message(Role.TOOL, "{}", tool_call_id="1"),
        Message(Role.ASSISTANT, "So."),
    ]

    told = to_plain(telling.history_text(session, messages))

    assert told.endswith("You: Why?\n\nFootnote: So.")


def test_usage_tells_mine_and_the_groups() -> None:
    told = to_plain(telling.usage_text(Usage(1, 2, 3), Usage(10, 20, 3000, 0.5)))

    assert "You: 1 question, 2 searches, 3 tokens" in told
    assert "10 questions, 20 searches, 3,000 tokens, 0.50 US dollars" in told


def test_a_report_tells_what_went_unanswered_and_what_was_voted_down() -> None:
    asked = ReportedQuestion("What is a <T>?", "", "C1", "1.0", times=2)
    disliked = ReportedQuestion("Why?", "", "C1", "2.0", comments=("wrong page",))

    told = to_plain(telling.report_text(Report(7, 5, (asked,), (disliked,), 3, 1), place=lambda _: "here"))

    assert "7 days: 5 answers, 3 👍, 1 👎" in told
    assert "- What is a <T>? (asked 2 times) · here" in told
    assert "“wrong page”" in told


def test_a_quiet_week_says_so() -> None:
    assert "No question went unanswered" in telling.report_text(Report(7, 5, (), ()), place=lambda _: "")


def test_a_source_is_named_by_page_and_section_but_not_twice() -> None:
    footnote = Footnote(1, "Moves", "Moves", "", "", "", "")

    assert telling.source_name(footnote) == "Moves"
    assert telling.source_name(replace(footnote, section="Why")) == "Moves › Why"


def test_a_hit_is_told_without_its_headings() -> None:
    text = "# Title\n\n## Section\n\nA node is a process.\n\n\nIt computes."

    assert telling.hit_words(SearchHit(to_chunk(text), 0.5), most=100) == "A node is a process.\n\nIt computes."
    assert telling.hit_words(SearchHit(to_chunk("# Only a title"), 0.5), most=100) == "# Only a title"


def test_a_section_cited_twice_is_one_source_with_both_marks() -> None:
    first = Footnote(1, "Moves", "Why", "", "https://a.example", "", "c1")
    notes = (first, replace(first, number=2, section="How"), replace(first, number=3, chunk_id="c2"))

    told = telling.sources_of(replace(Reply.notice("x"), footnotes=notes))

    assert [(marks, note.section) for marks, note in told] == [("[1][3]", "Why"), ("[2]", "How")]


def test_marks_lead_where_the_footnotes_lead() -> None:
    reply = Reply.from_answer(to_answer("Yes [1]."))

    assert telling.links_of(reply) == {1: "https://books.example/kalman#prediction"}
