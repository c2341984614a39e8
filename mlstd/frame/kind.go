package frame

// Kind is the kind of a column's values.
type Kind int

const (
	FloatKind    Kind = iota // float64; NaN is missing
	IntKind                  // int64
	StringKind               // string
	CategoryKind             // one of the levels of the column, which have an order
	BoolKind                 // bool
	TimeKind                 // a moment, in the time zone of the column, to the nanosecond
)

// String returns the name of the kind.
func (k Kind) String() string {
	switch k {
	case FloatKind:
		return "float64"
	case IntKind:
		return "int64"
	case StringKind:
		return "string"
	case CategoryKind:
		return "category"
	case BoolKind:
		return "bool"
	case TimeKind:
		return "time"
	}
	return "unknown"
}

// numeric reports whether values of the kind are numbers; a bool counts as 0 or 1.
func (k Kind) numeric() bool { return k == FloatKind || k == IntKind || k == BoolKind }

// text reports whether values of the kind are strings.
func (k Kind) text() bool { return k == StringKind || k == CategoryKind }
