package reduce

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// OutputCode assigns each class a code word of bits, learns one binary classifier
// for each bit, and predicts the class whose word is nearest to the predicted bits.
//
//	ŷ = argminₖ Hamming(code[k], (f₁(x), …, f_L(x)))
//
// If all pairs of words differ in at least d bits, decoding corrects up to ⌊(d−1)/2⌋ wrong bits.
// Therefore the rows of the code should be far apart. The columns should also be far from each
// other and from each other's complements; otherwise the classifiers err together.
//
// Cost: L fits on all n examples.
//
// References: [DietterichBakiri1995]. Course: RED-08.
type OutputCode struct {
	New  func() model.Classifier
	Code *Code // nil means ExhaustiveCode for up to 7 classes, else RandomCode with 15·log₂K bits
	Soft bool  // weight the bits by confidence instead of counting them
	Seed uint64
	model.Control

	Members []model.Classifier // set by Fit: one per bit
	Words   *Code              // set by Fit

	width   int
	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes returns the kinds of columns that the base models accept.
func (o *OutputCode) Takes() model.Takes { return takesOf(o.New) }

// Fit fits one model per bit.
func (o *OutputCode) Fit(x mat.Matrix, y []int) error {
	const op = "OutputCode.Fit"
	model.NoteOuterXY(&o.Fitted, x, y)
	o.Members, o.Words, o.classes, o.width = nil, nil, nil, 0
	d, classes, index, err := checkMany(op, o.New, x, y)
	if err != nil {
		return err
	}
	k := len(classes)
	code := o.Code
	switch {
	case code != nil:
		if err := code.check(op, k); err != nil {
			return err
		}
	case k == 2:
		code = &Code{Bits: [][]bool{{false}, {true}}}
	case k <= 7:
		code = ExhaustiveCode(k)
	default:
		code = RandomCode(k, int(math.Ceil(15*math.Log2(float64(k)))), o.Seed)
	}
	run := o.Begin("OutputCode", code.Length())
	defer run.End()
	var models []model.Classifier
	label := make([]int, len(y))
	for b := range code.Length() {
		for i, c := range index {
			label[i] = 0
			if code.Bits[c][b] {
				label[i] = 1
			}
		}
		m, err := fitBinary(o.New, x, label)
		if err != nil {
			return err
		}
		models = append(models, m)
		if err := run.Step(b+1, math.NaN()); err != nil {
			return err
		}
	}
	_, o.width = d.Dims()
	o.Members, o.Words, o.classes = models, code, classes
	return nil
}

// Classes lists the classes in ascending order.
func (o *OutputCode) Classes() []int { return slices.Clone(o.classes) }

// Predict returns the class with the nearest word; ties go to the smallest class label.
func (o *OutputCode) Predict(x mat.Matrix) []int {
	x = model.MustRead("OutputCode.Predict", &o.Fitted, x)
	if o.Members == nil {
		panic(model.NotFitted("OutputCode.Predict"))
	}
	x = rowsFor("OutputCode.Predict", x, o.width)
	n, _ := x.Dims()
	agree := mat.NewDense(n, len(o.classes), nil)
	for b, m := range o.Members {
		answer := make([]float64, n)
		if o.Soft {
			answer = confidence(m, x, 1)
		} else {
			for i, v := range m.Predict(x) {
				answer[i] = float64(2*v - 1)
			}
		}
		for i, a := range answer {
			for k := range o.classes {
				if o.Words.Bits[k][b] {
					agree.Set(i, k, agree.At(i, k)+a)
				} else {
					agree.Set(i, k, agree.At(i, k)-a)
				}
			}
		}
	}
	return argmax(agree, o.classes)
}

// Code is a matrix of bits, one word per class.
type Code struct {
	Bits [][]bool
}

// check returns an error if the code cannot distinguish k classes.
func (c *Code) check(op string, k int) error {
	if len(c.Bits) != k {
		return model.Errorf(op, "Code must have %d words (the number of classes), got %d", k, len(c.Bits))
	}
	for i, word := range c.Bits {
		if len(word) == 0 || len(word) != len(c.Bits[0]) {
			return model.Errorf(op, "all words of Code must have the same number of bits, at least 1, but word %d has %d and word 0 has %d", i, len(word), len(c.Bits[0]))
		}
		for j, other := range c.Bits[:i] {
			if slices.Equal(word, other) {
				return model.Errorf(op, "the words of Code must be distinct, but %d and %d are equal", j, i)
			}
		}
	}
	return nil
}

// Length returns the number of bits of a word.
func (c *Code) Length() int { return len(c.Bits[0]) }

// RowDistance returns the minimum Hamming distance d between two words; decoding corrects up to
// ⌊(d−1)/2⌋ wrong bits.
//
// Course: RED-08.
func (c *Code) RowDistance() int {
	least := c.Length()
	for i := range c.Bits {
		for j := range i {
			least = min(least, hamming(c.Bits[i], c.Bits[j]))
		}
	}
	return least
}

// Corrects returns the number of wrong bits that decoding always corrects.
func (c *Code) Corrects() int { return (c.RowDistance() - 1) / 2 }

// ColumnDistance returns the minimum Hamming distance between two columns, or between a column and
// the complement of another column. A distance of 0 means that two classifiers learn the same bit
// or complementary bits.
//
// Course: RED-08.
func (c *Code) ColumnDistance() int {
	k := len(c.Bits)
	least := k
	for a := range c.Length() {
		for b := range a {
			d := 0
			for i := range k {
				if c.Bits[i][a] != c.Bits[i][b] {
					d++
				}
			}
			least = min(least, d, k-d)
		}
	}
	return least
}

// Decode returns the index of the class whose word is nearest to the bits; ties go to the first
// class.
func (c *Code) Decode(bits []bool) int {
	best := 0
	for i := range c.Bits {
		if hamming(c.Bits[i], bits) < hamming(c.Bits[best], bits) {
			best = i
		}
	}
	return best
}

func hamming(a, b []bool) int {
	d := 0
	for i := range a {
		if a[i] != b[i] {
			d++
		}
	}
	return d
}

// ExhaustiveCode returns the code with a column for every division of k classes into two groups. It
// has 2^(k−1) − 1 columns, and its words are 2^(k−2) apart. For k = 4, there are 7 columns, and the
// words are 4 apart, so one wrong bit is corrected.
//
// Course: RED-08.
func ExhaustiveCode(k int) *Code {
	if k < 3 || k > 12 {
		panic(model.Errorf("ExhaustiveCode", "k must be between 3 and 12, got %d", k))
	}
	c := &Code{Bits: make([][]bool, k)}
	for mask := 0; mask < 1<<(k-1)-1; mask++ {
		// The first class is always 1, so that no column is another's complement; the mask in which
		// all others are also 1 divides nothing.
		c.Bits[0] = append(c.Bits[0], true)
		for i := 1; i < k; i++ {
			c.Bits[i] = append(c.Bits[i], mask>>(i-1)&1 == 1)
		}
	}
	return c
}

// RandomCode draws 200 random codes with words of the given length. It considers only codes in
// which every column divides the classes. Of these codes, it returns the one with the largest row
// distance; ties go to the code with the largest column distance.
//
// Course: RED-08.
func RandomCode(k, length int, seed uint64) *Code {
	if k < 3 || length < int(math.Ceil(math.Log2(float64(k)))) {
		panic(model.Errorf("RandomCode", "k must be at least 3 and length at least log₂k, got %d and %d", k, length))
	}
	rng := model.Rand(seed, 0)
	var best *Code
	for range 200 {
		c := &Code{Bits: make([][]bool, k)}
		for range length {
			for {
				ones := 0
				col := make([]bool, k)
				for i := range col {
					if col[i] = rng.Uint64()&1 == 1; col[i] {
						ones++
					}
				}
				if ones > 0 && ones < k {
					for i := range col {
						c.Bits[i] = append(c.Bits[i], col[i])
					}
					break
				}
			}
		}
		if best == nil || c.RowDistance() > best.RowDistance() ||
			c.RowDistance() == best.RowDistance() && c.ColumnDistance() > best.ColumnDistance() {
			best = c
		}
	}
	return best
}
