"""Numbers for Prometheus: what the HTTP side counts itself, and what the database knows when asked."""

from collections.abc import Iterable, Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.adapters.web.hub import Hub
from bot.turns import Turns
from core.store.jobs import Jobs
from core.store.tallies import OutcomeTally, Tallies, WaitTally

_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_WAITS = (0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300)


class Metrics:
    """One registry of its own, so that two apps in one process do not add up."""

    def __init__(self, *, tallies: Tallies, jobs: Jobs, turns: Turns, hub: Hub) -> None:
        self._tallies = tallies
        self._jobs = jobs
        self._turns = turns
        self._hub = hub
        self._registry = CollectorRegistry()
        # Memory, processor time and open files of the process.
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "footnote_http_requests",
            "HTTP requests by route and status.",
            ("route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "footnote_http_seconds",
            "Time to the first byte of an HTTP answer.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count one request under its route's pattern, never under what was asked."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    async def text(self) -> bytes:
        """All numbers as of now, in Prometheus' text format."""
        open_jobs = sum(not job.status.is_over for job in await self._jobs.list(limit=100))
        families = [
            _turns(await self._tallies.outcomes()),
            _waits(await self._tallies.waits(_WAITS)),
            _gauge("footnote_turns_waiting", "Turns waiting to be answered.", self._turns.waiting_count),
            _gauge("footnote_turns_running", "Turns being answered.", self._turns.running_count),
            _gauge("footnote_jobs_open", "Ingestions queued or running.", open_jobs),
            _gauge("footnote_pages_open", "Pages that listen for events.", self._hub.listeners),
        ]
        now = CollectorRegistry()
        now.register(_Known(families))
        return generate_latest(now) + generate_latest(self._registry)


class _Known(Collector):
    """Families whose numbers were fetched already: collecting cannot wait for a database."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)


def _turns(tallies: Iterable[OutcomeTally]) -> Metric:
    family = GaugeMetricFamily(
        "footnote_turns", "Turns in the ledger by platform and outcome.", labels=("platform", "outcome")
    )
    for tally in tallies:
        family.add_metric((tally.platform, tally.outcome), tally.count)
    return family


def _waits(tallies: Iterable[WaitTally]) -> Metric:
    family = HistogramMetricFamily(
        "footnote_answer_seconds", "From hearing a question to having shown its reply.", labels=("platform",)
    )
    for tally in tallies:
        buckets = [(str(float(limit)), count) for limit, count in zip(_WAITS, tally.within, strict=True)]
        family.add_metric((tally.platform,), [*buckets, ("+Inf", tally.count)], tally.seconds)
    return family
