"""Finds what a page is about, and takes away what surrounds it."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

_ALWAYS_CHROME = (
    "nav, dialog, [hidden], [role=navigation], [role=search], [role=banner], [role=contentinfo], "
    "[role=complementary], [role=dialog], [role=doc-toc], [aria-hidden=true], "
    ".nav-panel, .shortcontents, .contents-heading, .breadcrumbs, .breadcrumb, "
    ".pagination-nav, .theme-edit-this-page, .edit-this-page, .skip-link, .visually-hidden, .sr-only, "
    ".katex-html, .MathJax_Preview, .MathJax_SVG, .no-print, .cookie-banner"
)
_NEVER_READ = "script:not([type^='math/tex']), style, template, noscript"
_LISTS_OF_LINKS = (
    ".toctree-wrapper, .contents, .header, .menu, .toc, .local-toc, .index, .genindextable, "
    ".related-links, table[class^=index-]"
)
_LINK_SHARE = 0.6
"""Above this share of linked letters a part only leads elsewhere."""

_PAGE_CHROME = "header, footer, aside, .sidebar, .sphinxsidebar, .related, .footer, #sidebar, #footer, #header"
"""Chrome around the content; inside an article the same names hold its title, its notes, its side remarks."""

_ASIDE_CHROME = "aside[class*=sidebar], aside[class*=toc], aside[class*=related], aside[class*=share]"
_MAIN_SELECTORS = ("main article", "article", "main", "[role=main]", "#content", "#main", ".content", ".document")
_LEAST_SHARE = 0.5
"""The main content holds at least this share of the page's words, or the page is read whole."""

_NEARLY_ALL = 0.8
"""An article with at least this share of its main element's words stands for it; the rest only goes with it."""


def main_content(page: LexborHTMLParser) -> LexborNode | None:
    """The element that holds the page's own content, its surroundings removed; None for an empty page."""
    body = page.body
    if body is None:
        return None
    _remove(body, _NEVER_READ)
    _remove(body, _ALWAYS_CHROME)
    _remove_undisplayed(body)
    _remove_lists_of_links(body)
    main = _main_element(body)
    _remove(main, _ASIDE_CHROME)
    if main.tag == "body":
        _remove(main, _PAGE_CHROME)
    else:
        _remove_unquoted_footers(main)
    return main


def whole_content(page: LexborHTMLParser) -> LexborNode | None:
    """The page's body as it is, for pages without surroundings, as in a book."""
    body = page.body
    if body is not None:
        _remove(body, "[hidden], .katex-html, nav[hidden]")
    return body


def _main_element(body: LexborNode) -> LexborNode:
    """The likeliest main element; several articles side by side mean that the page is a list of them."""
    total = _words(body) - _surrounding_words(body)
    for selector in _MAIN_SELECTORS:
        outer = [node for node in body.css(selector) if _words(node) >= total * _LEAST_SHARE]
        if outer:
            return _with_neighbours(outer[0])
    return body


def _surrounding_words(body: LexborNode) -> int:
    """How many words stand in headers, footers and side bars outside of what may be the content."""
    content = {node.mem_id for node in body.css(", ".join(_MAIN_SELECTORS))}
    surroundings = {node.mem_id for node in body.css(_PAGE_CHROME)} - content
    words, open_nodes = 0, [body]
    while open_nodes:
        for child in open_nodes.pop().iter():
            if child.mem_id in surroundings:
                words += _words(child)
            elif child.mem_id not in content:
                open_nodes.append(child)
    return words


def _with_neighbours(article: LexborNode) -> LexborNode:
    """The main element around *article*, where much of what it says stands beside the article."""
    outer = article.parent
    while outer is not None and outer.tag != "main" and outer.attributes.get("role") != "main":
        outer = outer.parent
    if outer is None or _own_words(article) >= _own_words(outer) * _NEARLY_ALL:
        return article
    return outer


def _words(node: LexborNode) -> int:
    return len(node.text(separator=" ").split())


def _own_words(node: LexborNode) -> int:
    """How many words do not lead elsewhere."""
    return _words(node) - sum(_words(link) for link in node.css("a"))


def _letters(node: LexborNode) -> int:
    return sum(char.isalnum() for char in node.text())


def _remove(root: LexborNode, selector: str) -> None:
    for node in root.css(selector):
        if node != root and node.tag not in {"html", "body", "math"}:
            node.decompose()


def _remove_lists_of_links(root: LexborNode) -> None:
    for node in root.css(_LISTS_OF_LINKS):
        # A whole book on one page may sit inside such an element; its headings tell.
        linked = sum(_letters(link) for link in node.css("a"))
        if linked and linked >= _letters(node) * _LINK_SHARE and node.css_first("h1, h2, p + p") is None:
            node.decompose()


def _remove_undisplayed(root: LexborNode) -> None:
    for node in root.css("[style]"):
        style = (node.attributes.get("style") or "").replace(" ", "").lower()
        if "display:none" in style or "visibility:hidden" in style:
            node.decompose()


def _remove_unquoted_footers(main: LexborNode) -> None:
    for footer in main.css("footer"):
        if footer.parent is not None and footer.parent.tag != "blockquote":
            footer.decompose()
