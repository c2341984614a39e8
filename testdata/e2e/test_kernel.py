"""The kernel under conditions that are hard on it, over real sockets."""

import hashlib
import hmac
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import uuid

import pytest
import zmq
from jupyter_client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel


@pytest.fixture
def kernel():
    km, kc = start_new_kernel(kernel_name="gokernel", startup_timeout=60)
    yield km, kc
    kc.stop_channels()
    km.shutdown_kernel(now=True)


def run(kc, code, timeout=60, **options):
    """Runs a cell; gives its reply's content and its iopub messages."""
    msg_id = kc.execute(code, **options)
    messages, deadline = [], time.monotonic() + timeout
    while True:
        m = kc.get_iopub_msg(timeout=max(0.01, deadline - time.monotonic()))
        if m["parent_header"].get("msg_id") != msg_id:
            continue
        messages.append(m)
        if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
            break
    while True:
        reply = kc.get_shell_msg(timeout=timeout)
        if reply["parent_header"].get("msg_id") == msg_id:
            return reply["content"], messages


def text(messages, name="stdout"):
    return "".join(m["content"]["text"] for m in messages if m["msg_type"] == "stream" and m["content"]["name"] == name)


def value(messages):
    return [m["content"]["data"]["text/plain"] for m in messages if m["msg_type"] == "execute_result"]


def begun(kc, code, timeout=60):
    """Sends a cell and waits until it has begun to run; gives its identity."""
    msg_id = kc.execute('fmt.Println("begun")\n' + code)
    while True:
        m = kc.get_iopub_msg(timeout=timeout)
        if m["parent_header"].get("msg_id") == msg_id and m["msg_type"] == "stream":
            return msg_id


def children(pid):
    """The processes below pid."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def shell_reply(kc, msg_id, timeout=60):
    while True:
        reply = kc.get_shell_msg(timeout=timeout)
        if reply["parent_header"].get("msg_id") == msg_id:
            return reply["content"]


@pytest.mark.parametrize("work", ["time.Sleep(time.Hour)", "for {}", "for { _ = math.Sqrt(2) }"])
def test_questions_while_a_cell_runs(kernel, work):
    km, kc = kernel
    cell = begun(kc, "walruses := []int{1, 2}\n" + work)
    assert shell_reply(kc, kc.complete("walru"))["matches"] == ["walruses"]
    assert "[]int" in shell_reply(kc, kc.inspect("walruses", 8))["data"]["text/plain"]
    assert shell_reply(kc, kc.is_complete("for {"))["status"] == "incomplete"
    assert shell_reply(kc, kc.history(hist_access_type="tail", n=1))["status"] == "ok"
    assert shell_reply(kc, kc.comm_info())["comms"] == {}
    assert shell_reply(kc, kc.kernel_info())["status"] == "ok"
    km.interrupt_kernel()
    assert shell_reply(kc, cell)["ename"] == "interrupted"


def control_reply(kc, kind, content, timeout=60):
    """Asks on control, and gives the content of the answer."""
    message = kc.session.msg(kind, content)
    kc.control_channel.send(message)
    while True:
        reply = kc.get_control_msg(timeout=timeout)
        if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            return reply["content"]


def until_idle(kc, msg_id, timeout=60):
    """The iopub messages of a request."""
    messages = []
    while True:
        m = kc.get_iopub_msg(timeout=timeout)
        if m["parent_header"].get("msg_id") == msg_id:
            messages.append(m)
            if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
                return messages


def test_interact_while_a_cell_runs(kernel):
    """Sliders are moved over a subshell, as JupyterLab does. Each move is answered at once, and the function is
    called when the cell has ended, with the last value only."""
    km, kc = kernel
    cell = "Interact(func(k int) any { calls++; return k * k }, Range(1, 30))"
    _, messages = run(kc, "calls := 0\n" + cell)
    slider = next(m["content"]["comm_id"] for m in messages
                  if m["msg_type"] == "comm_open" and m["content"]["data"]["state"]["_model_name"] == "IntSliderModel")
    output = next(m["content"]["comm_id"] for m in messages
                  if m["msg_type"] == "comm_open" and m["content"]["data"]["state"]["_model_name"] == "OutputModel")
    shell = control_reply(kc, "create_subshell_request", {})["subshell_id"]
    running = begun(kc, "stop := false\nfor !stop { time.Sleep(time.Millisecond); stop = calls < 0 }")
    for k in 5, 6, 7:
        content = {"comm_id": slider, "data": {"method": "update", "state": {"value": k}, "buffer_paths": []}}
        move = kc.session.msg("comm_msg", content)
        move["header"]["subshell_id"] = shell
        kc.shell_channel.send(move)
        answers = until_idle(kc, move["header"]["msg_id"])
        echo = [m["content"]["data"] for m in answers if m["msg_type"] == "comm_msg"]
        assert [(e["method"], e["state"]) for e in echo] == [("echo_update", {"value": k})]
    km.interrupt_kernel()
    assert shell_reply(kc, running)["ename"] == "interrupted"
    while True:  # the function shows its result below the slider
        m = kc.get_iopub_msg(timeout=60)
        if m["msg_type"] == "comm_msg" and m["content"]["comm_id"] == output:
            assert m["content"]["data"]["state"]["outputs"][0]["data"]["text/plain"] == "49"
            break
    assert value(run(kc, "calls")[1]) == ["2"]


def test_variables(kernel):
    """What JupyterLab's debugger panel asks, before any breakpoint."""
    km, kc = kernel
    seq = 0

    def ask(command, **arguments):
        nonlocal seq
        seq += 1
        reply = control_reply(kc, "debug_request", {"type": "request", "seq": seq, "command": command, "arguments": arguments})
        assert (reply["type"], reply["request_seq"], reply["command"]) == ("response", seq, command)
        return reply

    assert run(kc, 'scores := mat.NewDense(2, 2, []float64{1, 2, 3, 4})\nword := "go"')[0]["status"] == "ok"
    assert ask("debugInfo")["body"]["hashMethod"] == "Murmur2"
    assert ask("initialize", clientID="test")["success"] and ask("attach")["success"]
    assert ask("debugInfo")["body"]["isStarted"]
    listed = {v["name"]: v for v in ask("inspectVariables")["body"]["variables"]}
    assert (listed["word"]["value"], listed["word"]["type"]) == ('"go"', "string")
    assert ask("variables", variablesReference=listed["scores"]["variablesReference"])["body"]["variables"]
    assert "text/plain" in ask("richInspectVariables", variableName="scores")["body"]["data"]
    assert not ask("richInspectVariables", variableName="missing")["success"]
    assert ask("copyToGlobals", srcVariableName="word", dstVariableName="copy", srcFrameId=0)["success"]
    assert value(run(kc, "copy")[1]) == ['"go"']
    running = begun(kc, "time.Sleep(time.Hour)")
    assert {v["name"] for v in ask("inspectVariables")["body"]["variables"]} >= {"word"}
    km.interrupt_kernel()
    assert shell_reply(kc, running)["ename"] == "interrupted"


def test_two_clients(kernel):
    km, first = kernel
    second = BlockingKernelClient(connection_file=km.connection_file)  # km.client() would share the identity
    second.load_connection_file()
    second.start_channels()
    second.wait_for_ready(timeout=60)
    run(first, "shared := 1")
    reply, messages = run(second, "shared + 1")
    assert reply["status"] == "ok" and value(messages) == ["2"]
    while True:  # the first client sees the cell of the second
        m = first.get_iopub_msg(timeout=60)
        if m["msg_type"] == "execute_result":
            assert m["content"]["data"]["text/plain"] == "2"
            break
    second.stop_channels()


def test_restart_twenty_times_on_the_same_ports(kernel):
    km, kc = kernel
    ports = [km.shell_port, km.iopub_port, km.stdin_port, km.control_port, km.hb_port]
    run(kc, "before := 1")
    for i in range(20):
        km.restart_kernel(now=i % 2 == 0)
        kc.wait_for_ready(timeout=60)
        assert [km.shell_port, km.iopub_port, km.stdin_port, km.control_port, km.hb_port] == ports
    reply, _ = run(kc, "before")
    assert reply["status"] == "error"
    reply, messages = run(kc, "1 + 1")
    assert value(messages) == ["2"]


@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_encryption(tmp_path, monkeypatch, transport):
    """Keys of CurveZMQ, as jupyter_client makes them, hold on every socket."""
    monkeypatch.chdir(tmp_path)
    km = KernelManager(kernel_name="gokernel", transport=transport, transport_encryption="required")
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    try:
        kc.wait_for_ready(timeout=60)
        assert km.get_connection_info()["curve_publickey"]
        _, messages = run(kc, 'fmt.Println("out"); 1 + 1')
        assert value(messages) == ["2"]
        assert kc.hb_channel.is_beating()
        _, messages = run(kc, 'fmt.Print(strings.Repeat("x", 1<<20))')
        printed = [m["content"]["text"] for m in messages if m["msg_type"] == "stream"]
        assert len("".join(printed)) == 1 << 20
        # Whoever does not know the key is not served.
        context = zmq.Context()
        plain = context.socket(zmq.SUB)
        plain.linger = 0
        plain.subscribe(b"")
        plain.connect(kc._make_url("iopub"))
        run(kc, "2 + 2")
        assert not plain.poll(500)
        context.destroy(0)
        km.restart_kernel(now=True)
        kc.wait_for_ready(timeout=60)
        assert value(run(kc, "3 + 3")[1]) == ["6"]
    finally:
        kc.stop_channels()
        km.shutdown_kernel(now=True)


def test_ipc(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # socket paths must be short
    km = KernelManager(kernel_name="gokernel", transport="ipc")
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    try:
        kc.wait_for_ready(timeout=60)
        _, messages = run(kc, "1 + 1")
        assert value(messages) == ["2"]
    finally:
        kc.stop_channels()
        km.shutdown_kernel(now=True)


def signed(key, header, content):
    frames = [json.dumps(d).encode() for d in (header, {}, {}, content)]
    signature = hmac.new(key, b"".join(frames), hashlib.sha256).hexdigest().encode() if key else b""
    return [b"<IDS|MSG>", signature, *frames]


def header(kind):
    return {"msg_id": uuid.uuid4().hex, "session": "s", "username": "u", "date": "2026-01-01T00:00:00Z", "msg_type": kind, "version": "5.4"}


def ask(port, frames, wait=1000):
    socket = zmq.Context.instance().socket(zmq.DEALER)
    socket.linger = 0
    socket.connect(f"tcp://127.0.0.1:{port}")
    socket.send_multipart(frames)
    try:
        return socket.recv_multipart() if socket.poll(wait) else None
    finally:
        socket.close()


def test_bad_signature_is_dropped(kernel):
    km, kc = kernel
    frames = signed(b"wrong key", header("kernel_info_request"), {})
    assert ask(km.shell_port, frames) is None
    assert ask(km.control_port, frames) is None
    good = signed(km.session.key, header("kernel_info_request"), {})
    assert ask(km.shell_port, good, wait=10000) is not None
    assert value(run(kc, "1 + 1")[1]) == ["2"]


def test_empty_key(tmp_path, program):
    file = tmp_path / "connection.json"
    file.write_text(json.dumps({
        "transport": "tcp", "ip": "127.0.0.1", "key": "", "signature_scheme": "hmac-sha256",
        "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0}))
    kernel = subprocess.Popen([program, "kernel", "--connection-file", str(file)])
    try:
        deadline = time.monotonic() + 60
        while not (port := json.loads(file.read_text() or "{}").get("shell_port")):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        reply = ask(port, signed(b"", header("kernel_info_request"), {}), wait=10000)
        assert json.loads(reply[-1])["status"] == "ok"
    finally:
        kernel.terminate()
        kernel.wait(10)


def test_a_million_lines(kernel):
    _, kc = kernel
    reply, messages = run(kc, "for i := 0; i < 1000000; i++ {\n\tfmt.Println(i)\n}", timeout=180)
    assert reply["status"] == "ok"
    lines = text(messages).split("\n")
    assert len(lines) == 1000001 and lines[999999] == "999999"


def memory(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


def test_fifty_megabytes(kernel):
    km, kc = kernel
    run(kc, 'block := strings.Repeat(strings.Repeat("x", 99) + "\\n", 1000)')
    reply, messages = run(kc, "for i := 0; i < 500; i++ {\n\tfmt.Print(block)\n}", timeout=180)
    assert reply["status"] == "ok" and len(text(messages)) == 50_000_000
    assert memory(km.provisioner.process.pid) < 400 << 20


def test_stuck_subscriber(kernel):
    km, kc = kernel
    stuck = zmq.Context.instance().socket(zmq.SUB)
    stuck.linger, stuck.rcvhwm = 0, 1
    stuck.setsockopt(zmq.RCVBUF, 4096)
    stuck.subscribe(b"")
    stuck.connect(f"tcp://127.0.0.1:{km.iopub_port}")
    assert stuck.poll(30_000)  # it is welcomed, and reads nothing
    reply, messages = run(kc, 'for i := 0; i < 20000; i++ {\n\tfmt.Println(strings.Repeat("x", 999))\n}', timeout=120)
    assert reply["status"] == "ok" and len(text(messages)) == 20_000_000
    stuck.close()


def test_kill_nine_of_the_evaluator(kernel):
    km, kc = kernel
    run(kc, "kept := 1")
    (evaluator,) = children(km.provisioner.process.pid)
    msg_id = begun(kc, "for {}")
    os.kill(evaluator, signal.SIGKILL)
    while True:
        m = kc.get_iopub_msg(timeout=60)
        if m["parent_header"].get("msg_id") == msg_id and m["msg_type"] == "error":
            break
    shown = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(m["content"]["traceback"]))
    assert "signal: killed" in shown and "what cell [1] declared: run it again" in shown
    reply, messages = run(kc, "6 * 7")
    assert reply["status"] == "ok" and value(messages) == ["42"]
    assert km.is_alive()


@pytest.mark.parametrize("code", [
    "os.Exit(3)",
    'log.Fatal("the end")',
    'go func() { panic("in a goroutine") }()\ntime.Sleep(5 * time.Second)',
    "func deep(n int) int { return deep(n+1) + 1 }\ndeep(0)",
    "m := map[int]int{}\nfor range 4 {\n\tgo func() {\n\t\tfor i := 0; ; i++ {\n\t\t\tm[i%8] = i\n\t\t}\n\t}()\n}\ntime.Sleep(20 * time.Second)",
    "var p *int\n*p = 1",
])
def test_what_kills_other_kernels(kernel, code):
    km, kc = kernel
    reply, messages = run(kc, code)
    assert reply["status"] == "error", messages
    assert [m["msg_type"] for m in messages if m["msg_type"] == "error"] == ["error"]
    reply, messages = run(kc, "6 * 7")
    if reply["status"] == "error" and reply["ename"] == "session lost":  # told once, at the next cell
        reply, messages = run(kc, "6 * 7")
    assert value(messages) == ["42"]
    assert km.is_alive()


# A join of 2.5 billion pairs of rows.
PAIRS = '''f := ml.ReadText("k,v\\n" + strings.Repeat("1,2\\n", 50_000))
ml.ScanFrame(f).Join(ml.ScanFrame(f), "k").Agg(ml.Count()).Collect()'''


@pytest.mark.parametrize("code", ["for {}", 'for {\n\tfmt.Println("again and again")\n}', "time.Sleep(time.Hour)", PAIRS])
def test_interrupt(kernel, code):
    km, kc = kernel
    run(kc, "kept := 41")
    msg_id = begun(kc, code)
    km.interrupt_kernel()
    while True:
        m = kc.get_iopub_msg(timeout=60)
        if m["parent_header"].get("msg_id") == msg_id and m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
            break
    # A cell that had to be ended by force would have taken the variables along.
    # How fast it is, bench/kernel measures.
    assert value(run(kc, "kept + 1")[1]) == ["42"]


def test_input(kernel):
    _, kc = kernel
    msg_id = kc.execute('var name string\nfmt.Scanln(&name)\nfmt.Println("hello", name)', allow_stdin=True)
    request = kc.get_stdin_msg(timeout=60)
    assert request["msg_type"] == "input_request"
    kc.input("gopher")
    shown = ""
    while True:
        m = kc.get_iopub_msg(timeout=60)
        if m["parent_header"].get("msg_id") != msg_id:
            continue
        if m["msg_type"] == "stream":
            shown += m["content"]["text"]
        if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
            break
    assert shown.endswith("hello gopher\n")


def test_questions(kernel, tmp_path):
    """A front end without controls is asked for lines, again until one answers the question."""
    _, kc = kernel
    data = tmp_path / "a.csv"
    data.write_text("1,2")
    kc.execute('name := Input("Your name?")\nsure := Confirm("Sure?")\nkind := Choose("Which?", "ridge", "lasso")\n'
               + 'file, content := ChooseFile("Your data?", ".csv")\nfmt.Sprintf("%s, %t, %s, %s, %s", name, sure, kind, file, content)', allow_stdin=True)
    for prompt, line in [
        ("Your name?", "Ada"),
        ("Sure? [y/n] ", "perhaps"), ("Sure? [y/n] ", "no"),
        ("1) ridge\n2) lasso\nWhich? [1-2] ", "2"),
        ("Your data? [path] ", str(tmp_path / "b.csv")), ("no such file or directory\nYour data? [path] ", str(data)),
    ]:
        assert kc.get_stdin_msg(timeout=60)["content"]["prompt"].endswith(prompt)
        kc.input(line)
    while True:
        m = kc.get_iopub_msg(timeout=60)
        assert m["msg_type"] != "error", m["content"]
        if m["msg_type"] == "execute_result":
            break
    assert m["content"]["data"]["text/plain"] == '"Ada, false, lasso, a.csv, 1,2"'


def test_late_output_belongs_to_its_cell(kernel):
    _, kc = kernel
    first = kc.execute('other := make(chan bool)\ngo func() {\n\t<-other\n\tfmt.Println("late")\n}()')
    kc.execute("close(other)\ntime.Sleep(time.Second)")
    while True:
        m = kc.get_iopub_msg(timeout=60)
        if m["msg_type"] == "stream":
            break
    assert m["content"]["text"] == "late\n" and m["parent_header"]["msg_id"] == first


def gone(pid):
    """Tells whether a process has ended; a zombie has."""
    try:
        return "\nState:\tZ" in pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def wait_gone(*pids):
    deadline = time.monotonic() + 60
    while not all(map(gone, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_goroutine_that_waits_for_input(kernel):
    """It does not hold up the end of its cell, nor the input of the next."""
    _, kc = kernel
    msg_id = kc.execute('go func() {\n\tvar s string\n\t_, err := fmt.Scan(&s)\n\tfmt.Println(err != nil)\n}()\ntime.Sleep(200 * time.Millisecond)', allow_stdin=True)
    assert kc.get_stdin_msg(timeout=60)["msg_type"] == "input_request"
    reply = kc.get_shell_msg(timeout=60)
    assert reply["parent_header"]["msg_id"] == msg_id and reply["content"]["status"] == "ok"
    kc.input("too late")
    time.sleep(0.2)  # it is on a channel of its own, and names no question
    msg_id = kc.execute("var n int\nfmt.Scan(&n)\nn", allow_stdin=True)
    assert kc.get_stdin_msg(timeout=60)["parent_header"]["msg_id"] == msg_id
    kc.input("42")
    while True:
        m = kc.get_iopub_msg(timeout=60)
        if m["msg_type"] == "execute_result":
            break
    assert m["content"]["data"]["text/plain"] == "42"


def test_interrupt_while_waiting_for_input(kernel):
    km, kc = kernel
    msg_id = kc.execute("kept := 42\nvar s string\nfmt.Scanln(&s)", allow_stdin=True)
    kc.get_stdin_msg(timeout=60)
    km.interrupt_kernel()
    reply = kc.get_shell_msg(timeout=60)
    assert reply["parent_header"]["msg_id"] == msg_id and reply["content"]["ename"] == "interrupted"
    assert value(run(kc, "kept")[1]) == ["42"]


@pytest.mark.parametrize("ask", ["var s string; fmt.Scanln(&s)", 'Input("name?")', 'if i == 0 { var s string; fmt.Scanln(&s) } else { Confirm("sure?") }'])
def test_interrupt_while_two_goroutines_ask(kernel, ask):
    km, kc = kernel
    run(kc, "kept := 42")
    msg_id = kc.execute(f"for i := range 2 {{\n\tgo func() {{\n\t\t_ = i\n\t\t{ask}\n\t}}()\n}}\nselect {{}}", allow_stdin=True)
    kc.get_stdin_msg(timeout=60)
    km.interrupt_kernel()
    assert shell_reply(kc, msg_id)["ename"] == "interrupted"
    assert value(run(kc, "kept")[1]) == ["42"]


def test_interrupt_of_a_thousand_busy_goroutines(kernel):
    km, kc = kernel
    run(kc, "kept := 42")
    msg_id = kc.execute('var begun atomic.Int64\nfor range 1000 {\n\tgo func() {\n\t\tif begun.Add(1) == 1000 {\n\t\t\tfmt.Println("all")\n\t\t}\n\t\tfor {\n\t\t}\n\t}()\n}\nselect {}')
    while kc.get_iopub_msg(timeout=120)["msg_type"] != "stream":
        pass
    km.interrupt_kernel()
    assert shell_reply(kc, msg_id)["ename"] == "interrupted"
    assert value(run(kc, "kept")[1]) == ["42"]


def test_input_that_is_not_allowed(kernel):
    _, kc = kernel
    reply, _ = run(kc, 'Input("name?")', allow_stdin=False)
    assert reply["status"] == "error" and "run the cell in a frontend that takes input" in reply["evalue"]


def test_interrupt_of_a_user_expression(kernel):
    km, kc = kernel
    begun = 'func() int { os.WriteFile("begun", nil, 0o600); for {} }()'
    msg_id = kc.execute("kept := 42\nwhere, _ := os.Getwd()\nfmt.Println(where)", user_expressions={"never": begun})
    while (m := kc.get_iopub_msg(timeout=60))["msg_type"] != "stream":
        pass
    file = pathlib.Path(m["content"]["text"].strip()) / "begun"
    while not file.exists():  # the expression comes after the cell
        time.sleep(0.01)
    file.unlink()
    km.interrupt_kernel()
    reply = shell_reply(kc, msg_id)
    assert reply["status"] == "ok"
    assert reply["user_expressions"]["never"]["ename"] == "interrupted"
    assert value(run(kc, "kept")[1]) == ["42"]


def test_a_failing_cell_stops_those_behind_it(kernel):
    """As when a front end runs all cells and the first fails at once."""
    _, kc = kernel
    for code in ("undefined", 'panic("on purpose")'):
        ids = [kc.execute(c) for c in (code, *(f"fmt.Println({i})" for i in range(10)))]
        replies = [kc.get_shell_msg(timeout=60) for _ in ids]
        assert [r["parent_header"]["msg_id"] for r in replies] == ids
        assert [r["content"]["status"] for r in replies] == ["error", *["aborted"] * 10]
        states = {}
        while states.get(ids[-1], [])[-1:] != ["idle"]:
            m = kc.get_iopub_msg(timeout=60)
            what = m["content"].get("execution_state", m["msg_type"])
            states.setdefault(m["parent_header"].get("msg_id"), []).append(what)
        assert [states[i] for i in ids] == [["busy", "execute_input", "error", "idle"], *[["busy", "idle"]] * 10]
        assert run(kc, "1")[0]["status"] == "ok"


def test_values_that_json_has_no_form_for(kernel):
    _, kc = kernel
    reply, messages = run(kc, 'import "github.com/gokernel/gokernel/display"\n'
                          'Show(display.Bundle{Data: map[string]any{"application/json": map[string]any{"a": math.NaN(), "b": []float64{1, math.Inf(1)}, "c": "<b>"}}})')
    assert reply["status"] == "ok", reply
    (shown,) = [m["content"]["data"] for m in messages if m["msg_type"] == "display_data"]
    assert shown["application/json"] == {"a": None, "b": [1, None], "c": "<b>"}


def test_output_is_not_kept(kernel):
    """What cells have shown does not stay in the memory of the kernel."""
    km, kc = kernel
    run(kc, 'line := strings.Repeat("x", 999_999)')
    before = memory(km.provisioner.process.pid)
    for _ in range(150):
        run(kc, "fmt.Println(line)")
    assert memory(km.provisioner.process.pid) - before < 80 << 20


def search_history(kc, pattern):
    reply = kc.history(hist_access_type="search", pattern=pattern, n=10, reply=True, timeout=60)
    return [cell for _, _, cell in reply["content"]["history"]]


def test_history_is_shared_and_survives(kernel):
    km, kc = kernel
    mark = f"mark{uuid.uuid4().hex}"
    other_km, other = start_new_kernel(kernel_name="gokernel", startup_timeout=60)
    try:
        for i in range(3):
            run(kc, f"{mark}a{i} := 1")
            run(other, f"{mark}b{i} := 1")
            assert search_history(kc, f"{mark}a{i}*") == [f"{mark}a{i} := 1"]
            assert search_history(other, f"{mark}b{i}*") == [f"{mark}b{i} := 1"]
    finally:
        other.stop_channels()
        other_km.shutdown_kernel()
    run(kc, f"{mark}last := 1")
    km.restart_kernel()
    kc.wait_for_ready(timeout=60)
    want = sorted(f"{mark}{k}{i} := 1" for k in "ab" for i in range(3)) + [f"{mark}last := 1"]
    assert sorted(search_history(kc, f"{mark}*")) == want
    files = list(pathlib.Path(os.environ["XDG_DATA_HOME"]).rglob("history.jsonl*"))
    assert files and {f.stat().st_mode & 0o777 for f in files} == {0o600}


def test_signals(kernel):
    """An interrupt never ends the kernel, and a request to end does, in order."""
    km, kc = kernel
    process = km.provisioner.process
    run(kc, "kept := 42")
    km.signal_kernel(signal.SIGINT)  # nothing runs
    time.sleep(0.5)
    assert value(run(kc, "kept")[1]) == ["42"]
    begun(kc, "for {}")
    km.signal_kernel(signal.SIGINT)
    assert kc.get_shell_msg(timeout=60)["content"]["ename"] == "interrupted"
    assert value(run(kc, "kept")[1]) == ["42"]
    (evaluator,) = children(process.pid)
    begun(kc, "for {}")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0
    wait_gone(evaluator)


@pytest.mark.parametrize("code", ["1", "for {}", 'for {\n\tfmt.Println("again and again")\n}', 'exec.Command("sleep", "1000").Run()'])
def test_shutdown_by_request(kernel, code):
    """The reply comes, on iopub too, and the process ends by itself."""
    km, kc = kernel
    (evaluator,) = children(km.provisioner.process.pid)
    begun(kc, code)
    kc.shutdown()
    assert kc.get_control_msg(timeout=60)["content"] == {"status": "ok", "restart": False}
    while kc.get_iopub_msg(timeout=60)["msg_type"] != "shutdown_reply":
        pass
    assert km.provisioner.process.wait(timeout=60) == 0
    wait_gone(evaluator)


@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_addresses_are_free_after_kill_nine(tmp_path, monkeypatch, transport):
    monkeypatch.chdir(tmp_path)
    km = KernelManager(kernel_name="gokernel", transport=transport)
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    try:
        kc.wait_for_ready(timeout=60)
        km.signal_kernel(signal.SIGKILL)
        km.provisioner.process.wait(60)
        km.restart_kernel(now=True)
        kc.wait_for_ready(timeout=60)
        assert value(run(kc, "1 + 1")[1]) == ["2"]
    finally:
        kc.stop_channels()
        km.shutdown_kernel(now=True)


def test_kernel_ends_with_the_process_that_started_it(tmp_path, program):
    """Jupyter names itself in JPY_PARENT_PID; the kernel is in a session of its own."""
    file = tmp_path / "connection.json"
    file.write_text(json.dumps({
        "transport": "tcp", "ip": "127.0.0.1", "key": "k", "signature_scheme": "hmac-sha256",
        "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0}))
    parent = subprocess.Popen([sys.executable, "-c", (
        "import os, subprocess, sys, time\n"
        "env = {**os.environ, 'JPY_PARENT_PID': str(os.getpid())}\n"
        "print(subprocess.Popen(sys.argv[1:], env=env, start_new_session=True).pid, flush=True)\n"
        "time.sleep(600)"), program, "kernel", "--connection-file", str(file)], stdout=subprocess.PIPE, text=True)
    kernel = int(parent.stdout.readline())
    deadline = time.monotonic() + 60
    while not json.loads(file.read_text() or "{}").get("shell_port"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    while len(evaluators := children(kernel)) != 1:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(2)  # it looks for its parent each second, and stays while that lives
    assert not gone(kernel)
    parent.kill()
    parent.wait(60)
    wait_gone(kernel, *evaluators)


def test_welcome_and_zmtp_heartbeats(kernel):
    km, _ = kernel
    sub = zmq.Context.instance().socket(zmq.SUB)
    sub.linger = 0
    sub.setsockopt(zmq.HEARTBEAT_IVL, 50)
    sub.setsockopt(zmq.HEARTBEAT_TIMEOUT, 5000)
    sub.connect(f"tcp://127.0.0.1:{km.iopub_port}")
    sub.subscribe(b"")
    try:
        assert sub.poll(60000)
        identities, frames = km.session.feed_identities(sub.recv_multipart())
        m = km.session.deserialize(frames)
        assert (m["msg_type"], m["parent_header"], identities) == ("iopub_welcome", {}, [b""])
        # A connection that was dropped would be made anew, and welcomed again.
        end = time.monotonic() + 8
        while (left := end - time.monotonic()) > 0:
            if sub.poll(1000 * left):
                assert b"iopub_welcome" not in sub.recv_multipart()[3]
    finally:
        sub.close()


def test_children_end_with_the_kernel(kernel):
    km, kc = kernel
    run(kc, 'import "os/exec"\nchild := exec.Command("sleep", "1000")\nchild.Start()')
    (evaluator,) = children(km.provisioner.process.pid)
    (sleeper,) = children(evaluator)
    os.kill(km.provisioner.process.pid, signal.SIGKILL)
    wait_gone(evaluator, sleeper)
