package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	dir := t.TempDir()
	write := func(name, source string) string {
		file := filepath.Join(dir, name)
		text := `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"id": "a", "cell_type": "code", "metadata": {}, "source": "` + source + `", "outputs": [], "execution_count": null}]}`
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	one, two := write("one.ipynb", `x := 1\nx`), write("two.ipynb", `x := 2\nx`)
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		cmd := newRoot()
		cmd.SetArgs(append([]string{"diff"}, args...))
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		err := cmd.Execute()
		return out.String(), err
	}
	const want = "cell a (code): source\n-x := 1\n+x := 2\n x\n"
	got, err := run(one, two)
	if code := exitCode(0); !errors.As(err, &code) || code != 1 || !strings.Contains(got, want) || strings.Contains(got, "\x1b") {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := run(one, one); err != nil || got != "" {
		t.Errorf("a notebook differs from itself: %q, %v", got, err)
	}
	// As git calls it.
	if got, err := run("a.ipynb", one, "0000", "100644", two, "0001", "100644"); err != nil || !strings.Contains(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := run("a.ipynb", os.DevNull, ".", ".", two, "0001", "100644"); err != nil || !strings.Contains(got, "cell a (code): added") {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := run(one); err == nil || !strings.Contains(err.Error(), "give two notebooks") {
		t.Errorf("got %v", err)
	}
	if _, err := run(one, filepath.Join(dir, "none.ipynb")); err == nil || !strings.Contains(err.Error(), "there is no file") {
		t.Errorf("got %v", err)
	}
}
