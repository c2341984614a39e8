// Package wholefile writes files atomically: at any time, another process sees either the old
// contents or the new contents, never a mixture.
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

// ErrReadOnly is the error for a read-only file. A new file in its place would bypass the
// protection that the owner has chosen.
var ErrReadOnly = errors.New("the file is read-only")

// Write writes b to the file name atomically, even if the disk is full or the process is killed:
// the file then has either the old contents or the new contents. The file keeps its mode; a new
// file has the default mode of the user's files. If name is a symbolic link, Write writes the file
// to which the link points. It writes directly to a file that is not regular, such as /dev/stdout.
func Write(name string, b []byte) error {
	return Stream(name, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Stream is like [Write], but gets the content from the function write. If write returns an
// error, the file is unchanged.
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

// Target is a location for a file, chosen before untrusted code runs. Write creates a new file in
// this location and does not follow symbolic links, even if the code replaces the name or the
// folder, for example by a symbolic link to a file elsewhere.
type Target struct {
	target
	folder *os.Root
	file   *os.File // the open file, if the location is not a regular file
}

// Open chooses the location name. It follows a symbolic link that exists at this time. The error is
// [ErrReadOnly], or says that the folder does not exist.
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

// Write is like the function [Write] for the location of t. It replaces any file that has the
// name by now.
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

// Close closes the folder or file of the target.
func (t *Target) Close() error {
	if t.special {
		return t.file.Close()
	}
	return t.folder.Close()
}

// target is a location to which a file is written.
type target struct {
	path    string
	special bool        // not a regular file, and not replaced
	mode    fs.FileMode // mode of the existing file; 0 if there is none
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

// folder is a folder in which a file is written.
type folder interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Rename(from, to string) error
	Remove(name string) error
}

// plain is a folder identified by its path.
type plain string

func (dir plain) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(filepath.Join(string(dir), name), flag, perm)
}

func (dir plain) Rename(from, to string) error {
	return os.Rename(filepath.Join(string(dir), from), filepath.Join(string(dir), to))
}

func (dir plain) Remove(name string) error { return os.Remove(filepath.Join(string(dir), name)) }

// replace writes a new file in the folder and renames it to the name of the target.
func (t target) replace(dir folder, write func(io.Writer) error) error {
	// os.CreateTemp would create the file with other permissions.
	fresh := fmt.Sprintf(".gokernel-%016x", rand.Uint64())
	f, err := dir.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		// If everything succeeded, it is already closed and renamed.
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
