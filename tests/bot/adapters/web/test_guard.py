"""Who may come in, and what every answer says to the browser."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.adapters.web.site import TOKEN, Site, open_site
from tests.bot.scripted import ScriptedAgent


@pytest.fixture
async def closed_site(tmp_path: Path) -> AsyncIterator[Site]:
    """A page that needs a token."""
    async with open_site(tmp_path / "data", ScriptedAgent(), token=TOKEN) as site:
        yield site


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        pytest.param("GET", "/", {}, 200, id="the page"),
        pytest.param("GET", "/api/books", {}, 200, id="a tool that is no browser"),
        pytest.param("GET", "/api/books", {"Sec-Fetch-Site": "same-origin"}, 200, id="our own page"),
        pytest.param("GET", "/", {"Sec-Fetch-Site": "cross-site"}, 200, id="a link from elsewhere"),
        pytest.param("GET", "/api/books", {"Host": "evil.example"}, 403, id="a name pointed at this machine"),
        pytest.param("GET", "/api/books", {"Host": "localhost:99"}, 200, id="localhost"),
        pytest.param("GET", "/api/books", {"Sec-Fetch-Site": "cross-site"}, 403, id="another site reads"),
        pytest.param("GET", "/api/books", {"Sec-Fetch-Site": "same-site"}, 403, id="a neighbouring site reads"),
        pytest.param("POST", "/api/chat", {"Origin": "https://evil.example"}, 403, id="another site asks"),
        pytest.param("POST", "/api/chat", {"Origin": "null"}, 403, id="a sandboxed frame asks"),
        pytest.param(
            "DELETE", "/api/books/robots", {"Sec-Fetch-Site": "cross-site"}, 403, id="another site deletes"
        ),
    ],
)
async def test_only_our_own_site_comes_in(
    site: Site, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    async with site.http.request(method, site.url + path, headers=headers) as response:
        assert response.status == status


async def test_a_form_of_another_site_cannot_ask(site: Site) -> None:
    """A form can be sent across sites without a question asked first; its content type is refused."""
    async with site.http.post(
        f"{site.url}/api/chat", data='{"question": "hi"}', headers={"Content-Type": "text/plain"}
    ) as response:
        assert response.status == 422


async def test_nobody_else_may_read_answers(site: Site) -> None:
    async with site.http.get(f"{site.url}/api/books", headers={"Origin": "https://evil.example"}) as response:
        assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize("path", ["/", "/api/books", "/healthz", "/static/js/main.js", "/nowhere"], ids=str)
async def test_every_answer_is_locked_down(site: Site, path: str) -> None:
    async with site.http.get(site.url + path) as response:
        policy = response.headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "Server" not in response.headers


async def test_the_page_loads_nothing_from_elsewhere_and_has_no_script_of_its_own(site: Site) -> None:
    async with site.http.get(f"{site.url}/") as response:
        page = await response.text()

    assert "http://" not in page
    assert "https://" not in page
    assert page.count("<script") == page.count("<script src=") + page.count('<script type="module" src=')
    assert " style=" not in page
    assert " onclick=" not in page


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param({}, 401, id="no token"),
        pytest.param({"Authorization": "Bearer wrong"}, 401, id="a wrong token"),
        pytest.param({"Authorization": f"Basic {TOKEN}"}, 401, id="another scheme"),
        pytest.param({"Cookie": f"footnote_pass={TOKEN}"}, 401, id="the token itself as a cookie"),
        pytest.param({"Authorization": f"Bearer {TOKEN}"}, 200, id="the token"),
        pytest.param({"Authorization": f"bearer {TOKEN}", "Host": "study.example"}, 200, id="under any name"),
    ],
)
async def test_a_token_opens_the_api(closed_site: Site, headers: dict[str, str], status: int) -> None:
    for path in ("/api/books", "/metrics", "/openapi.json"):
        async with closed_site.http.get(closed_site.url + path, headers=headers) as response:
            assert response.status == status


async def test_health_needs_no_token(closed_site: Site) -> None:
    async with closed_site.http.get(f"{closed_site.url}/healthz") as response:
        assert response.status == 200


async def test_a_browser_signs_in_once_and_never_holds_the_token(closed_site: Site) -> None:
    http, url = closed_site.http, closed_site.url
    http.cookie_jar.clear()

    async with http.get(f"{url}/metrics?x=1", headers={"Accept": "text/html"}) as response:
        assert response.url.path_qs == "/login?then=/metrics?x%3D1"
    async with http.post(f"{url}/login?then=/metrics?x%3D1", data={"token": TOKEN}) as response:
        assert response.url.path_qs == "/metrics?x=1"
    async with http.get(f"{url}/api/books") as response:
        assert response.status == 200

    cookie = next(each for each in http.cookie_jar if each.key == "footnote_pass")
    assert TOKEN not in cookie.value
    assert cookie["httponly"]
    assert cookie["samesite"] == "lax"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"], ids=str
)
async def test_signing_in_leads_nowhere_else(closed_site: Site, elsewhere: str) -> None:
    async with closed_site.http.post(
        f"{closed_site.url}/login", params={"then": elsewhere}, data={"token": TOKEN}, allow_redirects=False
    ) as response:
        assert response.headers["Location"] == "/"


async def test_a_wrong_token_is_told_at_the_door(closed_site: Site) -> None:
    async with closed_site.http.post(f"{closed_site.url}/login", data={"token": "guess"}) as response:
        assert response.url.path_qs == "/login?then=/&wrong="
    async with closed_site.http.get(f"{closed_site.url}/api/books") as response:
        assert response.status == 401


async def test_a_body_is_refused_by_its_length_and_by_what_comes(site: Site) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b'{"question": "' + b"x" * 10_000

    headers = {"Content-Type": "application/json"}
    async with site.http.post(f"{site.url}/api/chat", data=b"x" * 300_000, headers=headers) as declared:
        assert declared.status == 413
    async with site.http.post(f"{site.url}/api/chat", data=endless(), headers=headers) as chunked:
        assert chunked.status == 413
        assert (await chunked.json())["error"] == "too_large"


@pytest.mark.parametrize(
    "path",
    ["/static/../__init__.py", "/static/%2e%2e/app.py", "/static/js/../../app.py", "/static/js", "/static/"],
    ids=str,
)
async def test_only_the_page_s_own_files_are_served(site: Site, path: str) -> None:
    import yarl

    async with site.http.get(yarl.URL(site.url + path, encoded=True)) as response:
        assert response.status == 404
