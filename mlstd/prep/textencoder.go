package prep

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// TextTable returns a table with one column of texts for [TextEncoder]: a nominal column whose
// levels are the texts.
//
// Course: CORE-24.
func TextTable(name string, texts []string) *model.Table {
	if len(texts) == 0 {
		panic(model.Errorf("TextTable", "texts must not be empty"))
	}
	at := map[string]int{}
	column := model.Column{Name: name, Kind: model.Nominal}
	d := mat.NewDense(len(texts), 1, nil)
	for i, text := range texts {
		l, ok := at[text]
		if !ok {
			l = len(column.Levels)
			at[text], column.Levels = l, append(column.Levels, text)
		}
		d.Set(i, 0, float64(l))
	}
	return &model.Table{Dense: d, Columns: []model.Column{column}}
}

// TextEncoder replaces a column of texts with one column for each term of the texts. TF-IDF weights
// make rarer terms count more.
//
//	z_t = count(t, text)·(ln((1 + n)/(1 + n_t)) + 1),   divided by the length of the row
//
// where n_t of the n training texts contain the term t. Terms are the words that [Words] returns
// and, with Grams above 1, sequences of up to Grams words, such as "not good". With Hash, the
// encoder adds a term to column |h| mod Hash with the sign of h, where h is the MurmurHash3 of the
// term. It then needs no vocabulary, but several terms may share a column.
//
// The texts are the levels of nominal columns of a [model.Table], as CSV and [TextTable] return it;
// columns of numbers remain unchanged. If only some nominal columns are texts, name the text
// columns in [Columns]. A missing text has no words. The result is a dense matrix; set Limit,
// MinTexts or Hash to limit its width. For texts outside tables, and for sparse counts, use
// [Vocabulary].
//
// Cost: O(characters), and O(n·terms) for the result.
//
// References: [SaltonBuckley1988], [WeinbergerEtAl2009]. Course: CORE-22, CORE-24.
type TextEncoder struct {
	StopWords []string // words left out before terms are formed; see the function [StopWords]
	Stem      bool     // count words with the same [PorterStem] as one
	// Grams is the maximum number of words of a term; 0 means 1. Terms of several words reflect the
	// word order, but need many more columns.
	Grams int
	// MinTexts is the minimum number of training texts that must contain a term; 0 means 1. A
	// larger value leaves rare terms out.
	MinTexts int
	// Limit is the maximum number of terms of a column of texts; the most frequent terms are kept.
	// 0 means all terms.
	Limit int
	// Hash is the number of columns for the terms of a column of texts; several terms may share a
	// column. 0 means one column per term.
	Hash   int
	Counts bool // return plain counts, not weighted and not normalized

	// Columns are the columns of the result, such as "review: good". Set by Fit.
	Columns []model.Column

	texts []*textColumn // nil where a column passes

	model.Fitted // set by Fit: the columns that it was given
}

// textColumn holds the learned terms of a column of texts.
type textColumn struct {
	column  map[string]int // of each term; empty with Hash
	width   int
	weights []float64 // of the columns; nil with Counts
}

// Takes reports that the encoder takes nominal columns and missing values.
func (e *TextEncoder) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Leaves reports that no text columns are left, and that a missing text leaves no missing value. A
// missing value in a numeric column passes to the next step, which may reject it.
func (e *TextEncoder) Leaves() model.Takes { return model.Takes{} }

// Fit learns the terms of the texts of x.
func (e *TextEncoder) Fit(x mat.Matrix) error {
	const op = "TextEncoder.Fit"
	model.NoteOuter(&e.Fitted, x)
	e.Columns, e.texts = nil, nil
	d, err := e.Takes().CheckX(op, x)
	if err != nil {
		return err
	}
	if err := limits.Check(op,
		limits.NotNegative("Grams", e.Grams),
		limits.NotNegative("MinTexts", e.MinTexts),
		limits.NotNegative("Limit", e.Limit),
		limits.NotNegative("Hash", e.Hash)); err != nil {
		return err
	}
	if e.Hash > 0 && (e.Limit > 0 || e.MinTexts > 1) {
		return model.Errorf(op, "Limit and MinTexts must be 0 if Hash is set").WithHint("set Hash, or Limit and MinTexts")
	}
	var columns []model.Column
	texts := make([]*textColumn, len(model.ColumnsOf(x)))
	found := false
	for j, c := range model.ColumnsOf(x) {
		if c.Kind != model.Nominal {
			columns = append(columns, c)
			continue
		}
		found = true
		all, err := textsOf(op, d, j, c)
		if err != nil {
			return err
		}
		names, t, err := e.learn(op, all, c.Name)
		if err != nil {
			return err
		}
		texts[j] = t
		for _, name := range names {
			columns = append(columns, model.Column{Name: c.Name + ": " + name})
		}
	}
	if !found {
		return model.Errorf(op, "x must have a column of texts").
			WithHint("create one from strings with TextTable: texts are the levels of a nominal column")
	}
	e.Columns, e.texts = columns, texts
	return nil
}

// textsOf returns the texts of column j, with "" for a missing text.
func textsOf(op string, d *mat.Dense, j int, c model.Column) ([]string, error) {
	n, _ := d.Dims()
	out := make([]string, n)
	for i := range out {
		v := d.At(i, j)
		if math.IsNaN(v) {
			continue
		}
		l := int(v)
		if float64(l) != v || l < 0 || l >= len(c.Levels) {
			return nil, model.Errorf(op, "x[%d][%d] must be the index of one of the %d texts of column %q, got %v", i, j, len(c.Levels), c.Name, v)
		}
		out[i] = c.Levels[l]
	}
	return out, nil
}

// learn finds the terms of texts, their columns in alphabetical order, and the weights.
func (e *TextEncoder) learn(op string, texts []string, name string) (names []string, t *textColumn, err error) {
	t = &textColumn{width: e.Hash}
	if e.Hash > 0 {
		for k := range e.Hash {
			names = append(names, strconv.Itoa(k+1))
		}
	} else {
		if names = e.terms(texts); len(names) == 0 {
			return nil, nil, model.Errorf(op, "at least one term of the texts in %q must remain, but none does", name).WithHint("set a lower MinTexts, or exclude fewer words")
		}
		t.width, t.column = len(names), make(map[string]int, len(names))
		for k, term := range names {
			t.column[term] = k
		}
	}
	if e.Counts {
		return names, t, nil
	}
	in, row := make([]float64, t.width), make([]float64, t.width)
	for _, text := range texts {
		clear(row)
		e.count(t, text, row)
		for k, v := range row {
			if v != 0 {
				in[k]++
			}
		}
	}
	t.weights = in
	for k, v := range in {
		t.weights[k] = math.Log((1+float64(len(texts)))/(1+v)) + 1
	}
	return names, t, nil
}

// terms returns the terms that get a column, in alphabetical order.
func (e *TextEncoder) terms(texts []string) []string {
	type tally struct{ texts, last, times int }
	all := map[string]*tally{}
	for i, text := range texts {
		e.eachTerm(text, func(term string) {
			t := all[term]
			if t == nil {
				t = &tally{last: -1}
				all[strings.Clone(term)] = t
			}
			if t.last != i {
				t.texts, t.last = t.texts+1, i
			}
			t.times++
		})
	}
	terms := slices.Sorted(maps.Keys(all))
	terms = slices.DeleteFunc(terms, func(t string) bool { return all[t].texts < e.MinTexts })
	if e.Limit > 0 && len(terms) > e.Limit {
		slices.SortStableFunc(terms, func(a, b string) int { return cmp.Compare(all[b].times, all[a].times) })
		terms = terms[:e.Limit]
		slices.Sort(terms)
	}
	return terms
}

// eachTerm calls f for the terms of a text.
func (e *TextEncoder) eachTerm(text string, f func(term string)) {
	words := (&Vocabulary{StopWords: e.StopWords, Stem: e.Stem}).terms(text)
	for i, w := range words {
		f(w)
		for n := 2; n <= e.Grams && i+n <= len(words); n++ {
			f(strings.Join(words[i:i+n], " "))
		}
	}
}

// count adds the terms of a text to the columns of row.
func (e *TextEncoder) count(t *textColumn, text string, row []float64) {
	e.eachTerm(text, func(term string) {
		if t.column == nil {
			h := int64(int32(murmur3(term)))
			if h < 0 {
				row[-h%int64(t.width)]--
			} else {
				row[h%int64(t.width)]++
			}
		} else if k, ok := t.column[term]; ok {
			row[k]++
		}
	})
}

// murmur3 is the 32-bit form of MurmurHash3 for x86 with the seed 0.
func murmur3(s string) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	mix := func(k uint32) uint32 {
		k *= c1
		return (k<<15 | k>>17) * c2
	}
	h, n := uint32(0), uint32(len(s))
	for ; len(s) >= 4; s = s[4:] {
		h ^= mix(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
		h = (h<<13|h>>19)*5 + 0xe6546b64
	}
	tail := uint32(0)
	for i := range len(s) {
		tail |= uint32(s[i]) << (8 * i)
	}
	if len(s) > 0 {
		h ^= mix(tail)
	}
	h ^= n
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// Transform returns the weights of the terms of each row.
func (e *TextEncoder) Transform(x mat.Matrix) *model.Table {
	const op = "TextEncoder.Transform"
	x = model.MustRead(op, &e.Fitted, x)
	if e.Columns == nil {
		panic(model.NotFitted(op))
	}
	d := e.Takes().MustRows(op, x, len(e.texts))
	about := model.ColumnsOf(x)
	texts := make([][]string, len(e.texts))
	for j, t := range e.texts {
		if (t != nil) != (about[j].Kind == model.Nominal) {
			panic(model.Errorf(op, "column %d, %q, must be of the same kind as in Fit, got %v", j, about[j].Name, about[j].Kind).
				WithHint("pass texts as the levels of a nominal column of a Table"))
		}
		if t != nil {
			var err error
			if texts[j], err = textsOf(op, d, j, about[j]); err != nil {
				panic(err)
			}
		}
	}
	n, _ := d.Dims()
	out := mat.NewDense(n, len(e.Columns), nil)
	par.Range(n, textGrain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := out.RawRowView(i)
			for j, t := range e.texts {
				if t == nil {
					row[0], row = d.At(i, j), row[1:]
					continue
				}
				e.count(t, texts[j][i], row[:t.width])
				t.weigh(row[:t.width])
				row = row[t.width:]
			}
		}
	})
	return model.Named(x, out, e.Columns)
}

// weigh turns counts into weights, normalized to length 1.
func (t *textColumn) weigh(row []float64) {
	if t.weights == nil {
		return
	}
	square := 0.0
	for k, v := range row {
		row[k] = v * t.weights[k]
		square += row[k] * row[k]
	}
	if square > 0 {
		for k := range row {
			row[k] /= math.Sqrt(square)
		}
	}
}
