"""Every failure has a sentence that says what happened and what to do."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import bot
import core
from bot import wording
from core.errors import FootnoteError, QuestionError, RateLimited, ServiceBusy
from core.model import Question, SearchQuery, Stage


def error_classes() -> Iterator[type[FootnoteError]]:
    for package in (core, bot):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if not module.ispkg and "__main__" not in module.name:
                importlib.import_module(module.name)
    seen, line = set(), [FootnoteError]
    while line:
        kind = line.pop()
        if kind not in seen:
            seen.add(kind)
            line += kind.__subclasses__()
    # Tests may make classes of their own.
    return (kind for kind in seen if kind.__module__.split(".")[0] in {"core", "bot"})


def test_every_error_class_has_a_sentence_of_its_own() -> None:
    assert {kind.__name__ for kind in error_classes()} == {kind.__name__ for kind in wording.SENTENCES}


def test_what_we_did_not_foresee_has_a_sentence_too() -> None:
    assert "`a1b2c3`" in wording.for_error(KeyError("secret"), reference="a1b2c3")
    assert "secret" not in wording.for_error(KeyError("secret"), reference="a1b2c3")


def failed(make: object) -> QuestionError:
    with pytest.raises(QuestionError) as caught:
        make()  # type: ignore[operator]
    return caught.value


@pytest.mark.parametrize(
    ("make", "said"),
    [
        pytest.param(lambda: Question("  "), "There is no question in your message", id="empty"),
        pytest.param(lambda: Question("x" * 2001), "2001 characters, and I can take at most 2000", id="long"),
        pytest.param(
            lambda: Question("x", selected_text="y" * 5001), "The message you ask about has 5001", id="selected"
        ),
        pytest.param(lambda: SearchQuery("ab"), "I need at least 3", id="short-search"),
        pytest.param(lambda: SearchQuery("abc", limit=21), "must be between 1 and 20; it is 21", id="limit"),
    ],
)
def test_broken_limit_is_named_with_what_was_found(make: object, said: str) -> None:
    assert said in wording.for_error(failed(make), reference="x")


def test_wait_is_told_in_words_people_use() -> None:
    minute = RateLimited("", retry_after=42, details={"scope": "member", "window": "minute"})
    group = RateLimited("", retry_after=7200, details={"scope": "group"})

    assert (
        wording.for_error(minute, reference="") == "You have asked a lot in a minute. You can go on in 42 seconds."
    )
    assert wording.for_error(group, reference="").endswith("You can go on in 2 hours.")


def test_service_is_named_as_members_know_it() -> None:
    said = wording.for_error(ServiceBusy("openai", "429", retry_after=5), reference="abc123")

    assert "The answering model has too much to do" in said
    assert "5 seconds" in said
    assert "`abc123`" in said


def test_braces_in_a_message_do_no_harm() -> None:
    assert wording.for_error(QuestionError("{weird} {0}"), reference="x") == "{weird} {0}"


def test_every_stage_has_words() -> None:
    assert set(wording.STAGES) == set(Stage)


@pytest.mark.parametrize(("place", "said"), [(0, "next"), (1, "One question"), (5, "5 questions")])
def test_place_in_the_queue_is_said(place: int, said: str) -> None:
    assert said in wording.queue_place(place)
