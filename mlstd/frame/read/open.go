package read

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/gokernel/gokernel/mlstd/model"
)

// input is a file that is being read, plain or compressed.
type input struct {
	name    string // without the extension of the compression
	path    string // of the file
	size    int64  // of the text; 0 where it is not known
	unpack  func(io.Reader) (io.ReadCloser, error)
	archive *zip.ReadCloser
	entry   *zip.File
	remove  []string // temporary files
	head    []byte   // the beginning of the text
	seen    os.FileInfo
}

// open opens the file and detects its compression. It first downloads an address to a file.
func open(address string, f *Format) (*input, error) {
	in := &input{name: filepath.Base(address), path: address}
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		if err := in.download(address); err != nil {
			in.close()
			return nil, err
		}
	}
	if err := in.look(f); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

func (in *input) close() {
	if in.archive != nil {
		in.archive.Close()
	}
	for _, name := range in.remove {
		os.Remove(name)
	}
}

// download copies the content of an address to a temporary file.
func (in *input) download(address string) error {
	run := (&model.Control{}).Begin("reading", 0)
	defer run.End()
	request, err := http.NewRequestWithContext(run.Context(), http.MethodGet, address, nil)
	if err != nil {
		return model.Errorf("Read", "the address must be valid, got %q: %v", address, err)
	}
	request.Header.Set("User-Agent", "gokernel")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		if e := context.Cause(run.Context()); e != nil {
			return e
		}
		return model.Errorf("Read "+address, "%v", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return model.Errorf("Read "+address, "the server returned %s", answer.Status)
	}
	in.name = path.Base(request.URL.Path)
	return in.keep(answer.Body)
}

// keep writes a stream to a temporary file, from which the input is then read.
func (in *input) keep(r io.Reader) error {
	file, err := os.CreateTemp("", "gokernel-*")
	if err != nil {
		return err
	}
	in.remove = append(in.remove, file.Name())
	_, err = io.Copy(file, r)
	if e := file.Close(); err == nil {
		err = e
	}
	in.path, in.unpack, in.entry = file.Name(), nil, nil
	return err
}

// look reads the beginning of the file and detects its compression.
func (in *input) look(f *Format) error {
	file, err := os.Open(in.path)
	if err != nil {
		return err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return err
	}
	if st.IsDir() {
		return model.Errorf("Read", "the path must be a file, got the directory %s", in.path)
	}
	head := make([]byte, 512)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	in.head, in.size, in.seen = head[:n], st.Size(), st
	extension := ""
	switch {
	case bytes.HasPrefix(in.head, []byte{0x1f, 0x8b}):
		in.unpack, extension = func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }, ".gz"
	case bytes.HasPrefix(in.head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		in.unpack, extension = unzstd, ".zst"
	case bytes.HasPrefix(in.head, []byte("BZh")) && len(in.head) > 10 && bytes.Equal(in.head[4:10], []byte{0x31, 0x41, 0x59, 0x26, 0x53, 0x59}):
		in.unpack, extension = func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }, ".bz2"
	case bytes.HasPrefix(in.head, []byte("PK\x03\x04")):
		return in.lookZip(f)
	default:
		return nil
	}
	in.name, in.size = strings.TrimSuffix(in.name, extension), 0
	return in.peek()
}

func unzstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<30))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// lookZip chooses the file in an archive. A workbook is an archive too, and stays as it is.
func (in *input) lookZip(f *Format) error {
	archive, err := zip.OpenReader(in.path)
	if err != nil {
		return model.Errorf("Read "+in.path, "the archive is damaged: %v", err)
	}
	in.archive = archive
	var names []string
	for _, file := range archive.File {
		if file.Name == "xl/workbook.xml" && f.File == "" {
			return nil
		}
		hidden := strings.HasPrefix(file.Name, "__MACOSX/") || strings.HasPrefix(path.Base(file.Name), ".")
		if !file.FileInfo().IsDir() && !hidden {
			names = append(names, file.Name)
		}
	}
	name := f.File
	if name == "" {
		if len(names) != 1 {
			return model.Errorf("Read "+in.path, "File must be set, since the archive has %d files", len(names)).WithHint("set File to one of %q", names)
		}
		name = names[0]
	}
	k := slices.IndexFunc(archive.File, func(file *zip.File) bool { return file.Name == name })
	if k < 0 {
		return model.Errorf("Read "+in.path, "there is no file %q in the archive", name).WithHint("set File to one of %q", names)
	}
	in.entry = archive.File[k]
	in.name, in.size = path.Base(name), int64(in.entry.UncompressedSize64)
	return in.peek()
}

// peek reads the beginning of the decompressed text.
func (in *input) peek() error {
	r, err := in.reader()
	if err != nil {
		return at(in.path, damaged(err))
	}
	defer r.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return at(in.path, err)
	}
	in.head = head[:n]
	return nil
}

// reader opens the text.
func (in *input) reader() (io.ReadCloser, error) {
	if in.entry != nil {
		return in.member()
	}
	file, err := os.Open(in.path)
	if err != nil || in.unpack == nil {
		return file, err
	}
	r, err := in.unpack(bufio.NewReaderSize(file, 1<<16))
	if err != nil {
		file.Close()
		return nil, err
	}
	return unpacked{r, file}, nil
}

// member opens a file in an archive. It opens the archive again, since a scan has closed it.
func (in *input) member() (io.ReadCloser, error) {
	archive, err := zip.OpenReader(in.path)
	if err != nil {
		return nil, damaged(err)
	}
	for _, file := range archive.File {
		if file.Name != in.entry.Name {
			continue
		}
		r, err := file.Open()
		if err != nil {
			break
		}
		return unpacked{r, archive}, nil
	}
	archive.Close()
	return nil, damaged(io.ErrUnexpectedEOF)
}

// unpacked reads a decompressed text, and closes the decompressor and the file.
type unpacked struct {
	io.ReadCloser
	file io.Closer
}

// Read never returns io.ErrUnexpectedEOF, which readers of blocks take for the end of the text.
func (u unpacked) Read(b []byte) (int, error) {
	n, err := u.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		err = damaged(err)
	}
	return n, err
}

func (u unpacked) Close() error {
	u.ReadCloser.Close()
	return u.file.Close()
}

// damaged returns an error of a decompressor with advice.
func damaged(err error) error {
	e := model.Errorf("Read", "the file cannot be decompressed: %v", err)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		e = model.Errorf("Read", "the compressed file ends too early")
	}
	return e.WithHint("check that the file is complete")
}

// steady returns an error if the file has changed since it was opened.
func (in *input) steady() error {
	st, err := os.Stat(in.path)
	if err != nil {
		return model.Errorf("Read "+in.path, "the file can no longer be read: %v", err).WithHint("run Scan again")
	}
	if st.Size() != in.seen.Size() || !st.ModTime().Equal(in.seen.ModTime()) {
		return model.Errorf("Read "+in.path, "the file has changed since Scan").WithHint("run Scan again")
	}
	return nil
}

// checked returns the error of a scan of the file. A changed file is the reason of any other error.
func (in *input) checked(err error) error {
	var e *model.Error
	if err != nil && !errors.As(err, &e) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if changed := in.steady(); changed != nil {
		return changed
	}
	return at(in.path, err)
}

// plain makes sure that the file is not compressed, and decompresses it if necessary.
func (in *input) plain() error {
	if in.unpack == nil && in.entry == nil {
		return nil
	}
	r, err := in.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	return in.keep(r)
}
