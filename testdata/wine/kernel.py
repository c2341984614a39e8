"""Talks to a kernel under wine as a front end does: kernel.py PROGRAM.EXE.

The kernel runs under wine, the client outside; they meet on 127.0.0.1. It ends with
status 1 and says why when an answer is not the wanted one.
"""

import json
import os
import pathlib
import secrets
import socket
import subprocess
import sys
import tempfile
import time

from jupyter_client import BlockingKernelClient
from jupyter_client.connect import write_connection_file

LONG = 120  # seconds


def connect(file):
    """A client of the kernel with this connection file, once it listens."""
    port = json.loads(pathlib.Path(file).read_text())["hb_port"]
    end = time.monotonic() + LONG
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
    client = BlockingKernelClient()
    client.load_connection_file(file)
    client.start_channels()
    client.wait_for_ready(timeout=LONG)
    return client


def run(client, code, interrupt=False):
    """What a cell prints and shows, or its error. It is interrupted when it prints."""
    text = []

    def output(message):
        content = message["content"]
        if message["msg_type"] == "stream":
            text.append(content["text"].replace("\r\n", "\n"))
            if interrupt:
                client.control_channel.send(client.session.msg("interrupt_request", {}))
        elif message["msg_type"] == "execute_result":
            text.append(content["data"]["text/plain"])
        elif message["msg_type"] == "error":
            text.append(f"{content['ename']}: {content['evalue']}")

    client.execute_interactive(code, timeout=LONG, output_hook=output)
    return "".join(text).strip()


def want(client, code, wanted, interrupt=False):
    got = run(client, code, interrupt)
    if wanted not in got:
        sys.exit(f"{code}\ngives {got!r}, want {wanted!r}")
    print("ok", code.splitlines()[-1][:70])


def ended(pid, wait):
    """A cell that shows whether a process ends in this time."""
    return f"""p, err := os.FindProcess({pid})
end := make(chan error, 1)
if err == nil {{ go func() {{ _, err := p.Wait(); end <- err }}() }} else {{ end <- err }}
over := false
select {{ case <-end: over = true; case <-time.After({wait}): }}
over"""


def check(client):
    want(client, "x := 6 * 7; x", "42")
    want(client, "fmt.Println(runtime.GOOS, x)", "windows 42")
    want(client, "y := z", "undefined: z")
    want(client, "var p *struct{ X int }; p.X", "nil pointer dereference")
    want(client, "a := []int{1}; a[x]", "index out of range")
    want(client, "!echo shell", "shell")
    want(client, 'fmt.Println("on"); for {}', "interrupted", interrupt=True)
    want(client, 'fmt.Println("on"); time.Sleep(time.Hour)', "interrupted", interrupt=True)
    want(client, "s := Linspace(0, 1, 1_000_000); fmt.Println(\"on\")\nfor { slices.Reverse(s); sort.Float64s(s) }", "interrupted", interrupt=True)
    want(client, "select {}", "all goroutines are asleep")
    want(client, "syscall.Exit(3)", "exit status 3")
    want(client, "x", "42")
    # The session is lost, and the child of the cell ends with it.
    pid = run(client, 'c := exec.Command("ping", "-n", "1000", "127.0.0.1"); c.Start(); fmt.Println(c.Process.Pid)')
    if not pid.isdigit():
        sys.exit(f"a child does not start: {pid!r}")
    want(client, ended(pid, "500*time.Millisecond"), "false")
    want(client, 'import "unsafe"\n*(*int)(unsafe.Pointer(uintptr(0x5000)))', "session lost")
    want(client, ended(pid, "time.Minute"), "true")
    want(client, "x", "undefined: x")


def main(program):
    with tempfile.TemporaryDirectory() as directory:
        file, _ = write_connection_file(f"{directory}/connection.json", ip="127.0.0.1", key=secrets.token_hex().encode())
        kernel = subprocess.Popen(["wine", program, "kernel", "-f", "Z:" + file.replace("/", "\\"), "--history="], env={**os.environ, "WINEDEBUG": "-all"})
        try:
            client = connect(file)
            check(client)
            client.shutdown()
            status = kernel.wait(LONG)
        finally:
            kernel.kill()
        if status:
            sys.exit(f"the kernel ends with status {status} when it is asked to shut down")


if __name__ == "__main__":
    main(sys.argv[1])
