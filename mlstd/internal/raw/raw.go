// Package raw lets packages of mlstd read the values of frames without copying them. Package frame
// sets its functions, so that no method for it is visible in cells.
package raw

// Column has the values of a column of a frame in the slice for its kind. They must not be changed.
type Column struct {
	Floats  []float64 // NaN where missing
	Ints    []int64   // of integers, and nanoseconds of times; 0 where missing
	Bools   []bool
	Texts   []string // of strings without a dictionary; "" where missing
	Codes   []int32  // of strings and categories with a dictionary, -1 where missing
	Words   []string // the dictionary
	Missing []uint64 // bit i%64 of Missing[i/64] marks row i as missing; nil if none is
}

// IsMissing reports whether the value of row i is missing.
func (c *Column) IsMissing(i int) bool { return c.Missing != nil && c.Missing[i>>6]>>(i&63)&1 != 0 }

// Text returns the string of row i; "" if it is missing.
func (c *Column) Text(i int) string {
	if c.Codes == nil {
		return c.Texts[i]
	}
	if k := c.Codes[i]; k >= 0 {
		return c.Words[k]
	}
	return ""
}

// The functions that package frame sets. A column is a *frame.Column, a frame a *frame.Frame.
var (
	// Of returns the values of a column.
	Of func(column any) Column
	// Take returns the rows of a frame, in that order; -1 is a row of missing values.
	Take func(frame any, rows []int32) any
	// Strings makes a column of strings without a dictionary. It keeps the slices. A missing value
	// must be "", and missing is nil if there is none.
	Strings func(name string, texts []string, missing []uint64) any
)

// Eager computes an expression of a lazy frame for the rows of a frame in memory. It returns false
// for other values. Package stream sets it; it is nil if no part of the program has lazy frames.
var Eager func(frame, expression any) (column any, known bool, err error)
