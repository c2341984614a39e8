// Package asmtest compares encoders with the assembler of the toolchain. Only tests use it.
package asmtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Encoding is one or several instructions on one line of assembler, and the bytes that the encoder
// emits.
type Encoding struct {
	Text string
	Code []byte
}

// Compare fails the test if encodings differ from the output of the assembler for an architecture.
func Compare(t *testing.T, arch string, all []Encoding) {
	t.Helper()
	var source strings.Builder
	source.WriteString("TEXT ·f(SB), 516, $0\n") // without a frame
	for _, e := range all {                      // encoding i is on line i + 2
		fmt.Fprintln(&source, e.Text)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "x.s")
	if err := os.WriteFile(file, []byte(source.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "asm", "-S", "-p", "x", "-o", filepath.Join(dir, "x.o"), file)
	cmd.Env = append(os.Environ(), "GOARCH="+arch, "GOOS=linux")
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, listing)
	}
	code, offsets := read(t, listing)
	for i, e := range all {
		from, ok := offsets[i+2]
		if !ok || from+len(e.Code) > len(code) {
			t.Fatalf("%s is not in the listing", e.Text)
		}
		to := len(code)
		for _, o := range offsets {
			if o > from && o < to {
				to = o
			}
		}
		if i == len(all)-1 {
			to = from + len(e.Code)
		}
		if want := code[from:to]; !bytes.Equal(e.Code, want) {
			t.Errorf("%s: % x, want % x", e.Text, e.Code, want)
		}
	}
}

var (
	instruction = regexp.MustCompile(`^\s+0x([0-9a-f]+) \d+ \([^)]*:(\d+)\)`)
	dump        = regexp.MustCompile(`^\s+0x[0-9a-f]+((?: [0-9a-f]{2})+) `)
)

// read returns the bytes of a listing, and the offsets at which the instructions of its lines
// begin.
func read(t *testing.T, listing []byte) (code []byte, offsets map[int]int) {
	offsets = map[int]int{}
	for _, line := range strings.Split(string(listing), "\n") {
		if m := instruction.FindStringSubmatch(line); m != nil {
			off, err := strconv.ParseInt(m[1], 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(m[2])
			if err != nil {
				t.Fatal(err)
			}
			if old, ok := offsets[n]; !ok || int(off) < old {
				offsets[n] = int(off)
			}
		} else if m := dump.FindStringSubmatch(line); m != nil {
			for _, b := range strings.Fields(m[1]) {
				v, err := strconv.ParseUint(b, 16, 8)
				if err != nil {
					t.Fatal(err)
				}
				code = append(code, byte(v))
			}
		}
	}
	return code, offsets
}
