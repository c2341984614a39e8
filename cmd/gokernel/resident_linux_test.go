package main

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestReleaseProgram(t *testing.T) {
	before := fileBacked(t)
	releaseProgram()
	after := fileBacked(t)
	if after >= before {
		t.Errorf("%d KiB of files are resident, %d before", after, before)
	}
	// Code and constants are mapped from the file again.
	if cmd := newRoot(); cmd.Name() != "gokernel" || len(cmd.Commands()) == 0 {
		t.Errorf("the program is damaged: %v", cmd.Name())
	}
}

// fileBacked returns the resident file-backed memory of this process, in KiB.
func fileBacked(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(b), "RssFile:")
	fields := strings.Fields(rest)
	if !ok || len(fields) == 0 {
		t.Fatalf("no RssFile in %s", b)
	}
	n, err := strconv.Atoi(fields[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
