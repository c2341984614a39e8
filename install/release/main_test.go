package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestConfiguration checks that each file that the goreleaser configuration packs is in the
// repository or written by this program, and that each written file is packed.
func TestConfiguration(t *testing.T) {
	config, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := func(args ...string) ([]byte, error) {
		if args[0] == "man" {
			if err := os.MkdirAll(args[2], 0o755); err != nil {
				return nil, err
			}
			return nil, os.WriteFile(filepath.Join(args[2], "gokernel.1"), []byte("page"), 0o644)
		}
		return []byte(strings.Join(args, " ")), nil
	}
	if err := write(dir, "1.2.0", program); err != nil {
		t.Fatal(err)
	}
	packed := map[string]bool{}
	patterns := regexp.MustCompile(`\.build/release/([\w./*-]+)`).FindAllSubmatch(config, -1)
	if len(patterns) < 10 {
		t.Fatalf("the configuration names %d of the files", len(patterns))
	}
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(string(p[1]))))
		if err != nil || len(found) == 0 {
			t.Errorf("nothing is written for %s: %v", p[0], err)
		}
		for _, f := range found {
			packed[f] = true
		}
	}
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !packed[path] {
			t.Errorf("%s is not packed", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "completions", "_gokernel")); err != nil || string(b) != "completion zsh" {
		t.Errorf("_gokernel has %q, %v", b, err)
	}
}

func TestRefuses(t *testing.T) {
	for _, args := range []string{"", "-version v1.2.0", "-version 1.2.0 dist"} {
		if err := run(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), "-version 1.2.0") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
