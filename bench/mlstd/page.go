package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// predicts reports whether the case has a second part.
func (r row) predicts() bool { return r.own.Predict > 0 && r.theirs.Predict > 0 }

// ratios returns scikit-learn's time divided by ours, above 1 if we are faster: of fitting and
// predicting, in wall time and in CPU time.
func (r row) ratios() (fit, fitCPU, predict, predictCPU float64) {
	return r.theirs.Fit / r.own.Fit, r.theirs.FitCPU / r.own.FitCPU, r.theirs.Predict / r.own.Predict, r.theirs.PredictCPU / r.own.PredictCPU
}

// behind lists the parts that take longer than scikit-learn's.
func (r row) behind() []string {
	fit, _, predict, _ := r.ratios()
	var parts []string
	if fit < 1 {
		parts = append(parts, fmt.Sprintf("fit %.2f", fit))
	}
	if r.predicts() && predict < 1 {
		parts = append(parts, fmt.Sprintf("predict %.2f", predict))
	}
	return parts
}

// aheadByCPU reports whether no part that takes more wall time than scikit-learn's also takes
// more CPU time.
func (r row) aheadByCPU() bool {
	fit, fitCPU, predict, predictCPU := r.ratios()
	return (fit >= 1 || fitCPU >= 1) && (!r.predicts() || predict >= 1 || predictCPU >= 1)
}

// worse reports whether the quality is below scikit-learn's by more than chance and stopping
// rules explain: a hundredth for a score, a thousandth for an objective.
func (r row) worse() bool {
	switch r.c.quality {
	case accuracy, r2:
		return r.own.Quality < r.theirs.Quality-0.01
	case objective:
		return r.own.Quality > r.theirs.Quality*1.001
	case divergence: // one of many minima
		return r.own.Quality > r.theirs.Quality*1.05
	case agreement: // of labels; ties of distances may be broken differently
		return r.own.Quality < 0.95
	case flagged: // depends on a random threshold
		return math.Abs(r.own.Quality-r.theirs.Quality) > 0.02
	}
	return math.Abs(r.own.Quality-r.theirs.Quality) > 1e-6*math.Abs(r.theirs.Quality)
}

func (r row) line() string {
	fit, fitCPU, predict, predictCPU := r.ratios()
	s := fmt.Sprintf("%-28s %-18s fit %9.4f %9.4f  ratio %6.2f cpu %6.2f", r.c.name, r.size, r.own.Fit, r.theirs.Fit, fit, fitCPU)
	if r.predicts() {
		s += fmt.Sprintf("   predict %9.5f %9.5f  ratio %6.2f cpu %6.2f", r.own.Predict, r.theirs.Predict, predict, predictCPU)
	}
	if r.heap > 0 {
		s += fmt.Sprintf("   heap %.1f MB", float64(r.heap)/1e6)
	}
	s += fmt.Sprintf("   %s %.6g (%.6g)", r.c.quality, r.own.Quality, r.theirs.Quality)
	if r.worse() {
		s += "   WORSE"
	}
	return s
}

// page writes the table and a description of the machine.
func page(b *bytes.Buffer, rows []row, version, before, after string, took time.Duration) {
	fmt.Fprintf(b, `# Library benchmarks: ml and scikit-learn

This report compares the speed and the results of the course library, ml, with scikit-learn. This
report is for readers who choose a library and for developers of mlstd. `+"`make bench-mlstd`"+` writes this report.

Both libraries get the same data, parameters and stopping rules, and take turns on each case; the
minimum time counts. scikit-learn uses all cores if an estimator has n_jobs. A ratio is scikit-learn's time
divided by ours, so ml is faster if the ratio is above 1. The first ratio compares wall times,
and the ratio in parentheses compares CPU times, which other work on the machine disturbs less.

Quality is a measure with our value and scikit-learn's value: accuracy or R² on unseen rows, an objective (lower is better) on the
training rows, or another number computed from the result. Agreement is the adjusted Rand index of our labels and
scikit-learn's.

%s, %s %s/%s, %d cores%s, %s. Load average: %s at the start, %s at the end, %.0f s later.

`, time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor(), version, before, after, took.Seconds())
	if name := busy(before); name != "" {
		b.WriteString(name + "\n\n")
	}
	summary(b, rows)
	b.WriteString("| family | case | data | fit, s | sklearn, s | ratio | predict, s | sklearn, s | ratio | quality | ours | sklearn |\n")
	b.WriteString("|---|---|---|---:|---:|---:|---:|---:|---:|---|---:|---:|\n")
	for _, r := range rows {
		fit, fitCPU, predict, predictCPU := r.ratios()
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.2f (%.2f) |", r.c.family, r.c.name, r.size, seconds(r.own.Fit), seconds(r.theirs.Fit), fit, fitCPU)
		if r.predicts() {
			fmt.Fprintf(b, " %s | %s | %.2f (%.2f) |", seconds(r.own.Predict), seconds(r.theirs.Predict), predict, predictCPU)
		} else {
			b.WriteString(" | | |")
		}
		fmt.Fprintf(b, " %s | %.5g | %.5g |\n", r.c.quality, r.own.Quality, r.theirs.Quality)
	}
	reasons(b, rows, busy(before) != "")
	memory(b, rows)
	b.WriteString(`
## Without a counterpart

scikit-learn has none of these, so they are not in the table: Winnow, version spaces, weighted majority,
tree kernels, collective classification, ranking by gradient boosting, edited neighbors, and statistical
tests. It also lacks the voted perceptron, the tuned perceptron, the multiclass
perceptron of Crammer and Singer, and lookahead and fractional examples in trees.
`)
}

// summary returns a sentence about how many cases are faster.
func summary(b *bytes.Buffer, rows []row) {
	ahead, parts := 0, 0
	var all []float64
	for _, r := range rows {
		fit, _, predict, _ := r.ratios()
		all = append(all, fit)
		if r.predicts() {
			all = append(all, predict)
		}
	}
	for _, v := range all {
		parts++
		if v >= 1 {
			ahead++
		}
	}
	slices.Sort(all)
	fmt.Fprintf(b, "In %d of %d timings, ml is at least as fast as scikit-learn; the median ratio is %.1f.\n\n", ahead, parts, all[len(all)/2])
}

// reasons lists the slower cases with their reasons.
func reasons(b *bytes.Buffer, rows []row, disturbed bool) {
	b.WriteString("\n## Slower cases and reasons\n\n")
	none := true
	for _, r := range rows {
		parts := r.behind()
		if len(parts) == 0 {
			continue
		}
		none = false
		why := r.c.slower
		switch ahead := r.aheadByCPU(); {
		case ahead && disturbed:
			why = joined("faster in CPU time; other work affected the wall time", why)
		case ahead:
			why = joined("faster in CPU time, but parts run on one core", why)
		case why == "":
			why = "not explained yet."
		}
		fmt.Fprintf(b, "- %s, %s (%s): %s\n", r.c.name, r.size, strings.Join(parts, ", "), why)
	}
	if none {
		b.WriteString("Nothing in this run.\n")
	}
	var bad []string
	for _, r := range rows {
		if r.worse() {
			bad = append(bad, fmt.Sprintf("%s, %s", r.c.name, r.size))
		}
	}
	if len(bad) > 0 {
		fmt.Fprintf(b, "\nThe quality differs, so the times are not comparable: %s.\n", strings.Join(bad, "; "))
	}
}

// joined joins two clauses; the second one can be empty.
func joined(first, second string) string {
	if second == "" {
		return first + "."
	}
	return first + ". " + strings.ToUpper(second[:1]) + second[1:]
}

// seconds formats with three digits.
func seconds(s float64) string {
	switch {
	case s >= 1:
		return fmt.Sprintf("%.2f", s)
	case s >= 0.01:
		return fmt.Sprintf("%.4f", s)
	}
	return fmt.Sprintf("%.6f", s)
}

// loadAverage returns the load average of the machine.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}

// busy returns a warning if other work shared the machine.
func busy(load string) string {
	var one float64
	if _, err := fmt.Sscan(load, &one); err != nil || one < 0.5 {
		return ""
	}
	return "Other programs ran at the same time: the times are inflated, and ratios of wall time vary."
}

// processor returns the processor model, if the system reports it.
func processor() string {
	out, err := exec.Command("sh", "-c", "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1").Output()
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		return " of " + name
	}
	return ""
}
