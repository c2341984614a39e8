package site

import (
	"context"
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// execute runs the notebooks, all of them although some fail. One with a cell that fails, and is
// not expected to, is an error: it has no place on a site.
func (b *builder) execute(ctx context.Context) error {
	var faults []error
	for _, l := range b.lectures {
		if l.Homework {
			continue // what students get is not finished
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
