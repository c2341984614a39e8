package course

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FitTrace is the figure that [Trace] returns.
type FitTrace struct {
	*chart.Panels
	of any
}

// Live draws each later fit of the model while the fit runs. It shows the training loss, the
// validation loss, and panels, which are created again for each frame:
//
//	m := &ml.MLPClassifier{Hidden: []int{16}}
//	Trace(m).Live(func() *chart.Chart { return Regions(m, d) })
//	m.Fit(d.X, d.Y)
//
// The figure is updated at most ten times per second, and drawing takes at most a fifth of the
// time. The last frame stays, even if the fit is interrupted. A panel is created in the goroutine
// of Fit and sees the current state of the model: networks have their weights, but most other
// models have no state before the fit ends. Live replaces the model's OnStep and OnEnd. It returns
// an error if the model is not fitted step by step, that is, if the model has no Control.
func (f *FitTrace) Live(panels ...func() *chart.Chart) error {
	c := controlOf(f.of)
	if c == nil {
		return fmt.Errorf("Trace.Live: a %T is not fitted step by step: pass a pointer to a model that is, such as &ml.MLPClassifier{}", f.of)
	}
	for i, p := range panels {
		if p == nil {
			return fmt.Errorf("Trace.Live: panel %d is nil: pass functions that make charts", i+1)
		}
	}
	l := &liveFit{name: model.NameOf(f.of), panels: panels, now: time.Now}
	c.OnStep, c.OnEnd = l.step, l.end
	return nil
}

// controlOf returns the Control of a model, or nil.
func controlOf(m any) *model.Control {
	v := reflect.ValueOf(m)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	f := v.Elem().FieldByName("Control")
	if !f.IsValid() || f.Type() != reflect.TypeFor[model.Control]() {
		return nil
	}
	return f.Addr().Interface().(*model.Control)
}

// Limits of live figures.
const (
	frameInterval = 100 * time.Millisecond
	frameShare    = 4 // pause after a frame, as a multiple of the time that the frame took
	mostLive      = 4096
)

// liveFits counts the figures, to give each a unique name.
var liveFits atomic.Int64

// liveFit draws a fit while it runs.
type liveFit struct {
	mu     sync.Mutex
	name   string // name of the model
	panels []func() *chart.Chart
	now    func() time.Time

	running          bool
	id               string
	last             model.Step
	next             time.Time // earliest time of the next frame
	drawn            bool      // whether the last step has been drawn
	loss, validation curve
}

// curve keeps a few thousand values of a long list, at equal distances.
type curve struct {
	x, y   []float64
	stride int // number of steps per value kept
}

func (c *curve) add(iter int, v float64) {
	c.stride = max(c.stride, 1)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if len(c.x) == mostLive {
		c.stride *= 2
		n := 0
		for i := 1; i < len(c.x); i += 2 {
			c.x[n], c.y[n] = c.x[i], c.y[i]
			n++
		}
		c.x, c.y = c.x[:n], c.y[:n]
	}
	if iter%c.stride == 0 {
		c.x, c.y = append(c.x, float64(iter)), append(c.y, v)
	}
}

// step is called after each step of the fit.
func (l *liveFit) step(s model.Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running {
		l.running, l.id = true, "fit-"+strconv.FormatInt(liveFits.Add(1), 10)
		l.loss, l.validation, l.next = curve{}, curve{}, l.now().Add(frameInterval)
	}
	l.last, l.drawn = s, false
	l.loss.add(s.Iter, s.Loss)
	l.validation.add(s.Iter, s.Validation)
	if !l.now().Before(l.next) {
		l.draw()
	}
}

// end draws the last step, if no frame has shown it.
func (l *liveFit) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running && !l.drawn {
		l.draw()
	}
	l.running = false
}

// draw shows a frame. If a panel cannot be drawn, draw reports this once and omits the panel from
// then on.
func (l *liveFit) draw() {
	began := l.now()
	var charts []*chart.Chart
	if len(l.loss.x) > 0 || len(l.panels) == 0 {
		charts = append(charts, l.curves())
	}
	for _, p := range l.panels {
		charts = append(charts, p())
	}
	if err := display.Update(l.id, gridOf(charts)); err != nil && len(l.panels) > 0 {
		l.panels = nil
		_ = display.Show(fmt.Sprintf("Trace.Live: a panel is omitted: %v", err))
		l.draw()
	}
	end := l.now()
	l.drawn, l.next = true, end.Add(max(frameInterval, frameShare*end.Sub(began)))
}

func gridOf(charts []*chart.Chart) *chart.Panels {
	p := chart.Grid(charts...)
	if len(charts) == 1 {
		p.Size(520, 320)
	}
	return p
}

// curves draws the losses.
func (l *liveFit) curves() *chart.Chart {
	title := l.name + ", step " + strconv.Itoa(l.last.Iter)
	if l.last.Max > 0 {
		title += " of " + strconv.Itoa(l.last.Max)
	}
	if len(l.loss.x) == 0 {
		return chart.New().Points([]float64{float64(l.last.Iter)}, []float64{0}).Title(title).X("step").Y("no loss is computed")
	}
	c := chart.New().Line(l.loss.x, l.loss.y).Title(title).X("step").Y("loss")
	if len(l.validation.x) > 0 {
		c.Name("training")
		c.Line(l.validation.x, l.validation.y).Name("validation")
	}
	if growsByFactors(l.loss.y) {
		c.LogY()
	}
	return c
}
