// Package wholefile writes files that are the old or the new ones at any time, and never
// a part of either.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// ErrReadOnly is the error of a file that nobody may write. A file in its place would not
// be protected as its owner has wanted it to be.
var ErrReadOnly = errors.New("the file is read-only")

// Write writes b to the file name, wholly or not at all, also where the disk is full or
// the process is killed: a reader finds the old contents or the new ones. The file
// keeps its mode, a new one gets that of the user's files. What a link points to is
// written, not the link; what is no regular file, such as /dev/stdout, is written to
// and not replaced.
func Write(name string, b []byte) error {
	return Stream(name, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Stream is [Write] for what write writes piece by piece. After an error of write, the
// file is as it was.
func Stream(name string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	old, statErr := os.Stat(name)
	if statErr == nil && !old.Mode().IsRegular() {
		return streamInto(name, write)
	}
	if statErr == nil && old.Mode().Perm()&0o222 == 0 {
		return &fs.PathError{Op: "write", Path: name, Err: ErrReadOnly}
	}
	// os.CreateTemp would give a new file other permissions.
	fresh := filepath.Join(filepath.Dir(name), fmt.Sprintf(".gokernel-%016x", rand.Uint64()))
	f, err := os.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		// When all went well it is closed already, and has its other name.
		f.Close()
		os.Remove(fresh)
	}()
	if err := write(f); err != nil {
		return err
	}
	if statErr == nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(fresh, name)
}

// streamInto writes to what is no regular file.
func streamInto(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(f)
	return errors.Join(err, f.Close())
}
