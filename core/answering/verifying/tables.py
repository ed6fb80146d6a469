"""Whether a claim gives one row of a table what stands in another."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.answering.verifying.evidence import Evidence
from core.answering.verifying.polarity import without_contrasts
from core.answering.verifying.statements import to_names, to_parts

Cell = tuple[int, int]
"""Row and column; row 0 has the headings, column 0 what each row is about."""
WORDS_OF_A_CELL = 2
"""So many words of one cell, or all of a shorter one, are taken from it."""


def misplaced_row(claim: str, cited: Sequence[Evidence]) -> str | None:
    """What a row is about to which *claim* gives a cell of another row; None if all fits.

    Only words that a table has in a single cell are compared, and only those that no sentence of the passages
    brings together. Who says something that does stand in the row may say more about it.
    """
    for evidence in cited:
        together = [frozenset(to_names(sentence.text)) for sentence in evidence.usable]
        for table in _tables(evidence):
            cells = _single_words(table)
            for part in to_parts(without_contrasts(claim)):
                if label := _misplaced(frozenset(to_names(part)), cells, together):
                    return label
    return None


def _misplaced(
    said: frozenset[str], cells: Mapping[Cell, frozenset[str]], together: Sequence[frozenset[str]]
) -> str | None:
    for (row, column), names in cells.items():
        labels = names & said
        if column != 0 or row == 0 or not labels:
            continue
        others = [cell & said for place, cell in cells.items() if 0 not in place and _is_taken(cell, said)]
        taken = frozenset[str]().union(*others)
        fits = any(place[0] == row and cell & said for place, cell in cells.items() if place[1] != 0)
        is_said = any(labels & each and taken & each for each in together)
        if taken and not fits and not is_said:
            return min(labels)
    return None


def _is_taken(cell: frozenset[str], said: frozenset[str]) -> bool:
    return len(cell & said) >= min(WORDS_OF_A_CELL, max(1, len(cell)))


def _single_words(table: Sequence[str]) -> dict[Cell, frozenset[str]]:
    """The words of each cell that stand in no other."""
    cells = {
        (row, column): frozenset(to_names(cell))
        for row, line in enumerate(table)
        for column, cell in enumerate(line.strip().strip("|").split("|"))
    }
    counts = Counter(name for names in cells.values() for name in names)
    return {place: frozenset(name for name in names if counts[name] == 1) for place, names in cells.items()}


def _tables(evidence: Evidence) -> Iterable[list[str]]:
    """The lines of each table, the headings first."""
    tables: dict[int, list[str]] = {}
    for sentence in evidence.usable:
        if sentence.text.lstrip().startswith("|"):
            tables.setdefault(sentence.block, []).append(sentence.text)
    return tables.values()
