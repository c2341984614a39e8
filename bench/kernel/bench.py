"""Measures this kernel and ipykernel side by side, over real sockets.

    python bench/kernel/bench.py [kernel name...]

The kernels are those that Jupyter knows by the names, gokernel and python3
unless others are given. `make bench` installs ours into a directory of its own
first.
"""

import pathlib
import statistics
import sys
import time

from jupyter_client.manager import KernelManager

CELLS = {
    "gokernel": {
        "trivial": "1 + 1",
        "lines": "for i := 0; i < 100000; i++ {\n\tfmt.Println(i)\n}",
        "loop": "for {}",
        "printing": 'for {\n\tfmt.Println("again and again")\n}',
        "busy": "for start := time.Now(); time.Since(start) < 3*time.Second; {\n}",
    },
    "python3": {
        "trivial": "1 + 1",
        "lines": "for i in range(100000): print(i)",
        "loop": "while True: pass",
        "printing": "while True: print('again and again')",
        "busy": "import time\nstart = time.time()\nwhile time.time() - start < 3: pass",
    },
}
TIMEOUT = 60
STARTS = 5


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
    for _ in range(50):
        begin = time.perf_counter()
        m = kc.session.msg("kernel_info_request", {})
        kc.control_channel.send(m)
        while kc.get_control_msg(timeout=TIMEOUT)["parent_header"].get("msg_id") != m["header"]["msg_id"]:
            pass
        times.append((time.perf_counter() - begin) * 1e3)
    until_idle(kc, msg_id)
    kc.get_shell_msg(timeout=TIMEOUT)
    return statistics.median(times), max(times)


def measure(name, cells):
    starts = []
    for _ in range(STARTS):
        km, kc, took = start(name)
        starts.append(took * 1e3)
        stop(km, kc)
    km, kc, _ = start(name)
    try:
        time.sleep(1.5)
        pids = tree(km.provisioner.process.pid)
        rss = sum(resident(p, "Rss") for p in pids)
        pss = sum(resident(p, "Pss") for p in pids)
        first, _ = run(kc, cells["trivial"])
        times = sorted(run(kc, cells["trivial"])[0] * 1e3 for _ in range(200))
        lines, messages = run(kc, cells["lines"])
        streams = sum(m["msg_type"] == "stream" for m in messages)
        loop = interrupt(km, kc, cells["loop"])
        printing = interrupt(km, kc, cells["printing"])
        control, worst = control_latency(kc, cells["busy"])
    finally:
        stop(km, kc)
    return {
        "start to kernel_info_reply, ms (median of %d)" % STARTS: f"{statistics.median(starts):.1f}",
        "first trivial cell to idle, ms": f"{first * 1e3:.2f}",
        "trivial cell to idle, 200 cells, p50 ms": f"{times[100]:.3f}",
        "trivial cell to idle, 200 cells, p99 ms": f"{times[198]:.3f}",
        "100,000 lines, s": f"{lines:.3f}",
        "100,000 lines, stream messages": str(streams),
        "interrupt of an empty loop to idle, ms": f"{loop:.1f}",
        "interrupt of a printing loop to idle, ms": f"{printing:.1f}",
        "control reply while a cell runs, median ms": f"{control:.2f}",
        "control reply while a cell runs, worst ms": f"{worst:.2f}",
        "idle, resident MiB (%d processes)" % len(pids): f"{rss:.1f}",
        "idle, MiB with shared pages counted once": f"{pss:.1f}",
    }


def main():
    names = sys.argv[1:] or ["gokernel", "python3"]
    columns = {n: measure(n, CELLS.get(n, CELLS["gokernel"])) for n in names}
    rows = list(zip(*(c.items() for c in columns.values())))
    print("| | " + " | ".join(names) + " |\n|---|" + "---:|" * len(names))
    for row in rows:
        print(f"| {row[0][0]} | " + " | ".join(v for _, v in row) + " |")


if __name__ == "__main__":
    main()
