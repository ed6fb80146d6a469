"""Who is next: in order within a conversation, fair between them."""

from bot.fair_queue import FairQueue, Waiting
from tests.bot.scripted import to_key


def turn(number: int, *, group: str = "test:1", thread: str = "t") -> Waiting:
    return Waiting(number, to_key(group=group, thread=thread))


def taken(queue: FairQueue) -> list[int]:
    """All that can be taken, each finished before the next."""
    order = []
    while (next_turn := queue.take()) is not None:
        order.append(next_turn.turn_id)
        queue.release(next_turn.key)
    return order


def test_conversation_keeps_its_order_and_takes_one_at_a_time() -> None:
    queue = FairQueue()
    for number in (1, 2):
        queue.put(turn(number))

    first = queue.take()
    assert first == turn(1)
    assert queue.take() is None
    queue.release(turn(1).key)
    assert queue.take() == turn(2)


def test_groups_take_turns_however_long_their_lines_are() -> None:
    queue = FairQueue()
    for number in range(5):
        queue.put(turn(number, group="test:big", thread=str(number)))
    queue.put(turn(10, group="test:small"))

    assert taken(queue)[:3] == [0, 10, 1]


def test_conversations_of_one_group_take_turns() -> None:
    queue = FairQueue()
    for number in range(3):
        queue.put(turn(number, thread="busy"))
    queue.put(turn(10, thread="quiet"))

    assert taken(queue) == [0, 10, 1, 2]


def test_order_that_is_told_is_the_order_that_comes() -> None:
    queue = FairQueue()
    for number, (group, thread) in enumerate(
        [("a", "1"), ("a", "1"), ("a", "2"), ("b", "1"), ("c", "1"), ("b", "2")]
    ):
        queue.put(turn(number, group=group, thread=thread))

    told = list(queue.in_order())

    assert told == taken(queue)
    assert len(told) == 6


def test_turn_that_is_not_ready_holds_its_own_conversation_only() -> None:
    queue = FairQueue()
    queue.put(turn(1, thread="a"), is_ready=False)
    queue.put(turn(2, thread="a"))
    queue.put(turn(3, thread="b"))

    assert taken(queue) == [3]
    queue.make_ready(1)
    assert taken(queue) == [1, 2]


def test_turn_that_comes_back_is_first_again() -> None:
    queue = FairQueue()
    queue.put(turn(1))
    queue.put(turn(2))
    again = queue.take()
    assert again is not None

    queue.put(again, is_first=True)
    queue.release(again.key)

    assert taken(queue) == [1, 2]
    assert len(queue) == 0
