"""Databases in cells: real servers of PostgreSQL and MariaDB, which these tests start."""

import glob
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import nbformat
import pytest
from nbclient import NotebookClient
from test_kernel import kernel, run, shell_reply, value  # noqa: F401 (kernel is a fixture)

PASSWORD = "s3cret & 'quoted'"
NOBODY = 65534  # runs the servers if the tests run as root, which servers refuse


def program(name, pattern):
    found = shutil.which(name) or next(iter(sorted(glob.glob(pattern), reverse=True)), None)
    assert found, f"{name} is missing: run make tools"
    return found


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A server whose data are in a directory of its own."""

    def __init__(self, kind):
        self.kind = kind
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix=kind))
        self.port = free_port()
        if os.getuid() == 0:
            os.chown(self.directory, NOBODY, NOBODY)
        self.options = {"cwd": self.directory, "env": {**os.environ, "HOME": str(self.directory), "LC_ALL": "C.UTF-8"}}
        if os.getuid() == 0:
            self.options |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        command = getattr(self, kind)()
        self.log = (self.directory / "log").open("w+")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, **self.options)
        try:
            wait_until(self.answers)
        except AssertionError:
            self.stop()
            raise

    def postgres(self):
        self.address = f"postgres://pomona@127.0.0.1:{self.port}/postgres"
        self.sleep, self.variable = "select pg_sleep(600)", "PGPASSWORD"
        self.active = "select count(*) from pg_stat_activity where state = 'active' and query like '%sleep(600)%' and pid <> pg_backend_pid()"
        secret = self.directory / "secret"
        secret.write_text(PASSWORD)
        initdb = os.path.realpath(program("initdb", "/usr/lib/postgresql/*/bin/initdb"))
        subprocess.run([initdb, "-D", "data", "-U", "pomona", "--no-sync", "--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={secret}"],
                       check=True, stdout=subprocess.DEVNULL, **self.options)
        return [f"{os.path.dirname(initdb)}/postgres", "-D", "data", "-k", self.directory, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]

    def mariadb(self):
        self.address = f"mariadb://pomona@127.0.0.1:{self.port}/shop"
        self.sleep, self.variable = "select sleep(600)", "MYSQL_PWD"
        self.active = "select count(*) from information_schema.processlist where info like '%sleep(600)%' and id <> connection_id()"
        install = program("mariadb-install-db", "/usr/bin/mariadb-install-db")
        subprocess.run([install, "--no-defaults", f"--datadir={self.directory}/data", "--auth-root-authentication-method=normal", "--skip-test-db"],
                       check=True, stdout=subprocess.DEVNULL, **self.options)
        quoted = PASSWORD.replace("'", "''")
        (self.directory / "begin.sql").write_text(
            "create database shop;\ncreate user pomona@localhost;\ngrant all on *.* to pomona@localhost;\n"
            f"create user pomona@127.0.0.1 identified by '{quoted}';\ngrant all on *.* to pomona@127.0.0.1;\n")
        return [program("mariadbd", "/usr/sbin/mariadbd"), "--no-defaults", f"--datadir={self.directory}/data", f"--socket={self.directory}/socket", f"--port={self.port}",
                "--bind-address=127.0.0.1", "--skip-name-resolve", "--skip-ssl", f"--init-file={self.directory}/begin.sql"]

    def ask(self, text):
        """The answer of the server's own client, without a password by the socket; None if it fails."""
        if self.kind == "postgres":
            client = [program("psql", "/usr/lib/postgresql/*/bin/psql"), "-At", "-h", self.directory, "-p", str(self.port), "-U", "pomona", "postgres", "-c", text]
        else:
            client = [program("mariadb", "/usr/bin/mariadb"), "--no-defaults", "-N", f"--socket={self.directory}/socket", "-u", "pomona", "-e", text]
        done = subprocess.run(client, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def answers(self):
        assert self.process.poll() is None, (self.directory / "log").read_text()
        return self.ask("select 1") == "1"

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.directory)


@pytest.fixture(scope="module", params=["postgres", "mariadb"])
def server(request):
    s = Server(request.param)
    yield s
    s.stop()


def wait_until(done, seconds=60):
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.05)


def connect(kc, server):
    """Connects in a cell, which asks for the password."""
    msg_id = kc.execute(f'db := ml.Connect("{server.address}")\ndb', allow_stdin=True)
    request = kc.get_stdin_msg(timeout=60)["content"]
    assert request["password"] and request["prompt"].startswith("Password of pomona at 127.0.0.1")
    kc.input(PASSWORD)
    shown = []
    while True:
        m = kc.get_iopub_msg(timeout=60)
        if m["parent_header"].get("msg_id") == msg_id:
            shown.append(m)
            if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
                break
    assert shell_reply(kc, msg_id)["status"] == "ok", shown
    assert value(shown) == [server.address]


def test_interrupted_query(kernel, server):  # noqa: F811
    km, kc = kernel
    connect(kc, server)
    run(kc, 'db.Exec("create temporary table mine (x int)")')
    msg_id = kc.execute(f"%%sql db\n{server.sleep}")
    wait_until(lambda: server.ask(server.active) == "1")
    km.interrupt_kernel()
    assert shell_reply(kc, msg_id)["ename"] == "interrupted"
    wait_until(lambda: server.ask(server.active) == "0")  # canceled by the server, too
    reply, messages = run(kc, "%%sql db\nselect count(*) as n from mine")
    assert reply["status"] == "ok" and value(messages)[0].split()[3] == "0", "the connection is another one"


def test_names_are_completed(kernel, server):  # noqa: F811
    _, kc = kernel
    connect(kc, server)
    run(kc, 'db.Exec("create table fruit (name text, weight int)")')
    for code, want in {"%%sql db\nselect * from fr": ["fruit"], "%%sql db\nselect w from fruit": ["weight"]}.items():
        at = len(code) - len(" from fruit") if " w " in code else len(code)
        kc.complete(code, at)
        while (m := kc.get_shell_msg(timeout=60))["msg_type"] != "complete_reply":
            pass
        assert m["content"]["matches"] == want
    run(kc, 'db.Exec("drop table fruit")')


def test_killed_connection(kernel, server):  # noqa: F811
    _, kc = kernel
    connect(kc, server)
    me = "pg_backend_pid()" if server.kind == "postgres" else "connection_id()"
    _, messages = run(kc, f'id := db.Query("select {me} as id")["id"].Ints()[0]\nid')
    kill = "select pg_terminate_backend({})" if server.kind == "postgres" else "kill {}"
    assert server.ask(kill.format(value(messages)[0])) is not None
    reply, messages = run(kc, "%%sql db\nselect 42 as answer")  # with the password that was typed before
    assert reply["status"] == "ok" and "42" in value(messages)[0] and "connected again" in value(messages)[0]


def test_password_is_not_saved(server, tmp_path):
    """A notebook that connects, shows everything and fails has no password in it, and no saved session has."""
    cells = [f'db := ml.Connect("{server.address}")\ndb', "Show(db)\nfmt.Printf(\"%v %+v %#v\", db, *db, db)", "%who", f"%session save {tmp_path}/session",
             "%%sql db\nselect 1 as one", "%%sql db\nselect nothing"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells], metadata={"kernelspec": {"name": "gokernel", "display_name": "Go"}})
    old = os.environ.get(server.variable)
    os.environ[server.variable] = PASSWORD
    try:
        NotebookClient(notebook, timeout=120, kernel_name="gokernel", allow_errors=True).execute()
    finally:
        if old is None:
            del os.environ[server.variable]
        else:
            os.environ[server.variable] = old
    text = nbformat.writes(notebook)
    assert "s3cret" not in text and "nothing" in text
    assert '"output_type": "execute_result"' in text and server.address in text
    for file in tmp_path.iterdir():
        assert b"s3cret" not in file.read_bytes()
