package main

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// slower is the ratio from which a program counts as slower with the JIT than without.
const slower = 1.05

// courseContestants returns the columns of the table of the set "course": compiled Go, cells with
// the JIT off, on and forced, and the Pythons that are installed.
func courseContestants() (list []contestant, modes [3]int) {
	list = []contestant{{name: "compiled Go", command: compile}}
	for _, m := range []engine.JITMode{engine.JITOff, engine.JITOn, engine.JITForce} {
		name := "JIT " + m.String()
		if m == engine.DefaultJITMode() {
			name += " (as shipped)"
		}
		modes[m] = len(list)
		list = append(list, contestant{name: name, command: evaluate("ssa"), env: []string{engine.JITVariable + "=" + m.String()}})
	}
	list = append(list, contestant{name: "CPython", command: interpret(&python)})
	if _, err := exec.LookPath(pypy); err == nil {
		list = append(list, contestant{name: "PyPy", command: interpret(&pypy)})
	}
	return list, modes
}

// courseTable measures the programs that students write. It returns the problems, and reports
// whether there were none. Programs that the JIT slows down are listed, but are not a failure.
func courseTable(b *bytes.Buffer, ps []program, rounds, calls int, limit time.Duration) (notes []string, ok bool) {
	columns, modes := courseContestants()
	b.WriteString("| program |")
	for _, c := range columns {
		fmt.Fprintf(b, " %s, ms |", c.name)
	}
	for _, c := range columns[1:] {
		fmt.Fprintf(b, " %s / Go |", c.name)
	}
	b.WriteString("\n|---" + strings.Repeat("|---:", 2*len(columns)-1) + "|\n")
	toGo := make([][]float64, len(columns))
	var slow []string
	ok = true
	for _, p := range ps {
		all, err := measure(p, columns, rounds, calls, limit)
		if err != nil {
			return append(notes, err.Error()), false
		}
		fmt.Fprintf(b, "| %s |", p.name)
		for i, m := range all {
			if m.late {
				fmt.Fprintf(b, " > %.0f s |", limit.Seconds())
			} else if m.err != nil {
				b.WriteString(" - |")
			} else {
				fmt.Fprintf(b, " %.2f |", ms(m.best))
			}
			switch {
			case m.err != nil:
				notes, ok = append(notes, fmt.Sprintf("%s, %s: %v", p.name, columns[i].name, m.err)), false
			case all[0].err == nil && !same(m.result, all[0].result):
				notes, ok = append(notes, fmt.Sprintf("%s: %s gives %s, compiled Go %s", p.name, columns[i].name, m.result, all[0].result)), false
			}
		}
		for i := range all[1:] {
			fmt.Fprintf(b, " %s |", ratio(all[i+1].best, all[0].best, &toGo[i+1]))
		}
		b.WriteString("\n")
		off := all[modes[engine.JITOff]].best
		for _, m := range []engine.JITMode{engine.JITOn, engine.JITForce} {
			if r := float64(all[modes[m]].best) / float64(off); r > slower {
				slow = append(slow, fmt.Sprintf("%s (%s, %.2f times)", p.name, m, r))
			}
		}
	}
	for _, row := range []struct {
		name string
		part float64
	}{{"median", 0.5}, {"90th percentile", 0.9}, {"maximum", 1}} {
		fmt.Fprintf(b, "| %s |%s", row.name, strings.Repeat(" |", len(columns)))
		for _, ratios := range toGo[1:] {
			fmt.Fprintf(b, " %.1f |", quantile(ratios, row.part))
		}
		b.WriteString("\n")
	}
	if len(slow) == 0 {
		b.WriteString("\nNo program is slower with the JIT than without.\n")
		return notes, ok
	}
	fmt.Fprintf(b, "\nThese programs are slower with the JIT than without:\n\n- %s\n", strings.Join(slow, "\n- "))
	return notes, ok
}

// quantile returns the smallest value that at least the given part of the values doesn't exceed;
// for 0.5, the median.
func quantile(x []float64, part float64) float64 {
	if part == 0.5 || len(x) == 0 {
		return median(x)
	}
	slices.Sort(x)
	return x[max(int(math.Ceil(part*float64(len(x))))-1, 0)]
}
