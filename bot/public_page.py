"""Links to our own reading page, as somebody in a chat can follow them (pure)."""

from dataclasses import dataclass, replace

from bot.reply import Reply
from core.model import Chunk, SearchHit, SearchResults


@dataclass(frozen=True, slots=True)
class PublicPage:
    """Where members reach the page: a book without a site of its own is read there."""

    address: str | None = None

    def url(self, url: str) -> str:
        """*url*, whole if it was a path on our page."""
        is_ours = url.startswith("/") and self.address is not None
        return f"{(self.address or '').rstrip('/')}{url}" if is_ours else url

    def reply(self, reply: Reply) -> Reply:
        """*reply* with footnotes and sections that can be followed."""
        return replace(
            reply,
            footnotes=tuple(replace(each, url=self.url(each.url)) for each in reply.footnotes),
            nearest=tuple(replace(each, url=self.url(each.url)) for each in reply.nearest),
        )

    def chunk(self, chunk: Chunk) -> Chunk:
        return replace(chunk, url=self.url(chunk.url))

    def results(self, results: SearchResults) -> SearchResults:
        hits = tuple(SearchHit(self.chunk(hit.chunk), hit.score) for hit in results.hits)
        return replace(results, hits=hits)
