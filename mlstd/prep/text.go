package prep

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// Words returns the words of a text in lower case, in their order. A word is a run of letters and
// digits, and may contain apostrophes ("don't").
//
// Course: CORE-22, CORE-24.
func Words(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	words := strings.FieldsFunc(text, func(r rune) bool {
		if 'a' <= r && r <= 'z' {
			return false
		}
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	kept := words[:0]
	for _, w := range words {
		if w = strings.Trim(w, "'"); w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// StopWords returns the frequent English words that do not depend on the subject of a
// text: articles, pronouns, prepositions, forms of be, have and do.
//
// Course: CORE-24.
func StopWords() []string { return strings.Fields(stopWords) }

const stopWords = `a about above after again against all also am an and any are as at be because been before being
below between both but by can could did do does doing don't down during each few for from further had has have having he
her here hers herself him himself his how i if in into is isn't it it's its itself just me might more most must my myself
no nor not now of off on once only or other our ours ourselves out over own same shall she should so some such than that
the their theirs them themselves then there these they this those through to too under until up us very was wasn't we were
weren't what when where which while who whom why will with won't would you your yours yourself yourselves`

// Vocabulary turns texts into word counts, with one column for each word in the training texts.
//
// Course: CORE-24.
type Vocabulary struct {
	// StopWords lists the words to leave out; nil leaves none out. The function [StopWords] returns
	// English stop words.
	StopWords []string
	// MinTexts is the minimum number of training texts that must contain a word; 0 means 1. A
	// larger value leaves rare words out.
	MinTexts int
	// Stem makes the vocabulary count words with the same [PorterStem] as one word.
	Stem bool

	// Words are the words of the columns, in alphabetical order.
	Words []string
	// Texts holds the number of training texts that contain each word.
	Texts []int

	column map[string]int
}

// Learn collects the words of the training texts. It returns an error if no word is left.
func (v *Vocabulary) Learn(texts []string) error {
	v.Words, v.Texts, v.column = nil, nil, nil
	const op = "Vocabulary.Learn"
	if len(texts) == 0 {
		return model.Errorf(op, "texts must not be empty")
	}
	in := v.textsWith(texts)
	words := slices.Sorted(maps.Keys(in))
	words = slices.DeleteFunc(words, func(w string) bool { return in[w] < v.MinTexts })
	if len(words) == 0 {
		return model.Errorf(op, "at least one word of the %d texts must remain, but none does", len(texts)).
			WithHint("set a lower MinTexts, or exclude fewer words")
	}
	v.Words, v.column = words, make(map[string]int, len(words))
	for j, w := range words {
		v.column[w] = j
		v.Texts = append(v.Texts, in[w])
	}
	return nil
}

// textGrain is the number of texts that one goroutine reads at a time.
const textGrain = 256

// textsWith counts, for each word, the texts that contain it.
func (v *Vocabulary) textsWith(texts []string) map[string]int {
	type tally struct{ texts, last int }
	parts := make([]map[string]*tally, (len(texts)+textGrain-1)/textGrain)
	par.Range(len(texts), textGrain, func(lo, hi int) {
		part := map[string]*tally{}
		for i := lo; i < hi; i++ {
			for _, w := range v.terms(texts[i]) {
				t := part[w]
				if t == nil {
					t = &tally{last: -1}
					part[strings.Clone(w)] = t // a substring would keep the whole text in memory
				}
				if t.last != i {
					t.texts, t.last = t.texts+1, i
				}
			}
		}
		parts[lo/textGrain] = part
	})
	in := map[string]int{}
	for _, part := range parts {
		for w, t := range part {
			in[w] += t.texts
		}
	}
	return in
}

// terms returns the words of a text, stemmed and without stop words as set.
func (v *Vocabulary) terms(text string) []string {
	words := slices.DeleteFunc(Words(text), func(w string) bool { return slices.Contains(v.StopWords, w) })
	if v.Stem {
		for i, w := range words {
			words[i] = PorterStem(w)
		}
	}
	return words
}

// Count returns one row for each text, with the number of times that each word of the vocabulary
// occurs in it. Words that are not in the training texts are ignored.
func (v *Vocabulary) Count(texts []string) *sparse.CSR {
	if v.column == nil {
		panic(model.NotFitted("Vocabulary.Count").WithHint("call Learn first"))
	}
	columns, values := make([][]int, len(texts)), make([][]float64, len(texts))
	par.Range(len(texts), textGrain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			columns[i], values[i] = v.counts(texts[i])
		}
	})
	m := sparse.NewCSR(len(v.Words))
	for i := range texts {
		m.AppendRow(columns[i], values[i])
	}
	return m
}

// counts returns the columns of the words of a text, ascending, and how often each
// is in it.
func (v *Vocabulary) counts(text string) (columns []int, values []float64) {
	words := v.terms(text)
	all := make([]int, 0, len(words))
	for _, w := range words {
		if j, ok := v.column[w]; ok {
			all = append(all, j)
		}
	}
	slices.Sort(all)
	columns = all[:0]
	for _, j := range all {
		if k := len(columns); k > 0 && columns[k-1] == j {
			values[k-1]++
			continue
		}
		columns, values = append(columns, j), append(values, 1)
	}
	return columns, values
}

// FeatureIndex numbers features by name in the order in which they appear. It is for the infinite
// attribute domain, in which a learner does not know the features beforehand.
//
// Course: CORE-21, CORE-22.
type FeatureIndex struct {
	// Names are the names of the columns.
	Names []string
	// Frozen makes the index ignore features that have no number yet; set it for test data.
	Frozen bool

	column map[string]int
}

// Columns returns the columns of the named features, and numbers features that are new.
func (f *FeatureIndex) Columns(features []string) []int {
	if f.column == nil {
		f.column = make(map[string]int)
		for j, name := range f.Names {
			f.column[name] = j
		}
	}
	columns := make([]int, 0, len(features))
	for _, name := range features {
		j, ok := f.column[name]
		if !ok {
			if f.Frozen {
				continue
			}
			j = len(f.Names)
			f.column[name] = j
			f.Names = append(f.Names, name)
		}
		columns = append(columns, j)
	}
	return columns
}

// Examples returns one sparse row for each list of active features, with 1 at
// their columns; a feature that is listed twice is active once.
func (f *FeatureIndex) Examples(features [][]string) *sparse.CSR {
	m := sparse.NewCSR(len(f.Names))
	for _, names := range features {
		columns := f.Columns(names)
		slices.Sort(columns)
		columns = slices.Compact(columns)
		ones := make([]float64, len(columns))
		for k := range ones {
			ones[k] = 1
		}
		m.AppendRow(columns, ones)
	}
	return m
}

// ContextFeatures returns the active features of one word of a sentence: the word at index target.
// Use them to decide which of two words is meant, such as "whether" or "weather". The features
// describe the words around this word, their order and their form:
//
//	near:w      w is at most window words away
//	w@±k        w is k words after (+) or before (−), k ≤ 2
//	a_ _b a_b   the collocations: a before, b after, both ("_to" for "whether to")
//	suffix:xyz  the last three letters of a neighbor
//
// The word itself is not a feature, since it is the target of the prediction.
//
// Course: CORE-22.
func ContextFeatures(words []string, target, window int) []string {
	if target < 0 || target >= len(words) {
		panic(model.Errorf("ContextFeatures", "target must be the index of a word, from 0 to %d, got %d", len(words)-1, target))
	}
	if window < 1 {
		panic(model.Errorf("ContextFeatures", "window must be at least 1, got %d", window))
	}
	at := func(k int) string {
		if i := target + k; i >= 0 && i < len(words) {
			return words[i]
		}
		return ""
	}
	var features []string
	add := func(name string) {
		if !slices.Contains(features, name) {
			features = append(features, name)
		}
	}
	for k := -window; k <= window; k++ {
		if w := at(k); k != 0 && w != "" {
			add("near:" + w)
		}
	}
	for _, k := range []int{-2, -1, 1, 2} {
		if w := at(k); w != "" {
			sign := "+"
			if k < 0 {
				sign = "−"
			}
			add(w + "@" + sign + strconv.Itoa(max(k, -k)))
		}
	}
	before, after := at(-1), at(1)
	if before != "" {
		add(before + "_")
	}
	if after != "" {
		add("_" + after)
	}
	if before != "" && after != "" {
		add(before + "_" + after)
	}
	for _, w := range []string{before, after} {
		if r := []rune(w); len(r) > 3 {
			add("suffix:" + string(r[len(r)-3:]))
		}
	}
	return features
}
