package site

import (
	"context"
	"fmt"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/internal/pattern"
)

var attachmentLink = pattern.New(`\]\(attachment:([^)\s]+)\)`)

// checkSources finds problems that the pages don't show.
func (b *builder) checkSources(context.Context) error {
	for _, l := range b.lectures {
		_, faults := page.Equations(l.nb)
		for _, f := range faults {
			b.fault(wrong(b.in(l.Name+".ipynb")+", cell "+f.Cell, f.What, "correct the label"))
		}
		for _, c := range l.nb.Cells {
			if c.Type != notebook.Markdown {
				continue
			}
			for _, m := range attachmentLink().FindAllStringSubmatch(codeAndMath().ReplaceAllString(c.Source, ""), -1) {
				if len(c.Attachments[m[1]]) == 0 {
					b.fault(wrong(b.in(l.Name+".ipynb")+", cell "+c.ID, fmt.Sprintf("the cell has no attachment %s", m[1]), "insert the picture again, or write the path of a file"))
				}
			}
		}
	}
	return nil
}
