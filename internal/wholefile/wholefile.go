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
	t, err := find(name)
	if err != nil {
		return err
	}
	if t.special {
		f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		err = write(f)
		return errors.Join(err, f.Close())
	}
	return t.replace(plain(filepath.Dir(t.path)), write)
}

// Target is a place for a file that was chosen before code that is not trusted ran.
// Whatever that code makes of the name, such as a link to a file elsewhere, or of the
// folder, Write puts a new file there and writes through no link.
type Target struct {
	target
	folder *os.Root
	file   *os.File // where the place is no regular file
}

// Open chooses the place name. A link at that moment is followed. The error is
// [ErrReadOnly], or that the folder is not there.
func Open(name string) (*Target, error) {
	t, err := find(name)
	if err != nil {
		return nil, err
	}
	if t.special {
		f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
		return &Target{target: t, file: f}, err
	}
	folder, err := os.OpenRoot(filepath.Dir(t.path))
	return &Target{target: t, folder: folder}, err
}

// Write writes b as the function [Write] does, instead of whatever has the name by now.
func (t *Target) Write(b []byte) error {
	write := func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
	if t.special {
		return write(t.file)
	}
	return t.replace(t.folder, write)
}

// Close releases the folder or file of the target.
func (t *Target) Close() error {
	if t.special {
		return t.file.Close()
	}
	return t.folder.Close()
}

// target is a place that a file is written to.
type target struct {
	path    string
	special bool        // it is no regular file, and not replaced
	mode    fs.FileMode // of the file that was there; 0 for none
}

func find(name string) (target, error) {
	t := target{path: name}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		t.path = real
	}
	old, err := os.Stat(t.path)
	switch {
	case err != nil:
	case !old.Mode().IsRegular():
		t.special = true
	case old.Mode().Perm()&0o222 == 0:
		return t, &fs.PathError{Op: "write", Path: t.path, Err: ErrReadOnly}
	default:
		t.mode = old.Mode().Perm()
	}
	return t, nil
}

// folder is what a file is written in.
type folder interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Rename(from, to string) error
	Remove(name string) error
}

// plain is a folder by its path.
type plain string

func (dir plain) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(filepath.Join(string(dir), name), flag, perm)
}

func (dir plain) Rename(from, to string) error {
	return os.Rename(filepath.Join(string(dir), from), filepath.Join(string(dir), to))
}

func (dir plain) Remove(name string) error { return os.Remove(filepath.Join(string(dir), name)) }

// replace writes a new file beside the place and gives it the name.
func (t target) replace(dir folder, write func(io.Writer) error) error {
	// os.CreateTemp would give a new file other permissions.
	fresh := fmt.Sprintf(".gokernel-%016x", rand.Uint64())
	f, err := dir.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		// When all went well it is closed already, and has its other name.
		f.Close()
		_ = dir.Remove(fresh)
	}()
	if err := write(f); err != nil {
		return err
	}
	if t.mode != 0 {
		if err := f.Chmod(t.mode); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return dir.Rename(fresh, filepath.Base(t.path))
}
