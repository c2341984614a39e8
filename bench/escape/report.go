//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// report is the result of a run.
type report struct {
	began  time.Time
	spent  time.Duration
	series []series
	tests  int // tests of the grader with attacks on every homework
}

func (r *report) count() (tried, escaped, blind int) {
	for _, s := range r.series {
		for _, o := range s.Outcomes {
			tried++
			if o.escaped() {
				escaped++
			}
			if o.blind() {
				blind++
			}
		}
	}
	return tried, escaped, blind
}

// graded counts the submissions of homework, and those that have earned other points than their
// answers are worth.
func (r *report) graded() (n, wrong int) {
	for _, s := range r.series {
		for _, o := range s.Outcomes {
			if o.Group == "grader" {
				n++
				if o.escaped() {
					wrong++
				}
			}
		}
	}
	return n, wrong
}

// print prints the unexpected outcomes of a series.
func (r *report) print(s series) {
	for _, o := range s.Outcomes {
		switch {
		case o.Problem != "":
			fmt.Printf("PROBLEM  %s: %s, %s: %s\n", s.Mode, o.Group, o.Name, o.Problem)
		case o.escaped():
			fmt.Printf("ESCAPE   %s: %s, %s: %s\n", s.Mode, o.Group, o.Name, o.Effect)
		case o.blind():
			fmt.Printf("BLIND    %s: %s, %s: nothing was seen without the sandbox\n", s.Mode, o.Group, o.Name)
		}
	}
	escaped, known, shown := 0, 0, 0
	for _, o := range s.Outcomes {
		if o.escaped() {
			escaped++
		}
		if o.Known != "" {
			known++
		}
		if o.Proof != "" {
			shown++
		}
	}
	fmt.Printf("%s: %d attempts, %d escapes, %d possible as documented; %d were shown to work without the sandbox\n", s.Mode, len(s.Outcomes), escaped, known, shown)
}

// table returns the report as text for the page.
func (r *report) table() string {
	var b strings.Builder
	var u unix.Utsname
	_ = unix.Uname(&u) // it cannot fail
	fmt.Fprintf(&b, "The tests ran on Linux %s, %s.\n", unix.ByteSliceToString(u.Release[:]), runtime.GOARCH)
	tried, escaped, _ := r.count()
	var modes []string
	for _, s := range r.series {
		modes = append(modes, s.Mode.String())
	}
	fmt.Fprintf(&b, "They made %d attempts in %d series:\n\n- %s\n\n%d of the attempts escaped.\n", tried, len(r.series), strings.Join(modes, "\n- "), escaped)
	if n, wrong := r.graded(); n > 0 {
		fmt.Fprintf(&b, "%d of the attempts are submissions of homework.\n%d of them earned more or fewer points than their answers are worth.\n", n, wrong)
	}
	if r.tests > 0 {
		b.WriteString("Attacks on every homework of the course earned no points.\n")
	}
	type key struct{ group, name string }
	var order []key
	byKey := map[key][]outcome{}
	for _, s := range r.series {
		for _, o := range s.Outcomes {
			k := key{o.Group, o.Name}
			if byKey[k] == nil {
				order = append(order, k)
			}
			byKey[k] = append(byKey[k], o)
		}
	}
	group := ""
	for _, k := range order {
		if k.group != group {
			group = k.group
			fmt.Fprintf(&b, "\n## %s\n\n| a cell tries | what stops it | answer of the system | works without the sandbox |\n|---|---|---|---|\n", strings.ToUpper(group[:1])+group[1:])
		}
		list := byKey[k]
		o := list[0]
		stops := o.Stops
		if o.Known != "" {
			stops = "**nothing**: " + o.Known
		}
		shown := "yes"
		switch {
		case k.group == "grader":
			shown = ""
		case o.Unshown != "":
			shown = "not tried: " + o.Unshown
		case o.Proof == "":
			shown = "no effect seen"
		}
		var found []string
		for _, p := range list {
			if p.Answer != "" && !strings.Contains(strings.Join(found, "; "), p.Answer) {
				found = append(found, p.Answer)
			}
			if p.escaped() {
				stops = "**it escapes**"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cellText(k.name), cellText(stops), cellText(quoted(found)), cellText(shown))
	}
	return b.String()
}

// quoted returns answers of the system as code, because they are quotations.
func quoted(answers []string) string {
	if len(answers) == 0 {
		return ""
	}
	text := strings.NewReplacer("\n", " ", "`", "'", "; ", "`; `").Replace(strings.Join(answers, "; "))
	return "`" + text + "`"
}

func cellText(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// writeTo puts the table into the page between the comments of its part.
func (r *report) writeTo(name string) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	const first, last = "<!-- escape -->\n", "<!-- end of escape -->\n"
	before, rest, ok := bytes.Cut(page, []byte(first))
	_, after, ok2 := bytes.Cut(rest, []byte(last))
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the table: it needs the lines %q and %q", name, strings.TrimSpace(first), strings.TrimSpace(last))
	}
	return os.WriteFile(name, bytes.Join([][]byte{before, []byte(first), []byte(r.table()), []byte(last), after}, nil), 0o644)
}
