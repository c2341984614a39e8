"""Tells jupyter-lsp how to start the language server, so that jupyterlab-lsp finds it."""

from . import program


def spec(_manager):
    """The language servers of this package, by name."""
    return {
        "gokernel": {
            "argv": [program(), "lsp"],
            "display_name": "gokernel",
            "languages": ["go"],
            "mime_types": ["text/x-go"],
            "urls": {"home": "https://github.com/gokernel/gokernel"},
            "version": 2,
            "config_schema": {"title": "gokernel", "type": "object", "properties": {}},
            "workspace_configuration": {},
        }
    }
