package course

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/figuretest"
	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// frames is a sink that records what a live fit shows.
type frames struct {
	first, again int
	ids          map[string]bool
	text         []string
}

func (f *frames) keep(b display.Bundle) {
	id, _ := b.Transient["display_id"].(string)
	f.ids[id] = true
	text, _ := b.Data[display.MIMEText].(string)
	f.text = append(f.text, text)
}
func (f *frames) Display(b display.Bundle) error  { f.first++; f.keep(b); return nil }
func (f *frames) Update(b display.Bundle) error   { f.again++; f.keep(b); return nil }
func (f *frames) Clear(bool) error                { return nil }
func (f *frames) Page(display.Bundle) error       { return nil }
func (f *frames) SetNextInput(string, bool) error { return nil }

func watch(t *testing.T) *frames {
	f := &frames{ids: map[string]bool{}}
	previous := display.SetSink(f)
	t.Cleanup(func() { display.SetSink(previous) })
	return f
}

// One step per 30 ms on the test's clock, and a panel that takes 100 ms.
func TestLiveFrames(t *testing.T) {
	f := watch(t)
	m := &nn.MLPClassifier{}
	clock := time.Unix(0, 0)
	panels := 0
	if err := Trace(m).Live(); err != nil {
		t.Fatal(err)
	}
	l := &liveFit{name: "MLPClassifier", now: func() time.Time { return clock }}
	steps := func() {
		for i := 1; i <= 100; i++ {
			clock = clock.Add(30 * time.Millisecond)
			l.step(model.Step{Iter: i, Max: 100, Loss: 1 / float64(i), Validation: math.NaN()})
		}
		l.end()
	}
	steps()
	if f.first != 1 || f.first+f.again != 25 { // one per 120 ms
		t.Errorf("%d frames and %d changes in 3 s", f.first, f.again)
	}
	if last := f.text[len(f.text)-1]; !strings.Contains(last, "step 100 of 100") {
		t.Errorf("the last frame says %q", last)
	}
	*f = frames{ids: map[string]bool{}}
	l.panels = []func() *chart.Chart{func() *chart.Chart {
		panels++
		clock = clock.Add(100 * time.Millisecond)
		return chart.New().Points([]float64{1}, []float64{2})
	}}
	steps()
	if panels > 12 || panels < 8 || f.first != 1 || len(f.ids) != 1 {
		t.Errorf("%d slow frames, %d updates under %d names", panels, f.first, len(f.ids))
	}
}

func TestLiveFits(t *testing.T) {
	f := watch(t)
	d := data.TwoMoons(60, 0.1, 1)
	m := &nn.MLPClassifier{Hidden: []int{4}, Epochs: 5, Patience: 5}
	drawn := 0
	err := Trace(m).Live(func() *chart.Chart { drawn++; return Regions(m, d) })
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // each fit has its own figure
		if err := m.Fit(d.X, d.Y); err != nil {
			t.Fatal(err)
		}
	}
	if f.first != 2 || len(f.ids) != 2 || drawn < 2 {
		t.Errorf("two fits showed %d figures under %d names, %d boundaries", f.first, len(f.ids), drawn)
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.Context = ctx
	watched := m.OnStep
	m.OnStep = func(s model.Step) {
		watched(s)
		if s.Iter == 3 {
			cancel()
		}
	}
	if err := m.Fit(d.X, d.Y); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if last := f.text[len(f.text)-1]; f.first != 3 || !strings.Contains(last, "step 3 of 5") {
		t.Errorf("an interrupted fit shows %q at the end", last)
	}
	if m.Coef != nil {
		t.Error("an interrupted fit kept its weights")
	}
	k := &cluster.KMeans{K: 2}
	if err := Trace(k).Live(); err != nil {
		t.Fatal(err)
	}
	if _, err := k.FitPredict(d.X); err != nil || f.first != 4 {
		t.Errorf("k-means: %v, %d figures", err, f.first)
	}
}

// A panel that cannot be drawn is reported, and the loss is still drawn.
func TestLivePanelFails(t *testing.T) {
	f := watch(t)
	d := data.TwoMoons(60, 0.1, 1)
	m := &nn.MLPClassifier{Hidden: []int{4}, Epochs: 3}
	if err := Trace(m).Live(func() *chart.Chart { return chart.Fail(errors.New("no such thing")) }); err != nil {
		t.Fatal(err)
	}
	if err := m.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	if len(f.text) < 2 || !strings.Contains(f.text[0], "no such thing") || !strings.Contains(f.text[len(f.text)-1], "step 3 of 3") {
		t.Errorf("shown: %q", f.text)
	}
	var none func() *chart.Chart
	for _, err := range []error{Trace(&prep.StandardScaler{}).Live(), Trace(3).Live(), Trace(m).Live(none)} {
		if err == nil {
			t.Error("it is drawn")
		}
	}
}

// Of long fits, a few thousand steps are kept, including the last ones.
func TestLiveLongFits(t *testing.T) {
	var c curve
	for i := 1; i <= 1_000_000; i++ {
		c.add(i, float64(i))
	}
	last := c.x[len(c.x)-1]
	if len(c.x) > mostLive || len(c.x) < mostLive/4 || last < 1_000_000-float64(c.stride) {
		t.Errorf("%d points up to %v", len(c.x), last)
	}
	for i := 2; i < len(c.x); i++ {
		if c.x[i]-c.x[i-1] != float64(c.stride) {
			t.Fatalf("steps %v and %v follow each other", c.x[i-1], c.x[i])
		}
	}
}

func TestLiveFigure(t *testing.T) {
	d := data.TwoMoons(150, 0.2, 3)
	m := &nn.MLPClassifier{Hidden: []int{16}, Epochs: 60, Patience: 60, Held: 0.3, Seed: 2}
	l := &liveFit{name: "MLPClassifier", now: time.Now}
	var half *chart.Panels
	m.OnStep = func(s model.Step) {
		l.last = s
		l.loss.add(s.Iter, s.Loss)
		l.validation.add(s.Iter, s.Validation)
		if s.Iter == 40 {
			half = gridOf([]*chart.Chart{l.curves(), Regions(m, d)})
		}
	}
	if err := m.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	figuretest.Check(t, "live", half)
}
