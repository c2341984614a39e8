"""Follows the first steps of README.md or the tutorial on a machine that has only Go, git and Python, and
prints what a newcomer sees, with the time at which each line came: bare.py readme | tutorial. It needs the
standard library of Python alone."""

import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request

from pages import ROOT, cells, inline, steps

class Followed:
    """A command, as it runs."""

    def __init__(self, command, env=None):
        print(f"\n$ {command}", flush=True)
        self.begun = self.last = time.monotonic()
        self.longest, self.printed, self.lines = 0.0, [], queue.Queue()
        self.process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode(errors="replace").rstrip())
        self.lines.put(None)

    def follow(self, until=None):
        """Prints lines until the command ends or until says so; gives all of them."""
        while True:
            try:
                line = self.lines.get(timeout=1)
            except queue.Empty:
                if until and until():
                    break
                continue
            now = time.monotonic()
            self.longest, self.last = max(self.longest, now - self.last), now
            if line is None:
                break
            self.printed.append(line)
            print(f"{now - self.begun:6.0f} s  {line}", flush=True)
        return "\n".join(self.printed)

    def end(self, status=0):
        """Waits for the end; fails when it is another than wanted."""
        said = self.follow()
        if self.process.wait() != status:
            sys.exit(f"{self.process.args[-1]!r} ended with {self.process.returncode}, want {status}")
        self.spoke()
        return said

    def spoke(self):
        print(f"        it took {time.monotonic() - self.begun:.0f} s, and was silent for {self.longest:.0f} s at most", flush=True)


def demand(true, what):
    if not true:
        sys.exit(f"the page promises: {what}")
    print(f"        as promised: {what}", flush=True)


def server(command, env=None, use=None):
    """Starts JupyterLab by a command, asks it for its kernels, calls use with its data, and ends it."""
    runtime = pathlib.Path.home() / ".local/share/jupyter/runtime"
    followed = Followed(command, env)
    servers, kernels = [], []

    def answers():
        for file in runtime.glob("jpserver-*.json"):
            try:
                s = json.loads(file.read_text())
                servers[:] = [s]
                kernels.append(json.load(urllib.request.urlopen(f"{s['url']}api/kernelspecs?token={s['token']}", timeout=60))["kernelspecs"])
                return True
            except (ValueError, OSError):
                pass
        return False

    said = followed.follow(answers)
    followed.spoke()
    if use:
        use(servers[0])
    os.killpg(followed.process.pid, signal.SIGTERM)
    followed.process.wait()
    for file in runtime.glob("jpserver-*"):
        file.unlink()
    demand(kernels and kernels[0].get("gokernel", {}).get("spec", {}).get("display_name") == "Go (gokernel)", "JupyterLab has the kernel Go (gokernel)")
    return said


# TYPE runs the cells of standard input in a kernel of the server, as JupyterLab does, and saves the notebook.
TYPE = """
import json, re, sys, time, urllib.request
import nbformat
from jupyter_client import BlockingKernelClient, find_connection_file

server, name, cells = json.load(sys.stdin)
asked = urllib.request.Request(server["url"] + "api/kernels?token=" + server["token"], json.dumps({"name": "gokernel", "path": name}).encode(), method="POST")
kernel = json.load(urllib.request.urlopen(asked, timeout=60))["id"]
client = BlockingKernelClient(connection_file=find_connection_file(f"kernel-{kernel}.json"))
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=60)
book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}})
for code, shown in cells:
    begun, said = time.monotonic(), []

    def hook(message):
        content = message["content"]
        if message["msg_type"] in ("execute_result", "display_data"):
            said.append(content["data"]["text/plain"])
        elif message["msg_type"] == "stream":
            said.append(content["text"])
        elif message["msg_type"] == "error":
            said.append("\\n".join(content["traceback"]))

    reply = client.execute_interactive(code, timeout=120, output_hook=hook)["content"]
    text = re.sub("\\x1b\\[[0-9;]*m", "", "\\n".join(said))
    print("In:", code.replace("\\n", "\\n    "))
    print("Out:", text.rstrip().replace("\\n", "\\n     "), f"({1000 * (time.monotonic() - begun):.0f} ms)", flush=True)
    if shown and shown.splitlines()[0] not in text:
        sys.exit(f"the page shows {shown.splitlines()[0]!r}")
    if reply["status"] == "ok":
        book.cells.append(nbformat.v4.new_code_cell(code))
nbformat.write(book, name)
"""


def tutorial():
    """Follows docs/tutorial/first-notebook.md: its commands, and each cell in a kernel of the JupyterLab that it starts."""
    page, begun = "docs/tutorial/first-notebook.md", time.monotonic()
    *prepare, lab = [c for c in steps(page, "Install") if not c.startswith(("git clone", "cd "))]
    for command in prepare:
        Followed(command).end()
    typed = cells(page)

    def type_cells(of):
        python = pathlib.Path(f"/proc/{of['pid']}/cmdline").read_bytes().split(b"\0")[0].decode()
        print(f"\nthe {len(typed)} cells of the page:", flush=True)
        at = time.monotonic()
        subprocess.run([python, "-c", TYPE], input=json.dumps([of, "first/planets.ipynb", typed]), text=True, cwd=ROOT, check=True)
        print(f"        they took {time.monotonic() - at:.1f} s", flush=True)

    server(f"{lab} -- --no-browser", use=type_cells)
    said = Followed(*steps(page, "Keep it")).end()
    demand(re.search(r"all \d+ cells ran in", said) and (ROOT / "first/planets.html").stat().st_size > 10_000, "a page of the notebook")
    print(f"\nall steps of the tutorial were followed in {time.monotonic() - begun:.0f} s")


def readme():
    (first,) = steps("README.md", "Without JupyterLab")
    said = Followed(first).end()
    demand("compiling gokernel: " in said, "how far the compilation is")
    demand(re.search(r"all \d+ cells ran in", said), "a line for each cell, and all cells run")
    for name in ("N02-decision-trees.executed.ipynb", "N02-decision-trees.html"):
        demand((ROOT / "notebooks" / name).stat().st_size > 100_000, f"{name} beside the notebook")

    lab = steps("README.md", "gokernel")[-1]
    said = server(f"{lab} -- --no-browser")
    demand("Starting JupyterLab in " in said and "1/2 making a Python environment" in said and "2/2 installing JupyterLab" in said, "each step of the set-up is shown")

    venv = pathlib.Path.home() / "venv"
    Followed(f"python3 -m venv {venv}").end()
    active = os.environ | {"VIRTUAL_ENV": str(venv), "PATH": f"{venv}/bin:{os.environ['PATH']}"}
    build, install, start = steps("README.md", "For a class")
    Followed(build, active).end()
    Followed(install, active).end()
    said = Followed(f"{venv}/bin/gokernel doctor").end()
    demand("\nok     installed" in said and "\nok     widgets" in said, "doctor finds the kernel and widgets, though the environment is not active")
    server(f"{start} --no-browser", active)
    Followed(inline("README.md", "pip uninstall gokernel jupyterlab_widgets").replace("uninstall", "uninstall --yes"), active).end()
    left = [str(p) for p in venv.rglob("*") if "gokernel" in p.name]
    demand(not left, f"nothing is left in the environment {left or ''}")
    print("\nall steps of README.md were followed")


{"readme": readme, "tutorial": tutorial}[sys.argv[1]]()
