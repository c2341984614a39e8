"""Lets a class work on this machine, and measures it.

    python bench/class/class.py --program .build/gokernel [--students 40]
    python bench/class/class.py --program .build/gokernel --gateway

Each student has a server of JupyterHub and a kernel; the hub has the
configuration of install/class, but starts servers as processes in place of
containers and asks for no password. With --gateway all kernels belong to one
Kernel Gateway. The environment must have jupyterhub, jupyterlab,
jupyter_kernel_gateway and jupyterhub-idle-culler, and the command
configurable-http-proxy on the PATH. Prints a table of Markdown.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import random
import secrets
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

ROOT = pathlib.Path(__file__).resolve().parents[2]
AT_ONCE = 6  # servers that start at the same time
WORK = 20  # seconds for which all work
THINK = 2.0  # seconds between two cells of a student, on average
IDLE = 5  # seconds after which culling takes a kernel

# These cells are typical of the first lectures. Each student gets another number each time.
LESSON = (
    "x := {n}\nx * 2",
    "sum := 0\nfor i := range {n} {{\n\tsum += i\n}}\nsum",
    'fmt.Println({n}, strings.ToUpper("gopher"))',
    "Plot([]float64{{1, 4, {n}}})",
    "train, test := ml.Iris().Split(0.3, {n})\nml.Score(ml.Fit(&ml.KNN{{K: 5}}, train), test)",
    "Table([][]int{{{{1, {n}}}, {{3, 4}}}})",
)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


async def ask(address, token, method="GET", body=None, accept=()):
    request = HTTPRequest(address, method=method, headers={"Authorization": f"token {token}"}, request_timeout=120, connect_timeout=120,
                          body=json.dumps(body) if body is not None else "" if method == "POST" else None, allow_nonstandard_methods=True)
    try:
        answer = await AsyncHTTPClient().fetch(request)
    except HTTPClientError as e:
        if e.code in accept:
            return None
        raise SystemExit(f"{method} {address}: {e} {e.response.body[:300] if e.response else ''}") from e
    return json.loads(answer.body) if answer.body else None


class Kernel:
    """A kernel of a server, as a front end has it."""

    def __init__(self, base, token):
        self.base, self.token, self.session = base, token, uuid.uuid4().hex

    async def start(self):
        self.id = (await ask(f"{self.base}/api/kernels", self.token, "POST", {"name": "gokernel"}))["id"]
        await self.connect()

    async def connect(self):
        address = f"{self.base}/api/kernels/{self.id}/channels?session_id={self.session}".replace("http", "ws", 1)
        self.socket = await websocket_connect(HTTPRequest(address, headers={"Authorization": f"token {self.token}"}, connect_timeout=120, request_timeout=120), max_message_size=1 << 28)

    async def cell(self, code):
        """Runs a cell and gives the seconds until it is idle."""
        began, number = time.perf_counter(), uuid.uuid4().hex
        header = {"msg_id": number, "msg_type": "execute_request", "session": self.session, "username": "student", "version": "5.3", "date": "2026-01-01T00:00:00Z"}
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        await self.socket.write_message(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell", "buffers": []}))
        failed = None
        while True:
            text = await asyncio.wait_for(self.socket.read_message(), 120)
            if text is None:
                raise SystemExit("a connection was closed")
            if isinstance(text, bytes):
                continue
            message = json.loads(text)
            if message.get("parent_header", {}).get("msg_id") != number:
                continue
            if message["msg_type"] == "error":
                failed = "\n".join(message["content"]["traceback"])
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                if failed:
                    raise SystemExit(f"{code}\n{failed}")
                return time.perf_counter() - began

    async def restart(self):
        """Restarts the kernel and gives the seconds until a cell has run in it."""
        began = time.perf_counter()
        self.socket.close()
        await ask(f"{self.base}/api/kernels/{self.id}/restart", self.token, "POST")
        await self.connect()
        await self.cell("1 + 1")
        return time.perf_counter() - began


class Place:
    """Where the class works: a folder, a process with its log, and a table of what was measured."""

    def __init__(self, program, folder):
        self.folder, self.rows, self.port, self.token = pathlib.Path(folder), [], free_port(), secrets.token_hex(16)
        subprocess.run([program, "install", "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
        self.own = {
            "JUPYTER_PATH": f"{folder}/share/jupyter", "JUPYTER_CONFIG_DIR": f"{folder}/config", "JUPYTER_DATA_DIR": f"{folder}/data",
            "JUPYTER_RUNTIME_DIR": f"{folder}/run", "XDG_DATA_HOME": f"{folder}/xdg", "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
        }

    def begin(self, *command):
        self.log = (self.folder / "log").open("w")
        self.process = subprocess.Popen(command, cwd=self.folder, env={**os.environ, **self.own}, stdout=self.log, stderr=self.log, start_new_session=True)

    async def answers(self, address):
        for _ in range(600):
            if self.process.poll() is not None:
                break
            try:
                await AsyncHTTPClient().fetch(HTTPRequest(address, headers={"Authorization": f"token {self.token}"}))
                return
            except (OSError, HTTPClientError):
                await asyncio.sleep(0.2)
        raise SystemExit((self.folder / "log").read_text())

    def end(self):
        try:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(60)
        finally:
            for pid in processes(self.folder):
                with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                    os.kill(pid, signal.SIGKILL)

    def row(self, what, *values):
        self.rows.append((what, *values))
        print("|", what, "|", " | ".join(values), "|", flush=True)

    def times(self, what, seconds):
        seconds = sorted(seconds)
        p95 = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
        self.row(what, f"{statistics.median(seconds):.3f} s", f"{p95:.3f} s", f"{seconds[-1]:.3f} s")


def processes(folder):
    """The processes that belong to a place: those with its folder in their environment."""
    mark = f"JUPYTER_RUNTIME_DIR={folder}/run".encode()
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
        except (OSError, ValueError):
            pass  # it has ended, or is somebody else's
    return found


def memory(folder):
    """MiB of the processes by what they are, pages that several share counted once."""
    kinds = {}
    for pid in processes(folder):
        try:
            command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        pss = next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
        kind = next((k for k, word in (("evaluators", " evaluator"), ("kernels", "/kernels/gokernel/gokernel kernel"), ("servers", "singleuser"), ("culler", "idle_culler"), ("hub", "-m jupyterhub -f"),
                                       ("gateway", "kernel_gateway"), ("proxy", "http-proxy")) if word in command), command[:60])
        count, sum_ = kinds.get(kind, (0, 0.0))
        kinds[kind] = (count + 1, sum_ + pss)
    return kinds


async def start_servers(place, names):
    """Has the hub start a server for each, and gives the seconds that each took."""
    api, gate = f"http://127.0.0.1:{place.port}/hub/api", asyncio.Semaphore(AT_ONCE)
    await ask(f"{api}/users", place.token, "POST", {"usernames": names})

    async def start(name):
        async with gate:
            began = time.perf_counter()
            await ask(f"{api}/users/{name}/server", place.token, "POST")
            while not ((await ask(f"{api}/users/{name}", place.token)).get("servers", {}).get("", {}).get("ready")):
                await asyncio.sleep(0.2)
            return time.perf_counter() - began

    return await asyncio.gather(*map(start, names))


async def work(kernel, seconds):
    """A student at work: a cell, a pause, a cell."""
    took, end, number = [], time.monotonic() + seconds, 1
    await asyncio.sleep(random.uniform(0, THINK))
    while time.monotonic() < end:
        number += 1
        took.append(await kernel.cell(random.choice(LESSON).format(n=number)))
        await asyncio.sleep(random.uniform(0, 2 * THINK))
    return took


async def lesson(place, kernels):
    async def begin(kernel):
        began = time.perf_counter()
        await kernel.start()
        await kernel.cell("1 + 1")
        return time.perf_counter() - began

    place.times("a kernel from the request to its first cell, all at once", await asyncio.gather(*map(begin, kernels)))
    place.times("a cell, alone", [await kernels[0].cell("1 + 1") for _ in range(50)])
    took = [t for one in await asyncio.gather(*(work(k, WORK) for k in kernels)) for t in one]
    place.times(f"a cell while all work ({len(took)} cells in {WORK} s)", took)
    for kind, (count, mib) in sorted(memory(place.folder).items()):
        place.row(f"memory, {kind}: {count}", f"{mib:.0f} MiB", f"{mib / count:.1f} MiB each", "")
    place.times("a restart to its first cell, one after the other", [await k.restart() for k in kernels[:10]])


async def culled(place, before):
    """Waits until culling has taken all kernels, and says what is left of their processes."""
    for kernel in before:
        kernel.socket.close()
    began = time.perf_counter()
    while time.perf_counter() - began < 90:
        if not any(k in memory(place.folder) for k in ("kernels", "evaluators")):
            place.row(f"culling: all {len(before)} kernels idle for {IDLE} s are gone after", f"{time.perf_counter() - began:.0f} s", "", "")
            return
        await asyncio.sleep(1)
    raise SystemExit(f"culling has left {memory(place.folder)}")


async def hub(place, students):
    config = place.folder / "jupyterhub_config.py"
    config.write_text(f"""
load_subconfig({str(ROOT / "install" / "class" / "jupyterhub_config.py")!r})
c.JupyterHub.bind_url = "http://127.0.0.1:{place.port}"
c.JupyterHub.hub_bind_url, c.JupyterHub.hub_connect_ip = "http://127.0.0.1:{free_port()}", "127.0.0.1"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{free_port()}"
c.JupyterHub.authenticator_class, c.JupyterHub.spawner_class = "dummy", "simple"
c.SimpleLocalProcessSpawner.home_dir_template = "{place.folder}/home/{{username}}"
c.Spawner.default_url, c.Spawner.notebook_dir = "/lab", ""
c.Spawner.environment = {place.own!r}
c.Spawner.args = ["--MappingKernelManager.cull_idle_timeout={IDLE}", "--MappingKernelManager.cull_interval=2", "--allow-root"]
c.JupyterHub.services = [*c.JupyterHub.services, {{"name": "bench", "api_token": "{place.token}"}}]
c.JupyterHub.load_roles = [*c.JupyterHub.load_roles, {{"name": "bench", "services": ["bench"], "scopes": ["admin:users", "admin:servers", "access:servers"]}}]
""")
    began = time.perf_counter()
    place.begin(sys.executable, "-m", "jupyterhub", "-f", str(config))
    api = f"http://127.0.0.1:{place.port}/hub/api"
    await place.answers(f"{api}/users")
    place.row("the hub answers after", f"{time.perf_counter() - began:.1f} s", "", "")
    names = [f"student{i:03d}" for i in range(students)]
    began = time.perf_counter()
    place.times(f"a server, {AT_ONCE} at once", await start_servers(place, names))
    place.row("all servers run after", f"{time.perf_counter() - began:.0f} s", "", "")
    kernels = [Kernel(f"http://127.0.0.1:{place.port}/user/{name}", place.token) for name in names]
    await lesson(place, kernels)
    await culled(place, kernels)


async def gateway(place, students):
    began = time.perf_counter()
    place.begin(sys.executable, "-m", "kernel_gateway", "--KernelGatewayApp.ip=127.0.0.1", f"--KernelGatewayApp.port={place.port}", f"--KernelGatewayApp.auth_token={place.token}",
                f"--MappingKernelManager.cull_idle_timeout={IDLE}", "--MappingKernelManager.cull_interval=2")
    base = f"http://127.0.0.1:{place.port}"
    await place.answers(f"{base}/api/kernelspecs")
    place.row("the gateway answers after", f"{time.perf_counter() - began:.1f} s", "", "")
    kernels = [Kernel(base, place.token) for _ in range(students)]
    await lesson(place, kernels)
    await culled(place, kernels)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", required=True, help="the program of gokernel")
    arguments.add_argument("--students", type=int, default=40)
    arguments.add_argument("--gateway", action="store_true", help="one Kernel Gateway in place of a hub")
    given = arguments.parse_args()
    if not given.gateway and not shutil.which("configurable-http-proxy"):
        raise SystemExit("configurable-http-proxy is not on the PATH: npm install configurable-http-proxy")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its time"))  # and ends what it has started
    AsyncHTTPClient.configure(None, max_clients=1000)
    print(f"{given.students} students, load average {' '.join(f'{x:.1f}' for x in os.getloadavg())}\n\n| | median | 95 % | maximum |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="gokernel-class-") as folder:
        place = Place(str(pathlib.Path(given.program).resolve()), folder)
        try:
            asyncio.run((gateway if given.gateway else hub)(place, given.students))
        finally:
            place.end()


if __name__ == "__main__":
    main()
