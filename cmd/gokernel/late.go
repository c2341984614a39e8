package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// latePolicy applies a course's policy for late submissions. It is nil if there is none.
type latePolicy struct {
	policy   *grading.Policy
	homework string
	days     grading.LateDays
	file     string // has the late days that students have used
	times    map[string]time.Time
}

// readDelays reads the policy, the late days that were used before, and the times of submissions.
func readDelays(f gradeFlags, kept *grading.Marks) (*latePolicy, error) {
	if f.policy == "" {
		switch {
		case f.times != "":
			return nil, errors.New("--times needs a --policy with the deadline")
		case kept.Late():
			return nil, fmt.Errorf("%s counts penalties for late submissions: pass --policy, or choose another file with -o", f.out)
		}
		return nil, nil
	}
	b, err := os.ReadFile(f.policy)
	if err != nil {
		return nil, err
	}
	l := &latePolicy{homework: homeworkName(f.source), days: grading.LateDays{}, times: map[string]time.Time{}}
	if l.policy, err = grading.ReadPolicy(b); err != nil {
		return nil, fmt.Errorf("%s: %w", f.policy, err)
	}
	if _, ok := l.policy.Deadline(l.homework, ""); !ok {
		return nil, fmt.Errorf("%s: due must have a deadline for %s", f.policy, l.homework)
	}
	l.file = strings.TrimSuffix(f.policy, filepath.Ext(f.policy)) + "-days.csv"
	switch used, err := os.Open(l.file); {
	case err == nil:
		defer used.Close()
		if l.days, err = grading.ReadLateDays(used); err != nil {
			return nil, fmt.Errorf("%s: %w", l.file, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if f.times == "" {
		return l, nil
	}
	in, err := os.Open(f.times)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.times, err)
	}
	if len(rows) == 0 || len(rows[0]) < 2 || rows[0][0] != "student" || rows[0][1] != "time" {
		return nil, fmt.Errorf("%s must be a table with the columns student and time", f.times)
	}
	for _, row := range rows[1:] {
		if l.times[row[0]], err = l.policy.Time(row[1]); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", f.times, row[0], err)
		}
	}
	return l, nil
}

// apply sets how late a submission is, and counts its late days.
func (l *latePolicy) apply(g *grading.Graded) {
	if l == nil || g.Result == nil {
		return
	}
	at, ok := l.times[g.Student]
	switch {
	case ok:
	case g.Late != nil: // from the table
		at = g.Late.At
	default:
		at = l.handedIn(g.File)
	}
	due, _ := l.policy.Deadline(l.homework, g.Student)
	g.Late = l.policy.Late(at, due, l.policy.Free-l.days.Others(g.Student, l.homework))
	l.days.Set(g.Student, l.homework, g.Late.Used)
}

// handedIn returns when a submission was handed in: the time in timestamp.txt, which nbgrader
// writes, or the modification time of the file.
func (l *latePolicy) handedIn(file string) time.Time {
	if b, err := os.ReadFile(filepath.Join(filepath.Dir(file), "timestamp.txt")); err == nil && len(b) < 100 {
		if at, err := l.policy.Time(string(b)); err == nil {
			return at
		}
	}
	if info, err := os.Stat(file); err == nil {
		return info.ModTime().Truncate(time.Second)
	}
	return time.Time{}
}

// write stores the late days that students have used.
func (l *latePolicy) write(stderr io.Writer) error {
	if l == nil || l.policy.Free == 0 {
		return nil
	}
	var b strings.Builder
	if err := l.days.Write(&b); err != nil {
		return err
	}
	if err := notebook.WriteFile(l.file, []byte(b.String())); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "wrote the late days that students have used to %s\n", l.file)
	return nil
}
