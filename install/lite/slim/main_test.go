package main

import (
	"bytes"
	"compress/flate"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// node is set by make lite, which needs Node in any case.
var node = flag.String("node", "", "path of Node, to run the programs of TestSlim; if empty, only their sizes are compared")

// TestSlim builds a program that collects garbage, grows stacks, recovers and prints function
// names. It runs the program before and after slim.
func TestSlim(t *testing.T) {
	dir := t.TempDir()
	whole, small := filepath.Join(dir, "whole.wasm"), filepath.Join(dir, "small.wasm")
	build := exec.Command("go", "build", "-o", whole, "./testdata/program")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	slimmer, err := slim(program)
	if err != nil {
		t.Fatal(err)
	}
	if before, after := packed(t, program), packed(t, slimmer); after > before*95/100 {
		t.Errorf("%d compressed bytes, want fewer than %d", after, before)
	}
	if *node == "" {
		return
	}
	if err := os.WriteFile(small, slimmer, 0o666); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := "sum 499500\nrecovered runtime error: index out of range [5] with length 3\ndepth 10000\nmain.name\n"
	for _, file := range []string{whole, small} {
		out, err := exec.Command(*node, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), file).CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", file, err, out, want)
		}
	}
}

func packed(t *testing.T, b []byte) int {
	var to bytes.Buffer
	w, err := flate.NewWriter(&to, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Len()
}

func TestSlimOfOtherFiles(t *testing.T) {
	for _, module := range []string{"", "\x7fELF", "\x00asm\x01\x00\x00\x00\x0b\x10", "\x00asm\x01\x00\x00\x00\x0b\x01\x00"} {
		if out, err := slim([]byte(module)); err == nil {
			t.Errorf("%q: got %q", module, out)
		}
	}
}

func TestPack(t *testing.T) {
	memory := bytes.Join([][]byte{make([]byte, 100), []byte("a"), make([]byte, 20), []byte("b"), make([]byte, 1000), []byte("c")}, nil)
	got, err := unpack(pack(memory))
	if err != nil || !bytes.Equal(got, memory) {
		t.Errorf("%v, got %q", err, got)
	}
}
