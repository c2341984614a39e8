package formula

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

func small() *frame.Frame {
	return frame.FromRows(map[string]any{
		"y": []float64{1, 2, 3, 5, 8, 13, 21, 34}, "x": []float64{1, 2, 3, 4, 5, 6, 7, 9}, "w": []float64{2, 1, 2, 1, 3, 1, 2, 5},
		"g": []string{"a", "b", "c", "a", "b", "c", "a", "b"}, "h": []string{"u", "u", "v", "v", "u", "u", "u", "v"},
		"k": []int{1, 10, 2, 1, 10, 2, 1, 10}, "ok": []bool{true, false, true, false, false, true, true, false}, "two words": []float64{1, 4, 9, 16, 25, 36, 49, 64},
	})
}

// The names equal those that patsy 1.0.1 returns for the same formulas, in R's order: by degree.
func TestColumns(t *testing.T) {
	for text, want := range map[string]string{
		"y ~ x":                      "Intercept x",
		"y ~ 1":                      "Intercept",
		"y ~ x + g":                  "Intercept x g[T.b] g[T.c]",
		"y ~ 0 + g":                  "g[a] g[b] g[c]",
		"y ~ g + h - 1":              "g[a] g[b] g[c] h[T.v]",
		"y ~ x*w":                    "Intercept x w x:w",
		"y ~ C(g)*h":                 "Intercept C(g)[T.b] C(g)[T.c] h[T.v] C(g)[T.b]:h[T.v] C(g)[T.c]:h[T.v]",
		"y ~ g:h":                    "Intercept h[T.v] g[T.b]:h[u] g[T.c]:h[u] g[T.b]:h[v] g[T.c]:h[v]",
		"y ~ x + x:g":                "Intercept x x:g[T.b] x:g[T.c]",
		"y ~ x:g":                    "Intercept x:g[a] x:g[b] x:g[c]",
		"y ~ C(g, ref=\"c\")":        "Intercept C(g)[T.a] C(g)[T.b]",
		"y ~ C(g, Sum)":              "Intercept C(g)[S.a] C(g)[S.b]",
		"y ~ C(k)":                   "Intercept C(k)[T.2] C(k)[T.10]",
		"y ~ ok":                     "Intercept ok[T.true]",
		"y ~ (x + w + k)^2 - x:k":    "Intercept x w k x:w w:k",
		"y ~ (x + w)**2":             "Intercept x w x:w",
		"y ~ g/x":                    "Intercept g[T.b] g[T.c] g[a]:x g[b]:x g[c]:x",
		"y ~ log(x) + I(x^2 / 2)":    "Intercept log(x) I(x^2 / 2)",
		"log(y) ~ `two words` + x":   "Intercept `two words` x",
		"y ~ x + w + offset(log(k))": "Intercept x w",
		"y ~ x + w - w":              "Intercept x",
		"~ x":                        "Intercept x",
	} {
		s, err := Parse("Test", text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		left := Numeric
		if s.Response == nil {
			left = None
		}
		d, data, err := s.New(small(), left)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := strings.Join(d.Names, " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
		// The columns are independent, unless there are more of them than rows.
		var svd mat.SVD
		if n, p := data.X.Dims(); p <= n && svd.Factorize(data.X, mat.SVDNone) {
			if v := svd.Values(nil); v[p-1] < 1e-9*v[0] {
				t.Errorf("%s: the columns are dependent: %v", text, v)
			}
		}
		again, _, err := d.Apply("Test", small())
		if err != nil || !mat.Equal(again, data.X) {
			t.Errorf("%s: the same frame makes other columns: %v", text, err)
		}
	}
}

func TestStatefulTransformsRemember(t *testing.T) {
	s, err := Parse("Test", "y ~ center(x) + scale(log(w))")
	if err != nil {
		t.Fatal(err)
	}
	f := small()
	d, data, err := s.New(f, Numeric)
	if err != nil {
		t.Fatal(err)
	}
	half, _, err := d.Apply("Test", f.Tail(3))
	if err != nil {
		t.Fatal(err)
	}
	if want := data.X.Slice(5, 8, 0, 3); !mat.EqualApprox(half, want, 1e-15) {
		t.Errorf("got %v, want %v", mat.Formatted(half), mat.Formatted(want))
	}
	sum, ss := 0.0, 0.0
	for i := range 8 {
		sum += data.X.At(i, 1)
		ss += data.X.At(i, 2) * data.X.At(i, 2)
	}
	if math.Abs(sum) > 1e-12 || math.Abs(ss-7) > 1e-12 {
		t.Errorf("sum %v, sum of squares %v", sum, ss)
	}
}

func TestMissingRowsAreLeftOut(t *testing.T) {
	f := small()
	f, err := f.With("x", []float64{1, math.NaN(), 3, 4, 5, 6, 7, 9}).With("g", f.Col("g").MarkMissing([]uint64{1 << 4})), error(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := Parse("Test", "y ~ x + g")
	d, data, err := s.New(f, Numeric, []bool{false, false, false, false, false, false, false, true})
	if err != nil {
		t.Fatal(err)
	}
	// b occurs only in rows 1, 4 and 7, which all lack a value.
	if n, _ := data.X.Dims(); n != 5 || data.Dropped != 3 || strings.Join(d.Names, " ") != "Intercept x g[T.c]" {
		t.Errorf("%d rows, %d dropped, columns %v", n, data.Dropped, d.Names)
	}
	if _, _, err := d.Apply("Test", f); err == nil || !strings.Contains(err.Error(), `level "b" of column "g" in row 1`) {
		t.Errorf("got %v", err)
	}
	x, _, err := d.Apply("Test", f.Where([]bool{true, false, true, false, true, false, false, false}))
	if err != nil || !math.IsNaN(x.At(2, 2)) || x.At(1, 2) != 1 {
		t.Errorf("got %v, %v", mat.Formatted(x), err)
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"y ~ x +":                         "it must end with a term",
		"y x":                             `"~" must follow the left side`,
		"y":                               `"~" must separate the response`,
		"y ~ (x":                          `")" is missing`,
		"y ~ x^2":                         "write I(x^2)",
		"y ~ x*x":                         "write I(x*x)",
		"y ~ 3":                           "3 is not a term",
		"y ~ x:1":                         "1 must not be inside a product",
		"y ~ nope":                        `no column "nope"; its columns are g, h, k, ok, two words, w, x, y`,
		"y ~ log(g)":                      `column "g" must be numeric, got kind string`,
		"y ~ sinus(x)":                    "there is no function sinus",
		"y ~ x - w":                       "there is no term w to remove",
		"y ~ C(g, ref=\"zz\")":            `has no level "zz"; its levels are a, b, c`,
		"y ~ C(g, zz)":                    "zz is not an argument of C",
		"g ~ x":                           `column "g" must be numeric, got kind string`,
		"y ~ x $ w":                       `'$' has no meaning`,
		"y ~ log(x - 1)":                  "log(x - 1) must be finite, got -Inf in row 0",
		"y ~ 'x":                          "is not closed",
		"y ~ x < w":                       "write I(x < w)",
		"y ~ 0":                           "must have a term or an intercept",
		"y ~ " + strings.Repeat("(", 300): "nested at most",
		"y ~ a:(x|g)":                     "must be a summand",
	} {
		s, err := Parse("Test", text)
		if err == nil {
			_, _, err = s.New(small(), Numeric)
		}
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: got %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"y ~ x*C(g, ref=\"a\") + (1|h) - 1", "log(y) ~ (a + b)^2/c", "~ .", "y ~ `a b` + I(x > 3.5e-2)"} {
		f.Add(s)
	}
	fr := small()
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("Test", text)
		if err != nil {
			return
		}
		if d, data, err := s.New(fr, None); err == nil {
			if _, p := data.X.Dims(); p != len(d.Names) {
				t.Errorf("%d columns, %d names", p, len(d.Names))
			}
		}
	})
}
