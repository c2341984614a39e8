"""Drives a kernel with jupyter_client and pyzmq, as front ends do.

usage: client.py KERNEL_BINARY
The binary serves a kernel with the fake evaluator of fake_test.go when
GOKERNEL_TEST_CONNECTION names a connection file.
"""

import os
import signal
import sys
import time

import zmq
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpec

BINARY = sys.argv[1]
TIMEOUT = 20


def manager(**kwargs):
    km = KernelManager(**kwargs)
    km._kernel_spec = KernelSpec(
        argv=["/usr/bin/env", "GOKERNEL_TEST_CONNECTION={connection_file}", BINARY],
        language="go", display_name="test", interrupt_mode="message",
    )
    return km


def check(ok, what):
    if not ok:
        raise AssertionError(what)


def start(km):
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    kc.wait_for_ready(timeout=TIMEOUT)
    return kc


def execute(kc, code, **kwargs):
    """Runs code; returns the reply and the iopub messages of it."""
    outputs = []
    reply = kc.execute_interactive(code, timeout=TIMEOUT, output_hook=outputs.append, **kwargs)
    return reply["content"], outputs


def session(transport):
    km = manager(transport=transport)
    kc = start(km)
    try:
        check(kc.is_alive(), "heartbeat")
        info = kc.kernel_info(reply=True, timeout=TIMEOUT)["content"]
        check(info["language_info"]["name"] == "go" and info["protocol_version"] == "5.5", info)

        reply, outputs = execute(kc, "print héllo 😀\nvalue 42")
        check(reply["status"] == "ok" and reply["execution_count"] == 1, reply)
        kinds = [m["msg_type"] for m in outputs if m["msg_type"] != "status"]
        check(kinds == ["execute_input", "stream", "execute_result"], kinds)
        check(outputs[2]["content"]["text"] == "héllo 😀\n", outputs[2])

        reply, outputs = execute(kc, "input name?", allow_stdin=True, stdin_hook=lambda m: kc.input("Ada"))
        check([m["content"]["text"] for m in outputs if m["msg_type"] == "stream"] == ["got Ada\n"], outputs)

        reply, outputs = execute(kc, "bytes 50000000")
        n = sum(len(m["content"]["text"]) for m in outputs if m["msg_type"] == "stream")
        check(n == 50000000, f"{n} bytes of 50 MB")

        c = kc.complete("😀 foo", 5, reply=True, timeout=TIMEOUT)["content"]
        check((c["matches"], c["cursor_start"], c["cursor_end"]) == (["foofoo"], 2, 5), c)
        check(kc.inspect("é😀x", 2, reply=True, timeout=TIMEOUT)["content"]["data"]["text/plain"] == "é😀|0", "inspect")
        kc.is_complete("for {")
        check(kc.get_shell_msg(timeout=TIMEOUT)["content"]["indent"] == "\t", "is_complete")
        h = kc.history(hist_access_type="tail", n=2, reply=True, timeout=TIMEOUT)["content"]["history"]
        check([e[2] for e in h] == ["input name?", "bytes 50000000"], h)
        check(kc.comm_info(reply=True, timeout=TIMEOUT)["content"]["comms"] == {}, "comm_info")

        for stop in ("message", "signal"):
            msg_id = kc.execute("wait")
            time.sleep(0.2)
            began = time.monotonic()
            if stop == "message":
                km.interrupt_kernel()
            else:
                km.signal_kernel(signal.SIGINT)
            reply = kc.get_shell_msg(timeout=TIMEOUT)
            check(reply["parent_header"]["msg_id"] == msg_id and reply["content"]["ename"] == "interrupted", reply)
            print(f"{transport}: interrupt by {stop} {1000 * (time.monotonic() - began):.1f} ms")
        km.signal_kernel(signal.SIGINT)  # nothing runs: it must not end the kernel
        check(execute(kc, "value 1")[0]["status"] == "ok", "after a stray SIGINT")

        times = []
        for _ in range(200):
            began = time.monotonic()
            execute(kc, "nothing")
            times.append(time.monotonic() - began)
        times.sort()
        print(f"{transport}: cell to idle p50 {1000 * times[100]:.2f} ms, p99 {1000 * times[197]:.2f} ms")
    finally:
        began = time.monotonic()
        kc.stop_channels()
        km.shutdown_kernel()
        took = time.monotonic() - began
    check(took < 2, f"shutdown took {took:.2f} s")
    print(f"{transport}: shutdown {1000 * took:.0f} ms")


def restarts():
    km = manager(transport="tcp")
    kc = start(km)
    try:
        for i in range(20):
            km.restart_kernel(newports=False)
            kc.wait_for_ready(timeout=TIMEOUT)
            reply, _ = execute(kc, "value 1")
            check(reply["execution_count"] == 1, f"restart {i + 1}: {reply}")
    finally:
        kc.stop_channels()
        km.shutdown_kernel()
    print("restarted 20 times on the same ports")


def killed():
    """After kill -9 the sockets, ipc files among them, can be bound again."""
    for transport in ("tcp", "ipc"):
        km = manager(transport=transport)
        kc = start(km)
        try:
            km.signal_kernel(signal.SIGKILL)
            time.sleep(0.2)
            km.restart_kernel(now=True)
            kc.wait_for_ready(timeout=TIMEOUT)
            check(execute(kc, "value 1")[0]["status"] == "ok", "after kill -9")
        finally:
            kc.stop_channels()
            km.shutdown_kernel()


def terminated():
    """SIGTERM ends a kernel in order, also while a cell runs."""
    km = manager(transport="tcp")
    kc = start(km)
    process = km.provisioner.process
    kc.execute("wait")
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    check(process.wait(timeout=2) == 0, f"SIGTERM: exit status {process.returncode}")
    kc.stop_channels()
    km.cleanup_resources()


def alive(pid):
    """Tells whether a process runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def orphaned():
    """A kernel ends when the process that started it is killed."""
    r, w = os.pipe()
    parent = os.fork()
    if parent == 0:
        km = manager(transport="tcp")
        start(km)
        os.write(w, str(km.provisioner.process.pid).encode())
        time.sleep(60)
        os._exit(0)
    kernel = int(os.read(r, 20))
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    deadline = time.monotonic() + 5
    while alive(kernel):
        check(time.monotonic() < deadline, "the kernel outlives its parent")
        time.sleep(0.1)


def welcome():
    km = manager(transport="tcp")
    km.start_kernel()
    try:
        while True:  # until the kernel has bound its sockets
            sub = zmq.Context.instance().socket(zmq.SUB)
            sub.setsockopt(zmq.HEARTBEAT_IVL, 50)
            sub.setsockopt(zmq.HEARTBEAT_TIMEOUT, 200)
            sub.connect(f"tcp://127.0.0.1:{km.iopub_port}")
            sub.subscribe(b"")
            if sub.poll(1000):
                break
        idents, frames = km.session.feed_identities(sub.recv_multipart())
        m = km.session.deserialize(frames)
        check(m["msg_type"] == "iopub_welcome" and idents == [b""] and m["parent_header"] == {}, m)
        # A dropped connection would be made anew, and welcomed again.
        check(not sub.poll(1000), "ZMTP heartbeats are not answered")
        sub.close()
    finally:
        km.shutdown_kernel()


orphaned()  # first: it forks, which must come before pyzmq starts threads
session("tcp")
session("ipc")
restarts()
killed()
terminated()
welcome()
