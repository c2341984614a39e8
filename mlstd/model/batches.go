package model

// Batches are examples that need not fit into memory, such as the rows of a scan of files. A model
// with a FitBatches method reads them in one or more passes.
type Batches struct {
	Columns []Column // of X, with all levels
	Target  Column   // of the labels, with all classes as levels
	// Rows is the number of examples.
	Rows int
	// Classes are the classes that occur, in ascending order; nil for a real-valued target.
	Classes []int
	// Pass calls yield with all examples, in the same order in each pass. Every batch except the
	// last one has size rows; 0 means 16384. Y holds the classes of the rows or, if there are
	// none, Target the real-valued targets. Pass stops when yield returns an error, and returns
	// that error.
	Pass func(size int, yield func(Batch) error) error
}

// Batch is a part of the examples. A model may keep its slices.
type Batch struct {
	X      *Table
	Y      []int
	Target []float64
}

// BatchRows is the usual number of rows of a [Batch]. Sums that are added up in parts of a power of
// two rows, of at most BatchRows, do not depend on batches.
const BatchRows = 1 << 14

// BatchFitter is implemented by models that learn from examples that need not fit into memory.
// FitBatches starts over, like Fit. It polls the Context of the model's Control after each batch.
// After an error, the model is not fitted.
type BatchFitter interface {
	FitBatches(b *Batches) error
}

// Names returns the names of the columns.
func (b *Batches) Names() []string { return (&Table{Columns: b.Columns}).ColumnNames() }

// NoteBatches stores the columns of the batches in s, like [NoteXY], [NoteXYReal] or [NoteX].
// FitBatches must begin with it. Target is the kind of target that the model learns: Nominal for
// classes, Numeric for real numbers, and Ordinal for no target. It returns an error if the batches
// have another kind of target.
func NoteBatches(op string, s *Fitted, b *Batches, target Kind) error {
	seen := Schema{Features: b.Columns, Target: b.Target}
	switch {
	case target == Nominal && b.Classes == nil:
		return Errorf(op, "the target %q must hold classes, not real numbers", b.Target.Name).
			WithHint("use a regressor, or make the target a bool with a comparison")
	case target == Numeric && b.Classes != nil:
		return Errorf(op, "the target %q must hold real numbers, not classes", b.Target.Name).
			WithHint("use a classifier, or a target of numbers")
	case target == Ordinal:
		seen.Target = Column{}
	}
	s.note(seen)
	return nil
}
