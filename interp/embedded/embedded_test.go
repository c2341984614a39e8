package embedded

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/fstest"
)

func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{
		"a.txt": "A", "b.txt": "B", "with space.txt": "S",
		"data/x.csv": "1,2", "data/deep/y.csv": "3", "data/.hidden": "h", "data/_skip/z": "z", "empty/.keep": "",
	} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRead(t *testing.T) {
	dir := tree(t)
	for _, tt := range []struct {
		directive string
		want      []string
		err       string
	}{
		{directive: "a.txt", want: []string{"a.txt"}},
		{directive: " *.txt", want: []string{"a.txt", "b.txt", "with space.txt"}},
		{directive: "`with space.txt` \"a.txt\" a.txt", want: []string{"a.txt", "with space.txt"}},
		{directive: "data", want: []string{"data/deep/y.csv", "data/x.csv"}},
		{directive: "all:data", want: []string{"data/.hidden", "data/_skip/z", "data/deep/y.csv", "data/x.csv"}},
		{directive: "data/*", want: []string{"data/.hidden", "data/_skip/z", "data/deep/y.csv", "data/x.csv"}},
		{directive: "missing.txt", err: "pattern missing.txt: no matching files found"},
		{directive: "../a.txt", err: "pattern ../a.txt: a pattern is a relative path without . and .., with / between its parts"},
		{directive: "/etc/passwd", err: "pattern /etc/passwd: a pattern is a relative path without . and .., with / between its parts"},
		{directive: "empty", err: "pattern empty: cannot embed directory empty: contains no embeddable files"},
		{directive: "`a.txt", err: "a quoted pattern has no end: `a.txt"},
		{directive: "", err: "the directive names no file"},
	} {
		var got []string
		patterns, err := Patterns(tt.directive)
		if err == nil {
			var files []File
			files, err = Read(dir, patterns)
			for _, f := range files {
				got = append(got, f.Name)
			}
		}
		if msg := message(err); !reflect.DeepEqual(got, tt.want) || msg != tt.err {
			t.Errorf("%s: %q, error %q, want %q, %q", tt.directive, got, msg, tt.want, tt.err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestFS(t *testing.T) {
	files, err := Read(tree(t), []string{"*.txt", "data"})
	if err != nil {
		t.Fatal(err)
	}
	fsys, err := FS(files)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(fsys, "a.txt", "b.txt", "with space.txt", "data/x.csv", "data/deep/y.csv"); err != nil {
		t.Error(err)
	}
	if data, err := fsys.ReadFile("data/deep/y.csv"); err != nil || string(data) != "3" {
		t.Errorf("%q, %v", data, err)
	}
}
