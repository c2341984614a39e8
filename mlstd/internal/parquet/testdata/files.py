# Writes the files and values.json of this folder: python files.py .
import polars as pl, pandas as pd, numpy as np, datetime as dt, decimal, duckdb, pyarrow as pa, pyarrow.parquet as pq, sys, json
d=sys.argv[1]
n=300
t=pa.table({
 "i":pa.array([None if i%7==0 else i*1000003 for i in range(n)],pa.int64()),
 "i8":pa.array([i%100-50 for i in range(n)],pa.int8()),
 "u":pa.array([i*14000000 for i in range(n)],pa.uint32()),
 "f":pa.array([None if i%5==0 else i/3 for i in range(n)],pa.float64()),
 "f32":pa.array([i/4 for i in range(n)],pa.float32()),
 "b":pa.array([None if i%11==0 else i%3==0 for i in range(n)],pa.bool_()),
 "s":pa.array([None if i%4==0 else "word%d"%(i%13) for i in range(n)]),
 "long":pa.array(["prefix of text %05d"%i for i in range(n)]),
 "d":pa.array([dt.date(2020,1,1)+dt.timedelta(days=i) for i in range(n)]),
 "t":pa.array([dt.datetime(2020,1,1)+dt.timedelta(hours=i,microseconds=i) for i in range(n)],pa.timestamp("us")),
 "tz":pa.array([dt.datetime(2020,1,1)+dt.timedelta(minutes=i) for i in range(n)],pa.timestamp("ms",tz="UTC")),
 "dec":pa.array([decimal.Decimal(i-100)/4 for i in range(n)],pa.decimal128(12,3)),
 "st":pa.array([None if i%6==0 else {"x":i,"y":"q%d"%(i%3)} for i in range(n)],pa.struct([("x",pa.int32()),("y",pa.string())])),
 "h":pa.array(np.arange(n)/8,pa.float16()),
})
def show(v):
    if v is None: return "?"
    if isinstance(v,bool): return str(v).lower()
    if isinstance(v,dt.datetime): return str(int((v.replace(tzinfo=dt.timezone.utc)-dt.datetime(1970,1,1,tzinfo=dt.timezone.utc))/dt.timedelta(microseconds=1))*1000)
    if isinstance(v,dt.date): return str((v-dt.date(1970,1,1)).days*86400*10**9)
    if isinstance(v,decimal.Decimal): return repr(float(v))
    if isinstance(v,(float,np.floating)): return repr(float(v))
    return str(v)
cols={}
for c in t.column_names:
    if c=="st":
        cols["st.x"]=[show(None if v is None else v["x"]) for v in t[c].to_pylist()]
        cols["st.y"]=[show(None if v is None else v["y"]) for v in t[c].to_pylist()]
    else: cols[c]=[show(v) for v in t[c].to_pylist()]
json.dump(cols,open(d+"/values.json","w"),separators=(",",":"))
pq.write_table(t,d+"/snappy.parquet",row_group_size=128)
pq.write_table(t,d+"/zstd2.parquet",compression="zstd",data_page_version="2.0",data_page_size=500)
pq.write_table(t,d+"/gzip.parquet",compression="gzip",use_dictionary=False)
pq.write_table(t,d+"/lz4.parquet",compression="lz4",use_deprecated_int96_timestamps=True)
enc={c:"PLAIN" for c in t.column_names if c!="st"}
enc.update({"i":"DELTA_BINARY_PACKED","i8":"DELTA_BINARY_PACKED","s":"DELTA_LENGTH_BYTE_ARRAY","long":"DELTA_BYTE_ARRAY","f":"BYTE_STREAM_SPLIT","f32":"BYTE_STREAM_SPLIT","b":"RLE"})
del enc["i8"]; enc["i8"]="DELTA_BINARY_PACKED"
pq.write_table(t.drop_columns(["st"]),d+"/delta.parquet",use_dictionary=False,column_encoding=enc,compression="none")
pl.from_arrow(t.drop_columns(["h"])).write_parquet(d+"/polars.parquet")
con=duckdb.connect(); tt=t.drop_columns(["h"]); con.execute(f"copy tt to '{d}/duckdb.parquet' (format parquet)")
