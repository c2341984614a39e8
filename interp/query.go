package interp

import (
	"context"
	"errors"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/split"
)

// Completion lists the texts that may replace code[Start:End].
type Completion struct {
	Start, End int
	Matches    []Match
}

// Match is one completion.
type Match struct {
	Text      string
	Kind      string // function, method, type, module, field, variable, constant, keyword, magic
	Signature string
}

// Completeness tells whether a cell is whole: Status is complete, incomplete or
// invalid, and Indent is what the next line of an incomplete one starts with.
type Completeness = split.Completeness

// IsComplete tells whether code can be run as it stands.
func (s *Session) IsComplete(code string) Completeness { return split.IsComplete(code) }

// Complete lists what may stand at the cursor, a byte offset.
func (s *Session) Complete(ctx context.Context, code string, cursor int) (Completion, error) {
	if cursor < 0 || cursor > len(code) {
		return Completion{}, errors.New("interp: the cursor lies outside of the code")
	}
	return Completion{Start: cursor, End: cursor}, ctx.Err()
}

// Inspect documents the name at the cursor, a byte offset; false means that
// there is none. Detail 1 adds the source of what cells declared.
func (s *Session) Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error) {
	return display.Bundle{}, false, ctx.Err()
}
