package dbms

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

var (
	pg = &Dialect{Mark: `"`, Numbered: true, Dollar: true}
	my = &Dialect{Mark: "`", Backslash: true}
	lt = &Dialect{Mark: `"`, Whole: true}
)

func TestSplit(t *testing.T) {
	cases := []struct {
		d     *Dialect
		text  string
		want  []string // each with its parameters
		named bool
	}{
		{pg, "select :a, :b, :a", []string{"select $1, $2, $1|a b"}, true},
		{my, "select :a, :b, :a", []string{"select ?, ?, ?|a b a"}, true},
		{lt, "select :a; select :b, :a", []string{"select :a; select :b, :a|a b"}, true},
		{pg, "select :a", []string{"select :a|"}, false},
		{pg, "select '1'::int, x[1:2], x[lo:hi], ':a', \":a\", $$ :a; $$, $t$ ; $t$; -- :a;\n/* :a /* ; */ :a */ ;;", []string{"select '1'::int, x[1:2], x[lo:hi], ':a', \":a\", $$ :a; $$, $t$ ; $t$|"}, true},
		{pg, `select E'\';', '\', :a; select 'it''s;'`, []string{`select E'\';', '\', $1|a`, ` select 'it''s;'|`}, true},
		{my, "select '\\';', \"\\\";\", `\\`; # ;\nselect 2", []string{"select '\\';', \"\\\";\", `\\`|", " # ;\nselect 2|"}, true},
		{my, "create procedure p() begin select 1; select 2; end", []string{"create procedure p() begin select 1; select 2; end|"}, true},
		{my, "create table t (x int); select 1", []string{"create table t (x int)|", " select 1|"}, true},
		{my, "select @x:=1, a:b", []string{"select @x:=1, a:b|"}, true},
		{pg, "select 'open ; ", []string{"select 'open ; |"}, true},
		{pg, " ; -- nothing", nil, true},
		{pg, ":é", []string{"$1|é"}, true},
	}
	for _, c := range cases {
		var got []string
		for _, s := range Split(c.text, c.d, c.named) {
			got = append(got, s.Text+"|"+strings.Join(s.Names, " "))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPositions(t *testing.T) {
	text := "select 1; select :first, :x + boom, :first"
	s := Split(text, pg, true)[1]
	for _, word := range []string{"select", "boom", ", "} {
		if got, want := s.At(strings.LastIndex(s.Text, word)), strings.LastIndex(text, word); got != want {
			t.Errorf("%s: got %d, want %d", word, got, want)
		}
	}
}

// FuzzSplit checks that a text without parameters is divided, and not changed.
func FuzzSplit(f *testing.F) {
	f.Add("select $a$ ; $a$; E'\\' /* ; */ -- x\n# [")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []*Dialect{pg, my, lt} {
			for _, s := range Split(text, d, false) {
				if at := s.At(0); !strings.HasPrefix(text[at:], s.Text) || len(s.Names) > 0 {
					t.Errorf("%q is not in %q", s.Text, text)
				}
			}
			for _, s := range Split(text, d, true) {
				if n := len(s.Names); n > len(text) || s.At(len(s.Text)) > len(text) {
					t.Errorf("positions in %q", text)
				}
			}
		}
	})
}

func TestDecimals(t *testing.T) {
	cases := []struct {
		in   []string
		want []any
		note bool
	}{
		{[]string{"1", "-9223372036854775808", "9223372036854775807"}, []any{int64(1), int64(math.MinInt64), int64(math.MaxInt64)}, false},
		{[]string{"0.10", "-12.50", "123456789012345", "0.000000000000000000000001"}, []any{0.1, -12.5, 123456789012345.0, 1e-24}, false},
		{[]string{"NaN", "7"}, []any{nil, int64(7)}, false},
		{[]string{"Infinity", "-Infinity"}, []any{math.Inf(1), math.Inf(-1)}, false},
		{[]string{"0.1234567890123456789"}, []any{0.12345678901234568}, true},
		{[]string{"9007199254740993", "0.5"}, []any{9007199254740992.0, 0.5}, true},
		{[]string{"1000000000000000000000000000000"}, []any{1e30}, false},
		{[]string{"9.007199254740991", "1.7976931348623157"}, []any{9.007199254740991, 1.7976931348623157}, false},
	}
	for _, c := range cases {
		b := NewBuilder("x", Decimals, nil)
		for _, s := range c.in {
			if err := b.Decimal([]byte(s)); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Frame([]*Builder{b})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if got := f.Columns()[0].At(i); got != want {
				t.Errorf("%s: got %#v, want %#v", c.in[i], got, want)
			}
		}
		if (len(f.Notes()) > 0) != c.note {
			t.Errorf("%v: notes %q", c.in, f.Notes())
		}
	}
	if err := NewBuilder("x", Decimals, nil).Decimal([]byte("1,5")); err == nil {
		t.Error("1,5 is a number")
	}
}

// TestTexts goes through the change from a dictionary to strings.
func TestTexts(t *testing.T) {
	b := NewBuilder("x", Texts, nil)
	var want []any
	for i := range 20000 {
		switch {
		case i%7 == 0:
			b.Null()
			want = append(want, nil)
		case i < 3000 || i%3 == 0:
			b.Text([]byte("same"))
			want = append(want, "same")
		default:
			s := strings.Repeat("é", i%50) + strings.Repeat("x", i%2000) + string(rune(i))
			b.Text([]byte(s))
			want = append(want, s)
		}
	}
	f, err := Frame([]*Builder{b})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := 0, f.Columns()[0]; i < len(want); i++ {
		if c.At(i) != want[i] {
			t.Fatalf("row %d: got %q, want %q", i, c.At(i), want[i])
		}
	}
}

func TestWritten(t *testing.T) {
	for name, want := range map[string]string{"fruit": "fruit", "sales.fruit": "sales.fruit", "Fruit": `"Fruit"`, "order": `"order"`, "s.order": `"s"."order"`, "a b": `"a b"`, "2x": `"2x"`, `a"b`: `"a""b"`} {
		if got := pg.Written(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got := my.WrittenName("Fruit"); got != "Fruit" {
		t.Errorf("got %s", got)
	}
	if got := my.WrittenName("a.b"); got != "`a.b`" {
		t.Errorf("got %s", got)
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]string{"x'00fF'": "\x00\xff", "x''": "", "x'0'": "x'0'", "x'0g'": "x'0g'", "hi": "hi", "": ""} {
		if got := string(Bytes(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
