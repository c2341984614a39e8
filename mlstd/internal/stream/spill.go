package stream

import (
	"io"
	"os"
	"sync"
	"unsafe"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
	"github.com/gokernel/gokernel/mlstd/model"
)

// spillFile is the temporary file of a run. Its blocks are frames.
type spillFile struct {
	file  *os.File
	named bool // the file still has a name, because the system does not remove open files
	mu    sync.Mutex
	end   int64
}

// block is a frame in the temporary file.
type block struct {
	at, size int64
	rows     int
	bytes    int64 // estimated memory of the frame
}

// spill writes a frame.
func (e *exec) spill(b *frame.Frame) (block, error) {
	e.mu.Lock()
	if e.spills != nil {
		*e.spills++
	}
	if e.file == nil {
		f, err := os.CreateTemp("", "gokernel-scan-*")
		if err != nil {
			e.mu.Unlock()
			return block{}, model.Errorf("Scan", "the data exceed the memory, and no temporary file can be made: %v", err).WithHint("set TMPDIR to a folder with enough space")
		}
		// Without a name, the file disappears even if the process is killed.
		e.file = &spillFile{file: f, named: os.Remove(f.Name()) != nil}
	}
	file := e.file
	e.mu.Unlock()
	text := encode(b)
	file.mu.Lock()
	at := file.end
	file.end += int64(len(text))
	file.mu.Unlock()
	if _, err := file.file.WriteAt(text, at); err != nil {
		return block{}, model.Errorf("Scan", "the temporary file cannot be written: %v", err).WithHint("set TMPDIR to a folder with enough space")
	}
	return block{at, int64(len(text)), b.Len(), bytesOf(b)}, e.ctx.Err()
}

// load reads a frame that has the columns of empty.
func (e *exec) load(b block, empty *frame.Frame) (*frame.Frame, error) {
	if err := e.ctx.Err(); err != nil {
		return nil, err
	}
	text := make([]byte, b.size)
	if _, err := e.file.file.ReadAt(text, b.at); err != nil && err != io.EOF {
		return nil, err
	}
	return decode(text, b.rows, empty), nil
}

// close removes the temporary file.
func (e *exec) close() {
	if e.file == nil {
		return
	}
	e.file.file.Close()
	if e.file.named {
		os.Remove(e.file.file.Name())
	}
}

// Each column starts with the number of words of its dictionary, -1 if it has none, and with
// whether values are missing.

func encode(b *frame.Frame) []byte {
	out := make([]byte, 0, bytesOf(b)*5/4+256)
	for _, c := range b.Columns() {
		v := raw.Of(c)
		words := v.Words
		codes := v.Codes
		if len(words) > b.Len() {
			codes, words = used(v.Codes, v.Words)
		}
		head := [2]int64{-1, 0}
		if codes != nil {
			head[0] = int64(len(words))
		}
		if v.Missing != nil {
			head[1] = 1
		}
		out = appendRaw(out, head[:])
		out = appendRaw(out, v.Missing)
		switch c.Kind() {
		case frame.FloatKind:
			out = appendRaw(out, v.Floats)
		case frame.IntKind, frame.TimeKind:
			out = appendRaw(out, v.Ints)
		case frame.BoolKind:
			out = pad(appendRaw(out, v.Bools))
		default:
			list := words
			if codes == nil {
				list = v.Texts
			} else {
				out = pad(appendRaw(out, codes))
			}
			lengths := make([]int64, len(list))
			for i, s := range list {
				lengths[i] = int64(len(s))
			}
			out = appendRaw(out, lengths)
			for _, s := range list {
				out = append(out, s...)
			}
			out = pad(out)
		}
	}
	return out
}

// used returns the codes for a dictionary of the words that occur.
func used(codes []int32, words []string) ([]int32, []string) {
	to := map[int32]int32{}
	out := make([]int32, len(codes))
	list := []string{}
	for i, k := range codes {
		if k < 0 {
			out[i] = -1
			continue
		}
		code, seen := to[k]
		if !seen {
			code = int32(len(list))
			to[k] = code
			list = append(list, words[k])
		}
		out[i] = code
	}
	return out, list
}

func pad(b []byte) []byte { return append(b, make([]byte, -len(b)&7)...) }

// appendRaw appends the bytes of numbers in the order of the machine.
func appendRaw[T int64 | uint64 | float64 | int32 | bool](b []byte, v []T) []byte {
	if len(v) == 0 {
		return b
	}
	return append(b, unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))...)
}

// cut returns the first n numbers of b without a copy. Their position is a multiple of eight bytes.
func cut[T int64 | uint64 | float64 | int32 | bool](b *[]byte, n int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	if n == 0 {
		return []T{}
	}
	v := unsafe.Slice((*T)(unsafe.Pointer(&(*b)[0])), n)
	*b = (*b)[(size+7)&^7:]
	return v
}

func decode(b []byte, rows int, empty *frame.Frame) *frame.Frame {
	columns := empty.Columns()
	for j, like := range columns {
		m := &maker{like: like}
		head := cut[int64](&b, 2)
		words := int(head[0])
		if head[1] == 1 {
			m.gone = cut[uint64](&b, (rows+63)/64)
		}
		switch like.Kind() {
		case frame.FloatKind:
			m.floats = cut[float64](&b, rows)
		case frame.IntKind, frame.TimeKind:
			m.ints = cut[int64](&b, rows)
		case frame.BoolKind:
			m.bools = cut[bool](&b, rows)
		default:
			if words < 0 {
				m.texts = cutStrings(&b, rows)
				break
			}
			codes := cut[int32](&b, rows)
			columns[j] = frame.StringCodes(like.Name(), codes, cutStrings(&b, words))
			continue
		}
		columns[j] = m.column(like.Name(), rows)
	}
	return frameOf(columns)
}

func cutStrings(b *[]byte, n int) []string {
	lengths := cut[int64](b, n)
	size := int64(0)
	for _, l := range lengths {
		size += l
	}
	all := string((*b)[:size])
	*b = (*b)[(size+7)&^7:]
	out := make([]string, n)
	for i, l := range lengths {
		out[i], all = all[:l], all[l:]
	}
	return out
}

// parts holds rows that are dealt by a hash of their keys, in memory as long as they fit.
type parts struct {
	e     *exec
	empty *frame.Frame
	shift uint // of the hash
	list  [fanout]struct {
		held   []*frame.Frame
		bytes  int64
		blocks []block
		sum    int64 // memory of the blocks
	}
	bytes  int64
	limit  int64
	reduce func(*frame.Frame) *frame.Frame // shortens a part without changing its result; may be nil
}

const (
	fanBits = 5
	fanout  = 1 << fanBits
)

// add deals the rows of a batch.
func (p *parts) add(b *frame.Frame, hashes []uint64) error {
	var rows [fanout][]int32
	for i, h := range hashes {
		k := h >> p.shift & (fanout - 1)
		rows[k] = append(rows[k], int32(i))
	}
	for k, list := range rows {
		if len(list) == 0 {
			continue
		}
		piece := take(b, list)
		q := &p.list[k]
		q.held = append(q.held, piece)
		n := bytesOf(piece)
		q.bytes += n
		p.bytes += n
	}
	if p.bytes > p.limit {
		return p.flush()
	}
	return nil
}

// flush writes all rows in memory to the temporary file.
func (p *parts) flush() error {
	for k := range p.list {
		q := &p.list[k]
		if len(q.held) == 0 {
			continue
		}
		piece := stack(p.empty, q.held)
		if p.reduce != nil {
			piece = p.reduce(piece)
		}
		b, err := p.e.spill(piece)
		if err != nil {
			return err
		}
		q.blocks = append(q.blocks, b)
		q.sum += b.bytes
		q.held, q.bytes = nil, 0
	}
	p.bytes = 0
	return nil
}

// read calls do with the rows of part k, piece by piece and in order.
func (p *parts) read(k int, do func(*frame.Frame) error) error {
	q := &p.list[k]
	for _, b := range q.blocks {
		f, err := p.e.load(b, p.empty)
		if err != nil {
			return err
		}
		if err := do(f); err != nil {
			return err
		}
	}
	for _, f := range q.held {
		if err := do(f); err != nil {
			return err
		}
	}
	return nil
}

// size returns the memory that part k needs.
func (p *parts) size(k int) int64 { return p.list[k].sum + p.list[k].bytes }

// all returns the rows of part k.
func (p *parts) all(k int) (*frame.Frame, error) {
	var list []*frame.Frame
	err := p.read(k, func(f *frame.Frame) error { list = append(list, f); return nil })
	return stack(p.empty, list), err
}

// drop forgets the rows of part k.
func (p *parts) drop(k int) {
	q := &p.list[k]
	p.bytes -= q.bytes
	q.held, q.blocks, q.bytes, q.sum = nil, nil, 0, 0
}
