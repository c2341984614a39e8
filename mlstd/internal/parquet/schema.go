package parquet

import (
	"fmt"
	"strconv"

	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

// The physical types.
const (
	boolean = iota
	int32s
	int64s
	int96s
	floats
	doubles
	byteArrays
	fixedArrays
)

// meaning is the logical type of a column, in addition to the physical type.
type meaning int

const (
	itself   meaning = iota
	text             // UTF-8
	unsigned         // unsigned whole numbers
	decimal
	date
	timeOfDay
	timestamp
	uuid
	float16
)

// leaf is a column of the schema.
type leaf struct {
	name     string
	index    int // index among all leaves
	physical int
	length   int // length of fixed-length byte arrays
	deepest  int // definition level at which a value is present
	repeated bool
	meaning  meaning
	scale    int   // scale of decimals
	unit     int64 // unit of times, in nanoseconds
	utc      bool  // timestamps are moments, not local times
	bits     int   // number of bits of unsigned numbers
}

// leaves walks the schema, which is stored depth first.
func leaves(schema []value) ([]*leaf, error) {
	var all []*leaf
	at := 0
	var walk func(prefix string, level, depth int, repeated bool) error
	walk = func(prefix string, level, depth int, repeated bool) error {
		if at >= len(schema) || depth > deepest {
			return errMeta
		}
		e := schema[at]
		at++
		name := string(e.at(4).b)
		if depth == 0 {
			name = ""
		} else {
			switch e.at(3).i {
			case 1:
				level++
			case 2:
				level++
				repeated = true
			}
			if prefix != "" {
				name = prefix + "." + name
			}
		}
		kids := e.at(5).i
		if kids == 0 && depth > 0 {
			l := &leaf{name: name, index: len(all), physical: int(e.at(1).i), length: int(e.at(2).i), deepest: level, repeated: repeated}
			l.mean(e)
			all = append(all, l)
			return nil
		}
		if kids < 0 || kids > int64(len(schema)) {
			return errMeta
		}
		for range kids {
			if err := walk(name, level, depth+1, repeated); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk("", 0, 0, false); err != nil {
		return nil, err
	}
	return all, nil
}

// mean derives the meaning from the logical type or from the older converted type.
func (l *leaf) mean(e value) {
	units := map[int16]int64{1: 1e6, 2: 1e3, 3: 1}
	if e.has(10) {
		for id, t := range e.at(10).fields {
			switch id {
			case 1, 4, 12, 13:
				l.meaning = text
			case 5:
				l.meaning, l.scale = decimal, int(t.at(1).i)
			case 6:
				l.meaning = date
			case 7, 8:
				l.meaning, l.utc = timeOfDay, t.at(1).i == 1
				if id == 8 {
					l.meaning = timestamp
				}
				for unit := range t.at(2).fields {
					l.unit = units[unit]
				}
			case 10:
				if t.has(2) && t.at(2).i == 0 {
					l.meaning = unsigned
				}
				if len(t.at(1).b) > 0 {
					l.bits = int(t.at(1).b[0])
				} else {
					l.bits = int(t.at(1).i)
				}
			case 14:
				l.meaning = uuid
			case 15:
				l.meaning = float16
			}
		}
	} else if e.has(6) {
		switch c := e.at(6).i; c {
		case 0, 4, 19:
			l.meaning = text
		case 5:
			l.meaning, l.scale = decimal, int(e.at(7).i)
		case 6:
			l.meaning = date
		case 7, 8:
			l.meaning, l.unit = timeOfDay, []int64{1e6, 1e3}[c-7]
		case 9, 10:
			l.meaning, l.unit, l.utc = timestamp, []int64{1e6, 1e3}[c-9], true
		case 11, 12, 13, 14:
			l.meaning, l.bits = unsigned, 8<<(c-11)
		}
	}
}

// kind returns the kind of column in the result.
func (l *leaf) kind() (infer.Kind, error) {
	wants := map[meaning][]int{date: {int32s}, timestamp: {int64s}, timeOfDay: {int32s, int64s}, unsigned: {int32s, int64s}, float16: {fixedArrays}}
	if list := wants[l.meaning]; list != nil {
		fits := false
		for _, p := range list {
			fits = fits || p == l.physical
		}
		if !fits || (l.meaning == timestamp || l.meaning == timeOfDay) && l.unit == 0 || l.meaning == float16 && l.length != 2 {
			return 0, errMeta
		}
	}
	switch {
	case l.meaning == decimal:
		if l.scale < 0 || l.scale > 76 || l.physical == fixedArrays && (l.length < 1 || l.length > 64) {
			return 0, errMeta
		}
		return infer.Float, nil
	case l.meaning == float16:
		return infer.Float, nil
	case l.meaning == date || l.meaning == timestamp || l.physical == int96s:
		return infer.Time, nil
	case l.meaning == timeOfDay:
		return infer.Text, nil
	}
	switch l.physical {
	case boolean:
		return infer.Bool, nil
	case int32s, int64s:
		return infer.Int, nil
	case floats, doubles:
		return infer.Float, nil
	case byteArrays:
		return infer.Text, nil
	case fixedArrays:
		if l.length < 0 || l.length > 1<<20 {
			return 0, errMeta
		}
		return infer.Text, nil
	}
	return 0, errMeta
}

// distinct makes the names of the leaves distinct.
func distinct(all []*leaf) {
	used := map[string]bool{}
	for _, l := range all {
		name := l.name
		for k := 2; used[l.name] || l.name == ""; k++ {
			l.name = name + " " + strconv.Itoa(k)
		}
		used[l.name] = true
	}
}

// damaged makes an error about the file.
func damaged(format string, args ...any) error {
	return model.Errorf("Parquet", "%s", fmt.Sprintf(format, args...)).WithHint("check that the file is complete")
}
