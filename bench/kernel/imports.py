"""Measures what the first import of a package from source costs a session, over real sockets.

    python bench/kernel/imports.py PROGRAM

Each package is imported by the first cell of a new kernel and called by the second, and
then again in another kernel, in rounds. The first kernel has an empty home directory,
the second what the first left there. The module cache is that of GOMODCACHE (by default
~/go/pkg/mod) and must hold the packages; PATH is an empty directory, so that no toolchain
is found. Times go from the request to the status idle, through jupyter_client; the
processor's time is that of kernel and evaluator, and the memory is theirs before and
after both cells, with shared pages counted once. It prints a table.
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from bench import SETTLED, TIMEOUT, heading, resident, run, stop, tree

# For each package: the cell that imports it, the cell that first calls it, and what that cell
# shows.
CELLS = {
    "strings, which is compiled in": ('import "strings"', 'strings.ToUpper("example")', "EXAMPLE"),
    "github.com/google/uuid": (
        'import "github.com/google/uuid"',
        'uuid.NewSHA1(uuid.NameSpaceDNS, []byte("example.com")).String()',
        "cfbff0d1-9375-5685-968c-48ce8b15ae17",
    ),
    "gopkg.in/yaml.v3": (
        'import "gopkg.in/yaml.v3"',
        'var ports []int\nyaml.Unmarshal([]byte("[80, 443]"), &ports)\nports[1]',
        "443",
    ),
}
ROUNDS = 7


def processor(pids):
    """Milliseconds that processes have had of a processor."""
    tasks = (t for pid in pids for t in pathlib.Path(f"/proc/{pid}/task").iterdir())
    return sum(int((t / "schedstat").read_text().split()[0]) for t in tasks) / 1e6


def memory(pids):
    return sum(resident(p, "Pss") for p in pids)


def session(program, cells, env, directory):
    """Of a new kernel: the times of both cells, each with the processor's, and memory before and after."""
    imports, calls, want = cells
    km = KernelManager()
    km._kernel_spec = KernelSpec(argv=[program, "kernel", "--connection-file", "{connection_file}"], display_name="gokernel", interrupt_mode="message")
    km.start_kernel(env=env, cwd=directory)
    kc = km.client()
    kc.start_channels()
    try:
        kc.wait_for_ready(timeout=TIMEOUT)
        time.sleep(SETTLED)
        pids = tree(km.provisioner.process.pid)
        held, start = memory(pids), processor(pids)
        first, _ = run(kc, imports)
        middle = processor(pids)
        second, messages = run(kc, calls)
        row = [first * 1e3, middle - start, second * 1e3, processor(pids) - middle, held, memory(pids)]
    finally:
        stop(km, kc)
    shown = [m["content"]["data"]["text/plain"] for m in messages if m["msg_type"] == "execute_result"]
    if [s.strip('"') for s in shown] != [want]:
        sys.exit(f"{calls}\ngives {shown}, want {want}: {messages}")
    return row


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    print(heading(["jupyter_client", "pyzmq"]), end="\n\n")
    rows = {(path, which): [] for path in CELLS for which in ("first", "second")}
    modules = os.environ.get("GOMODCACHE", str(pathlib.Path.home() / "go/pkg/mod"))
    for _ in range(ROUNDS):
        for path, cells in CELLS.items():
            with tempfile.TemporaryDirectory() as tmp:
                for name in ("home", "path", "notebooks"):
                    os.mkdir(f"{tmp}/{name}")
                env = {"HOME": f"{tmp}/home", "PATH": f"{tmp}/path", "GOMODCACHE": modules, "GOPROXY": "off"}
                for which in ("first", "second"):
                    rows[path, which].append(session(program, cells, env, f"{tmp}/notebooks"))
    print("| package | kernel | import, ms | of a processor, ms | first call, ms | of a processor, ms | MiB before | after |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for (path, which), sessions in rows.items():
        imports, *others = zip(*sessions)
        medians = " | ".join(f"{statistics.median(x):.0f}" for x in others)
        print(f"| {path} | {which} | {statistics.median(imports):.0f} ({min(imports):.0f} to {max(imports):.0f}) | {medians} |")
    print("\nLoad average when it ended: " + " ".join(f"{x:.2f}" for x in os.getloadavg()))


if __name__ == "__main__":
    main()
