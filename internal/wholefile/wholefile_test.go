package wholefile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestWrite checks the file that is written and the other files in its folder.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := Write(file, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(file, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "new" {
		t.Errorf("the file is %q, %v", b, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != before.Mode() {
		t.Errorf("the mode is %v, %v, want %v", info.Mode(), err, before.Mode())
	}
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := Write(file, []byte("other")); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a read-only file: %v, want %v", err, ErrReadOnly)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "new" {
		t.Errorf("the read-only file is %q, %v", b, err)
	}
	if err := Write(filepath.Join(dir, "none", "b"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("the folder has %v, %v, want only the file", list, err)
	}
}

// TestStream checks that a writer that fails or panics leaves the file unchanged and no other
// file in the folder, and that Stream writes to a file that is not regular.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := Stream(file, func(w io.Writer) error { _, err := io.WriteString(w, "old"); return err }); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := Stream(file, func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return broken }); !errors.Is(err, broken) {
		t.Errorf("the writer's error is %v", err)
	}
	func() {
		defer func() {
			if v := recover(); v != "burst" {
				t.Errorf("the writer's panic is %v", v)
			}
		}()
		_ = Stream(file, func(w io.Writer) error { _, _ = io.WriteString(w, "half"); panic("burst") })
	}()
	if b, err := os.ReadFile(file); err != nil || string(b) != "old" {
		t.Errorf("the file is %q, %v", b, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("the folder has %v, %v, want only the file", list, err)
	}
	if err := Stream(os.DevNull, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil {
		t.Errorf("%s: %v", os.DevNull, err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s has become a file: %v, %v", os.DevNull, info, err)
	}
}

// TestReaders reads a file while it is being written. It must always have the contents of one
// write.
func TestReaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	texts := [][]byte{[]byte(strings.Repeat("one ", 50000)), []byte(strings.Repeat("three ", 50000))}
	if err := Write(file, texts[0]); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Go(func() {
		defer close(done)
		for i := range 50 {
			if err := Write(file, texts[i%2]); err != nil && !errors.Is(err, fs.ErrPermission) { // Windows cannot replace an open file
				t.Error(err)
			}
		}
	})
	for {
		b, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrPermission) || err == nil && !bytes.Equal(b, texts[0]) && !bytes.Equal(b, texts[1]) {
			t.Fatalf("the file has %d bytes, %v", len(b), err)
		}
		select {
		case <-done:
			wg.Wait()
			return
		default:
		}
	}
}
