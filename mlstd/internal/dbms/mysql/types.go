//go:build !js

package mysql

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/dbms"
)

// adder appends a value that is not null.
type adder func(b *dbms.Builder, v driver.Value) error

// begin begins a column of a type, which has the name that the driver uses.
func begin(name, kind string) (*dbms.Builder, adder) {
	switch strings.TrimPrefix(kind, "UNSIGNED ") {
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "YEAR":
		return dbms.NewBuilder(name, dbms.Ints, nil), integer
	case "BIGINT":
		if kind == "UNSIGNED BIGINT" {
			return dbms.NewBuilder(name, dbms.Decimals, nil), unsigned
		}
		return dbms.NewBuilder(name, dbms.Ints, nil), integer
	case "FLOAT", "DOUBLE":
		return dbms.NewBuilder(name, dbms.Floats, nil), number
	case "DECIMAL":
		return dbms.NewBuilder(name, dbms.Decimals, nil), decimal
	case "DATE", "DATETIME", "TIMESTAMP":
		return dbms.NewBuilder(name, dbms.Times, time.UTC), moment
	case "BIT":
		return dbms.NewBuilder(name, dbms.Decimals, nil), bits
	case "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY", "GEOMETRY", "VECTOR":
		return dbms.NewBuilder(name, dbms.Texts, nil), binary
	}
	return dbms.NewBuilder(name, dbms.Texts, nil), text
}

func integer(b *dbms.Builder, v driver.Value) error {
	i, ok := v.(int64)
	if !ok {
		return unexpected(v)
	}
	b.Int(i)
	return nil
}

// unsigned appends an integer of up to 64 bits without a sign.
func unsigned(b *dbms.Builder, v driver.Value) error {
	switch v := v.(type) {
	case uint64:
		return b.Decimal(strconv.AppendUint(nil, v, 10))
	case int64:
		return b.Decimal(strconv.AppendInt(nil, v, 10))
	case []byte:
		return b.Decimal(v)
	case string:
		return b.Decimal([]byte(v))
	}
	return unexpected(v)
}

func number(b *dbms.Builder, v driver.Value) error {
	switch v := v.(type) {
	case float64:
		b.Float(v)
	case float32:
		x, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		if err != nil {
			return err
		}
		b.Float(x)
	default:
		return unexpected(v)
	}
	return nil
}

func decimal(b *dbms.Builder, v driver.Value) error {
	s, ok := v.([]byte)
	if !ok {
		return unexpected(v)
	}
	return b.Decimal(s)
}

// bits appends a bit field as an integer.
func bits(b *dbms.Builder, v driver.Value) error {
	s, ok := v.([]byte)
	if !ok || len(s) > 8 {
		return unexpected(v)
	}
	x := uint64(0)
	for _, c := range s {
		x = x<<8 | uint64(c)
	}
	return unsigned(b, x)
}

// moment appends a time; a date of zeros, which old tables have, is missing.
func moment(b *dbms.Builder, v driver.Value) error {
	t, ok := v.(time.Time)
	if !ok {
		return unexpected(v)
	}
	if t.IsZero() {
		b.Null()
		return nil
	}
	return b.Time(t)
}

func binary(b *dbms.Builder, v driver.Value) error {
	s, ok := v.([]byte)
	if !ok {
		return unexpected(v)
	}
	b.Hex(s)
	return nil
}

func text(b *dbms.Builder, v driver.Value) error {
	switch v := v.(type) {
	case []byte:
		b.Text(v)
	case string:
		b.Text([]byte(v))
	default:
		return unexpected(v)
	}
	return nil
}

func unexpected(v driver.Value) error {
	return fmt.Errorf("the driver sends a value of the type %T", v)
}
