"""Numbers for Prometheus: what the HTTP side counts itself, and what the database knows when asked."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.adapters.web.hub import Hub
from bot.turns import Turns
from core.store.job import JobStatus
from core.store.jobs import Jobs
from core.store.ledger import Ledger

_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """One registry of its own, so that two apps in one process do not add up."""

    def __init__(self, *, ledger: Ledger, jobs: Jobs, turns: Turns, hub: Hub) -> None:
        self._ledger = ledger
        self._jobs = jobs
        self._turns = turns
        self._hub = hub
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "footnote_http_requests",
            "HTTP requests by route and status.",
            ("route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "footnote_http_seconds",
            "Time to the first byte of an answer.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._turn_states = Gauge(
            "footnote_turns", "Turns of every platform by state.", ("state",), registry=self._registry
        )
        self._waiting = Gauge("footnote_turns_waiting", "Turns waiting to be answered.", registry=self._registry)
        self._running = Gauge("footnote_turns_running", "Turns being answered.", registry=self._registry)
        self._open_jobs = Gauge("footnote_jobs_open", "Ingestions queued or running.", registry=self._registry)
        self._pages = Gauge("footnote_pages_open", "Pages that listen for events.", registry=self._registry)

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count one request under its route's pattern, never under what was asked."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    async def text(self) -> bytes:
        """All numbers as of now, in Prometheus' text format."""
        for state, count in (await self._ledger.counts()).items():
            self._turn_states.labels(state).set(count)
        jobs = await self._jobs.list(limit=100)
        self._open_jobs.set(sum(not JobStatus(job.status).is_over for job in jobs))
        self._waiting.set(self._turns.waiting_count)
        self._running.set(self._turns.running_count)
        self._pages.set(self._hub.listeners)
        return generate_latest(self._registry)
