"""Every sentence the bot says in its own voice; members never read an exception's own text by accident."""

from collections.abc import Callable, Mapping

from bot.surface import Undeliverable
from core.errors import (
    DataInUse,
    FootnoteError,
    IndexMismatch,
    LeadsElsewhere,
    LibraryError,
    QuestionError,
    RateLimited,
    ServiceBusy,
    ServiceDown,
    ServiceError,
    ServiceTimeout,
    SettingsError,
    UnknownBook,
    UnknownSession,
    UnreadableFile,
)
from core.model import Stage
from core.store.trouble import DAMAGED

STAGES: Mapping[Stage, str] = {
    Stage.RECEIVED: "Reading your question …",
    Stage.VALIDATED: "Reading your question …",
    Stage.RETRIEVING: "Looking it up in the book …",
    Stage.GENERATING: "Writing the answer …",
    Stage.FORMATTING: "Checking the footnotes …",
    Stage.COMPLETED: "Done.",
    Stage.INVALID: "That question cannot be answered.",
    Stage.FAILED: "Something went wrong.",
}

LATE = "You asked this while I was away. Sorry for the wait!"
ANSWERED_LATER = (
    "My memory cannot be reached right now. I answer this by myself as soon as it can; if nothing comes within "
    "ten minutes, please ask again. (Reference `{reference}`.)"
)
STOPPED = "Stopped, as you asked. Ask again whenever you like."
TOO_MANY_TRIES = (
    "I tried to answer this {attempts} times and broke off each time, so I have stopped trying. "
    "Asking in other words may help; if it does not, tell whoever runs me (reference `{reference}`)."
)
GONE = "I no longer have that answer; it was forgotten or is too old."
MUTED = "I will keep quiet here unless somebody mentions me. Write `unmute` to me to change that."
UNMUTED = "I am listening to this conversation again."
THANKS = "Thank you, noted."
SORRY = "Thank you, noted. What was wrong with it will show up in your leader's `/report`."
LEADERS_ONLY = "Only leaders can do that: it needs the permission to manage this place."
NOT_HERE = "I may not answer here. Ask in one of the channels that a leader opened to me."
NOT_YOU = "I may not answer you here; a leader decides who may ask."
NO_PERMISSION = (
    "I could not answer where you asked: I may not write there. Somebody who manages the server can give me "
    "“View Channel”, “Send Messages”, “Create Public Threads” and “Send Messages in Threads” in that channel."
)
QUOTE_GONE = "The message you replied to is gone, so I answered without it."
QUOTE_EMPTY = "There are no words I can read in the message you replied to, so I answered without it."
ATTACHMENT_TOO_LONG = "{name} is too long to read in full here; add it as a book with `/book add`."
ATTACHMENT_GONE = "I could not read {name}."
ABOUT_THIS = "What does the book say about this?"
HELLO = (
    "Hello! Ask me something about the book: mention me with your question, or reply to a message and mention me "
    "to ask about it. `/search` finds passages, `/help` shows the rest."
)
PAGE_HELLO = (
    "Hello! Ask me something about the book, or reply to a message to ask about it. `/search` finds passages, "
    "`/help` shows the rest."
)
CHAT_HELLO = "Hello! Ask me something about the book. /search finds passages, /help shows the rest."
WELCOME = "You are welcome!"
DISCORD_REFUSES = (
    "DISCORD_TOKEN is not accepted by Discord. Open https://discord.com/developers/applications, choose your "
    "application, then Bot → Reset Token, and put the new token into .env."
)
DISCORD_HIDES_CONTENT = (
    "Discord: the Message Content intent is off. I still answer mentions, commands and direct messages, but I "
    "cannot see the messages that members reply to, nor go on talking in threads without a mention. To switch it "
    "on: https://discord.com/developers/applications → your application → Bot → Message Content Intent; restart."
)
SHARED_BY = "Shared by {name}"
SEARCH_TOO_OLD = "I no longer have the results of that search. Search again; it is quick."
PASSAGE_GONE = "I no longer have that passage; the book has changed since."
NOT_YOURS_TO_STOP = "Only whoever asked can stop this answer, or a leader."
NOTHING_TO_STOP = "There is nothing to stop: the answer is already there."
MENU_QUESTION = "Your question about this message"
MENU_TITLE = "Ask about this"
WHY_TITLE = "What was wrong with it?"
WHY_LABEL = "In a few words (optional)"
NO_SOURCE = "The last answer here has no source {number}."
FORGOTTEN = (
    "Forgotten: I have deleted this conversation from my memory. What is written in the channel stays there."
)
NOTHING_TO_FORGET = "There is nothing to forget: I remember no conversation here."
WHICH_TO_FORGET = "Which conversation shall I forget?"
NO_HISTORY = "I remember no conversation here yet. Ask me something first."

_FIELDS = {
    "question": "Your question",
    "selected_text": "The message you ask about",
    "search text": "What you search for",
    "content": "Your message",
    "top_k": "The number of passages",
    "limit": "The number of results",
    "tier": "The hardware tier",
    "similarity_threshold": "The similarity threshold",
}


def queue_place(place: int) -> str:
    """How long the line is before a waiting member."""
    if place <= 0:
        return "You are next."
    return "One question is before yours." if place == 1 else f"{place} questions are before yours."


def seconds(count: float) -> str:
    """A stretch of time as people say it."""
    whole = max(1, round(count))
    if whole < 120:
        return "1 second" if whole == 1 else f"{whole} seconds"
    minutes = round(whole / 60)
    return f"{minutes} minutes" if minutes < 120 else f"{round(minutes / 60)} hours"


def for_error(error: BaseException, *, reference: str) -> str:
    """What a member is told when *error* happened: what it was, and what to do next."""
    for kind in type(error).__mro__:
        if (say := SENTENCES.get(kind)) is not None:
            assert isinstance(error, FootnoteError)
            return say(error).format(reference=reference)
    return OWN_FAULT.format(reference=reference)


OWN_FAULT = (
    "Something broke on my side, and it is not your fault. Please ask again; "
    "if it happens again, tell whoever runs me (reference `{reference}`)."
)


def _of_question(error: FootnoteError) -> str:
    found, least, most = (error.details.get(name) for name in ("found", "min", "max"))
    label = _FIELDS.get(str(error.details.get("field")))
    if label is None or found is None:
        return _escaped(error.message)
    if error.details.get("field") == "question" and found == 0:
        return "There is no question in your message. Write what you would like to know."
    if least is not None and most is not None:
        return f"{label} must be between {least} and {most}; it is {found}."
    if most is not None:
        return f"{label} has {found} characters, and I can take at most {most}. Shorten it, or ask in parts."
    return f"{label} has {found} characters, and I need at least {least}. Say a little more."


def _of_unknown_book(error: FootnoteError) -> str:
    return f"{_escaped(error.message)} `/book list` shows the books you can ask about."


def _of_service(error: FootnoteError) -> str:
    return f"{_what_is_away(error)} does not do its part right now.{_when(error)} (Reference `{{reference}}`.)"


def _of_busy(error: FootnoteError) -> str:
    return f"{_what_is_away(error)} has too much to do right now.{_when(error)} (Reference `{{reference}}`.)"


def _of_down(error: FootnoteError) -> str:
    if error.details.get("problem") == DAMAGED:
        return "My memory is damaged. Please tell whoever runs me, who can repair it (reference `{reference}`)."
    return f"{_what_is_away(error)} cannot be reached right now.{_when(error)} (Reference `{{reference}}`.)"


def _of_timeout(error: FootnoteError) -> str:
    return (
        f"{_what_is_away(error)} took too long, so I stopped waiting.{_when(error)} (Reference `{{reference}}`.)"
    )


def _what_is_away(error: FootnoteError) -> str:
    names = {"openai": "The answering model", "cohere": "The search model", "qdrant": "The search index"}
    names |= {"database": "My memory", "discord": "Discord", "slack": "Slack", "answer": "The answer"}
    return names.get(str(error.details.get("service")), "A service I depend on")


def _when(error: FootnoteError) -> str:
    if error.retry_after:
        return f" Please ask again in {seconds(error.retry_after)}."
    return " Please ask again in a moment; nothing of your conversation is lost."


def _of_rate_limit(error: FootnoteError) -> str:
    whose = "You have" if error.details.get("scope") != "group" else "Your group has"
    return f"{whose} asked a lot in a minute. You can go on in {seconds(error.retry_after or 1)}."


def _of_library(error: FootnoteError) -> str:
    return _escaped(error.message)


def _of_index(error: FootnoteError) -> str:
    told = _escaped(error.message)
    return f"The book's index does not fit the search model any more. Whoever runs me can repair it: {told}"


def _of_operator(error: FootnoteError) -> str:
    return "I am not set up properly. Please tell whoever runs me (reference `{reference}`)."


def _of_undeliverable(error: FootnoteError) -> str:
    return "I could not show the answer where you asked. Please ask again somewhere I may write."


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


SENTENCES: Mapping[type, Callable[[FootnoteError], str]] = {
    FootnoteError: _of_operator,
    QuestionError: _of_question,
    UnknownBook: _of_unknown_book,
    UnknownSession: lambda _: "I do not know that conversation, or it was forgotten. Start a new one.",
    RateLimited: _of_rate_limit,
    ServiceError: _of_service,
    ServiceBusy: _of_busy,
    ServiceDown: _of_down,
    ServiceTimeout: _of_timeout,
    LibraryError: _of_library,
    LeadsElsewhere: _of_library,
    UnreadableFile: _of_library,
    IndexMismatch: _of_index,
    SettingsError: _of_operator,
    DataInUse: _of_operator,
    Undeliverable: _of_undeliverable,
}
"""One entry for each error class; a test walks the tree."""
