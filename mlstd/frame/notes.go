package frame

import (
	"slices"
	"sync/atomic"
)

// note is what reading or a verb had to say. Frames that are made of each other share
// it, and with it which of them it was shown with.
type note struct {
	text  string
	shown *atomic.Pointer[identity]
}

// identity tells a frame from others, without holding its columns.
type identity struct{ _ byte }

// Notes returns what reading or a verb decided on the way to this frame: that of the step
// that made it, and that of earlier steps which was not shown with another frame.
//
// A note belongs to the step that made it. It is shown with the frame of that step,
// and passes to frames made from that frame until it was shown once. So no note is
// lost in a chain of verbs and none is repeated below each result. A frame to which
// a column is set counts as made of itself.
func (f *Frame) Notes() []string {
	var texts []string
	for i, n := range f.notes {
		if with := n.shown.Load(); with == nil || with == f.id || i >= len(f.notes)-f.own {
			texts = append(texts, n.text)
		}
	}
	return texts
}

// Tell returns the notes to somebody who shows them: frames made of this one leave them
// out from now on.
func (f *Frame) Tell() []string {
	texts := f.Notes()
	for _, n := range f.notes {
		n.shown.CompareAndSwap(nil, f.id)
	}
	return texts
}

// Noted returns the frame with more notes.
func (f *Frame) Noted(notes ...string) *Frame {
	g := like(f.n, slices.Clone(f.cols))
	g.notes, g.own = slices.Clone(f.notes), f.own
	return g.say(notes...)
}

// say adds notes of the step that makes the frame.
func (f *Frame) say(notes ...string) *Frame {
	for _, text := range notes {
		f.notes = append(f.notes, note{text, new(atomic.Pointer[identity])})
	}
	f.own += len(notes)
	return f
}

// After returns the frame as one that is made of others: with those of their notes that
// were not shown yet.
func (f *Frame) After(others ...*Frame) *Frame {
	return like(f.n, slices.Clone(f.cols)).inherit(others...).say(f.Notes()...)
}

// inherit takes over the notes of the frames that this one is made of, but for those
// that were shown, and each text once. It comes before say.
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

// changed makes the frame one that is made of itself.
func (f *Frame) changed() {
	before := *f
	f.notes, f.own = nil, 0
	f.inherit(&before)
}

// heir makes a frame of columns, made of f, which have n rows.
func (f *Frame) heir(n int, cols []*Column) *Frame { return like(n, cols).inherit(f) }
