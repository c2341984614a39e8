package frame

import (
	"slices"
	"sync/atomic"
)

// note is a message of reading or of a verb. Frames that are derived from each other share it, and
// with it the frame with which it was shown.
type note struct {
	text  string
	shown *atomic.Pointer[identity]
}

// identity identifies a frame without keeping its columns in memory.
type identity struct{ _ byte }

// Notes returns the notes of the step that made this frame, and the notes of earlier steps that
// have not been shown yet. A note reports a decision that a step made while it read or transformed
// the data.
//
// A note belongs to the step that made it. It is shown with the frame of that step, and passes to
// frames derived from that frame until it has been shown once. A chain of verbs therefore loses no
// note and does not repeat a note after each result. Setting a column of a frame counts as deriving
// the frame from itself.
func (f *Frame) Notes() []string {
	var texts []string
	for i, n := range f.notes {
		if with := n.shown.Load(); with == nil || with == f.id || i >= len(f.notes)-f.own {
			texts = append(texts, n.text)
		}
	}
	return texts
}

// Tell returns the notes and marks them as shown: frames derived from this frame omit them from now
// on.
func (f *Frame) Tell() []string {
	texts := f.Notes()
	for _, n := range f.notes {
		n.shown.CompareAndSwap(nil, f.id)
	}
	return texts
}

// Noted returns the frame with the notes added to its own.
func (f *Frame) Noted(notes ...string) *Frame {
	g := like(f.n, slices.Clone(f.cols))
	g.notes, g.own = slices.Clone(f.notes), f.own
	return g.say(notes...)
}

// say adds notes to the frame for the step that makes it.
func (f *Frame) say(notes ...string) *Frame {
	for _, text := range notes {
		f.notes = append(f.notes, note{text, new(atomic.Pointer[identity])})
	}
	f.own += len(notes)
	return f
}

// After returns the frame as if it were derived from others: it takes over the notes of others that
// have not been shown yet.
func (f *Frame) After(others ...*Frame) *Frame {
	return like(f.n, slices.Clone(f.cols)).inherit(others...).say(f.Notes()...)
}

// inherit takes over the notes, not yet shown, of the frames that this one is derived from, each
// text once. Call it before say.
func (f *Frame) inherit(parents ...*Frame) *Frame {
	for _, p := range parents {
		for _, n := range p.notes {
			if n.shown.Load() == nil && !slices.ContainsFunc(f.notes, func(m note) bool { return m.text == n.text }) {
				f.notes = append(f.notes, n)
			}
		}
	}
	return f
}

// changed makes the frame one that is derived from itself.
func (f *Frame) changed() {
	before := *f
	f.notes, f.own = nil, 0
	f.inherit(&before)
}

// heir makes a frame, derived from f, from columns with n rows.
func (f *Frame) heir(n int, cols []*Column) *Frame { return like(n, cols).inherit(f) }
