package main

import (
	"fmt"
	"strings"
)

// page returns the report.
func page(results []result) string {
	var b strings.Builder
	b.WriteString(`# Analyses beside pandas and statsmodels

This report compares whole analyses in gokernel with the same analyses in Python. This report is for
readers who decide whether gokernel can do their statistics. Each data set has a notebook and a twin
in ` + "`bench/analyses`" + `; the twin uses pandas, statsmodels, scipy, lifelines and matplotlib. Both answer
the same numbered questions. ` + "`make analyses`" + ` runs both and writes this page.

Numbers must agree to a relative difference of 1e-6, tables cell by cell; a question whose answer
comes from an iterative fit states a larger tolerance in brackets. A figure counts as answered if
the notebook shows an image. Each statement counts as one, at the top level or nested; formatting
doesn't matter. Imports don't count on either side, nor do braces, labels, cases, and the parts of
the head of a loop. In gokernel, a figure is one statement; with matplotlib, about four. Without the
figures, the ratio is 0.99.

The larger tolerances are for fits that stop early. We repeated two of these fits with tighter
settings: a mixed model of statsmodels and a Cox regression of lifelines. Both then agreed with
gokernel's numbers. Standard errors of mixed models aren't compared, because statsmodels derives
them from a numerical Hessian. The twin of the probit model (fair.py, question 12) uses a GLM of
statsmodels. The standard errors of this GLM use the expected information, as gokernel's do.

| Data set | Questions | Figures | Equal answers | Statements | pandas | Ratio |
|---|---:|---:|---:|---:|---:|---:|
`)
	var all result
	different := 0
	for _, r := range results {
		fmt.Fprintf(&b, "| [%s](../../bench/analyses/%s.ipynb) | %d | %d | %d | %d | %d | %.2f |\n", r.title, r.name,
			r.questions, r.figures, r.questions-len(r.differences), r.own, r.peer, float64(r.own)/float64(max(1, r.peer)))
		all.questions += r.questions
		all.figures += r.figures
		all.own += r.own
		all.peer += r.peer
		different += len(r.differences)
	}
	fmt.Fprintf(&b, "| All | %d | %d | %d | %d | %d | %.2f |\n", all.questions, all.figures,
		all.questions-different, all.own, all.peer, float64(all.own)/float64(max(1, all.peer)))
	return b.String()
}
