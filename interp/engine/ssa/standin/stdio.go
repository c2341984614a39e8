package standin

import (
	"fmt"
	"io"
	"os"
)

// The standard files of a cell belong to its user. Reads from os.Stdin ask the user. Writes to
// os.Stdout and os.Stderr are output of the cell, even if a goroutine writes after the cell has
// ended. A variable of type *os.File that holds a standard file is a normal *os.File. When the
// *os.File is converted to a reader or a writer, compiled code gets a File instead. When the File
// is converted back to an *os.File, or to an interface without Read or Write methods, it becomes
// the normal file again.

// File is the replacement of a standard file for compiled code.
type File struct {
	*os.File
	in  io.Reader    // source of reads; nil for the file itself
	out func([]byte) // destination of writes; nil for the file itself
}

// Read implements [io.Reader].
func (f *File) Read(b []byte) (int, error) {
	if f.in != nil {
		return f.in.Read(b)
	}
	return f.File.Read(b)
}

// WriteTo implements [io.WriterTo].
func (f *File) WriteTo(w io.Writer) (int64, error) {
	if f.in != nil {
		return io.Copy(w, f.in)
	}
	return f.File.WriteTo(w)
}

// Write implements [io.Writer].
func (f *File) Write(b []byte) (int, error) {
	if f.out != nil {
		f.out(b)
		return len(b), nil
	}
	return f.File.Write(b)
}

// WriteString implements [io.StringWriter].
func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// ReadFrom implements [io.ReaderFrom].
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

// Close does nothing, because the session needs its files.
func (f *File) Close() error { return nil }

// makeStandard replaces the standard files of the process that the session handles.
func (s *Set) makeStandard() []*File {
	var list []*File
	h := s.m.Hooks
	if h.Stdin != nil {
		list = append(list, &File{File: os.Stdin, in: h.Stdin})
	}
	if h.Stdout != nil {
		list = append(list, &File{File: os.Stdout, out: func(b []byte) { s.m.Current().Stdout(b) }})
	}
	if h.Stderr != nil {
		list = append(list, &File{File: os.Stderr, out: func(b []byte) { s.m.Current().Stderr(b) }})
	}
	return list
}

// FileOf returns the replacement of a file, if the file is one of the standard files.
func (s *Set) FileOf(f *os.File) *File {
	for _, file := range s.files {
		if file.File == f {
			return file
		}
	}
	return nil
}

// fileFuncs returns the functions and methods that read and write the standard files.
func (s *Set) fileFuncs() map[string]any {
	return map[string]any{
		"fmt.Print":   func(a ...any) (int, error) { return s.print(fmt.Append(nil, a...)) },
		"fmt.Println": func(a ...any) (int, error) { return s.print(fmt.Appendln(nil, a...)) },
		"fmt.Printf":  func(f string, a ...any) (int, error) { return s.print(fmt.Appendf(nil, f, a...)) },
		"(*os.File).Read": func(f *os.File, b []byte) (int, error) {
			if s := s.FileOf(f); s != nil {
				return s.Read(b)
			}
			return f.Read(b)
		},
		"(*os.File).Write": func(f *os.File, b []byte) (int, error) {
			if s := s.FileOf(f); s != nil {
				return s.Write(b)
			}
			return f.Write(b)
		},
		"(*os.File).WriteString": func(f *os.File, text string) (int, error) {
			if s := s.FileOf(f); s != nil {
				return s.WriteString(text)
			}
			return f.WriteString(text)
		},
		"(*os.File).Close": func(f *os.File) error {
			if s := s.FileOf(f); s != nil {
				return s.Close()
			}
			return f.Close()
		},
	}
}

// print writes to os.Stdout, which the cell may have set to another file.
func (s *Set) print(b []byte) (int, error) {
	if s := s.FileOf(os.Stdout); s != nil {
		return s.Write(b)
	}
	return os.Stdout.Write(b)
}

// HasFiles reports whether the session replaces any of os.Stdin, os.Stdout and os.Stderr.
func (s *Set) HasFiles() bool { return len(s.files) > 0 }
