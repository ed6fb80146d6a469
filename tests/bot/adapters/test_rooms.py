"""The two platform folders mirror each other; a room that only one has is there because of the platform."""

from pathlib import Path

FOLDERS = Path(__file__).parents[3] / "bot" / "adapters"

OF_DISCORD = {
    "addresses": "discord.py keeps its addresses in classes",
    "client": "discord.py calls one client for everything that happens",
    "completing": "options of a command are completed while they are typed",
    "custom_ids": "a button has one word for what it does and what it is about",
    "groups": "a direct message belongs to no server",
    "searches": "pages of results are turned in place",
    "syncing": "commands are registered by the bot itself",
    "threads": "a thread is opened before it is written in",
}
OF_SLACK = {
    "app": "Bolt takes a listener for each kind of thing",
    "channels": "whether a channel is open to all has to be asked",
    "connecting": "the SDK notices a connection that is cut, not one that is deaf",
    "excusing": "what could not be stored comes again, and is excused once",
    "home": "an app has a page of its own, and questions to begin with",
    "http": "Slack can call us instead",
    "listening": "events come with their twins, and again",
    "missed": "history is read page by page, as slowly as Slack says",
    "naming": "commands of several apps may have the same name",
    "pressing": "everything interactive is acknowledged before it is done",
    "private": "private replies go to an address that is used up",
    "roles": "who is in a user group has to be asked",
    "streaming": "Slack has streams, which end by themselves",
    "workspaces": "each workspace has a token of its own",
}


def rooms(platform: str) -> set[str]:
    return {file.stem for file in (FOLDERS / platform).glob("*.py")}


def test_both_platforms_have_the_same_rooms_but_for_those_of_their_own() -> None:
    discord, slack = rooms("discord"), rooms("slack")

    assert discord - slack <= set(OF_DISCORD)
    assert slack - discord == set(OF_SLACK)
    assert {
        "hearing",
        "quoting",
        "words",
        "commands",
        "leader_commands",
        "layouts",
        "reading_layouts",
        "forms",
    } <= (discord & slack)
    assert {
        "surfaces",
        "posters",
        "pace",
        "place",
        "target",
        "trouble",
        "running",
        "catching_up",
    } <= discord & slack
