"""A kernel that does nothing: it answers every request from fixed texts.

What a client measures with it is the cost of the client itself, of ZeroMQ and
of the machine at the moment: no kernel can be faster.
"""

import hashlib
import hmac
import itertools
import json
import signal
import subprocess
import sys
import time

import zmq

BUSY = 3  # seconds that the cell "busy" keeps one processor busy
DELIMITER = b"<IDS|MSG>"
REPLIES = {
    "kernel_info": {"status": "ok", "protocol_version": "5.4", "implementation": "echo", "language_info": {}},
    "execute": {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}},
    "shutdown": {"status": "ok", "restart": False},
}


def main(file):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Jupyter interrupts a kernel before it shuts it down
    with open(file) as f:
        conn = json.load(f)
    context = zmq.Context()

    def bind(kind, name):
        socket = context.socket(kind)
        socket.bind(f"{conn['transport']}://{conn['ip']}:{conn[name + '_port']}")
        return socket

    routers = [bind(zmq.ROUTER, name) for name in ("shell", "control")]
    heartbeat, iopub = bind(zmq.ROUTER, "hb"), bind(zmq.PUB, "iopub")
    mac = hmac.new(conn["key"].encode(), digestmod=hashlib.sha256)
    count = itertools.count()

    def send(socket, prefix, kind, parent, content):
        header = (
            f'{{"msg_id":"echo_{next(count)}","session":"echo","username":"kernel",'
            f'"date":"2026-01-01T00:00:00.000000Z","msg_type":"{kind}","version":"5.4"}}'
        ).encode()
        parts = [header, parent, b"{}", content]
        signature = mac.copy()
        for p in parts:
            signature.update(p)
        socket.send_multipart([*prefix, DELIMITER, signature.hexdigest().encode(), *parts])

    def publish(kind, parent, content):
        send(iopub, [kind.encode()], kind, parent, content)

    replies = {k: json.dumps(v).encode() for k, v in REPLIES.items()}
    burners = []  # of (when it ends, process, what publishes idle)
    poller = zmq.Poller()
    for socket in (*routers, heartbeat):
        poller.register(socket, zmq.POLLIN)
    while True:
        for socket, _ in poller.poll(50 if burners else None):
            frames = socket.recv_multipart()
            if socket is heartbeat:
                socket.send_multipart(frames)
                continue
            at = frames.index(DELIMITER)
            prefix, parent, body = frames[:at], frames[at + 2], frames[at + 5]
            kind = json.loads(parent)["msg_type"].removesuffix("_request")
            if kind not in replies:
                continue
            publish("status", parent, b'{"execution_state":"busy"}')
            if kind == "execute":
                publish("execute_input", parent, b'{"code":"","execution_count":1}')
                publish("execute_result", parent, b'{"execution_count":1,"data":{"text/plain":"2"},"metadata":{}}')
            send(socket, prefix, kind + "_reply", parent, replies[kind])
            if kind == "execute" and json.loads(body)["code"] == "busy":
                burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
                burners.append((time.monotonic() + BUSY, burner, parent))
                continue
            publish("status", parent, b'{"execution_state":"idle"}')
            if kind == "shutdown":
                return
        if burners and time.monotonic() > burners[0][0]:
            _, burner, parent = burners.pop(0)
            burner.kill()
            burner.wait()
            publish("status", parent, b'{"execution_state":"idle"}')


if __name__ == "__main__":
    main(sys.argv[1])
