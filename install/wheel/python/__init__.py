"""The Jupyter kernel gokernel: where pip has put its program."""

import os
import subprocess
import sys
import sysconfig


def program():
    """The path of the program."""
    name = "gokernel.exe" if os.name == "nt" else "gokernel"
    package = os.path.dirname(os.path.abspath(__file__))
    places = [sysconfig.get_path("data"), sys.prefix]
    for scheme in ("posix_user", "nt_user", "osx_framework_user"):  # pip install --user
        if scheme in sysconfig.get_scheme_names():
            places.append(sysconfig.get_path("data", scheme))
    # pip install --target puts share next to the package.
    places.append(os.path.dirname(package))
    for place in places:
        path = os.path.join(place, "share", "jupyter", "kernels", "gokernel", name)
        if os.path.exists(path):
            return path
    raise FileNotFoundError(
        "gokernel: its program is missing below " + ", ".join(places) + "; install it anew: pip install --force-reinstall gokernel"
    )


def main():
    """The command gokernel."""
    try:
        path = program()
    except FileNotFoundError as e:
        sys.exit(str(e))
    command = [path, *sys.argv[1:]]
    if os.name == "nt":
        try:
            sys.exit(subprocess.call(command))
        except KeyboardInterrupt:
            sys.exit(130)
    os.execv(path, command)
