"""The model searches, answers with marks, and nothing it says is shown unchecked."""

import json

import pytest

from core.answering.model import ModelWriter
from core.model import Question, Selection, Stage, StageEvent, TextEvent, Turn
from tests.core.answering.model.drafting import written
from tests.core.answering.passages import DEPTH, WordFinder, to_task
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import Call, Step, searching


async def test_an_answer_cites_what_the_model_searched_for(
    writer: ModelWriter, server: LLMServer, finder: WordFinder
) -> None:
    server.say(searching("default depth of the history"), Step(text="The default depth is 10 [1]."))

    draft, told = await written(writer, to_task())

    assert draft.text == "The default depth is 10 [1]."
    assert draft.quotes == {1: "The default depth is 10."}
    assert draft.chunks[0].chunk.text == DEPTH
    assert (draft.model, draft.support) == ("gpt-6-luna", 1.0)
    assert draft.answerability == pytest.approx(0.94), "the search is sure, and the model chose to answer"
    assert [retrieval.query for retrieval in draft.retrievals] == ["default depth of the history"]
    assert [event for event in told if isinstance(event, StageEvent)] == [
        StageEvent(Stage.RETRIEVING),
        StageEvent(Stage.GENERATING),
    ]


async def test_retrieval_is_forced_first_and_left_to_the_model_after(
    writer: ModelWriter, server: LLMServer
) -> None:
    server.say(searching("depth"), searching("reliable delivery"), Step(text="The default depth is 10 [1]."))

    await written(writer, to_task())

    assert [chat["tool_choice"] for chat in server.chats] == ["required", "auto", "none"]


async def test_text_grows_sentence_by_sentence_while_it_is_written(writer: ModelWriter, server: LLMServer) -> None:
    answer = "The default depth is 10 [1]. A large depth makes data older, not a slow subscriber faster [1]. "
    server.say(searching("depth"), Step(text=answer, piece=3))

    draft, told = await written(writer, to_task())

    shown = [event.text for event in told if isinstance(event, TextEvent)]
    assert shown[0] == "The default depth is 10 [1]."
    assert shown[-1] == draft.text


async def test_what_is_shown_while_writing_is_numbered_in_reading_order(
    writer: ModelWriter, server: LLMServer
) -> None:
    server.say(
        searching("default depth slow subscriber faster best effort message lost"),
        Step(text="With best effort a message is sent once [2]. The default depth is 10 [1]. "),
    )

    _, told = await written(writer, to_task())

    shown = [event.text for event in told if isinstance(event, TextEvent)]
    assert shown[-1] == "With best effort a message is sent once [1]. The default depth is 10 [2]."


async def test_a_model_that_does_not_search_is_given_the_passages(
    writer: ModelWriter, server: LLMServer, finder: WordFinder
) -> None:
    server.say(Step(text="The depth is certainly 4711."), Step(text="The default depth is 10 [1]."))

    draft, told = await written(writer, to_task())

    assert draft.text == "The default depth is 10 [1]."
    assert finder.queries == ["What is the default depth?"]
    assert "The default depth is 10" in server.chats[1]["messages"][-1]["content"]
    assert not any("4711" in event.text for event in told if isinstance(event, TextEvent))


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        pytest.param(Call({"query": ""}), "query must be", id="empty-query"),
        pytest.param(Call({}), "query must be", id="no-query"),
        pytest.param(Call("{broken"), "not valid JSON", id="broken-json"),
        pytest.param(Call("[1]"), "must be a JSON object", id="not-an-object"),
        pytest.param(Call({"query": "x", "top_k": 21}), "from 1 to 20", id="too-many"),
        pytest.param(Call({"query": "x", "top_k": "five"}), "whole number", id="words-for-numbers"),
        pytest.param(Call({"query": "x", "similarity_threshold": 7}), "from 0 to 1", id="threshold"),
        pytest.param(Call({"query": "x", "layer": "L9"}), "L9", id="unknown-layer"),
        pytest.param(
            Call({"query": "x", "chapter_min": 5, "chapter_max": 2}), "comes after", id="chapters-swapped"
        ),
        pytest.param(Call({"query": "x", "sql": "drop"}), "Unknown arguments: sql", id="unknown-argument"),
        pytest.param(Call({"query": "x"}, name="run_shell"), "no tool 'run_shell'", id="unknown-tool"),
    ],
)
async def test_a_wrong_call_is_explained_to_the_model_which_then_does_better(
    writer: ModelWriter, server: LLMServer, call: Call, complaint: str
) -> None:
    server.say(Step(calls=(call,)), searching("default depth"), Step(text="The default depth is 10 [1]."))

    draft, _ = await written(writer, to_task())

    told = json.loads(server.chats[1]["messages"][-1]["content"])
    assert complaint in told["error"]
    assert draft.text == "The default depth is 10 [1]."


async def test_a_model_that_only_calls_wrongly_is_given_the_passages(
    writer: ModelWriter, server: LLMServer
) -> None:
    server.say(Step(calls=(Call("{"),)), Step(calls=(Call("{"),)), Step(text="The default depth is 10 [1]."))

    draft, _ = await written(writer, to_task())

    assert draft.text == "The default depth is 10 [1]."
    assert len(server.chats) == 3


async def test_tool_results_have_the_contracts_fields(writer: ModelWriter, server: LLMServer) -> None:
    server.say(searching("default depth", top_k=1), Step(text="The default depth is 10 [1]."))

    await written(writer, to_task())

    results = json.loads(server.chats[1]["messages"][-1]["content"])
    assert results["total_results"] == 1
    assert results["query"] == "default depth"
    assert set(results["results"][0]) == {
        "chunk_text",
        "page_title",
        "section_heading",
        "source_url",
        "similarity_score",
        "rank",
    }


async def test_passages_below_the_asked_similarity_are_not_shown_to_the_model(
    writer: ModelWriter, server: LLMServer
) -> None:
    server.say(searching("default depth", similarity_threshold=0.9), Step(text="The default depth is 10 [1]."))

    await written(writer, to_task())

    assert [result["rank"] for result in json.loads(server.chats[1]["messages"][-1]["content"])["results"]] == [1]


async def test_passages_below_the_members_similarity_are_not_found_at_all(
    writer: ModelWriter, server: LLMServer
) -> None:
    server.say(searching("default depth"), Step(text="The default depth is 10 [1]."))

    draft, _ = await written(writer, to_task(question=Question("Depth?", similarity_threshold=0.9)))

    assert len(draft.chunks) == 1


async def test_the_models_filters_narrow_the_members_scope_and_never_widen_it(
    writer: ModelWriter, server: LLMServer, finder: WordFinder
) -> None:
    server.say(searching("depth", module="ros2", chapter_max=3), Step(text="The default depth is 10 [1]."))

    await written(writer, to_task())

    assert (finder.scopes[0].module, finder.scopes[0].chapter_max) == ("ros2", 3)
    assert finder.scopes[0].books == ("robots",)


async def test_fragments_of_any_size_make_the_same_call(writer: ModelWriter, server: LLMServer) -> None:
    step = Step(calls=(Call({"query": "default depth"}), Call({"query": "reliable"})), piece=1)
    server.say(step, Step(text="The default depth is 10 [1].", piece=1))

    draft, _ = await written(writer, to_task())

    assert [retrieval.query for retrieval in draft.retrievals] == ["default depth", "reliable"]


async def test_calls_that_all_have_the_same_number_are_told_apart(writer: ModelWriter, server: LLMServer) -> None:
    calls = (Call({"query": "default depth"}), Call({"query": "reliable"}))
    server.say(Step(calls=calls, has_one_index=True), Step(text="The default depth is 10 [1]."))

    draft, _ = await written(writer, to_task())

    assert [retrieval.query for retrieval in draft.retrievals] == ["default depth", "reliable"]


async def test_a_model_that_searches_for_too_much_at_once_is_told(writer: ModelWriter, server: LLMServer) -> None:
    calls = tuple(Call({"query": f"depth {number}"}) for number in range(5))
    server.say(Step(calls=calls), Step(text="The default depth is 10 [1]."))

    draft, _ = await written(writer, to_task())

    results = [json.loads(message["content"]) for message in server.chats[1]["messages"][-5:]]
    assert ["error" in result for result in results] == [False] * 4 + [True]
    assert len(draft.retrievals) == 4


async def test_a_failing_sentence_is_repaired_once_by_the_model(writer: ModelWriter, server: LLMServer) -> None:
    server.say(
        searching("default depth"),
        Step(text="The default depth is 12 [1]."),
        Step(text="The default depth is 10 [1]."),
    )

    draft, _ = await written(writer, to_task())

    assert draft.text == "The default depth is 10 [1]."
    assert "12" in server.chats[2]["messages"][-1]["content"]
    assert server.chats[2]["tool_choice"] == "none"


async def test_a_sentence_that_fails_again_is_left_out(writer: ModelWriter, server: LLMServer) -> None:
    wrong = Step(text="The default depth is 10 [1]. The largest depth is 900 [1].")
    server.say(searching("default depth"), wrong, wrong)

    draft, told = await written(writer, to_task())

    assert draft.text == "The default depth is 10 [1]."
    assert draft.support == 0.75
    assert not any("900" in event.text for event in told if isinstance(event, TextEvent))


async def test_a_repair_that_fails_costs_only_itself(writer: ModelWriter, server: LLMServer) -> None:
    server.say(
        searching("default depth"),
        Step(text="The default depth is 10 [1]. The largest depth is 900 [1]."),
        Step(cut_after=1),
    )

    draft, _ = await written(writer, to_task())

    assert draft.text == "The default depth is 10 [1]."


async def test_an_answer_without_support_becomes_a_refusal(writer: ModelWriter, server: LLMServer) -> None:
    wrong = Step(text="Photosynthesis turns light into sugar [1].")
    server.say(searching("default depth"), wrong, wrong)

    draft, _ = await written(writer, to_task())

    assert (draft.text, draft.quotes) == ("", {})
    assert draft.chunks, "the nearest sections are offered from these"


async def test_the_models_own_refusal_is_a_refusal(writer: ModelWriter, server: LLMServer) -> None:
    server.say(searching("default depth"), Step(text="I don’t have information about that in the book content."))

    draft, told = await written(writer, to_task())

    assert draft.text == ""
    assert not any(isinstance(event, TextEvent) for event in told)


async def test_nothing_found_is_a_refusal_without_a_second_call(
    writer: ModelWriter, server: LLMServer, finder: WordFinder
) -> None:
    finder.chunks = []
    server.say(searching("volcanoes"))

    draft, _ = await written(writer, to_task("What is a volcano?"))

    assert (draft.text, draft.chunks) == ("", ())


async def test_at_most_four_calls_are_made(writer: ModelWriter, server: LLMServer) -> None:
    wrong = Step(text="The default depth is 12 [1].")
    server.say(searching("a depth"), searching("b depth"), wrong, wrong)

    await written(writer, to_task())

    assert len(server.chats) == 4


async def test_earlier_turns_are_given_without_their_marks(writer: ModelWriter, server: LLMServer) -> None:
    turn = Turn("What is best effort?", "A message is sent once [1].")
    server.say(searching("why best effort"), Step(text="With best effort a message is sent once [1]."))

    await written(writer, to_task("Why?", turns=[turn], summary="delivery rules"))

    roles = [message["role"] for message in server.chats[0]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert server.chats[0]["messages"][2]["content"] == "A message is sent once."
    assert "delivery rules" in server.chats[0]["messages"][-1]["content"]


async def test_what_an_earlier_question_was_about_is_given_in_short(
    writer: ModelWriter, server: LLMServer
) -> None:
    turn = Turn("Is that so?", "It is [1].", selected_text="Robots " * 200)
    server.say(searching("why best effort"), Step(text="With best effort a message is sent once [1]."))

    await written(writer, to_task("Why?", turns=[turn]))

    earlier = server.chats[0]["messages"][1]["content"]
    assert earlier.startswith("Is that so?\n\n(About: Robots Robots")
    assert len(earlier) < 350


async def test_a_classmates_claim_is_set_apart_and_searched_for_too(
    writer: ModelWriter, server: LLMServer, finder: WordFinder
) -> None:
    question = Question("Is that right?", selected_text="The default depth is 100.")
    server.say(searching("is that right"), Step(text="No, the default depth is 10, not 100 [1]."))

    draft, _ = await written(writer, to_task(question=question))

    asked = server.chats[0]["messages"][-1]["content"]
    boundary = asked.rsplit("--- end ", 1)[1]
    assert f"--- begin {boundary}\nThe default depth is 100.\n--- end {boundary}" in asked
    assert "claim to check" in asked
    assert "Is that right? The default depth is 100." in finder.queries
    assert draft.text == "No, the default depth is 10, not 100 [1]."


async def test_a_selected_passage_is_called_what_it_is(writer: ModelWriter, server: LLMServer) -> None:
    question = Question("Explain this", selected_text="The default depth is 10.", selection=Selection.BOOK)
    server.say(searching("default depth"), Step(text="The default depth is 10 [1]."))

    await written(writer, to_task(question=question))

    assert "A passage of the book" in server.chats[0]["messages"][-1]["content"]


async def test_tokens_of_all_calls_are_counted(writer: ModelWriter, server: LLMServer) -> None:
    server.say(searching("default depth"), Step(text="The default depth is 10 [1]."))

    draft, _ = await written(writer, to_task())

    assert draft.tokens_used == 240
    assert draft.cost_usd is None, "the price of an unknown server is not guessed"


async def test_a_server_that_counts_no_tokens_is_estimated(writer: ModelWriter, server: LLMServer) -> None:
    server.say(
        Step(calls=(Call({"query": "default depth"}),), has_usage=False),
        Step(text="The default depth is 10 [1].", has_usage=False),
    )

    draft, _ = await written(writer, to_task())

    assert 500 < draft.tokens_used < 5000
