"""Arrow files by pyarrow for the tests of this package, and what they hold, as JSON.

pyarrow 26.0.1, pandas 3.1.1. Run: python make.py (writes the files beside this one)
"""
import datetime as dt
import decimal
import json
import pathlib

import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather

assert pa.__version__ == "26.0.1"
here = pathlib.Path(__file__).parent
D = decimal.Decimal

kinds = pa.table({
    "i8": pa.array([1, None, -128], pa.int8()), "i16": pa.array([300, -5, None], pa.int16()), "i32": pa.array([None, 70000, -1], pa.int32()), "i64": pa.array([2**62, -1, None], pa.int64()),
    "u8": pa.array([255, 0, None], pa.uint8()), "u16": pa.array([65535, None, 1], pa.uint16()), "u32": pa.array([4294967295, 1, 2], pa.uint32()), "u64": pa.array([2**63 - 1, None, 0], pa.uint64()),
    "f16": pa.array([1.5, None, -0.25], pa.float16()), "f32": pa.array([0.5, None, 3.0], pa.float32()), "f64": pa.array([0.1, None, 1e300], pa.float64()),
    "bool": pa.array([True, None, False]), "text": pa.array(["a", None, "Größe"]), "large": pa.array(["x", "", None], pa.large_string()), "view": pa.array(["short", "a string of more than twelve bytes", None], pa.string_view()),
    "bytes": pa.array([b"ab", None, b""], pa.binary()), "date32": pa.array([dt.date(2024, 2, 29), None, dt.date(1969, 12, 31)]), "date64": pa.array([dt.date(2024, 2, 29), None, dt.date(1969, 12, 31)], pa.date64()),
    "seconds": pa.array([1700000000, None, -1], pa.timestamp("s")), "millis": pa.array([1700000000123, None, -1], pa.timestamp("ms", "Europe/Berlin")),
    "micros": pa.array([1700000000123456, None, -1], pa.timestamp("us", "+02:00")), "nanos": pa.array([1700000000123456789, None, -1], pa.timestamp("ns", "UTC")),
    "duration": pa.array([1500, None, -1], pa.duration("ms")), "time": pa.array([3600000, None, 1], pa.time32("ms")), "decimal": pa.array([D("12.50"), None, D("-0.01")], pa.decimal128(10, 2)),
    "null": pa.nulls(3), "category": pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.int8()), pa.array(["low", "high"]), ordered=True),
    "words": pa.DictionaryArray.from_arrays(pa.array([2, 0, None], pa.uint16()), pa.array(["p", "q", "r"], pa.large_string())),
})
lists = pa.table({"id": [1, 2], "list": pa.array([[1, 2], []]), "struct": pa.array([{"a": 1}, {"a": 2}])})
many = pa.table({"n": pa.array([i if i % 7 else None for i in range(1000)]), "s": pa.array([f"word {i % 13}" if i % 11 else None for i in range(1000)]), "x": pa.array([i / 4 for i in range(1000)])})


def save(name, table, stream=False, batch=None, **options):
    options = pa.ipc.IpcWriteOptions(**options)
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(str(here / name), table.schema, options=options) as w:
        w.write_table(table, max_chunksize=batch)


def plain(v):
    if isinstance(v, (dt.datetime, pd.Timestamp)):
        return pd.Timestamp(v).value
    if isinstance(v, dt.date):
        return pd.Timestamp(v).value
    if isinstance(v, (dt.timedelta, pd.Timedelta)):
        return pd.Timedelta(v).value / 1e9
    if isinstance(v, dt.time):
        return (dt.datetime.combine(dt.date.min, v) - dt.datetime.min).total_seconds()
    if isinstance(v, bytes):
        return v.decode()
    return float(v) if isinstance(v, D) else v


save("kinds.arrow", kinds)
save("kinds-lz4.arrow", kinds, compression="lz4")
save("kinds-zstd.arrows", kinds, stream=True, compression="zstd")
save("many.arrow", many, batch=300, compression="lz4")
save("many.arrows", many, stream=True, batch=128)
save("lists.arrow", lists)
feather.write_feather(many.to_pandas(), str(here / "many.feather"))
text = pa.table({"k": pa.array(["a", "b"]).dictionary_encode()})
with pa.ipc.new_stream(str(here / "deltas.arrows"), text.schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as w:
    w.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array(["a", "b"]))], ["k"]))
    w.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array([2, 0], pa.int32()), pa.array(["a", "b", "c"]))], ["k"]))
    w.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array(["z", "a"]))], ["k"]))
with pa.ipc.new_file(str(here / "empty.arrow"), many.schema) as w:
    pass

expected = {name: {c: [plain(v) for v in t[c].to_pylist()] for c in t.column_names} for name, t in {"kinds": kinds, "many": many}.items()}
(here / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")
