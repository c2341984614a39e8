//go:build unix

package wholefile

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTarget changes the name and the folder between Open and Write.
func TestTarget(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir, file, secret string){
		"nothing": func(*testing.T, string, string, string) {},
		"a link": func(t *testing.T, _, file, secret string) {
			replaceBy(t, file, func() error { return os.Symlink(secret, file) })
		},
		"another name of the file": func(t *testing.T, _, file, secret string) {
			replaceBy(t, file, func() error { return os.Link(secret, file) })
		},
		"another folder": func(t *testing.T, dir, _, secret string) {
			if err := os.Rename(dir, dir+"-moved"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Dir(secret), dir); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir, other := filepath.Join(top, "dir"), filepath.Join(top, "other")
			for _, d := range []string{dir, other} {
				if err := os.Mkdir(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			file, secret := filepath.Join(dir, "a"), filepath.Join(other, "a")
			for _, f := range []string{file, secret} {
				if err := os.WriteFile(f, []byte("old"), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			place, err := Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer place.Close()
			change(t, dir, file, secret)
			if err := place.Write([]byte("new")); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(secret); err != nil || string(b) != "old" {
				t.Errorf("the file elsewhere is %q, %v", b, err)
			}
			if name == "another folder" {
				file = filepath.Join(dir+"-moved", "a")
			}
			info, err := os.Lstat(file)
			if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o640 {
				t.Errorf("the result has mode %v, %v", info, err)
			}
			if b, err := os.ReadFile(file); err != nil || string(b) != "new" {
				t.Errorf("the result is %q, %v", b, err)
			}
		})
	}
}

func replaceBy(t *testing.T, file string, make func() error) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := make(); err != nil {
		t.Fatal(err)
	}
}
