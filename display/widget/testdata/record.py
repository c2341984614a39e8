"""Writes ipywidgets.json: the states with which ipywidgets opens the controls of
TestLikeIpywidgets, and the messages of an ipykernel whose slider is moved by a user and
by a cell. Run it in the environment of `make venv`."""

import datetime
import json
import pathlib

import ipywidgets as w
from jupyter_client.manager import start_new_kernel

day = datetime.datetime(2026, 2, 28, 13, 5, 7, 250000, tzinfo=datetime.timezone.utc)
CONTROLS = {
    "Slider": w.IntSlider(min=1, max=30, value=5, description="k"),
    "FloatSlider": w.FloatSlider(min=0, max=2, step=0.02, value=1.5),
    "LogSlider": w.FloatLogSlider(min=-2, max=2, value=10),
    "RangeSlider": w.IntRangeSlider(min=0, max=10, value=(2, 7)),
    "FloatRangeSlider": w.FloatRangeSlider(min=0, max=1, step=0.01, value=(0.25, 0.5)),
    "Number": w.IntText(value=3),
    "BoundedNumber": w.BoundedIntText(min=0, max=9, value=4),
    "FloatNumber": w.FloatText(value=2.5),
    "Progress": w.IntProgress(min=0, max=20, value=7),
    "Play": w.Play(min=0, max=9, value=2),
    "Checkbox": w.Checkbox(value=True, description="on"),
    "Toggle": w.ToggleButton(value=True),
    "Valid": w.Valid(value=True),
    "Dropdown": w.Dropdown(options=["a", "b"], value="b"),
    "Select": w.Select(options=["a", "b"], value="b"),
    "Radio": w.RadioButtons(options=["a", "b"], value="b"),
    "ToggleButtons": w.ToggleButtons(options=["a", "b"], value="b"),
    "SelectionSlider": w.SelectionSlider(options=["a", "b"], value="b"),
    "SelectMultiple": w.SelectMultiple(options=["a", "b", "c"], value=["a", "c"]),
    "SelectionRange": w.SelectionRangeSlider(options=["a", "b", "c"], value=("b", "c")),
    "Text": w.Text(value="x", placeholder="p"),
    "Textarea": w.Textarea(value="x"),
    "Password": w.Password(),
    "Combobox": w.Combobox(options=["a", "b"]),
    "Label": w.Label(value="$x$"),
    "HTML": w.HTML(value="<b>x</b>"),
    "HTMLMath": w.HTMLMath(value="$x$"),
    "ColorPicker": w.ColorPicker(value="#ff8800"),
    "TagsInput": w.TagsInput(value=["a"]),
    "DatePicker": w.DatePicker(value=day.date()),
    "DatetimePicker": w.DatetimePicker(value=day),
    "TimePicker": w.TimePicker(value=day.time()),
    "Button": w.Button(description="go"),
    "Upload": w.FileUpload(accept=".csv,image/*", multiple=True),
    "Output": w.Output(),
}


def exchange():
    """A slider is made, moved by a front end, asked for its state, and set by a cell."""
    _, c = start_new_kernel(kernel_name="python3")
    seen = []

    def until_idle(parent):
        while True:
            m = c.get_iopub_msg(timeout=30)
            if m["msg_type"].startswith("comm_"):
                data = m["content"]["data"]
                seen.append({"type": m["msg_type"], "model": data.get("state", {}).get("_model_name", ""),
                             "target": m["content"].get("target_name", ""), "version": m["metadata"].get("version", ""),
                             "method": data.get("method", ""), "state": data.get("state", {}),
                             "behind": m["parent_header"]["msg_id"] == parent, "id": m["content"]["comm_id"]})
            if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle" and m["parent_header"].get("msg_id") == parent:
                return

    until_idle(c.execute("import ipywidgets as w; k = w.IntSlider(min=1, max=30, value=5, description='k')"))
    slider = seen[-1]["id"]
    for data in ({"method": "update", "state": {"value": 9}, "buffer_paths": []}, {"method": "request_state"}):
        m = c.session.msg("comm_msg", {"comm_id": slider, "data": data})
        c.shell_channel.send(m)
        until_idle(m["header"]["msg_id"])
    until_idle(c.execute("k.value = 12"))
    c.shutdown()
    for m in seen:
        m["of"] = "slider" if m.pop("id") == slider else ""
    return seen


def plain(v):
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, (list, tuple)):
        return [plain(x) for x in v]
    return "IPY_MODEL_" if isinstance(v, str) and v.startswith("IPY_MODEL_") else v


states = {name: plain(c.get_state()) for name, c in CONTROLS.items()}
out = {"ipywidgets": w.__version__, "states": states, "exchange": plain(exchange())}
pathlib.Path(__file__).with_name("ipywidgets.json").write_text(json.dumps(out, indent=1, sort_keys=True) + "\n")
