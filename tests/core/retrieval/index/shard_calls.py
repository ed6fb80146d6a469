"""Calls for a shard's process to make. In a module of their own, because the process imports it."""

import os
from time import sleep

from core.errors import ServiceDown
from core.retrieval.index.edge_shard import EdgeShard


def own_pid(shard: EdgeShard) -> int:
    return os.getpid()


def break_down(shard: EdgeShard) -> None:
    os._exit(1)


def take(shard: EdgeShard, seconds: float) -> str:
    sleep(seconds)
    return "late"


def fail(shard: EdgeShard) -> None:
    raise ServiceDown("index", "the disk is full", retry_after=7)
