"""`footnote sessions`: what the bot remembers of conversations."""

from typing import Annotated

import typer

from bot.cli.doing import be_sure, do
from bot.cli.options import Json, Sure
from bot.cli.printer import Printer
from core.settings import Settings

SessionId = Annotated[str, typer.Argument(metavar="SESSION", help="The session's id.")]
Group = Annotated[
    str | None, typer.Option("--group", metavar="GROUP", help='Only this group, such as "discord:123" or "local".')
]


def make_app() -> typer.Typer:
    app = typer.Typer(
        help="Show and forget conversations.",
        invoke_without_command=True,
        epilog="footnote sessions · footnote sessions show ID · footnote sessions forget ID --yes",
    )
    app.callback()(list_sessions_by_default)
    app.command("list")(list_sessions)
    app.command("show")(show_session)
    app.command("forget")(forget_session)
    return app


def list_sessions_by_default(context: typer.Context, group: Group = None, is_json: Json = False) -> None:
    """Show and forget conversations."""
    if context.invoked_subcommand is None:
        list_sessions(group=group, is_json=is_json)


def list_sessions(
    group: Group = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many, the latest first.")] = 50,
    is_json: Json = False,
) -> None:
    """List conversations, the latest first."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.opening import open_store_to_read
        from core.store.sessions import Sessions

        async with open_store_to_read(settings.data_dir) as database:
            found = await Sessions(database, model="").list(group=group, limit=limit)
        if printer.is_json:
            printer.document({"sessions": [session.to_dict() for session in found]})
            return
        rows = [(s.id, s.updated_at[:16], s.key.group, str(s.turn_count), s.topic_summary or "") for s in found]
        printer.table(("session", "last used", "group", "turns", "about"), rows)
        if not found:
            printer.note("Nobody has asked anything yet.")

    do(work, printer)


def show_session(session_id: SessionId, is_json: Json = False) -> None:
    """Show everything said in a conversation."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.opening import open_store_to_read
        from core.store.sessions import Sessions

        async with open_store_to_read(settings.data_dir) as database:
            sessions = Sessions(database, model="")
            session = await sessions.get(session_id, group=None)
            messages = await sessions.messages(session_id, group=None)
        if printer.is_json:
            printer.document({**session.to_dict(), "messages": [message.to_dict() for message in messages]})
            return
        for message in messages:
            printer.line(f"{message.role} · {message.created_at[:16]}", style="bold")
            if message.selected_text:
                printer.line(f"> {message.selected_text}", style="dim")
            printer.line(f"{message.content}\n")

    do(work, printer)


def forget_session(session_id: SessionId, is_sure: Sure = False, is_json: Json = False) -> None:
    """Delete a conversation for real: no word of it stays in the database."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.opening import open_store
        from core.store.places import Places
        from core.store.sessions import Sessions

        async with open_store(settings.data_dir) as database:
            sessions = Sessions(database, model="")
            session = await sessions.get(session_id, group=None)
            be_sure("Forget this conversation for good?", is_sure=is_sure, printer=printer)
            await Places(database).forget(session.key)
            await sessions.forget(session_id, group=None)
        if printer.is_json:
            printer.document({"session_id": session_id, "forgotten": True})
        else:
            printer.line("Forgotten.")

    do(work, printer)
