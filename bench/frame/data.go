package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/read"
)

// groups is K of the benchmark: the number of values in the columns with few values.
const groups = 100

// generate returns the tables of a part and writes them to files for the peers.
func generate(part string, rows int, dir string) (map[string]*frame.Frame, error) {
	rng := rand.New(rand.NewPCG(108, uint64(rows)))
	tables := map[string]*frame.Frame{}
	switch part {
	case "read":
		return nil, read.Write(filepath.Join(dir, csvFile), groupTable(rng, rows))
	case "group":
		tables["x"] = groupTable(rng, rows)
	default:
		joinTables(rng, rows, tables)
	}
	for name, f := range tables {
		if err := save(f, part, name, dir); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// drawn returns n integers from 1 to k.
func drawn(rng *rand.Rand, n, k int) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = 1 + int64(rng.IntN(k))
	}
	return v
}

// uniform returns n numbers below 100 with six decimals.
func uniform(rng *rand.Rand, n int) *frame.Column {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Round(1e8*rng.Float64()) / 1e6
	}
	return frame.FloatColumn("", v)
}

// names returns n strings, formatted from integers from 1 to k.
func names(rng *rand.Rand, n, k int, format string) *frame.Column {
	codes, words := make([]int32, n), make([]string, k)
	for i := range words {
		words[i] = fmt.Sprintf(format, i+1)
	}
	for i := range codes {
		codes[i] = int32(rng.IntN(k))
	}
	return frame.StringCodes("", codes, words)
}

func groupTable(rng *rand.Rand, n int) *frame.Frame {
	return must(frame.New(
		names(rng, n, groups, "id%03d").Named("id1"), names(rng, n, groups, "id%03d").Named("id2"), names(rng, n, n/groups, "id%010d").Named("id3"),
		frame.IntColumn("id4", drawn(rng, n, groups)), frame.IntColumn("id5", drawn(rng, n, groups)), frame.IntColumn("id6", drawn(rng, n, n/groups)),
		frame.IntColumn("v1", drawn(rng, n, 5)), frame.IntColumn("v2", drawn(rng, n, 15)), uniform(rng, n).Named("v3"),
	))
}

func must(f *frame.Frame, err error) *frame.Frame {
	if err != nil {
		panic(err)
	}
	return f
}

// split returns the keys that both sides have, 90 % of n, and the keys of only one side.
func split(rng *rand.Rand, n int) (both, left, right []int64) {
	all := make([]int64, n*11/10)
	for i, k := range rng.Perm(len(all)) {
		all[i] = 1 + int64(k)
	}
	return all[:n*9/10], all[n*9/10 : n], all[n:]
}

// side returns n keys from both and alone. Each of these keys occurs at least once; the remaining
// keys are drawn uniformly.
func side(rng *rand.Rand, n int, both, alone []int64) []int64 {
	keys := append(append([]int64{}, both...), alone...)
	v := make([]int64, n)
	for i := range v {
		if i < len(keys) {
			v[i] = keys[i]
		} else {
			v[i] = keys[rng.IntN(len(keys))]
		}
	}
	rng.Shuffle(n, func(i, j int) { v[i], v[j] = v[j], v[i] })
	return v
}

// written returns a key as text, as the benchmark does.
func written(name string, v []int64) *frame.Column {
	index := map[int64]int32{}
	var words []string
	codes := make([]int32, len(v))
	for i, x := range v {
		k, ok := index[x]
		if !ok {
			k = int32(len(words))
			index[x] = k
			words = append(words, fmt.Sprintf("id%d", x))
		}
		codes[i] = k
	}
	return frame.StringCodes(name, codes, words)
}

// joinTables creates x with n rows and tables with about n/1e6, n/1e3 and n rows, but at least
// 10.
func joinTables(rng *rand.Rand, n int, tables map[string]*frame.Frame) {
	sizes := []int{max(10, n/1_000_000), n / 1000, n}
	var left, right [3][3][]int64 // by table and key
	for k, size := range sizes {
		both, l, r := split(rng, size)
		left[2][k] = side(rng, n, both, l)
		for t := k; t < 3; t++ {
			right[t][k] = side(rng, sizes[t], both, r)
		}
	}
	columns := func(keys [3][]int64, value string) *frame.Frame {
		var cols []*frame.Column
		for k, v := range keys {
			if v != nil {
				cols = append(cols, frame.IntColumn(fmt.Sprintf("id%d", k+1), v))
			}
		}
		for k, v := range keys {
			if v != nil {
				cols = append(cols, written(fmt.Sprintf("id%d", k+4), v))
			}
		}
		return must(frame.New(append(cols, uniform(rng, cols[0].Len()).Named(value))...))
	}
	tables["x"] = columns(left[2], "v1")
	for t, name := range []string{"small", "medium", "big"} {
		tables[name] = columns(right[t], "v2")
	}
}

// save writes the columns of a table as raw numbers, and dictionaries as JSON.
func save(f *frame.Frame, part, name, dir string) error {
	var heads []map[string]any
	for _, c := range f.Columns() {
		path := filepath.Join(dir, part+"-"+name+"-"+c.Name())
		head := map[string]any{"name": c.Name(), "kind": c.Kind().String()}
		var values any
		switch c.Kind() {
		case frame.FloatKind:
			values = c.Floats()
		case frame.IntKind:
			values = c.Ints()
		default:
			codes, words := c.Codes()
			values, head["words"] = codes, words
		}
		heads = append(heads, head)
		out, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := binary.Write(out, binary.LittleEndian, values); err != nil {
			return err
		}
		if err := out.Close(); err != nil {
			return err
		}
	}
	b, err := json.Marshal(heads)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, part+"-"+name+".json"), b, 0o666)
}
