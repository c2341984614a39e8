package read

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readBoth reads a text with the general reader and with plain in buffers of several lengths, and
// fails if a result, a note or an error differs.
func readBoth(t *testing.T, text string, format ...Format) {
	t.Helper()
	before := plainBuffer
	defer func() { plainBuffer = before }()
	read := func(size int) string {
		plainBuffer = size
		f, err := ReadText(text, append(format, Format{Type: "json"})[0])
		if err != nil {
			return "error: " + err.Error()
		}
		return show(f) + strings.Join(f.Notes(), "; ")
	}
	want := read(0)
	for _, size := range []int{1, 7, 1 << 16} {
		if got := read(size); got != want {
			t.Fatalf("%.2000s\nbuffer of %d: %.3000s\nwant %.3000s", text, size, got, want)
		}
	}
}

func TestPlainJSON(t *testing.T) {
	for _, text := range []string{
		`[{"a":1,"b":"x"},{"b":"y","a":2.5}]`, "{\"a\":1}\n{\"a\":null}\n{}\n{\"a\":-3}", ` [ { "a" : true } , { "a" : false , "c" : "z" } ] `,
		`[{"a":{"b":1,"c":{"d":"x"}}},{"a":{"c":{"d":"y"},"b":2}},{"a":{}}]`, `[{"a":1},{"a":{"b":2}}]`, `[{"a":null},{"a":{"b":2}}]`, `[{"a":null},{"a":null}]`,
		`[{"a":9223372036854775807},{"a":-9223372036854775808}]`, `[{"a":9223372036854775808},{"a":1}]`, `[{"a":1},{"a":1e400}]`, `[{"a":9007199254740993},{"a":0.5}]`, `[{"a":-0},{"a":0}]`,
		`[{"a":1e3},{"a":2}]`, `[{"a":1E-2},{"a":2.50}]`, `[{"a":1.0},{"a":2.0}]`, `[{"a":1,"a":2}]`, `[{"a":1,"\u0061":2}]`, `[{"a":"\u00e9\n\"\\"},{"a":"é"}]`, `[{"a":"\ud83d\ude00"}, {"a":"x"}]`,
		`[{"a":"2024-01-02"},{"a":"2024-01-03 12:00"}]`, `[{"a":"2024-01-02"},{"a":"no"}]`, `[{"a":"1"},{"a":"2"}]`, `[{"a":""},{"a":"NA"}]`, `[{"a":"true"}]`, `[{"a":1},{"a":"1"}]`, `[{"a":1},{"a":true}]`,
		`[{"a":[1,2]},{"a":[]}]`, `[1,2]`, `[]`, `{}`, `{"a":1}`, `{"d":[{"a":1}]}`, ``, `[{"a":1}`, `[{"a":1},]`, `[{"a":1} {"a":2}]`, `[{"a":1}] x`, `[{"a":1,}]`, `[{"a":01}]`, `[{"a":1.}]`, `[{"a":.5}]`,
		`[{"a":+1}]`, `[{"a":-}]`, `[{"a":1e}]`, `[{"a":1e+}]`, `[{"a":nul}]`, `[{"a":trues}]`, `[{a:1}]`, `[{"a" 1}]`, `[{"a":"x\ty"},{"a":"\x"}]`, "[{\"a\":\"x\ty\"}]", "[{\"a\":\"\xff\"},{\"a\":\"b\"}]",
		"[{\"\xff\":1},{\"b\":2}]", "\xef\xbb\xbf[{\"a\":1},{\"a\":2}]", "{\"a\":1},{\"a\":2}", `{"a":1}{"a":2}`, `[{"a.b":1,"a":{"b":2}}]`, `[{"":1},{"":2}]`, `[{"a":1},{"b":2},{"a":3.5,"b":null}]`,
		`[{"a":1234567890123456789},{"a":-1234567890123456789}]`, `[{"a":12345678901234567890123.5}]`, `[{"a":null},{"a":3},{"a":null},{"a":"x"}]`, "[{\"a\":1}\x00]",
	} {
		readBoth(t, text)
	}
	readBoth(t, `[{"a":1,"b":2},{"a":2,"b":3}]`, Format{Type: "json", Columns: []string{"b"}})
	readBoth(t, `[{"a":1}]`, Format{Type: "json", Columns: []string{"c"}})
	readBoth(t, `[{"a":"03/04/2024"},{"a":"05/06/2024"}]`, Format{Type: "json", DateOrder: "mdy", Zone: "Europe/Berlin"})
}

// Random records, with fields in changing order, gaps, and now and then something that is not
// plain.
func TestPlainJSONRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	scalar := func(kind int) string {
		switch kind {
		case 0:
			return fmt.Sprint(rng.IntN(2000) - 1000)
		case 1:
			return fmt.Sprint(float64(rng.IntN(2000)-1000) / 8)
		case 2:
			return fmt.Sprintf("%q", []string{"a", "b c", "Größe", "\"", "x\ny", ""}[rng.IntN(6)])
		case 3:
			return fmt.Sprint(rng.IntN(2) == 0)
		case 4:
			return fmt.Sprintf("%g", rng.NormFloat64()*1e-7)
		case 5:
			return fmt.Sprintf(`"2024-0%d-1%d"`, 1+rng.IntN(9), rng.IntN(9))
		}
		return fmt.Sprintf(`{"p":%d,"q":"s%d"}`, rng.IntN(9), rng.IntN(4))
	}
	for range 300 {
		var b strings.Builder
		lines := rng.IntN(2) == 0
		odd := rng.IntN(4) == 0
		if !lines {
			b.WriteByte('[')
		}
		n := 1 + rng.IntN(40)
		for i := range n {
			if i > 0 {
				b.WriteByte(",\n"[map[bool]int{false: 0, true: 1}[lines]])
			}
			b.WriteByte('{')
			first := true
			for _, k := range rng.Perm(7) {
				if rng.IntN(5) == 0 {
					continue
				}
				if !first {
					b.WriteString(", ")
				}
				first = false
				v := scalar(k)
				switch {
				case rng.IntN(8) == 0:
					v = "null"
				case odd && rng.IntN(60) == 0:
					v = []string{"[1]", `"odd"`, "1e999", "tru"}[rng.IntN(4)]
				}
				fmt.Fprintf(&b, `"f%d":%s`, k, v)
			}
			b.WriteByte('}')
		}
		if !lines {
			b.WriteByte(']')
		}
		readBoth(t, b.String())
	}
}

func FuzzPlainJSON(f *testing.F) {
	for _, s := range []string{`[{"a":1,"b":"x"},{"b":"y","a":2.5}]`, "{\"a\":1}\n{\"a\":null}", `[{"a":{"b":true}},{"a":{"b":false}}]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { readBoth(t, text) })
}

func BenchmarkJSON(b *testing.B) {
	var text strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		fmt.Fprintf(&text, "{\"id\":%d,\"zone\":\"zone %d\",\"fare\":%.2f,\"km\":%g,\"paid\":%v,\"at\":\"2024-01-%02d %02d:00:00\"}\n", i, rng.IntN(100), rng.Float64()*100, rng.Float64(), i%3 == 0, 1+i%28, i%24)
	}
	path := filepath.Join(b.TempDir(), "a.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		size int
	}{{"plain", 1 << 20}, {"general", 0}} {
		b.Run(c.name, func(b *testing.B) {
			before := plainBuffer
			defer func() { plainBuffer = before }()
			plainBuffer = c.size
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := Read(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
