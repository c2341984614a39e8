package widget

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
)

// ButtonControl is a button.
type ButtonControl struct{ *Model }

// Button returns a button to click.
func Button(label string) *ButtonControl {
	w := &ButtonControl{newModel("Button")}
	w.state["description"] = label
	return w
}

// OnClick registers f, which is called for each click.
func (w *ButtonControl) OnClick(f func()) *ButtonControl {
	w.onCustom(func(content any) error {
		if c, ok := content.(map[string]any); ok && c["event"] == "click" {
			f()
		}
		return nil
	})
	return w
}

// Click has the same effect as a click by the user.
func (w *ButtonControl) Click() error {
	w.hub.mu.Lock()
	calls := slices.Clone(w.custom)
	w.hub.mu.Unlock()
	var errs []error
	for _, h := range calls {
		errs = append(errs, h.f(map[string]any{"event": "click"}))
	}
	return errors.Join(errs...)
}

// onCustom registers f, which is called for each message of the widget's view.
func (m *Model) onCustom(f func(content any) error) *handler {
	h := &handler{model: m, f: f, events: true}
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	m.custom = append(m.custom, h)
	return h
}

// Display shows the button.
func (w *ButtonControl) Display() (display.Bundle, error) {
	label, _ := w.Trait("description").(string)
	return w.view(label + " (Button)")
}

// Files is a control with which the user uploads files.
type Files struct{ *Model }

// File is an uploaded file.
type File struct {
	Name, Type string
	Modified   time.Time
	Content    []byte
}

// Upload returns a button with which the user chooses a file of one of the given types, such as
// ".csv" or "image/*". Without types, the user can choose any file. Use Multiple to allow several
// files.
func Upload(types ...string) *Files {
	w := &Files{newModel("FileUpload")}
	w.state["accept"], w.state["description"] = strings.Join(types, ","), "Upload"
	return w
}

// Label sets the text on the button.
func (w *Files) Label(text string) *Files { w.must(w.SetTrait("description", text)); return w }

// Multiple allows the user to choose several files.
func (w *Files) Multiple() *Files { w.must(w.SetTrait("multiple", true)); return w }

// Value returns the files that were chosen last.
func (w *Files) Value() []File {
	v, _ := w.Trait("value").([]any)
	var out []File
	for _, x := range v {
		f, ok := x.(map[string]any)
		if !ok {
			continue
		}
		file := File{Modified: time.UnixMilli(int64(number(f["last_modified"]))).UTC()}
		file.Name, _ = f["name"].(string)
		file.Type, _ = f["type"].(string)
		file.Content, _ = f["content"].([]byte)
		out = append(out, file)
	}
	return out
}

// OnChange registers f, which is called with the files when the user has chosen new files.
func (w *Files) OnChange(f func(files []File)) *Files {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *Files) Display() (display.Bundle, error) {
	names := []string{}
	for _, f := range w.Value() {
		names = append(names, f.Name)
	}
	return w.view(w.text("["+strings.Join(names, ", ")+"]", ""))
}

// Media is an image, a video or a sound.
type Media struct{ *Model }

// Image returns a widget that shows an encoded image: PNG, JPEG, GIF or WebP.
func Image(data []byte) *Media {
	w := newMedia("Image", data)
	if _, format, ok := strings.Cut(http.DetectContentType(data), "image/"); ok {
		w.state["format"] = format
	} else {
		w.fail(errors.New("widget: Image: data must be a PNG, JPEG, GIF or WebP image"))
	}
	return w
}

// Video returns a widget that plays a video, such as MP4 or WebM.
func Video(data []byte) *Media { return newMedia("Video", data) }

// Audio returns a widget that plays a sound, such as MP3, Ogg or WAV.
func Audio(data []byte) *Media { return newMedia("Audio", data) }

func newMedia(name string, data []byte) *Media {
	w := &Media{newModel(name)}
	w.state["value"] = data
	if kind, format, ok := strings.Cut(http.DetectContentType(data), "/"); ok && kind != "text" && name != "Image" {
		w.state["format"] = strings.TrimPrefix(format, "x-")
	}
	return w
}

// Set replaces the data with other data of the same format.
func (w *Media) Set(data []byte) error { return w.SetTrait("value", data) }

// Display shows the widget.
func (w *Media) Display() (display.Bundle, error) {
	data, _ := w.Trait("value").([]byte)
	return w.view(fmt.Sprintf("%d bytes (%s)", len(data), w.class.name))
}

// Boxed is a widget that contains other widgets.
type Boxed struct{ *Model }

// HBox returns a box with widgets next to each other.
func HBox(children ...Widget) *Boxed { return newBox("HBox", children) }

// VBox returns a box with widgets below each other.
func VBox(children ...Widget) *Boxed { return newBox("VBox", children) }

// Grid returns a box that arranges widgets in the given number of columns. The columns share the
// width of the page if it is too narrow for them.
func Grid(columns int, children ...Widget) *Boxed {
	w := newBox("GridBox", children)
	if columns < 1 {
		w.fail(fmt.Errorf("widget: a Grid must have at least 1 column, got %d", columns))
		return w
	}
	w.Layout("grid_template_columns", fmt.Sprintf("repeat(%d, minmax(0, auto))", columns), "justify_content", "start", "grid_gap", "4px 16px")
	narrow(children)
	return w
}

// narrow keeps widgets within the columns of a grid.
func narrow(children []Widget) {
	for _, c := range children {
		if c == nil {
			continue
		}
		if l, ok := c.model().Trait("layout").(*Model); ok && l.Trait("max_width") == nil {
			c.model().Layout("max_width", "calc(100% - 4px)") // their margins are 2 px
		}
	}
}

// Tabs returns a box that shows one widget at a time, below a row of tabs. Set their titles with
// Titles.
func Tabs(children ...Widget) *Boxed {
	w := newBox("Tab", children)
	w.state["selected_index"] = 0
	return w
}

// Accordion returns a box with a title for each widget; it shows one widget at a time, below its
// title.
func Accordion(children ...Widget) *Boxed { return newBox("Accordion", children) }

// Stack returns a box that shows one widget at a time. Choose it with Select.
func Stack(children ...Widget) *Boxed {
	w := newBox("Stack", children)
	w.state["selected_index"] = 0
	return w
}

func newBox(name string, children []Widget) *Boxed {
	w := &Boxed{newModel(name)}
	for i, c := range children {
		if c == nil {
			w.fail(fmt.Errorf("widget: child %d of the %s is nil", i, name))
			return w
		}
	}
	w.state["children"] = children
	return w
}

// Titles sets the titles of Tabs, an Accordion or a Stack.
func (w *Boxed) Titles(titles ...string) *Boxed {
	w.must(w.SetTrait("titles", texts(titles)))
	return w
}

// Select shows the child with index i, counted from 0; -1 closes an Accordion.
func (w *Boxed) Select(i int) error {
	n := len(w.Children())
	if i < -1 || i >= n {
		return fmt.Errorf("widget: Select: a %s with %d children has no child %d", w.class.name, n, i)
	}
	if i == -1 {
		return w.SetTrait("selected_index", nil)
	}
	return w.SetTrait("selected_index", i)
}

// Selected returns the index of the child that is shown, or -1 if no child is shown.
func (w *Boxed) Selected() int {
	if i, ok := w.Trait("selected_index").(int); ok {
		return i
	}
	return -1
}

// Children returns the widgets in the box.
func (w *Boxed) Children() []Widget { c, _ := w.Trait("children").([]Widget); return c }

// SetChildren replaces the widgets in the box.
func (w *Boxed) SetChildren(children ...Widget) error {
	if w.class.name == "GridBox" {
		narrow(children)
	}
	return w.SetTrait("children", children)
}

// Display shows the widgets.
func (w *Boxed) Display() (display.Bundle, error) {
	var lines []string
	for _, c := range w.Children() {
		b, err := c.Display()
		if err != nil {
			return display.Bundle{}, err
		}
		text, _ := b.Data[display.MIMEText].(string)
		lines = append(lines, text)
	}
	return w.view(strings.Join(lines, "\n"))
}

// link keeps two traits equal.
type link struct {
	*Model
	from, to           *Model
	fromTrait, toTrait string
	both               bool
}

// Link keeps the values of two widgets equal, whichever one the user changes. The frontend does
// this, so it works in saved pages too.
func Link(a, b Widget) error { return newLink("Link", a, b, true) }

// Follow sets the second widget to each new value of the first.
func Follow(source, target Widget) error { return newLink("DirectionalLink", source, target, false) }

func newLink(name string, a, b Widget, both bool) error {
	from, to := a.model(), b.model()
	l := &link{Model: modelOf(classes()[name]), from: from, to: to, fromTrait: from.valueTrait(), toTrait: to.valueTrait(), both: both}
	if l.fromTrait == "" || l.toTrait == "" {
		return fmt.Errorf("widget: a %s and a %s cannot be linked, because one has no value", from.class.name, to.class.name)
	}
	if err := to.class.check(l.toTrait, from.Trait(l.fromTrait)); err != nil {
		return err
	}
	l.state["source"], l.state["target"] = []any{from, l.fromTrait}, []any{to, l.toTrait}
	from.hub.mu.Lock()
	from.links, to.links = append(from.links, l), append(to.links, l)
	from.hub.mu.Unlock()
	if err := to.set(map[string]any{l.toTrait: from.Trait(l.fromTrait)}); err != nil {
		return err
	}
	return l.open()
}

// valueTrait returns the trait that holds the user's choice, or "" if there is none.
func (m *Model) valueTrait() string {
	for _, name := range []string{"value", "index", "selected_index"} {
		if _, ok := m.class.traits[name]; ok {
			return name
		}
	}
	return ""
}

// open opens the link's comm to the frontend once both ends are open.
func (l *link) open() error {
	l.hub.mu.Lock()
	ready := l.from.opened && l.to.opened && !l.opened
	l.hub.mu.Unlock()
	if !ready {
		return nil
	}
	return l.Model.open()
}

// change is a change that a link makes to its other end.
type change struct {
	model   *Model
	changes map[string]any
}

// linked returns the changes that the links of m derive from changes, as the frontend does on its
// own. The lock is held.
func (m *Model) linked(changed map[string]any) []change {
	var out []change
	for _, l := range m.links {
		other, mine, theirs := l.to, l.fromTrait, l.toTrait
		if m == l.to {
			if !l.both {
				continue
			}
			other, mine, theirs = l.from, l.toTrait, l.fromTrait
		}
		if v, ok := changed[mine]; ok {
			out = append(out, change{other, map[string]any{theirs: v}})
		}
	}
	return out
}
