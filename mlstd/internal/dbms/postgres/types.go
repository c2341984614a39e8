//go:build !js

package postgres

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gokernel/gokernel/mlstd/internal/dbms"
)

// The object identifiers (OIDs) of PostgreSQL's types, which never change (catalog/pg_type.dat).
const (
	oidBool        = 16
	oidBytea       = 17
	oidInt8        = 20
	oidInt2        = 21
	oidInt4        = 23
	oidText        = 25
	oidOid         = 26
	oidFloat4      = 700
	oidFloat8      = 701
	oidUnknown     = 705
	oidBpchar      = 1042
	oidVarchar     = 1043
	oidDate        = 1082
	oidTimestamp   = 1114
	oidTimestamptz = 1184
	oidNumeric     = 1700
)

const (
	asText   = 0
	asBinary = 1
)

// epoch is 2000-01-01, from which PostgreSQL counts, in microseconds since 1970.
const epoch = 946684800 * 1_000_000

// decoder appends a value that is not null.
type decoder func(b *dbms.Builder, v []byte) error

// column begins a column for a field. Types that are not known here are sent as text.
func (c *conn) column(f pgconn.FieldDescription) (*dbms.Builder, decoder, int16) {
	begin := func(kind dbms.Kind, zone *time.Location) *dbms.Builder { return dbms.NewBuilder(f.Name, kind, zone) }
	switch f.DataTypeOID {
	case oidInt2:
		return begin(dbms.Ints, nil), func(b *dbms.Builder, v []byte) error { b.Int(int64(int16(binary.BigEndian.Uint16(v)))); return nil }, asBinary
	case oidInt4:
		return begin(dbms.Ints, nil), func(b *dbms.Builder, v []byte) error { b.Int(int64(int32(binary.BigEndian.Uint32(v)))); return nil }, asBinary
	case oidInt8:
		return begin(dbms.Ints, nil), func(b *dbms.Builder, v []byte) error { b.Int(int64(binary.BigEndian.Uint64(v))); return nil }, asBinary
	case oidOid:
		return begin(dbms.Ints, nil), func(b *dbms.Builder, v []byte) error { b.Int(int64(binary.BigEndian.Uint32(v))); return nil }, asBinary
	case oidFloat4:
		return begin(dbms.Floats, nil), func(b *dbms.Builder, v []byte) error {
			b.Float(single(math.Float32frombits(binary.BigEndian.Uint32(v))))
			return nil
		}, asBinary
	case oidFloat8:
		return begin(dbms.Floats, nil), func(b *dbms.Builder, v []byte) error {
			b.Float(math.Float64frombits(binary.BigEndian.Uint64(v)))
			return nil
		}, asBinary
	case oidBool:
		return begin(dbms.Bools, nil), func(b *dbms.Builder, v []byte) error { b.Bool(v[0] != 0); return nil }, asBinary
	case oidBytea:
		return begin(dbms.Texts, nil), func(b *dbms.Builder, v []byte) error { b.Hex(v); return nil }, asBinary
	case oidNumeric:
		return begin(dbms.Decimals, nil), (*dbms.Builder).Decimal, asText
	case oidDate:
		return begin(dbms.Times, time.UTC), func(b *dbms.Builder, v []byte) error {
			days := int32(binary.BigEndian.Uint32(v))
			if days == math.MaxInt32 || days == math.MinInt32 {
				return dbms.ErrTime
			}
			return b.Micros(epoch + int64(days)*86400_000_000)
		}, asBinary
	case oidTimestamp:
		return begin(dbms.Times, time.UTC), moment, asBinary
	case oidTimestamptz:
		return begin(dbms.Times, c.zone), moment, asBinary
	}
	return begin(dbms.Texts, nil), func(b *dbms.Builder, v []byte) error { b.Text(v); return nil }, asText
}

func moment(b *dbms.Builder, v []byte) error {
	t := int64(binary.BigEndian.Uint64(v))
	if t > math.MaxInt64-epoch || t == math.MinInt64 {
		return dbms.ErrTime
	}
	return b.Micros(epoch + t)
}

// single returns the float64 that is written with the digits of a float32, as PostgreSQL shows it:
// 0.1, not 0.10000000149011612.
func single(v float32) float64 {
	x := float64(v)
	if x == math.Trunc(x) || x != x {
		return x
	}
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', -1, 32), 64)
	return y
}

func isText(oid uint32) bool {
	return oid == oidText || oid == oidVarchar || oid == oidBpchar || oid == oidUnknown
}

// encode writes an argument as the server reads a text of the given type.
func encode(v any, oid uint32) []byte {
	switch v := v.(type) {
	case nil:
		return nil
	case int64:
		return strconv.AppendInt(nil, v, 10)
	case float64:
		return appendFloat(nil, v)
	case bool:
		return strconv.AppendBool(nil, v)
	case time.Time:
		return appendTime(nil, v, oid)
	case string:
		if oid == oidBytea {
			return fmt.Appendf(nil, `\x%x`, dbms.Bytes(v))
		}
		return []byte(v)
	}
	return fmt.Append(nil, v)
}

func appendFloat(to []byte, v float64) []byte {
	if math.IsInf(v, 0) {
		if v < 0 {
			to = append(to, '-')
		}
		return append(to, "Infinity"...)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}

// appendTime writes a time. For a type without a time zone it writes what the clock of the time's
// zone shows.
func appendTime(to []byte, v time.Time, oid uint32) []byte {
	switch oid {
	case oidDate:
		return v.AppendFormat(to, time.DateOnly)
	case oidTimestamp:
		return v.AppendFormat(to, "2006-01-02 15:04:05.999999999")
	}
	if _, offset := v.Zone(); offset%60 != 0 { // the local mean time of long ago
		v = v.UTC()
	}
	return v.AppendFormat(to, "2006-01-02 15:04:05.999999999Z07:00")
}
