"""Measures this kernel and ipykernel side by side, over real sockets.

    python bench/kernel/bench.py [kernel name...]

The kernels are those that Jupyter knows by the names, gokernel and python3
unless others are given. The last column is the floor: what the same client
measures with a kernel that does nothing (echo.py), on the same machine at the
same time. `make bench` installs ours into a directory of its own first.
"""

import pathlib
import statistics
import sys
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
ASKED = 50  # control requests while a cell runs
STARTS = 5  # fresh kernels for each thing that only a fresh one shows
PAUSE = 0.5  # between the start of a fresh kernel and its first request


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


def control_latency(kc, code):
    """Milliseconds for kernel_info on control while a cell runs: median, worst."""
    msg_id = kc.execute(code)
    time.sleep(0.5)
    times = []
    for _ in range(ASKED):
        begin = time.perf_counter()
        m = kc.session.msg("kernel_info_request", {})
        kc.control_channel.send(m)
        while kc.get_control_msg(timeout=TIMEOUT)["parent_header"].get("msg_id") != m["header"]["msg_id"]:
            pass
        times.append((time.perf_counter() - begin) * 1e3)
    until_idle(kc, msg_id)
    kc.get_shell_msg(timeout=TIMEOUT)
    return statistics.median(times), max(times)


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


# What a fresh kernel is asked first: by the name of its code in CELLS.
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
        for _ in range(STARTS if key in cells else 0):
            km, kc, took = start(name)
            starts.append(took * 1e3)
            time.sleep(PAUSE)
            times.append(first(kc, cells[key]))
            stop(km, kc)
        rows[f"first in a fresh kernel: {what}, ms"] = f"{statistics.median(times):.2f}" if times else ""
    return {"start to kernel_info_reply, ms": f"{statistics.median(starts):.1f}", **rows}


def measure(name, cells):
    """Gives the rows of one column."""
    rows = fresh(name, cells)
    km, kc, _ = start(name)
    try:
        time.sleep(1.5)
        pids = tree(km.provisioner.process.pid)
        rss = sum(resident(p, "Rss") for p in pids)
        pss = sum(resident(p, "Pss") for p in pids)
        rows["idle, resident MiB, all processes"] = f"{rss:.1f}"
        rows["idle, MiB with shared pages counted once"] = f"{pss:.1f}"
        times = sorted(run(kc, cells["trivial"])[0] * 1e3 for _ in range(200))
        rows["trivial cell to idle, 200 cells, p50 ms"] = f"{times[100]:.3f}"
        rows["trivial cell to idle, 200 cells, p99 ms"] = f"{times[198]:.3f}"
        times = sorted(run(kc, cells["different"].format(i))[0] * 1e3 for i in range(200))
        rows["a different cell each time to idle, p50 ms"] = f"{times[100]:.3f}"
        control, worst = control_latency(kc, cells["busy"])
        rows["control reply while a cell runs, median ms"] = f"{control:.2f}"
        rows["control reply while a cell runs, worst of %d, ms" % ASKED] = f"{worst:.2f}"
        if "lines" in cells:
            lines, messages = run(kc, cells["lines"])
            rows["100,000 lines, s"] = f"{lines:.3f}"
            rows["100,000 lines, stream messages"] = str(sum(m["msg_type"] == "stream" for m in messages))
            rows["interrupt of an empty loop to idle, ms"] = f"{interrupt(km, kc, cells['loop']):.1f}"
            rows["interrupt of a printing loop to idle, ms"] = f"{interrupt(km, kc, cells['printing']):.1f}"
    finally:
        stop(km, kc)
    return rows


def main():
    names = [*(sys.argv[1:] or ["gokernel", "python3"]), "floor"]
    columns = {n: measure(n, CELLS.get(n, CELLS["gokernel"])) for n in names}
    print("| | " + " | ".join(names) + " |\n|---|" + "---:|" * len(names))
    for row in columns[names[0]]:
        print(f"| {row} | " + " | ".join(columns[n].get(row, "") for n in names) + " |")


if __name__ == "__main__":
    main()
