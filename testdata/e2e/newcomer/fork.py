"""Follows docs/how-to/fork-course.md to the letter, for thirty students, and prints the seconds of each step.

Run it as fork.py REPOSITORY DIRECTORY [STUDENTS]; gokernel must be on the PATH.
"""

import pathlib
import subprocess
import sys
import time

from pages import forking

repository, directory = sys.argv[1], pathlib.Path(sys.argv[2])
directory.mkdir(parents=True)
place, total = directory, 0.0
for heading, commands in forking(repository, *map(int, sys.argv[3:])):
    start = time.monotonic()
    subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(commands)], cwd=place, check=True, stdout=subprocess.DEVNULL)
    total += time.monotonic() - start
    print(f"{time.monotonic() - start:7.1f} s  {heading}: {commands[0].strip()}", flush=True)
    place = directory / "mycourse"
print(f"{total:7.1f} s  in all")
