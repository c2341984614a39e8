//go:build linux

package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// parts is a file that stores the outcome of each fault, so that an interrupted run can continue.
// Each line is JSON; the first one is a heading.
type parts struct {
	file *os.File
	done map[string]*outcome // by group and name
}

// heading describes the run to which the outcomes belong.
type heading struct {
	Program [sha256.Size]byte
	Times   int
	Short   bool
	Began   time.Time
}

// saved is an outcome in the format of the file.
type saved struct {
	Group, Name            string
	Times, Deaths          int
	Spent                  time.Duration
	Requests               int
	Lost, Doubled          int
	NoIdle, NotLast        int
	Kept, Gone, Unexpected int
	Took                   []time.Duration
	Kernel, Evaluator      float64
	Problems               []string
}

// openParts opens or creates the file of a run of r with a program. If the file belongs to
// another program or another form of the run, it returns an error.
func openParts(name, program string, r *report) (*parts, error) {
	b, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	h := heading{Program: sha256.Sum256(b), Times: r.times, Short: r.short, Began: r.began}
	p := &parts{done: map[string]*outcome{}}
	if p.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	old, err := io.ReadAll(p.file)
	if err != nil {
		return nil, err
	}
	if len(old) == 0 {
		return p, p.add(h)
	}
	lines := bufio.NewScanner(bytes.NewReader(old))
	lines.Buffer(nil, len(old)+1)
	lines.Scan()
	var was heading
	if err := json.Unmarshal(lines.Bytes(), &was); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if was.Program != h.Program || was.Times != h.Times || was.Short != h.Short {
		return nil, fmt.Errorf("%s has outcomes of another program, or of a run with other values of -times or -short: give another file", name)
	}
	r.began = was.Began
	for lines.Scan() {
		var s saved
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.done[s.Group+"\n"+s.Name] = &outcome{
			times: s.Times, deaths: s.Deaths, spent: s.Spent, kept: s.Kept, lost: s.Gone, unexpected: s.Unexpected,
			account: account{requests: s.Requests, lost: s.Lost, doubled: s.Doubled, noIdle: s.NoIdle, notLast: s.NotLast},
			took:    s.Took, kernel: s.Kernel, evaluator: s.Evaluator, problems: s.Problems,
		}
	}
	return p, lines.Err()
}

// outcome returns the stored outcome of a fault, or nil.
func (p *parts) outcome(f *fault) *outcome {
	if p == nil {
		return nil
	}
	o := p.done[f.group+"\n"+f.name]
	if o != nil {
		o.fault = f
	}
	return o
}

// keep stores an outcome, whether it succeeded or not.
func (p *parts) keep(o *outcome) error {
	if p == nil {
		return nil
	}
	return p.add(saved{
		Group: o.fault.group, Name: o.fault.name, Times: o.times, Deaths: o.deaths, Spent: o.spent,
		Requests: o.account.requests, Lost: o.account.lost, Doubled: o.account.doubled, NoIdle: o.account.noIdle, NotLast: o.account.notLast,
		Kept: o.kept, Gone: o.lost, Unexpected: o.unexpected, Took: o.took, Kernel: o.kernel, Evaluator: o.evaluator, Problems: o.problems,
	})
}

func (p *parts) add(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.file.Write(append(b, '\n'))
	return err
}
