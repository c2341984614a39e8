"""Pages with outputs that would load something from another host, or lead there: a browser
that reads them asks for nothing but the page."""

import http.server
import json
import os
import subprocess
import threading

import pytest

# What a notebook could hold. HOST is the server that must not be asked.
OUTPUTS = [
    '<meta http-equiv="refresh" content="0;url=HOST/refresh">',
    '<base href="HOST/base/">',
    '<link rel="prefetch" href="HOST/prefetch"><link rel="preload" as="image" href="HOST/preload"><link rel="stylesheet" href="HOST/sheet">'
    '<link rel="dns-prefetch" href="HOST"><link rel="icon" href="HOST/icon">',
    '<img src="HOST/img" alt="a cat"><img srcset="HOST/srcset 1x"><picture><source srcset="HOST/source"><img alt=""></picture><input type="image" src="HOST/input">',
    '<audio src="HOST/audio" autoplay preload="auto"></audio><video poster="HOST/poster" preload="auto"><source src="HOST/video"></video>',
    '<p style="background:url(HOST/background)">x</p><p style="background:u\\72 l(HOST/escaped)">x</p><style>@import "HOST/import"; p::after { content: url(HOST/content) }</style>',
    '<style>@font-face { font-family: f; src: url(HOST/font) }</style><p style="font-family: f">x</p><table background="HOST/table"><tr><td>x</td></tr></table>',
    '<iframe src="HOST/iframe"></iframe><object data="HOST/object"></object><embed src="HOST/embed">',
    '<svg width="9" height="9"><image href="HOST/svg" width="9" height="9"/><set attributeName="href" to="HOST/set"/></svg>',
    '<script>fetch("HOST/script")</script><img src="data:," onerror="new Image().src=\'HOST/handler\'">',
    '<template shadowrootmode="open"><img src="HOST/shadow"></template>',
    '</div></section></main><img src="HOST/outside">',
]


@pytest.fixture
def host():
    """A server on this machine and what it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()


def notebook(address, outputs=OUTPUTS):
    html = [o.replace("HOST", address) for o in outputs]
    code = [{"cell_type": "code", "id": f"c{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": f"display.HTML({json.dumps(h)})"} for i, h in enumerate(html)]
    text = {"cell_type": "markdown", "id": "text", "metadata": {}, "source": "# Title\n\n" + "\n\n".join(html)}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [text, *code]})


def read(browser, file):
    """Opens a page, and returns the address that its links begin with and what it has asked for."""
    requests = []
    context = browser.new_context()
    page = context.new_page()
    page.on("request", lambda r: requests.append(r.url))
    page.goto(file.as_uri())
    page.wait_for_load_state("networkidle")
    address = page.evaluate("document.baseURI")
    context.close()
    return address, [r for r in requests if not r.startswith(("file:", "data:", "blob:"))]


def test_pages_load_nothing(browser, tmp_path, host):
    address, asked = host
    (tmp_path / "n.ipynb").write_text(notebook(address))
    subprocess.run([os.environ["GOKERNEL"], "run", "n.ipynb", "--html", "n.html"], cwd=tmp_path, check=True, capture_output=True)
    assert read(browser, tmp_path / "n.html") == ((tmp_path / "n.html").as_uri(), [])
    # A site with pictures, sounds or frames of other hosts is refused; the rest is taken from its pages.
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "course.json").write_text(json.dumps({"title": "T", "about": "A.", "parts": [{"title": "P", "lectures": [{"id": "N01", "title": "Lines"}]}]}))
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    make = lambda: subprocess.run([os.environ["GOKERNEL"], "site", "course", "-o", "site"], cwd=tmp_path, capture_output=True, text=True, env=env)
    (tmp_path / "course" / "N01-lines.ipynb").write_text(notebook(address))
    refused = make()
    assert refused.returncode != 0 and f"{address}/img is loaded from elsewhere" in refused.stderr and f"{address}/iframe" in refused.stderr
    silent = [o for o in OUTPUTS if not any(e in o for e in ("<img", "<audio", "<iframe"))]
    (tmp_path / "course" / "N01-lines.ipynb").write_text(notebook(address, silent))
    made = make()
    assert made.returncode == 0, made.stderr
    for name in ("lectures/N01-lines.html", "slides/N01-lines.html"):
        assert read(browser, tmp_path / "site" / name) == ((tmp_path / "site" / name).as_uri(), []), name
    assert asked == []


def test_pictures_beside_a_page(browser, tmp_path, host):
    """The policy allows what lies beside the page."""
    (tmp_path / "cat.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>')
    cells = [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "![a cat](cat.svg)"}]
    (tmp_path / "n.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
    subprocess.run([os.environ["GOKERNEL"], "run", "n.ipynb", "--html", "n.html"], cwd=tmp_path, check=True, capture_output=True)
    page = browser.new_page()
    page.goto((tmp_path / "n.html").as_uri())
    page.wait_for_load_state("load")
    assert page.evaluate("document.images[0].naturalWidth") == 30
    page.close()


def test_trusted_pages_load(browser, tmp_path, host):
    """The server is asked by a page that is trusted: otherwise the tests above would see nothing."""
    address, asked = host
    (tmp_path / "n.ipynb").write_text(notebook(address))
    subprocess.run([os.environ["GOKERNEL"], "run", "n.ipynb", "--html", "n.html", "--trust"], cwd=tmp_path, check=True, capture_output=True)
    at, requests = read(browser, tmp_path / "n.html")
    assert requests and asked
