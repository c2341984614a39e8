package site

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Outcome describes how a notebook got its outputs.
type Outcome struct {
	Reused bool          // they are the outputs of an earlier run
	Took   time.Duration // the duration of the run
}

// Run executes the notebook nb and stores the outputs in nb. The file of the notebook has the given
// name in the directory of the site's notebooks.
type Run = func(ctx context.Context, name string, nb *notebook.Notebook) (Outcome, error)

// runs is the state of the notebooks that a build runs.
type runs struct {
	list []*lecture

	mu     sync.Mutex
	active []int // started and not ended, in order
	ended  int
}

// status describes the state in one line.
func (r *runs) status() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.active) == 0 {
		return ""
	}
	var names []string
	for _, i := range r.active {
		names = append(names, r.list[i].Name)
	}
	return fmt.Sprintf("%d of %d done, running %s", r.ended, len(r.list), strings.Join(names, ", "))
}

func (r *runs) start(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active = append(r.active, i)
}

func (r *runs) end(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, a := range r.active {
		if a == i {
			r.active = append(r.active[:k], r.active[k+1:]...)
			break
		}
	}
	r.ended++
}

// execute runs all notebooks, several at once, even if some fail. It reports them in the order of
// the course. A notebook with a cell that fails unexpectedly is an error: it must not be on a site.
func (b *builder) execute(ctx context.Context) error {
	r := &runs{}
	for _, l := range b.lectures {
		if !l.Homework { // the student version is unfinished
			r.list = append(r.list, l)
		}
	}
	if b.Run == nil {
		var faults []error
		for _, l := range r.list {
			faults = append(faults, b.failures(l, nil)...)
		}
		return joined(faults...)
	}
	if b.Watch != nil {
		defer b.Watch(r.status)()
	}
	type result struct {
		Outcome
		err   error
		ended bool
	}
	results := make([]result, len(r.list))
	ended := make(chan int)
	var faults []error
	busy, next, told := 0, 0, 0
	for busy > 0 || next < len(r.list) && ctx.Err() == nil {
		if next < len(r.list) && ctx.Err() == nil && (busy == 0 || busy < b.Jobs && (b.Room == nil || b.Room())) {
			i := next
			r.start(i)
			go func() {
				results[i].Outcome, results[i].err = b.Run(ctx, r.list[i].Name+".ipynb", r.list[i].nb)
				ended <- i
			}()
			busy, next = busy+1, next+1
			continue
		}
		i := <-ended
		r.end(i)
		results[i].ended = true
		busy--
		for ; told < len(results) && results[told].ended; told++ {
			errs := b.failures(r.list[told], results[told].err)
			faults = append(faults, errs...)
			b.Say("[%*d/%d] %s: %s", len(fmt.Sprint(len(results))), told+1, len(results), r.list[told].Name, results[told].line(len(errs)))
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return joined(faults...)
}

// line describes the outcome of a notebook with this number of errors.
func (o Outcome) line(errs int) string {
	switch {
	case errs == 1:
		return "1 error"
	case errs > 1:
		return fmt.Sprint(errs, " errors")
	case o.Reused:
		return "unchanged, its outputs are reused"
	}
	return fmt.Sprintf("ran in %.1f s", o.Took.Seconds())
}

// failures returns the errors of a notebook that has run.
func (b *builder) failures(l *lecture, err error) (list []error) {
	file := b.in(l.Name + ".ipynb")
	if err != nil {
		list = append(list, wrong(file, err.Error(), "run gokernel run "+file+" to see more"))
	}
	for _, c := range l.nb.Cells {
		for _, o := range c.Outputs {
			if o.Type == notebook.Error && !c.Tagged("raises-exception") {
				list = append(list, wrong(file+", cell "+c.ID, fmt.Sprintf("the cell fails: %s: %s", o.ErrorName, o.ErrorValue), "correct the cell, or give it the tag raises-exception"))
			}
		}
	}
	return list
}
