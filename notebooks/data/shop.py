"""Makes shop-visits.csv.gz and shop-customers.csv: a simulated test of two pages of a shop.

Nobody in these files exists. `python3 shop.py` writes the files; `python3 shop.py truth`
prints what a test without lost visits and with very many customers would find.
"""
import gzip
import io
import math
import random
import sys
from datetime import datetime, timedelta

START = datetime(2024, 2, 1)
DAYS = 28
LOST = (12, 16)  # days of February on which visits of B got lost


def customers(rng, n):
    for i in range(n):
        yield {
            "id": f"K{i + 1:04d}",
            "country": rng.choices(["DE", "AT", "CH"], [60, 25, 15])[0],
            "variant": rng.choice("AB"),
            "taste": rng.gauss(0, 0.8),
        }


def visits(rng, c):
    n = 1
    while rng.random() < 0.55 and n < 12:
        n += 1
    for _ in range(n):
        time = START + timedelta(minutes=rng.randrange(DAYS * 24 * 60))
        device = rng.choices(["phone", "desktop"], [60, 40])[0]
        score = -2.3 + c["taste"] + 0.5 * (device == "desktop") + 0.3 * (c["country"] == "CH")
        score += 0.30 * (c["variant"] == "B")
        amount = None
        if rng.random() < 1 / (1 + math.exp(-score)):
            amount = math.exp(rng.gauss(3.6, 0.5))
        yield time, device, amount


def outside(time):
    return not LOST[0] <= time.day <= LOST[1]


def truth(n=1_000_000):
    rng = random.Random(5)
    seen, bought = {"A": 0, "B": 0}, {"A": 0, "B": 0}
    for c in customers(rng, n):
        kept = [amount for time, _, amount in visits(rng, c) if outside(time)]
        if kept:
            seen[c["variant"]] += 1
            bought[c["variant"]] += any(a is not None for a in kept)
    a, b = bought["A"] / seen["A"], bought["B"] / seen["B"]
    print(f"customers who buy: A {a:.4f}, B {b:.4f}, difference {b - a:.4f}")


def write():
    rng = random.Random(14)
    people = list(customers(rng, 3000))
    rows = []
    for c in people:
        for time, device, amount in visits(rng, c):
            lost = c["variant"] == "B" and not outside(time) and device == "phone" and amount is None
            if lost and rng.random() < 0.8:
                continue
            if rng.random() < 0.03:
                device = ""
            rows.append((time, c["id"], device, c["variant"], amount))
    for i in range(40):  # visits of the people who built the pages
        rows.append((START + timedelta(minutes=rng.randrange(DAYS * 24 * 60)), f"TEST{i % 4}", "desktop", "AB"[i % 2], 1.0))
    rows.sort(key=lambda r: r[:2])
    out = io.StringIO()
    out.write("visit;time;customer;device;variant;amount\n")
    for i, (time, who, device, variant, amount) in enumerate(rows):
        money = "" if amount is None else f"{amount:.2f} EUR".replace(".", ",")
        line = f"{i + 1};{time:%d.%m.%Y %H:%M};{who};{device};{variant};{money}\n"
        out.write(line * (2 if rng.random() < 0.012 else 1))  # some were sent twice
    with open("shop-visits.csv.gz", "wb") as f, gzip.GzipFile("", "wb", fileobj=f, mtime=0) as z:
        z.write(out.getvalue().encode())
    with open("shop-customers.csv", "w") as f:
        f.write("customer,country\n")
        f.writelines(f"{c['id']},{c['country']}\n" for c in people)


if __name__ == "__main__":
    truth() if "truth" in sys.argv else write()
