package display

import (
	"fmt"
	"image"
	"sync"
)

// Renderer makes a Displayer of a value whose type cannot be one itself. The
// boolean is false when the renderer has nothing to say about v; it must decide
// that quickly, since every value shown is offered to every renderer.
type Renderer func(v any) (Displayer, bool)

var renderers struct {
	sync.RWMutex
	list []Renderer
}

// Register adds a renderer. The one added last is asked first; a type that is a
// Displayer is not offered to renderers at all.
func Register(r Renderer) {
	renderers.Lock()
	defer renderers.Unlock()
	renderers.list = append(renderers.list, r)
}

// Of makes a bundle of any value. It never panics, and the bundle can always be
// shown: it holds text/plain at least. The error is that of v's Display method
// (or a panic in it), and the bundle then holds its message.
func Of(v any) (b Bundle, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("display: showing a %T panicked: %v", v, r)
		}
		if err != nil {
			b = Text("error: " + err.Error())
		}
	}()
	d := displayer(v)
	if d == nil {
		return Bundle{Data: map[string]any{MIMEText: Format(v)}}, nil
	}
	b, err = d.Display()
	if err != nil {
		return b, err
	}
	if _, ok := b.Data[MIMEText]; !ok {
		data := make(map[string]any, len(b.Data)+1)
		for k, x := range b.Data {
			data[k] = x
		}
		data[MIMEText] = fmt.Sprintf("<%T>", v)
		b.Data = data
	}
	return b, nil
}

// displayer finds what shows v; nil means that text alone does.
func displayer(v any) Displayer {
	switch v := v.(type) {
	case nil:
		return nil
	case Displayer:
		return v
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
