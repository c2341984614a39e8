"""Notebooks of Go as Go programs, for nbconvert.

nbconvert asks the package that has an exporter for the language of a notebook when
it makes a script: jupyter nbconvert --to script lecture.ipynb writes lecture.go.
"""

import os
import subprocess

import nbformat
from nbconvert.exporters import Exporter

from gokernel import program

__all__ = ["GoExporter"]


class GoExporter(Exporter):
    """Writes main.go of gokernel export."""

    export_from_notebook = "Go"
    output_mimetype = "text/x-go"

    def _file_extension_default(self):
        return ".go"

    def from_notebook_node(self, nb, resources=None, **kw):
        nb, resources = super().from_notebook_node(nb, resources, **kw)
        folder = resources.get("metadata", {}).get("path") or os.curdir
        done = subprocess.run(
            [program(), "export", "-", "--stdout"],
            input=nbformat.writes(nb),
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        for line in done.stderr.splitlines():
            self.log.warning(line)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        resources["output_extension"] = ".go"
        return done.stdout, resources
