"""Keeps the garbage collector away from what was loaded at the start."""

import gc


def set_aside_what_is_loaded() -> None:
    """Let Python never again look for garbage among what is loaded now.

    Libraries and models stay for as long as the process does. Looking through all of them held the event loop
    up for 80 ms of our own work each time, and many times as long on a busy machine.
    """
    gc.collect()
    gc.freeze()
