"""Reads and writes a table of a million rows and eight columns in PostgreSQL and MariaDB: gokernel beside
pandas.read_sql, connectorx and ADBC. Prints wall time and the client's CPU time in seconds, the best of three.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install -r bench/database/requirements.txt
    GOKERNEL=.build/gokernel /tmp/peers/bin/python bench/database/run.py

It starts the servers itself, as testdata/e2e/test_database.py does.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "testdata" / "e2e"))
ROWS, ROUNDS = 1_000_000, 3
COLUMNS = "id, count, price, amount, sold, name, kind, at"

FILL = {
    "postgres": f"""create table sales as select i::bigint as id, (i % 1000)::int as count, i / 7.0::float8 as price, (i / 100.0)::numeric(12, 2) as amount,
        i % 2 = 0 as sold, 'customer ' || i as name, 'kind ' || i % 7 as kind, timestamp '2020-01-01' + i * interval '1 minute' as at from generate_series(1, {ROWS}) i""",
    "mariadb": f"""create table sales as select cast(seq as signed) as id, cast(seq % 1000 as int) as count, seq / 7e0 as price, cast(seq / 100 as decimal(12, 2)) as amount,
        seq % 2 = 0 as sold, concat('customer ', seq) as name, concat('kind ', seq % 7) as kind, timestamp '2020-01-01' + interval seq minute as at from shop.numbers""",
}

# Each client reads its times from its own process, so that imports and the start are not counted.
PYTHON = """
import resource, sys, time
{setup}
best = None
for _ in range({rounds}):
    before, cpu = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    {work}
    wall, used = time.perf_counter() - before, resource.getrusage(resource.RUSAGE_SELF)
    now = (wall, used.ru_utime + used.ru_stime - cpu.ru_utime - cpu.ru_stime)
    best = min(best or now, now)
print(*best)
"""

GO = """
db := ml.Connect("{address}")
cpu := func() float64 {{
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}}
f := db.Query("select * from sales limit 1")
wall, used := math.Inf(1), 0.0
{before}
for range {rounds} {{
	start, from := time.Now(), cpu()
	{work}
	if t := time.Since(start).Seconds(); t < wall {{
		wall, used = t, cpu()-from
	}}
}}
fmt.Println(wall, used)
"""


def python(setup, work):
    done = subprocess.run([sys.executable, "-c", PYTHON.format(setup=setup, work=work, rounds=ROUNDS)], capture_output=True, text=True)
    return tuple(map(float, done.stdout.split())) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def gokernel(address, work, before=""):
    cell = {"cell_type": "code", "id": "a", "source": GO.format(address=address, work=work, before=before, rounds=ROUNDS), "metadata": {}, "outputs": [], "execution_count": None}
    with tempfile.TemporaryDirectory() as directory:
        notebook = pathlib.Path(directory, "n.ipynb")
        notebook.write_text(json.dumps({"cells": [cell], "metadata": {"kernelspec": {"name": "gokernel", "display_name": "Go"}}, "nbformat": 4, "nbformat_minor": 5}))
        subprocess.run([os.environ["GOKERNEL"], "run", "--inplace", notebook], check=True, stdout=subprocess.DEVNULL)
        outputs = json.loads(notebook.read_text())["cells"][0]["outputs"]
    return tuple(map(float, "".join("".join(o["text"]) for o in outputs if o["output_type"] == "stream").split()))


def report(name, result):
    print(f"{name:32}", f"{result[0]:8.2f} {result[1]:8.2f}" if isinstance(result, tuple) else result, flush=True)


def main():
    from test_database import Server
    print(f"{'1e6 rows, 8 columns':32} {'wall s':>8} {'CPU s':>8}")
    for kind in "postgres", "mariadb":
        server = Server(kind)
        try:
            measure(server)
        finally:
            server.stop()


def measure(server):
    where, kind = str(server.directory), server.kind
    if kind == "postgres":
        ours = f"postgres://pomona@/postgres?host={where}&port={server.port}"
        alchemy, driver = f"postgresql+psycopg2://pomona@/postgres?host={where}&port={server.port}", "psycopg2"
    else:
        ours = f"mysql://pomona@localhost/shop?socket={where}/socket"
        alchemy, driver = f"mysql+pymysql://pomona@localhost/shop?unix_socket={where}/socket", "pymysql"
        server.ask(f"create table shop.numbers as select seq from shop.seq_1_to_{ROWS}")
    assert server.ask(("use shop; " if kind == "mariadb" else "") + FILL[kind]) is not None
    read = f"select {COLUMNS} from sales"
    report(f"{kind} read: gokernel", gokernel(ours, f'f = db.Query("{read}")'))
    engine = f"import pandas as pd, sqlalchemy as sa; e = sa.create_engine('{alchemy}')"
    report(f"{kind} read: pandas {driver}", python(engine, f"f = pd.read_sql('{read}', e)"))
    if kind == "postgres":
        uri = f"postgresql://pomona@localhost:{server.port}/postgres?host={where}"
        report(f"{kind} read: connectorx", python("import connectorx as cx", f"f = cx.read_sql('{uri}', '{read}')"))
        report(f"{kind} read: pandas ADBC", python(f"import pandas as pd, adbc_driver_postgresql.dbapi as d; c = d.connect('{uri}')", f"f = pd.read_sql('{read}', c)"))
    report(f"{kind} write: gokernel", gokernel(ours, 'db.Replace("copied", f)', before=f'f = db.Query("{read}")'))
    report(f"{kind} write: pandas {driver}", python(engine + f"; f = pd.read_sql('{read}', e)", "f.to_sql('copied', e, if_exists='replace', index=False)"))


if __name__ == "__main__":
    main()
