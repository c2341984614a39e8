"""Compare gokernel with DuckDB and Polars on data larger than memory:

    python bench/scan/data.py FOLDER 20
    go build -o scan ./bench/scan
    python bench/scan/run.py ./scan FOLDER [parquet|csv] [TASK ...]

Each task runs in a process of its own with a memory limit of 1500 MB, DuckDB and gokernel with the
limit as an option, Polars without one, since it has none. The table has the seconds, the CPU
seconds in parentheses, and the peak memory (RSS). A result whose checksum differs is marked. Python
needs duckdb, polars, pyarrow and numpy.
"""

import os
import subprocess
import sys
from pathlib import Path

MEGABYTES = "1500"
TASKS = ["filter", "recent", "few", "many", "median", "join", "sort", "top"]

program, folder, *rest = sys.argv[1:]
kinds = [k for k in rest if k in ("parquet", "csv")] or ["parquet", "csv"]
tasks = [t for t in rest if t in TASKS] or TASKS
others = str(Path(__file__).parent / "others.py")


def measure(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"POLARS_MAX_THREADS": "2", "GOMAXPROCS": "2", "TMPDIR": folder})
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        return None, usage.ru_maxrss >> 10, "failed"
    seconds, check = text.split(maxsplit=1)
    return (float(seconds), usage.ru_utime + usage.ru_stime), usage.ru_maxrss >> 10, check.strip()


print(f"{'task':8} {'format':8} {'gokernel':>24} {'DuckDB':>24} {'Polars':>24} {'to DuckDB':>10}")
for kind in kinds:
    for task in tasks:
        results = [measure([program, task, folder, kind, MEGABYTES])]
        for library in ("duckdb", "polars"):
            results.append(measure([sys.executable, others, library, task, folder, kind, MEGABYTES]))
        cells = []
        for seconds, memory, check in results:
            mark = "" if check == results[1][2] else " !"
            cells.append(f"{'failed' if seconds is None else f'{seconds[0]:.2f} s ({seconds[1]:.1f})'} {memory} MB{mark}".rjust(24))
        ratio = f"{results[0][0][0] / results[1][0][0]:.2f}" if results[0][0] and results[1][0] else ""
        print(f"{task:8} {kind:8} {' '.join(cells)} {ratio:>10}", flush=True)
        if any(check != results[1][2] for _, _, check in results):
            print("  checksums:", [check for _, _, check in results])
