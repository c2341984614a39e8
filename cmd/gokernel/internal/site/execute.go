package site

import (
	"context"
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// execute runs all notebooks, even if some fail. A notebook with a cell that fails unexpectedly is
// an error: it must not be on a site.
func (b *builder) execute(ctx context.Context) error {
	var faults []error
	for _, l := range b.lectures {
		if l.Homework {
			continue // the student version is unfinished
		}
		if err := b.Run(ctx, l.Name+".ipynb", l.nb); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", l.Name, err))
			if ctx.Err() != nil {
				break
			}
		}
		for _, c := range l.nb.Cells {
			for _, o := range c.Outputs {
				if o.Type == notebook.Error && !c.Tagged("raises-exception") {
					faults = append(faults, fmt.Errorf("%s: cell %s fails: %s: %s", l.Name, c.ID, o.ErrorName, o.ErrorValue))
				}
			}
		}
	}
	return errors.Join(faults...)
}
