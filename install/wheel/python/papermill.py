"""Parameters of papermill as cells of Go.

papermill loads the engines of all packages when it starts, and with this one the
translator for the language go. The engine itself is papermill's own.
"""

import json
import math
import re

from papermill.engines import NBClientEngine as Engine
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

__all__ = ["Engine", "GoTranslator"]

# These keywords of Go cannot be names of parameters.
_KEYWORDS = frozenset(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return "
    "select struct switch type var".split()
)

_SHORT = re.compile(r"^(?P<name>[^\W\d]\w*)\s*:=\s*(?P<value>.+?)(?:\s*//(?P<help>.*))?$")
_LONG = re.compile(r"^var\s+(?P<name>[^\W\d]\w*)(?:\s+(?P<type>[^=]+?))?\s*=\s*(?P<value>.+?)(?:\s*//(?P<help>.*))?$")


class GoTranslator(Translator):
    """Writes values as literals of Go."""

    @classmethod
    def translate_none(cls, val):
        return "any(nil)"

    @classmethod
    def translate_str(cls, val):
        # Go understands JSON's escapes except surrogate pairs: with ensure_ascii=False there are
        # none.
        return json.dumps(str(val), ensure_ascii=False)

    @classmethod
    def translate_escaped_str(cls, str_val):
        return cls.translate_str(str_val)

    @classmethod
    def translate_bool(cls, val):
        return "true" if val else "false"

    @classmethod
    def translate_int(cls, val):
        return str(int(val))

    @classmethod
    def translate_float(cls, val):
        if math.isnan(val):
            return "math.NaN()"
        if math.isinf(val):
            return f"math.Inf({'1' if val > 0 else '-1'})"
        text = repr(float(val))
        return text if any(c in text for c in ".e") else text + ".0"

    @classmethod
    def kind(cls, val):
        """The type of a value in Go."""
        for python, go in ((bool, "bool"), (int, "int"), (float, "float64"), (str, "string")):
            if isinstance(val, python):
                return go
        if isinstance(val, dict):
            return "map[string]" + cls.element(val.values())
        if isinstance(val, (list, tuple)):
            return "[]" + cls.element(val)
        return "any"

    @classmethod
    def element(cls, values):
        """The type of the elements of a slice or map: the common one, else any."""
        found = {cls.kind(v) for v in values}
        if found == {"int", "float64"}:
            return "float64"
        return found.pop() if len(found) == 1 else "any"

    @classmethod
    def translate_list(cls, val):
        return f"{cls.kind(val)}{{{', '.join(cls.translate(v) for v in val)}}}"

    @classmethod
    def translate_dict(cls, val):
        pairs = (f"{cls.translate_str(k)}: {cls.translate(v)}" for k, v in val.items())
        return f"{cls.kind(val)}{{{', '.join(pairs)}}}"

    @classmethod
    def comment(cls, cmt_str):
        return f"// {cmt_str}".strip()

    @classmethod
    def assign(cls, name, str_val):
        if not str(name).isidentifier() or name in _KEYWORDS:
            raise ValueError(f"the parameter {name!r} cannot be a variable of Go")
        return f"{name} := {str_val}"

    @classmethod
    def inspect(cls, parameters_cell):
        """The parameters that a cell declares, one a line: name := value // help."""
        found = []
        for line in parameters_cell["source"].splitlines():
            if m := _SHORT.match(line) or _LONG.match(line):
                g = m.groupdict()
                found.append(Parameter(g["name"], g.get("type") or "None", g["value"].strip(), (g["help"] or "").strip()))
        return found


papermill_translators.register("go", GoTranslator)
