"""Which addresses of a site may be fetched: none of the operator's own network, none of another site."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from posixpath import normpath
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from core.errors import LibraryError

_NAT64 = IPv6Address("64:ff9b::").packed[:12]


def is_public(address: str) -> bool:
    """Whether an IP address is on the open internet, also when it wraps another one."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inner = _wrapped(found)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast


def is_ip_literal(host: str) -> bool:
    """Whether a host is written as a number, which no name server is asked for."""
    try:
        ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return False
    return True


def start_address(text: str) -> str:
    """The address a leader typed, completed and tidied.

    Raises:
        LibraryError: it is not the address of a web page.
    """
    text = text.strip()
    parts = _split(text if "//" in text else f"https://{text}")
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        raise LibraryError(f"{text[:200]} is not the address of a web page; it should begin with https://.")
    if parts.username or parts.password:
        raise LibraryError("The address carries a user name or password; use one without.")
    return tidied(text if "//" in text else f"https://{text}") or text


def tidied(address: str, base: str = "") -> str | None:
    """One spelling for each page: absolute, without fragment; None for what is no page of the web."""
    parts = _split(urljoin(base, address.strip()) if base else address.strip())
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        return None
    path = normpath(parts.path) if parts.path else "/"
    path = "/" + path.strip("/") + ("/" if parts.path.endswith("/") and path.strip("/") else "")
    path = quote(unquote(path), safe="/-._~!$&'()*+,;=:@", errors="replace")
    host = parts.hostname.lower() if ":" not in parts.hostname else f"[{parts.hostname}]"
    try:
        port = f":{parts.port}" if parts.port and parts.port != _default_port(parts.scheme) else ""
    except ValueError:
        return None
    return urlunsplit((parts.scheme, host + port, path, parts.query, ""))


def folder_of(address: str) -> str:
    """The address up to its last slash: what the pages of one book have in common."""
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rpartition("/")[0] + "/", "", ""))


def same_site(address: str, other: str) -> bool:
    """Whether two addresses are on one host; http and https, and a leading www, make no difference."""
    return _host(address) == _host(other)


def _host(address: str) -> tuple[str, int | None]:
    parts = urlsplit(address)
    port = parts.port if parts.port != _default_port(parts.scheme) else None
    return (parts.hostname or "").removeprefix("www."), port


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _default_port(scheme: str) -> int:
    return 443 if scheme == "https" else 80


def _wrapped(address: IPv6Address) -> IPv4Address | None:
    if address.packed[:12] == _NAT64:
        return IPv4Address(address.packed[12:])
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
