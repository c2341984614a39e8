package notebook

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// mimeFrames is the key of frames below "widgets" in a notebook's metadata, beside the state of the
// widgets.
const mimeFrames = "application/vnd.gokernel.frames+json"

// Frames are the outputs of an Interact widget for the positions of its controls, computed in
// advance for pages without a kernel.
type Frames struct {
	Controls []Control `json:"controls"`
	// Table contains, for each combination of positions, the index of the output in List, or -1 if
	// it was not computed. The last control changes fastest.
	Table []int       `json:"table,omitempty"`
	List  [][]*Output `json:"list,omitempty"`
	// Note tells the user of the page why the controls don't move, or which limits they have.
	Note string `json:"note,omitempty"`
}

// These are the kinds of a Control.
const (
	SliderControl = "slider" // over its values
	ListControl   = "list"   // one of its values is chosen
	BoxControl    = "box"    // checked or not: the second value or the first
	FixedControl  = "fixed"  // it keeps its one value
)

// Control is a control with known values.
type Control struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Values []string `json:"values"` // as shown to the reader
	Start  int      `json:"start"`  // the initial position
}

// Frames returns the frames in the notebook by the names of their widgets. It omits inconsistent
// frames.
func (nb *Notebook) Frames() map[string]*Frames {
	kept, _ := nb.Metadata["widgets"].(map[string]any)
	b, err := json.Marshal(kept[mimeFrames])
	if err != nil {
		return nil // it has been decoded from JSON
	}
	var frames map[string]*Frames
	if err := json.Unmarshal(b, &frames); err != nil {
		return nil
	}
	maps.DeleteFunc(frames, func(_ string, f *Frames) bool { return f == nil || !f.whole() })
	return frames
}

// whole reports whether the parts are consistent.
func (f *Frames) whole() bool {
	size := 1
	for _, c := range f.Controls {
		if c.Start < 0 || c.Start >= len(c.Values) {
			return false
		}
		if size *= len(c.Values); size > 1<<20 {
			return false
		}
	}
	if len(f.Table) == 0 {
		return true
	}
	return len(f.Table) == size && f.Table[f.Start()] >= 0 &&
		!slices.ContainsFunc(f.Table, func(i int) bool { return i < -1 || i >= len(f.List) })
}

// Start returns the index of the initial position in the table.
func (f *Frames) Start() int {
	at := 0
	for _, c := range f.Controls {
		at = at*len(c.Values) + c.Start
	}
	return at
}

// SetFrames stores frames by the names of their widgets. Without frames, it removes the existing
// ones.
func (nb *Notebook) SetFrames(frames map[string]*Frames) error {
	kept, _ := nb.Metadata["widgets"].(map[string]any)
	if len(frames) == 0 {
		delete(kept, mimeFrames)
		if kept != nil && len(kept) == 0 {
			delete(nb.Metadata, "widgets")
		}
		return nil
	}
	b, err := json.Marshal(frames)
	if err != nil {
		return fmt.Errorf("notebook: frames: %w", err)
	}
	v := map[string]any{}
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("notebook: frames: %w", err)
	}
	widgets := maps.Clone(kept)
	if widgets == nil {
		widgets = map[string]any{}
	}
	widgets[mimeFrames] = v
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	nb.Metadata["widgets"] = widgets
	return nil
}

// MarshalJSON encodes the output in the form of a notebook.
func (o *Output) MarshalJSON() ([]byte, error) { return json.Marshal(o.encode()) }

// UnmarshalJSON decodes an output of a notebook.
func (o *Output) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	read, err := decodeOutput(v)
	if err != nil {
		return err
	}
	*o = *read
	return nil
}
