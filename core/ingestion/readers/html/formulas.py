"""Writes a page's formulas down as TeX where the page carries it, else as plain notation."""

from selectolax.lexbor import LexborNode

TEX_ENCODINGS = frozenset({"application/x-tex", "application/x-latex", "tex", "latex"})
_MAX_DEPTH = 60


def is_display(math: LexborNode) -> bool:
    """Whether a formula stands on a line of its own."""
    return math.attributes.get("display") == "block" or math.attributes.get("mode") == "display"


def formula(math: LexborNode) -> str:
    """The formula without its dollar signs; empty when it says nothing."""
    for annotation in math.css("annotation"):
        if (annotation.attributes.get("encoding") or "").lower() in TEX_ENCODINGS:
            return _one_line(annotation.text())
    alternative = math.attributes.get("alttext")
    return _one_line(alternative or _linear(math, 0))


def _linear(node: LexborNode, depth: int) -> str:
    tag = node.tag
    if tag == "-text":
        return " ".join((node.text_content or "").split())
    if tag in {"annotation", "annotation-xml", "-comment"}:
        return ""
    if depth > _MAX_DEPTH:
        return node.text()
    parts = [_linear(child, depth + 1) for child in node.iter(include_text=True)]
    parts = [part for part in parts if part]
    return _combined(tag or "", parts)


def _combined(tag: str, parts: list[str]) -> str:  # noqa: PLR0911  # one notation each, as a table
    match tag, parts:
        case "mfrac", [top, bottom]:
            return f"{_grouped(top)}/{_grouped(bottom)}"
        case "msup" | "mover", [base, above]:
            return f"{base}^{_grouped(above)}"
        case "msub" | "munder", [base, below]:
            return f"{base}_{_grouped(below)}"
        case "msubsup" | "munderover", [base, below, above]:
            return f"{base}_{_grouped(below)}^{_grouped(above)}"
        case "msqrt", _:
            return f"√({' '.join(parts)})"
        case "mroot", [inside, degree]:
            return f"{_grouped(degree)}√({inside})"
        case "mtr", _:
            return " ".join(parts) + ";"
        case "mi" | "mn" | "mo" | "mtext" | "ms", _:
            return "".join(parts)
    return " ".join(parts)


def _grouped(part: str) -> str:
    return part if len(part) == 1 or part.isalnum() else f"({part})"


def _one_line(text: str) -> str:
    return " ".join(text.split())
