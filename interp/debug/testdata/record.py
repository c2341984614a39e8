"""Records how ipykernel answers JupyterLab's debugger, into ipykernel.json and stepping.json.

python record.py, with ipykernel and debugpy installed. The first file has what the panel
asks without a breakpoint. The second has a person who sets a breakpoint in a perceptron's
update, steps, looks at variables and goes on: the requests, the responses and the events,
in the order in which they came.
"""

import json
import pathlib
import queue

from jupyter_client.manager import start_new_kernel

VARIABLES = "count = 5\nname = 'Ann'\nnumbers = [1.5, 2.5]\nages = {'Ann': 31}\nclass Point:\n    pass\np = Point()\np.x = 3"

# The lines are those of the same function in Go, which TestStepsLikeIpykernel runs.
UPDATE = """def update(w, x, y):
    s = 0.0
    for i in range(len(x)):
        s += w[i] * x[i]
    # }
    if y * s > 0:
        return False
    # }
    for i in range(len(x)):
        w[i] += y * x[i]
    # }
    return True
# }"""
TRAIN = "w = [0.0, 0.0]\nupdate(w, [1.0, 2.0], 1.0)\ndone = 1"
FAULT = "empty = []\nempty[3]"

JUPYTERLAB = {"clientID": "jupyterlab", "clientName": "JupyterLab", "adapterID": "", "pathFormat": "path",
              "linesStartAt1": True, "columnsStartAt1": True, "supportsVariableType": True}


class Recorder:
    """A front end of a kernel of its own, which writes down what it sees of the debugger."""

    def __init__(self):
        self.manager, self.client = start_new_kernel(kernel_name="python3")
        self.seq = 0
        self.seen = []

    def ask(self, command, **arguments):
        """Sends a request; gives the response."""
        self.seq += 1
        content = {"type": "request", "seq": self.seq, "command": command, "arguments": arguments}
        message = self.client.session.msg("debug_request", content)
        entry = {"request": content}
        self.seen.append(entry)
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                entry["reply"] = reply["content"]
                return reply["content"]

    def body(self, command, **arguments):
        reply = self.ask(command, **arguments)
        assert reply["success"], reply
        return reply["body"]

    def event(self, name=None, idle=None):
        """Writes down the events up to one, or up to the end of a cell."""
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["msg_type"] == "debug_event":
                self.seen.append({"event": message["content"]})
                if message["content"]["event"] == name:
                    return message["content"]["body"]
            elif idle and message["msg_type"] == "status" and message["parent_header"].get("msg_id") == idle and message["content"]["execution_state"] == "idle":
                return None

    def drain(self):
        """Writes down the events that are there."""
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=1)
            except queue.Empty:
                return
            if message["msg_type"] == "debug_event":
                self.seen.append({"event": message["content"]})

    def run(self, code):
        self.event(idle=self.client.execute(code))


def write(name, entries):
    text = json.dumps(entries, indent=1) + "\n"
    for e in entries:
        body = e.get("reply", {}).get("body") or {}
        if prefix := body.get("tmpFilePrefix"):
            text = text.replace(prefix, "/tmp/")  # it has a number that differs
    pathlib.Path(__file__).with_name(name).write_text(text)


def variables():
    r = Recorder()
    r.run(VARIABLES)

    def inspect():
        body = r.body("inspectVariables")
        body["variables"] = [v for v in body["variables"] if v["name"] in ("count", "name", "numbers", "ages", "p")]
        return body

    r.body("debugInfo")
    inspect()
    r.body("initialize", **JUPYTERLAB)
    r.ask("attach")
    r.body("debugInfo")
    reference = {v["name"]: v["variablesReference"] for v in inspect()["variables"]}
    r.body("variables", variablesReference=reference["numbers"])
    r.body("richInspectVariables", variableName="numbers")
    r.ask("richInspectVariables", variableName="missing")
    r.ask("disconnect", restart=False, terminateDebuggee=False)
    r.manager.shutdown_kernel(now=True)
    write("ipykernel.json", [e for e in r.seen if "request" in e])


def stepping():
    r = Recorder()
    r.body("debugInfo")
    r.body("initialize", **JUPYTERLAB)
    r.ask("attach")
    r.drain()
    path = r.body("dumpCell", code=UPDATE)["sourcePath"]
    r.body("setBreakpoints", source={"path": path}, breakpoints=[{"line": 6}], sourceModified=False)
    r.ask("configurationDone")
    r.run(UPDATE)
    r.body("dumpCell", code=TRAIN)
    cell = r.client.execute(TRAIN)

    def stopped():
        """What JupyterLab asks when a cell has stopped."""
        thread = r.event("stopped")["threadId"]
        frames = r.body("stackTrace", threadId=thread)["stackFrames"]
        for scope in r.body("scopes", frameId=frames[0]["id"])["scopes"]:
            listed = r.body("variables", variablesReference=scope["variablesReference"])
            if scope["name"] == "Globals":
                listed["variables"] = [v for v in listed["variables"] if v["name"] == "w"]
        return thread, frames[0]["id"]

    thread, frame = stopped()
    r.body("debugInfo")
    r.body("evaluate", expression="y * s", frameId=frame, context="repl")
    r.ask("evaluate", expression="nothing", frameId=frame, context="repl")
    r.body("richInspectVariables", variableName="x", frameId=frame)
    r.ask("copyToGlobals", srcVariableName="s", dstVariableName="score", srcFrameId=frame)
    r.body("source", source={"path": path})
    r.ask("next", threadId=thread)
    thread, frame = stopped()
    r.ask("stepIn", threadId=thread)
    thread, frame = stopped()
    r.ask("stepOut", threadId=thread)
    thread, frame = stopped()
    r.ask("continue", threadId=thread)
    r.event(idle=cell)
    r.body("setBreakpoints", source={"path": path}, breakpoints=[], sourceModified=False)
    r.ask("setExceptionBreakpoints", filters=["raised"])
    r.body("dumpCell", code=FAULT)
    cell = r.client.execute(FAULT)
    thread, frame = stopped()
    r.ask("setExceptionBreakpoints", filters=[])  # else it stops in what IPython writes the traceback by
    r.ask("continue", threadId=thread)
    r.event(idle=cell)
    r.ask("disconnect", restart=False, terminateDebuggee=False)
    r.drain()
    r.manager.shutdown_kernel(now=True)
    # Others are about modules, sockets and threads of its own.
    write("stepping.json", [e for e in r.seen if "request" in e or e["event"]["event"] in ("initialized", "stopped", "continued", "terminated")])


variables()
stepping()
