package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gokernel/gokernel/mlstd/csv"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/model"
)

func of(text string) Source {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

// cell returns a value as text, or "?" if it is missing.
func cell(c *infer.Column, i int) string {
	if c.IsGap(i) {
		return "?"
	}
	switch c.Kind {
	case infer.Float:
		return strconv.FormatFloat(c.Floats[i], 'g', -1, 64)
	case infer.Int, infer.Time:
		return strconv.FormatInt(c.Ints[i], 10)
	case infer.Bool:
		return strconv.FormatBool(c.Bools[i])
	}
	return c.Words[c.Codes[i]]
}

// dump returns a table as text: a line for each column, with its kind.
func dump(t *Table) string {
	var b strings.Builder
	for _, c := range t.Columns {
		fmt.Fprintf(&b, "%s %v:", c.Name, c.Kind)
		for i := range t.Rows {
			b.WriteString(" " + cell(c, i))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want, note string
	}{
		{"plain", "a,b\n1,x\n2,y\n", Options{}, "a whole numbers: 1 2\nb texts: x y\n", ""},
		{"no last newline, carriage returns", "a,b\r\n1,x\r\n2,\"y\"", Options{}, "a whole numbers: 1 2\nb texts: x y\n", ""},
		{"old lines", "a,b\r1,x\r2,y\r", Options{}, "a whole numbers: 1 2\nb texts: x y\n", ""},
		{"quotes", "a,b\n\"1,5\",\"say \"\"hi\"\"\nthere\"\n2, \"y\" \n", Options{}, "a numbers: 1.5 2\nb texts: say \"hi\"\nthere y\n", "decimal comma"},
		{"German", "Tag;Umsatz\n31.01.2024;1.234,50\n01.02.2024;17,00\n", Options{}, "Tag times: 1706659200000000000 1706745600000000000\nUmsatz numbers: 1234.5 17\n", "decimal comma"},
		{"tabs", "a\tb\n1\t2\n", Options{}, "a whole numbers: 1\nb whole numbers: 2\n", "separated by tabs"},
		{"comment above", "# made by hand\n# in May\na,b\n1,2\n", Options{}, "a whole numbers: 1\nb whole numbers: 2\n", "2 lines above the header begin with #"},
		{"names behind #", "#a,b\n1,2\n", Options{}, "#a whole numbers: 1\nb whole numbers: 2\n", ""},
		{"comments", "a,b\n1,2\n% no\n3,4\n", Options{Dialect: csv.Dialect{Comment: "%"}}, "a whole numbers: 1 3\nb whole numbers: 2 4\n", ""},
		{"skip", "report\n\na,b\n1,2\n", Options{Dialect: csv.Dialect{Skip: 1}}, "a whole numbers: 1\nb whole numbers: 2\n", ""},
		{"no names", "1,x\n2,y\n", Options{Dialect: csv.Dialect{NoHeader: true}}, "x1 whole numbers: 1 2\nx2 texts: x y\n", ""},
		{"short line", "a,b\n1\n2,3\n", Options{}, "a whole numbers: 1 2\nb whole numbers: ? 3\n", "1 line has fewer fields than there are columns, the first in line 2 (1 of 2)"},
		{"trailing separators", "a,b\n1,2,\n3,4,\n", Options{}, "a whole numbers: 1 3\nb whole numbers: 2 4\n", ""},
		{"ragged", "a,b\n1,2,x\n3,4\n", Options{Dialect: csv.Dialect{Ragged: true}}, "a whole numbers: 1 3\nb whole numbers: 2 4\ncolumn 3 texts: x ?\n", ""},
		{"missing", "a,b\n1,NA\nNA,x\n", Options{}, "a whole numbers: 1 ?\nb texts: ? x\n", `"NA" stands for a missing value 2 times, in "a", "b"`},
		{"own missing", "a,b\n1,NA\n-999,x\n", Options{Dialect: csv.Dialect{Missing: []string{"-999"}}}, "a whole numbers: 1 ?\nb texts: NA x\n", `"-999"`},
		{"names", "a,,a\n1,2,3\n", Options{}, "a whole numbers: 1\ncolumn 2 whole numbers: 2\na 2 whole numbers: 3\n", "repeated names became"},
		{"numbers as names", "1,2\n3,4\n", Options{}, "1 whole numbers: 3\n2 whole numbers: 4\n", "NoHeader"},
		{"large", "id,n\n9007199254740993,1\n9223372036854775807,2\n", Options{}, "id whole numbers: 9007199254740993 9223372036854775807\nn whole numbers: 1 2\n", ""},
		{"too large", "id,n\n92233720368547758070,1\n", Options{}, "id texts: 92233720368547758070\nn whole numbers: 1\n", "keeps all digits"},
		{"codes", "plz,n\n01067,1\n10115,2\n", Options{}, "plz texts: 01067 10115\nn whole numbers: 1 2\n", "leading zeros"},
		{"asked for", "plz,n\n01067,1\nx,2\n", Options{Kinds: map[string]infer.Kind{"plz": infer.Int}}, "plz whole numbers: 1067 ?\nn whole numbers: 1 2\n", `column "plz" has "x" in row 2, not one of its whole numbers: read as missing`},
		{"some columns", "a,b\n1,2\n", Options{Columns: []string{"b"}}, "b whole numbers: 2\n", ""},
		{"one column", "a\n1\n\n3\n", Options{}, "a whole numbers: 1 ? 3\n", ""},
		{"blank lines", "a,b\n1,2\n\n3,4\n\n", Options{}, "a whole numbers: 1 3\nb whole numbers: 2 4\n", ""},
		{"truth", "a,b\ntrue,1\nFALSE,2\n", Options{}, "a booleans: true false\nb whole numbers: 1 2\n", ""},
		{"mark", "\ufeffa,b\n1,2\n", Options{}, "a whole numbers: 1\nb whole numbers: 2\n", ""},
		{"Latin-1", "a,b\nK\xf6ln,1\n", Options{}, "a texts: Köln\nb whole numbers: 1\n", "Windows-1252"},
		{"no quotes", "a,b\n5\" pipe,\"1\n", Options{Dialect: csv.Dialect{NoQuotes: true}}, "a texts: 5\" pipe\nb texts: \"1\n", ""},
		{"slip", "a,b\n" + strings.Repeat("1,2\n", 20) + "n.a.,3\n", Options{}, "a texts:" + strings.Repeat(" 1", 20) + " n.a.\nb whole numbers:" + strings.Repeat(" 2", 20) + " 3\n", `column "a" has "n.a." in row 21 among 20 whole numbers: read as text`},
	} {
		got, err := Read(of(c.text), &c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		notes := strings.Join(append(got.Notes, got.Words...), "\n")
		if dump(got) != c.want || !strings.Contains(notes, c.note) {
			t.Errorf("%s:\n%swant\n%snotes %s", c.name, dump(got), c.want, notes)
		}
	}
}

func TestUTF16(t *testing.T) {
	units := utf16.Encode([]rune("\ufeffa,b\nKöln,1\n😀,2\n"))
	var little, big []byte
	for _, u := range units {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	for name, text := range map[string][]byte{"little": little, "big": big, "no mark": little[2:]} {
		got, err := Read(of(string(text)), &Options{})
		if err != nil || dump(got) != "a texts: Köln 😀\nb whole numbers: 1 2\n" {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

// TestWide reads a header that is longer than a sample.
func TestWide(t *testing.T) {
	const columns = 300_000
	var names, numbers strings.Builder
	for i := range columns {
		if i > 0 {
			names.WriteByte(',')
			numbers.WriteByte(',')
		}
		fmt.Fprintf(&names, "c%d", i)
		fmt.Fprint(&numbers, i)
	}
	text := names.String() + "\n" + numbers.String() + "\n" + numbers.String() + "\n"
	got, err := Read(of(text), &Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := columns - 1
	if len(got.Columns) != columns || got.Rows != 2 || len(got.Notes) > 0 || got.Columns[last].Name != fmt.Sprint("c", last) || cell(got.Columns[last], 1) != fmt.Sprint(last) {
		t.Errorf("%d columns, %d rows, notes %.200q; the last is %s", len(got.Columns), got.Rows, got.Notes, got.Columns[len(got.Columns)-1].Name)
	}
	// If a line has too many fields, the error states this as the reason.
	if _, err := Read(of(names.String()+"\n"+numbers.String()+",1,1\n"), &Options{}); err == nil || !strings.Contains(err.Error(), "line 2 must have at most 300000 fields") {
		t.Errorf("a line with two fields more: %v", err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text, want string
		o          Options
	}{
		{"", "the text must not be empty", Options{}},
		{"a,b\n", "none", Options{}},
		{"a,b\n1,2\n1,2,3\n", "3", Options{}},
		{"a,b\n1,2\n1,\"2\n3,4\n", "the quotation mark in line 3 is not closed", Options{}},
		{strings.Repeat("a,", 5000) + "b\n" + strings.Repeat("1\n", 5000), "far fewer fields than the 5001 columns", Options{}},
		{"a,b\n1,2\n", `no column "c"`, Options{Columns: []string{"c"}}},
		{"a,b\n1,2\n3\n", "1", Options{Strict: true}},
		{"a,a\n1,2\n", `"a" twice`, Options{Strict: true}},
		{"a,b\n1,2\n", "Separator must be one ASCII character", Options{Dialect: csv.Dialect{Separator: "ab"}}},
		{"a,b\n1,2\n", `"klingon"`, Options{Dialect: csv.Dialect{Encoding: "klingon"}}},
		{"a,b\nK\xf6ln,2\n", "the text must be UTF-8, as Encoding says", Options{Dialect: csv.Dialect{Encoding: "utf-8"}}},
	} {
		_, err := Read(of(c.text), &c.o)
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(e.What, c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// The sample ends before the values that determine the kinds of the columns.
func TestLateSurprise(t *testing.T) {
	var b strings.Builder
	b.WriteString("float,text,date,code\n")
	rows := 0
	for ; b.Len() < sampleSize+1000; rows++ {
		b.WriteString("1,2,03/04/2024,10\n")
	}
	b.WriteString("1.5,x,31/12/2024,007\n")
	rows++
	got, err := Read(of(b.String()), &Options{Size: int64(b.Len()), block: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	kinds := ""
	for _, c := range got.Columns {
		kinds += fmt.Sprint(c.Kind, " ", cell(c, 0), " ", cell(c, rows-1), "; ")
	}
	want := "numbers 1 1.5; texts 2 x; times 1712102400000000000 1735603200000000000; texts 10 007; "
	if kinds != want || got.Rows != rows {
		t.Errorf("%d rows of %d: %s\n%q", got.Rows, rows, kinds, got.Notes)
	}
}

// For random tables and any block length, the result equals that of encoding/csv.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"", "a", "b c", "x,y", "\"", "l\nm", "7", "1.5", "Köln", "NA", "#", "end\""}
	for range 60 {
		width, rows := 1+rng.IntN(4), 1+rng.IntN(60)
		var b bytes.Buffer
		out := stdcsv.NewWriter(&b)
		want := make([]string, width)
		record := make([]string, width)
		for j := range record {
			record[j] = "c" + strconv.Itoa(j)
		}
		out.Write(record)
		for range rows {
			for j := range record {
				record[j] = words[rng.IntN(len(words))]
				shown := record[j]
				if shown == "" {
					shown = "?"
				}
				want[j] += " " + shown
			}
			out.Write(record)
		}
		out.Flush()
		kinds := map[string]infer.Kind{}
		for j := range width {
			kinds["c"+strconv.Itoa(j)] = infer.Text
		}
		for _, size := range []int{1, 7, 64, 1 << 20} {
			got, err := Read(of(b.String()), &Options{Dialect: csv.Dialect{Separator: ",", Missing: []string{""}}, Kinds: kinds, block: size, Size: int64(b.Len())})
			if err != nil {
				t.Fatalf("%v\n%q", err, b.String())
			}
			for j, c := range got.Columns {
				if line := dump(&Table{Columns: []*infer.Column{c}, Rows: got.Rows}); line != c.Name+" texts:"+want[j]+"\n" {
					t.Fatalf("block of %d: %q, want %q", size, line, want[j])
				}
			}
		}
	}
}

func TestDictionary(t *testing.T) {
	d := NewDictionary()
	rng := rand.New(rand.NewPCG(3, 4))
	index := map[string]int32{}
	for range 50000 {
		s := strings.Repeat("ab\x00", rng.IntN(8)) + strconv.Itoa(rng.IntN(3000))
		s = s[rng.IntN(len(s)):]
		k, seen := index[s]
		if !seen {
			k = int32(len(index))
			index[s] = k
		}
		if got := d.Number([]byte(s)); got != k || d.words[k] != s {
			t.Fatalf("%q is %d, want %d", s, got, k)
		}
	}
}

// This package reads everything that encoding/csv reads, with the same fields.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a;b\n1,5;2\n", "\"a\"\"\",b\n\"x\ny\",2\r\n", "a\n\n1", "\xff\xfea\x00", "a,b\n1,\"2", "a|b\n1|2\n1|2|3", "#x\na\tb\n1\t2024-01-01T00:00:00+01:00\n", "a,a\n,\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, err := Read(of(text), &Options{})
		parts, err2 := Read(of(text), &Options{block: 3, Size: int64(len(text))})
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%v in one block, %v in many", err, err2)
		}
		if err != nil {
			var e *model.Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if dump(whole) != dump(parts) {
			t.Fatalf("one block\n%smany\n%s", dump(whole), dump(parts))
		}
		std := stdcsv.NewReader(strings.NewReader(text))
		records, err := std.ReadAll()
		if err != nil || len(records) < 2 || strings.ContainsAny(text, "\r#;\t|") || strings.HasPrefix(text, "\ufeff") || guessEncoding([]byte(text)) != utf8Text || len(records[0]) < 2 {
			return
		}
		if whole.Rows != len(records)-1 {
			t.Fatalf("%d rows, encoding/csv has %d", whole.Rows, len(records)-1)
		}
	})
}
