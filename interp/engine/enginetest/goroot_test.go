package enginetest

import (
	"runtime"
	"strings"
	"testing"
)

func TestIsProgram(t *testing.T) {
	for src, want := range map[string]bool{
		"// run\n\npackage main":                                true,
		"\n// run\npackage main":                                true,
		"//go:build !js && gc\n\n// run\n\npackage main":        true,
		"//go:build windows || plan9\n\n// run\n\npackage main": runtime.GOOS == "windows",
		"//go:build goexperiment.arenas\n\n// run\npackage m":   false,
		"// run -gcflags=-l\n\npackage main":                    false,
		"// run\n\n//go:build js\n\npackage main":               false,
		"// rundir\n\npackage main":                             false,
		"// errorcheck\n\n// run\npackage main":                 false,
		"package main":                                          false,
	} {
		if got := isProgram(src); got != want {
			t.Errorf("%q is a program: %v", src, got)
		}
	}
}

func TestListPrograms(t *testing.T) {
	programs, err := listPrograms(goTests(t))
	if err != nil {
		t.Fatal(err)
	}
	sample, generic := 0, 0
	for _, p := range programs {
		if inSample(p) {
			sample++
		}
		if strings.HasPrefix(p, "typeparam/") {
			generic++
		}
	}
	t.Logf("%d programs, %d generic ones, %d in the sample", len(programs), generic, sample)
	if len(programs) < 1000 || generic < 140 || sample < 40 {
		t.Errorf("%d programs, %d generic ones, %d in the sample", len(programs), generic, sample)
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		e    ending
		want verdict
	}{
		{ending{output: "a\n"}, right},
		{ending{output: "b\n"}, wrong},
		{ending{output: "a\n", status: 2}, wrong},
		{ending{output: "a\n", timeout: true}, timedOut},
		{ending{output: "refused: x", status: exitRefused}, refused},
		{ending{output: "fatal error: x", status: 2}, crashed},
		{ending{output: "", status: -1}, crashed},
	} {
		if got, detail := c.e.judge("a\n", 0); got != c.want {
			t.Errorf("%+v is judged %s (%s), want %s", c.e, got, detail, c.want)
		}
	}
}

func TestDifference(t *testing.T) {
	if got := difference("a\nb\nc", "a\nx\nc"); got != `line 2: got "b", want "x"` {
		t.Error(got)
	}
	if got := difference("a", "a\nb"); got != `line 2: got "", want "b"` {
		t.Error(got)
	}
}
