package display

import (
	"fmt"
	"image"
	"maps"
	"sync"
)

// Renderer makes a Displayer for a value whose type cannot implement Displayer itself. It returns
// false if it does not handle v. It must decide this quickly, because every value that is shown is
// passed to the renderers.
type Renderer func(v any) (Displayer, bool)

var renderers struct {
	sync.RWMutex
	list []Renderer
}

// Register adds a renderer. The renderer that was added last is tried first. A value that is a
// Displayer is not passed to renderers.
func Register(r Renderer) {
	renderers.Lock()
	defer renderers.Unlock()
	renderers.list = append(renderers.list, r)
}

// Of converts any value to a bundle. It never panics, and the bundle can always be shown: it
// contains at least text/plain. The error is an error that v's Display method returned, or a panic
// in that method; the bundle then contains the error message. If a renderer panics, the bundle
// contains the value as text and the panic.
func Of(v any) (b Bundle, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("display: showing a %T panicked: %v", v, r)
		}
		if err != nil {
			b = Text("error: " + err.Error())
		}
	}()
	d, own := v.(Displayer)
	if !own {
		b, ok, err := rendered(v)
		if err != nil || ok {
			return b, err
		}
		return Text(Format(v)), nil
	}
	b, err = d.Display()
	return withText(b, v), err
}

// rendered shows v with a renderer, or as an image if it is one.
func rendered(v any) (b Bundle, ok bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			b, ok = Text(fmt.Sprintf("%s\n(as plain text, because drawing it panicked: %v)", Format(v), r)), true
		}
	}()
	d := renderer(v)
	if d == nil {
		return b, false, nil
	}
	b, err = d.Display()
	return withText(b, v), true, err
}

// withText makes sure that the bundle contains text.
func withText(b Bundle, v any) Bundle {
	if _, ok := b.Data[MIMEText]; !ok {
		data := make(map[string]any, len(b.Data)+1)
		maps.Copy(data, b.Data)
		data[MIMEText] = fmt.Sprintf("<%T>", v)
		b.Data = data
	}
	return b
}

// renderer returns the Displayer for a value that is not a Displayer itself, or nil if it is
// shown only as text.
func renderer(v any) Displayer {
	if v == nil {
		return nil
	}
	renderers.RLock()
	list := renderers.list
	renderers.RUnlock()
	for i := len(list) - 1; i >= 0; i-- {
		if d, ok := list[i](v); ok && d != nil {
			return d
		}
	}
	if m, ok := v.(image.Image); ok && !isNilPointer(v) {
		return picture{m}
	}
	return nil
}

type picture struct{ image.Image }

func (p picture) Display() (Bundle, error) { return imageBundle(p.Image) }
