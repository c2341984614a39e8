//go:build unix

package notebook

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestDevicesAreWrittenTo checks that a device, here a named pipe, is not replaced
// by a file.
func TestDevicesAreWrittenTo(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		b, err := os.ReadFile(name)
		if err != nil {
			b = []byte(err.Error())
		}
		read <- string(b)
	}()
	if err := WriteFile(name, []byte("notebook")); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "notebook" {
		t.Errorf("got %q", got)
	}
	if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe has become %v, %v", info, err)
	}
}

// TestNewFilesFollowTheUmask checks that a user who keeps files private gets
// private ones.
func TestNewFilesFollowTheUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	name := filepath.Join(t.TempDir(), "a.ipynb")
	if err := WriteFile(name, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file for the user alone", info, err)
	}
}
