"""Writes the data files of the tasks, the same ones each time: python make.py"""
import json
import random
from datetime import datetime, timedelta
from pathlib import Path

random.seed(20240229)
here = Path(__file__).parent


def write(task, name, text, encoding="utf-8"):
    (here / task).mkdir(exist_ok=True)
    (here / task / name).write_bytes(text.encode(encoding))


def table(head, rows, sep=","):
    return "\n".join([head] + [sep.join("" if v is None else str(v) for v in row) for row in rows]) + "\n"


def german(x):
    return f"{x:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


def maybe(p, value):
    return None if random.random() < p else value


day = datetime(2024, 1, 1)
towns = ["Köln", "Bonn", "Düren", "Aachen"]
write("01-german-csv", "umsatz.csv", table("Datum;Filiale;Umsatz;Menge", [
    ((day + timedelta(i)).strftime("%d.%m.%Y"), t, german(random.uniform(90, 4800)), random.randint(1, 40))
    for i in range(60) for t in towns if random.random() < 0.7], ";"), "latin-1")

events = []
for i in range(40):
    at = datetime(2024, 3, 20) + timedelta(hours=random.randint(0, 24 * 20), minutes=random.randint(0, 59))
    form = ["%Y-%m-%dT%H:%M:%S+00:00", "%Y-%m-%dT%H:%M:%S-05:00", "%d.%m.%Y %H:%M", "%d %b %Y %H:%M"][i % 4]
    events.append((i + 1, at.strftime(form), random.choice(["login", "order", "refund"])))
write("02-messy-dates", "events.csv", table("id,at,kind", events))

write("03-lossy-joins", "orders.csv", table("order,customer,sku,quantity", [
    (1000 + i, f"C{random.randint(1, 24):02}", random.choice(["A1", "A2", "B1", "B2", "X9"]), random.randint(1, 6)) for i in range(60)]))
write("03-lossy-joins", "customers.csv", table("customer,country", [
    (f"C{i:02}", random.choice(["DE", "FR", "NL"])) for i in range(1, 21)]))
write("03-lossy-joins", "prices.csv", table("sku,price", [("A1", 9.5), ("A2", 14.25), ("B1", 3.8), ("B2", 27), ("C1", 99)]))

write("04-pivot", "tickets.csv", table("team,priority,hours", [
    (random.choice(["billing", "network", "desktop"]), random.choice(["high", "low", "medium"]), round(random.expovariate(0.2), 1)) for _ in range(90)]))

write("05-weekly", "sales.csv", table("at,amount", [
    ((day + timedelta(minutes=random.randint(0, 70 * 1440))).strftime("%Y-%m-%d %H:%M"), round(random.uniform(5, 90), 2)) for _ in range(120)]))

steps = ["visit", "cart", "address", "payment"]
rows = []
for user in range(1, 121):
    at = day + timedelta(minutes=random.randint(0, 9000))
    device = random.choice(["phone", "laptop"])
    for k, step in enumerate(steps):
        for _ in range(1 + (random.random() < 0.2)):
            rows.append((at.strftime("%Y-%m-%d %H:%M:%S"), user, device, step))
            at += timedelta(seconds=random.randint(5, 400))
        if random.random() < (0.45, 0.3, 0.25, 0)[k]:
            break
random.shuffle(rows)
write("06-funnel", "clicks.csv", table("at,user,device,step", rows))

rows = []
for user in range(1, 81):
    start = random.randint(0, 80)
    for month in range(5):
        if month == 0 or random.random() < 0.75 ** month:
            for _ in range(random.randint(1, 2)):
                rows.append((user, (day + timedelta(start + 30 * month + random.randint(0, 9))).strftime("%Y-%m-%d"), round(random.uniform(8, 60), 2)))
random.shuffle(rows)
write("07-cohorts", "purchases.csv", table("user,day,amount", rows))

answers = ["very unhappy", "unhappy", "neutral", "happy", "very happy"]
write("08-survey", "survey.csv", table("id,age,department,answer", [
    (i, random.randint(19, 66), random.choice(["sales", "support", "research"]), maybe(0.08, random.choices(answers, [1, 2, 4, 5, 2])[0])) for i in range(1, 111)]))

paths = ["/", "/shop", "/shop/42", "/cart", "/api/items", "/favicon.ico"]
lines = []
at = datetime(2024, 5, 6, 6)
for _ in range(200):
    at += timedelta(seconds=random.randint(1, 300))
    lines.append(f'{random.randint(11, 19)}.0.113.{random.randint(1, 9)} - - [{at:%d/%b/%Y:%H:%M:%S} +0200] "{random.choice(["GET", "GET", "GET", "POST"])} '
                 f'{random.choice(paths)} HTTP/1.1" {random.choices([200, 304, 404, 500], [70, 10, 12, 4])[0]} {random.randint(120, 90000)}')
lines.insert(77, "-- log rotated --")
write("09-server-log", "access.log", "\n".join(lines) + "\n")

items = [{"id": i, "created": (day + timedelta(hours=7 * i)).strftime("%Y-%m-%dT%H:%M:%SZ"),
          "customer": {"name": f"Customer {random.randint(1, 9)}", "address": {"city": random.choice(["Lyon", "Gent", "Ulm"])}},
          "lines": [{"sku": random.choice(["A1", "B2", "C3"]), "quantity": random.randint(1, 5), "price": random.choice([2.5, 8, 19.9])} for _ in range(random.randint(1, 4))]}
         for i in range(1, 31)]
write("10-api-json", "orders.json", json.dumps({"page": 1, "total": 30, "data": {"orders": items}}, indent=1) + "\n")

write("11-missing-by-group", "houses.csv", table("district,rooms,area,price", [
    (random.choice(["north", "south", "harbour"]), random.randint(1, 6), maybe(0.2, random.randint(30, 160)), maybe(0.1, random.randint(120, 900) * 1000)) for _ in range(80)]))

people = []
for i in range(50):
    mail = f"user{random.randint(1, 30)}@example.org"
    people.append((random.choice([mail, mail.upper(), " " + mail]), (day + timedelta(random.randint(0, 90))).strftime("%Y-%m-%d"), random.randint(0, 500)))
people += people[:6]
write("12-duplicates", "contacts.csv", table("mail,changed,points", people))

write("13-outliers", "payments.csv", table("shop,amount", [
    (random.choice(["web", "store"]), round(random.lognormvariate(3, 0.9), 2)) for _ in range(100)]))

rows = []
for i in range(60):
    for s, base in (("hall", 19), ("yard", 7)):
        rows.append(((day + timedelta(minutes=15 * i)).strftime("%Y-%m-%d %H:%M"), s, maybe(0.06, round(base + random.gauss(0, 1.2), 2))))
write("14-sensors", "sensors.csv", table("at,sensor,degrees", rows))

write("15-top-per-group", "songs.csv", table("genre,title,plays", [
    (random.choice(["folk", "jazz", "techno"]), f"Track {i:02}", p) for i, p in enumerate(random.sample(range(100, 9000), 40))]))

write("16-share-of-group", "budget.csv", table("ministry,item,million", [
    (m, f"{k} {m}", round(random.uniform(3, 400), 1)) for m in ("health", "transport", "culture") for k in ("staff", "building", "grants", "research", "other")]))

write("17-wide-long", "heights.csv", table("child,2019,2020,2021,2022", [
    (n, *[maybe(0.1, h0 + 6 * k + random.randint(-1, 2)) for k in range(4)]) for n, h0 in (("Ada", 96), ("Ben", 101), ("Cem", 99), ("Dora", 93), ("Eli", 104))]))

write("18-sql", "rides.csv", table("zone,hour,fare", [
    (random.choice(["Anger", "Burg", "Hafen", "Dom"]), random.randint(0, 23), round(random.uniform(4, 50), 2)) for _ in range(120)]))

write("19-bins-and-index", "prices.csv", table("month,bread,milk,fuel", [
    (f"{2021 + i // 12}-{i % 12 + 1:02}-01", round(2.4 + 0.03 * i + random.uniform(-.05, .05), 2), round(0.95 + 0.012 * i + random.uniform(-.03, .03), 2),
     round(1.4 + random.uniform(-.2, .4), 3)) for i in range(36)]))

write("20-ab-test", "trial.csv", table("user,variant,converted,seconds", [
    (i, v, int(random.random() < (0.20 if v == "A" else 0.27)), round(random.lognormvariate(3.4 if v == "A" else 3.3, 0.5), 1))
    for i in range(1, 401) for v in [random.choice("AB")]]))

first, last = ["Anna", "Bilal", "Chloé", "Dörte", "Emil"], ["Müller", "Öz", "Dubois", "Smith", "de Vries"]
write("21-text", "parcels.csv", table("customer\tsize\ttags\tweight", [
    (f"{random.choice(last)}, {random.choice(first)}{random.choice(['', '  '])}", f"{random.randint(5, 60)} x {random.randint(5, 90)} cm",
     "; ".join(random.sample(["fragile", "gift", "express", "return"], random.randint(1, 3))), f"{random.randint(100, 9000)} g") for _ in range(40)], "\t"))
