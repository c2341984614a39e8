package stream

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// memory is a source whose rows are in memory.
type memory struct {
	f    *frame.Frame
	rows int
}

// Memory returns the rows of a frame as a source.
func Memory(f *frame.Frame) Source { return &memory{Plain(f), batchRows} }

func (m *memory) Empty() *frame.Frame { return m.f.Slice(0, 0) }

func (m *memory) Tasks(columns []string, _ []Test, _ func(string, int), yield func(Task) error) error {
	f := m.f.Select(columns...)
	for lo := 0; lo < f.Len(); lo += m.rows {
		task := Task{Read: func() (*frame.Frame, error) { return f.Slice(lo, min(lo+m.rows, f.Len())), nil }}
		if err := yield(task); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Notes(map[string]int) []string { return m.f.Notes() }

func (m *memory) Size([]string, []Test) int64 { return 0 }

func (m *memory) Describe([]string, []Test) string {
	return fmt.Sprintf("a frame of %d rows", m.f.Len())
}
