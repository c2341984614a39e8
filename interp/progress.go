package interp

import (
	"fmt"
	"math"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/internal/eventloop"
	"github.com/gokernel/gokernel/mlstd/model"
)

// fitProgress shows a progress bar for each algorithm of the course library that a cell fits.
type fitProgress struct {
	mu   sync.Mutex
	bars map[string]*display.Bar
}

func (f *fitProgress) step(st model.Step) {
	eventloop.Yield()
	f.mu.Lock()
	if f.bars == nil {
		f.bars = map[string]*display.Bar{}
	}
	bar := f.bars[st.Algorithm]
	if bar == nil {
		bar = display.Progress(st.Max).Label(st.Algorithm)
		f.bars[st.Algorithm] = bar
	}
	f.mu.Unlock()
	if !math.IsNaN(st.Loss) {
		bar.Note(fmt.Sprintf("loss %.4g", st.Loss))
	}
	bar.Set(st.Iter)
}

func (f *fitProgress) done(algorithm string) {
	f.mu.Lock()
	bar := f.bars[algorithm]
	delete(f.bars, algorithm)
	f.mu.Unlock()
	if bar != nil {
		bar.Done()
	}
}

func (f *fitProgress) end() {
	f.mu.Lock()
	bars := f.bars
	f.bars = nil
	f.mu.Unlock()
	for _, b := range bars {
		b.Done()
	}
}
