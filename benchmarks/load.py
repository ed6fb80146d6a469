"""`make load`: two hundred busy threads on each platform, and a book coming in meanwhile (docs/reliability.md)."""

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.load_tally import percentile

Process = asyncio.subprocess.Process


async def main(options: argparse.Namespace) -> int:
    each = str(options.questions // 2)
    with tempfile.TemporaryDirectory() as name:
        folder, begun = Path(name), time.monotonic()
        people = {
            platform: await start(
                "benchmarks.load_people", platform, "--threads", str(options.threads), "--questions", each
            )
            for platform in ("discord", "slack")
        }
        places: dict[str, Any] = {}
        for process in people.values():
            places |= await told(process)
        report = folder / "report.json"
        with (folder / "bot.log").open("wb") as log:
            words = ["--data", str(folder / "data"), "--report", str(report), "--places", json.dumps(places)]
            words += ["--median", str(options.median)]
            bot = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "benchmarks.load_bot", *words, stdout=log, stderr=log
            )
        try:
            results = dict(zip(people, await asyncio.gather(*map(told, people.values())), strict=True))
        finally:
            if bot.returncode is None:
                bot.send_signal(signal.SIGTERM)
            await bot.wait()
        show(results, json.loads(report.read_text()), time.monotonic() - begun)
        if has_failed(results):
            print((folder / "bot.log").read_text()[-3000:])
            return 1
    return 0


async def start(module: str, *words: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *words, stdout=asyncio.subprocess.PIPE, limit=2**24
    )


async def told(process: Process) -> dict[str, Any]:
    """The next document a process prints."""
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError("a local server ended before it was asked to")
    document: dict[str, Any] = json.loads(line)
    return document


def show(results: dict[str, dict[str, Any]], bot: dict[str, Any], seconds: float) -> None:
    names = list(dict.fromkeys(name for result in results.values() for name in result))
    print("| | Discord | Slack |\n|---|---|---|")
    for name in names:
        print(f"| {name} | {results['discord'].get(name, '–')} | {results['slack'].get(name, '–')} |")
    memory, quarter = bot["memory_mb"], max(1, len(bot["memory_mb"]) // 4)
    peaks = [max(memory[at : at + quarter]) for at in range(0, quarter * 4, quarter) if memory[at : at + quarter]]
    print("\n| the bot's process | |\n|---|---|")
    print(f"| memory by quarter, MB | {', '.join(f'{peak:.0f}' for peak in peaks)} |")
    print(f"| growth from the second quarter to the last | {(peaks[-1] / peaks[1] - 1) * 100:+.1f} % |")
    for name, when in (("", ""), (" while a book comes in", "_while_ingesting")):
        print(f"| event loop late{name}, ms (p50, p99, max) | {three(bot[f'stalls{when}_ms'])} |")
        print(f"| of it our own work{name}, ms (p50, p99, max) | {three(bot[f'work{when}_ms'])} |")
    print(f"| passages taken in meanwhile | {bot['chunks']} in {bot['ingestion_seconds']:.0f} s |")
    print(f"| seconds in all | {seconds:.0f} |")
    print(f"| load of the machine, processors | {os.getloadavg()[0]:.1f}, {os.cpu_count()} |")


def three(values: list[float]) -> str:
    return f"{percentile(values, 0.5):.0f}, {percentile(values, 0.99):.0f}, {max(values, default=0):.0f}"


def has_failed(results: dict[str, dict[str, Any]]) -> bool:
    kinds = ("lost", "answered twice", "threads out of order")
    return any(result[kind] for result in results.values() for kind in kinds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=10_000, help="on both platforms together")
    parser.add_argument("--threads", type=int, default=200, help="on each platform")
    parser.add_argument("--median", type=float, default=1.0, help="seconds an answer takes in the middle")
    sys.exit(asyncio.run(main(parser.parse_args())))
