package site

import (
	"context"
	"fmt"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// execute runs the notebooks. One with a cell that fails, and is not expected to, is
// an error: it has no place on a site.
func (b *builder) execute(ctx context.Context) error {
	for _, l := range b.lectures {
		if err := b.Run(ctx, l.Name+".ipynb", l.nb); err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		for _, c := range l.nb.Cells {
			for _, o := range c.Outputs {
				if o.Type == notebook.Error && !c.Tagged("raises-exception") {
					return fmt.Errorf("%s: cell %s fails: %s: %s", l.Name, c.ID, o.ErrorName, o.ErrorValue)
				}
			}
		}
	}
	return nil
}
