import pytest

from core.errors import LibraryError
from core.ingestion.readers.site.addresses import is_public, same_site, start_address, tidied


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.216.34", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("not an address", False),
    ],
)
def test_only_the_open_internet_is_public(address: str, expected: bool) -> None:
    assert is_public(address) is expected


@pytest.mark.parametrize(
    ("address", "base", "expected"),
    [
        ("https://A.org:443/x/../y#top", "", "https://a.org/y"),
        ("https://a.org", "", "https://a.org/"),
        ("page?q=1", "https://a.org/b/c", "https://a.org/b/page?q=1"),
        ("/é ü", "https://a.org/", "https://a.org/%C3%A9%20%C3%BC"),
        ("mailto:x@a.org", "https://a.org/", None),
        ("javascript:void(0)", "https://a.org/", None),
        ("http://[broken", "", None),
        ("http://a.org:99999/", "", None),
    ],
)
def test_each_page_has_one_spelling(address: str, base: str, expected: str | None) -> None:
    assert tidied(address, base) == expected


def test_one_site_by_any_of_its_names() -> None:
    assert same_site("http://www.a.org/x", "https://a.org/y")
    assert not same_site("https://a.org/", "https://b.a.org/")
    assert not same_site("https://a.org/", "https://a.org:8443/")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ftp://a.org/", "not the address of a web page"),
        ("https://", "not the address of a web page"),
        ("https://me:secret@a.org/", "user name or password"),
    ],
)
def test_what_is_no_address_of_a_page_is_refused(text: str, message: str) -> None:
    with pytest.raises(LibraryError, match=message):
        start_address(text)
