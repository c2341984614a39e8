"""Records how ipykernel answers JupyterLab's debugger panel, into ipykernel.json.

python record.py, with ipykernel and debugpy installed.
"""

import json
import pathlib

from jupyter_client.manager import start_new_kernel

CELL = "count = 5\nname = 'Ann'\nnumbers = [1.5, 2.5]\nages = {'Ann': 31}\nclass Point:\n    pass\np = Point()\np.x = 3"

manager, client = start_new_kernel(kernel_name="python3")
client.execute_interactive(CELL)
seq = 0


def ask(command, **arguments):
    global seq
    seq += 1
    content = {"type": "request", "seq": seq, "command": command, "arguments": arguments}
    message = client.session.msg("debug_request", content)
    client.control_channel.send(message)
    while True:
        reply = client.get_control_msg(timeout=60)
        if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            return {"request": content, "reply": reply["content"]}


def inspect():
    """Lists the variables, of which the record keeps those of the cell."""
    e = ask("inspectVariables")
    body = e["reply"]["body"]
    body["variables"] = [v for v in body["variables"] if v["name"] in ("count", "name", "numbers", "ages", "p")]
    return e


client_info = {"clientID": "jupyterlab", "clientName": "JupyterLab", "adapterID": "", "pathFormat": "path",
               "linesStartAt1": True, "columnsStartAt1": True, "supportsVariableType": True}
exchanges = [ask("debugInfo"), inspect(), ask("initialize", **client_info), ask("attach"), ask("debugInfo"), inspect()]
reference = {v["name"]: v["variablesReference"] for v in exchanges[-1]["reply"]["body"]["variables"]}
exchanges += [
    ask("variables", variablesReference=reference["numbers"]),
    ask("richInspectVariables", variableName="numbers"),
    ask("richInspectVariables", variableName="missing"),
    ask("disconnect", restart=False, terminateDebuggee=False),
]
manager.shutdown_kernel(now=True)
for e in exchanges:
    if e["request"]["command"] == "debugInfo":
        e["reply"]["body"]["tmpFilePrefix"] = "/tmp/"  # it has a number that differs
pathlib.Path(__file__).with_name("ipykernel.json").write_text(json.dumps(exchanges, indent=1) + "\n")
