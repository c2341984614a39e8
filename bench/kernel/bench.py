"""Measures this kernel and ipykernel side by side, over real sockets.

    python bench/kernel/bench.py [--write PAGE] [kernel name...]

The kernels are those that Jupyter knows by the names, gokernel and python3
unless others are given. The last column is the floor: what the same clients
measure with a kernel that does nothing (echo.py), on the same machine in the
same run. Times of single answers are taken by latency.go, a client that costs
little; the rest goes through jupyter_client. `make bench` installs ours into a
directory of its own first.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

CELLS = {
    "gokernel": {
        "trivial": "1 + 1",
        "different": "1 + {}",
        "import": 'import "strings"\nstrings.ToUpper("a")',
        "import large": 'import "net/http"\nhttp.StatusText(404)',
        "complete": "strings.Spl",
        "inspect": "strings.Split",
        "lines": "for i := 0; i < 100000; i++ {\n\tfmt.Println(i)\n}",
        "loop": "for {}",
        "printing": 'for {\n\tfmt.Println("again and again")\n}',
        "busy": "for start := time.Now(); time.Since(start) < 3*time.Second; {\n}",
    },
    "python3": {
        "trivial": "1 + 1",
        "different": "1 + {}",
        "import": 'import string\nstring.capwords("a")',
        "import large": "import http.client\nhttp.client.responses[404]",
        "complete": "str.spl",
        "inspect": "str.split",
        "lines": "for i in range(100000): print(i)",
        "loop": "while True: pass",
        "printing": "while True: print('again and again')",
        "busy": "import time\nstart = time.time()\nwhile time.time() - start < 3: pass",
    },
    "floor": {"trivial": "1 + 1", "different": "1 + {}", "busy": "busy"},
}
TIMEOUT = 60
CELLS_TIMED = 200  # of each kind, in each round
ASKED = 50  # control requests while a cell runs
ROUNDS = 5  # in which the kernels take turns, fresh ones each
PAUSE = 0.5  # between the start of a fresh kernel and its first request
SETTLED = 2  # after its start a kernel does nothing more that nobody asked for


def until_idle(kc, msg_id):
    """Reads iopub until the request is done; gives its messages."""
    messages = []
    while True:
        m = kc.get_iopub_msg(timeout=TIMEOUT)
        if m["parent_header"].get("msg_id") != msg_id:
            continue
        messages.append(m)
        if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
            return messages


def run(kc, code):
    """Seconds from the request to idle, and what came on iopub."""
    start = time.perf_counter()
    messages = until_idle(kc, kc.execute(code))
    took = time.perf_counter() - start
    kc.get_shell_msg(timeout=TIMEOUT)
    return took, messages


def start(name):
    """Starts a kernel; gives it and the time to its first kernel_info_reply."""
    km = KernelManager(kernel_name=name)
    if name == "floor":
        echo = str(pathlib.Path(__file__).with_name("echo.py"))
        km._kernel_spec = KernelSpec(argv=[sys.executable, echo, "{connection_file}"], display_name=name)
    begin = time.perf_counter()
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    kc.kernel_info()
    while kc.get_shell_msg(timeout=TIMEOUT)["msg_type"] != "kernel_info_reply":
        pass
    took = time.perf_counter() - begin
    kc.wait_for_ready(timeout=TIMEOUT)
    return km, kc, took


def stop(km, kc):
    kc.stop_channels()
    km.shutdown_kernel()


def tree(pid):
    """The process and all below it."""
    below = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        below.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += below.get(found[-1], [])
    return found


def resident(pid, key):
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) / 1024
    raise ValueError(key)


def interrupt(km, kc, code):
    """Milliseconds from the interrupt to idle."""
    msg_id = kc.execute(code)
    time.sleep(0.7)
    begin = time.perf_counter()
    control = kc.session.msg("interrupt_request", {})
    if km.kernel_spec.interrupt_mode == "message":
        kc.control_channel.send(control)
    else:
        km.interrupt_kernel()
    until_idle(kc, msg_id)
    took = time.perf_counter() - begin
    kc.get_shell_msg(timeout=TIMEOUT)
    return took * 1e3


def ask(kc, kind, content):
    """Milliseconds to the reply of a request on shell."""
    begin = time.perf_counter()
    m = kc.session.msg(kind + "_request", content)
    kc.shell_channel.send(m)
    while kc.get_shell_msg(timeout=TIMEOUT)["parent_header"].get("msg_id") != m["header"]["msg_id"]:
        pass
    return (time.perf_counter() - begin) * 1e3


def cell(kc, code):
    return run(kc, code)[0] * 1e3


# FRESH has the first request to a fresh kernel for each name of a cell in CELLS.
FRESH = {
    "trivial": ("trivial cell", cell),
    "import": ("import of strings and a call", cell),
    "import large": ("import of net/http and a call", cell),
    "complete": ("completion", lambda kc, code: ask(kc, "complete", {"code": code, "cursor_pos": len(code)})),
    "inspect": ("inspection", lambda kc, code: ask(kc, "inspect", {"code": code, "cursor_pos": len(code), "detail_level": 0})),
}


def fresh(name, cells):
    """Medians over fresh kernels, in milliseconds: of their start, and of what each was asked first."""
    starts, rows = [], {}
    for key, (what, first) in FRESH.items():
        times = []
        for _ in range(ROUNDS if key in cells else 0):
            km, kc, took = start(name)
            starts.append(took * 1e3)
            time.sleep(PAUSE)
            times.append(first(kc, cells[key]))
            stop(km, kc)
        rows[f"first in a fresh kernel: {what}, ms"] = f"{statistics.median(times):.2f}" if times else ""
    return {"start to kernel_info_reply, ms": f"{statistics.median(starts):.1f}", **rows}


# LATENCIES maps the names that latency.go prints to the words of the table.
LATENCIES = {
    "trivial p50": "trivial cell to idle, p50 of %d, ms" % CELLS_TIMED,
    "trivial p99": "trivial cell to idle, p99 of %d, ms" % CELLS_TIMED,
    "different p50": "a different cell each time to idle, p50, ms",
    "different p99": "a different cell each time to idle, p99, ms",
    "control p50": "control reply while a cell runs, p50 of %d, ms" % ASKED,
    "control worst": "control reply while a cell runs, maximum of %d, ms" % ASKED,
}


def latencies(columns, program):
    """Medians over rounds of fresh kernels, which take turns: rows by the name of the kernel."""
    times = {name: [] for name in columns}
    for _ in range(ROUNDS):
        for name, cells in columns.items():
            km, kc, _ = start(name)
            kc.stop_channels()  # so that there is one subscriber
            time.sleep(SETTLED)
            asked = subprocess.run(
                [program, "-connection-file", km.connection_file, "-cells", str(CELLS_TIMED), "-asked", str(ASKED),
                 "-trivial", cells["trivial"], "-different", cells["different"], "-busy", cells["busy"]],
                check=True, stdout=subprocess.PIPE,
            )
            times[name].append(json.loads(asked.stdout))
            km.shutdown_kernel()
    return {
        name: {row: f"{statistics.median(t[key] for t in rounds):.3f}" for key, row in LATENCIES.items()}
        for name, rounds in times.items()
    }


def measure(name, cells):
    """The rows of one column that a session of its own and jupyter_client give."""
    rows = fresh(name, cells)
    km, kc, _ = start(name)
    try:
        time.sleep(SETTLED)
        pids = tree(km.provisioner.process.pid)
        rss = sum(resident(p, "Rss") for p in pids)
        pss = sum(resident(p, "Pss") for p in pids)
        rows["idle, MiB (RSS), all processes"] = f"{rss:.1f}"
        rows["idle, MiB (PSS), all processes"] = f"{pss:.1f}"
        times = sorted(run(kc, cells["trivial"])[0] * 1e3 for _ in range(CELLS_TIMED))
        rows["trivial cell to idle, through jupyter_client, p50, ms"] = f"{statistics.median(times):.3f}"
        if "lines" in cells:
            lines, messages = run(kc, cells["lines"])
            rows["100,000 lines, s"] = f"{lines:.3f}"
            rows["100,000 lines, stream messages"] = str(sum(m["msg_type"] == "stream" for m in messages))
            rows["interrupt of an empty loop to idle, ms"] = f"{interrupt(km, kc, cells['loop']):.1f}"
            rows["interrupt of a printing loop to idle, ms"] = f"{interrupt(km, kc, cells['printing']):.1f}"
    finally:
        stop(km, kc)
    return rows


def heading(packages=("ipykernel", "jupyter_client", "pyzmq")):
    """What was measured, when and on what."""
    with open("/proc/cpuinfo") as f:
        cpu = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), platform.machine())
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in packages)
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    return (
        f"{datetime.date.today()}, {os.cpu_count()} cores of {cpu}, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, {versions}. Load average at the start: {load}."
    )


METHOD = """The kernels take turns in {rounds} rounds, and the table shows the medians of the
rounds. The floor is a kernel that only sends fixed replies (`bench/kernel/echo.py`); its times are
the cost of the client, ZeroMQ and the machine. A trivial cell is `1 + 1`, timed from the request to
the status idle. Single replies are timed by a client that speaks the wire protocol
(`bench/kernel/latency.go`); through jupyter_client the same cell takes longer with every kernel.
The maximum of {asked} replies on the control channel depends on the system's scheduler, because a
cell keeps one core busy."""

PAGE = """# Kernel benchmarks: gokernel and ipykernel

This report compares the response times and the memory of gokernel and ipykernel. This report is for
readers who choose a kernel. `make bench` writes this report.

{method}

{heading}

{table}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", metavar="PAGE", help="the page to write")
    parser.add_argument("kernels", nargs="*", default=["gokernel", "python3"])
    args = parser.parse_args()
    about = heading()
    columns = {n: CELLS.get(n, CELLS["gokernel"]) for n in [*args.kernels, "floor"]}
    with tempfile.TemporaryDirectory() as tmp:
        program = str(pathlib.Path(tmp) / "latency")
        subprocess.run(["go", "build", "-o", program, "./bench/kernel"], check=True)
        timed = latencies(columns, program)
    rows = {n: {**measure(n, cells), **timed[n]} for n, cells in columns.items()}
    first = rows[args.kernels[0]]
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    lines += [f"| {row} | " + " | ".join(rows[n].get(row, "") for n in columns) + " |" for row in first]
    table = "\n".join(lines)
    print(table)
    if args.write:
        method = METHOD.format(rounds=ROUNDS, asked=ASKED)
        page = PAGE.format(method=textwrap.fill(method, 98), heading=textwrap.fill(about, 98), table=table)
        pathlib.Path(args.write).write_text(page)


if __name__ == "__main__":
    main()
