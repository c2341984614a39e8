package modules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"

	"github.com/gokernel/gokernel/internal/filelock"
)

// cache is the module cache in the format of the go command; both may use it at the same time.
type cache struct {
	build   *Build
	proxies *proxies
	sums    *sums
	checked map[module.Version]bool // versions whose files match go.sum
}

func newCache(b *Build) *cache {
	c := &cache{build: b, checked: map[module.Version]bool{}}
	c.proxies = &proxies{build: b}
	c.sums = newSums(b)
	return c
}

// download returns the name of a version's file in the download cache.
func (c *cache) download(m module.Version, ext string) (string, error) {
	p, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	v, err := module.EscapeVersion(m.Version)
	if err != nil {
		return "", err
	}
	return filepath.Join(c.build.env.ModCache, "cache", "download", filepath.FromSlash(p), "@v", v+ext), nil
}

// unpacked returns the folder of a version's extracted files in the cache.
func (c *cache) unpacked(m module.Version) (string, error) {
	p, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	v, err := module.EscapeVersion(m.Version)
	if err != nil {
		return "", err
	}
	return filepath.Join(c.build.env.ModCache, filepath.FromSlash(p)+"@"+v), nil
}

// versions lists the versions of a module whose zip files are in the download cache.
func (c *cache) versions(path string) []string {
	p, err := module.EscapePath(path)
	if err != nil {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Join(c.build.env.ModCache, "cache", "download", filepath.FromSlash(p), "@v"))
	var list []string
	for _, e := range entries {
		escaped, ok := strings.CutSuffix(e.Name(), ".zip")
		if !ok {
			continue
		}
		if v, err := module.UnescapeVersion(escaped); err == nil {
			list = append(list, v)
		}
	}
	return list
}

// goMod returns the go.mod of a version.
func (c *cache) goMod(ctx context.Context, m module.Version) ([]byte, error) {
	name, err := c.download(m, ".mod")
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	fetched := false
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = c.proxies.goMod(ctx, m); err == nil {
			fetched = true
		}
	}
	if err != nil {
		return nil, err
	}
	sum, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(string(data))), nil
	})
	if err != nil {
		return nil, err
	}
	if err := c.sums.check(module.Version{Path: m.Path, Version: m.Version + "/go.mod"}, sum, fetched); err != nil {
		return nil, err
	}
	if fetched {
		return data, writeFile(name, data)
	}
	return data, nil
}

// dir returns the folder with the files of a version, and the origin of the files. It fetches files
// that the cache lacks.
func (c *cache) dir(ctx context.Context, m module.Version) (dir, from string, err error) {
	from = c.build.from[m.String()]
	if from == "" {
		from = "module cache"
	}
	if dir, err = c.unpacked(m); err != nil {
		return "", "", err
	}
	if c.isWhole(m, dir) {
		return dir, from, c.checkOld(m)
	}
	zip, err := c.download(m, ".zip")
	if err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(filepath.Dir(zip), 0o755); err != nil {
		return "", "", err
	}
	unlock, err := lock(ctx, strings.TrimSuffix(zip, ".zip")+".lock")
	if err != nil {
		return "", "", err
	}
	defer unlock()
	if c.isWhole(m, dir) { // another process was faster
		return dir, from, c.checkOld(m)
	}
	if _, err := os.Stat(zip); err != nil {
		if from, err = c.fetch(ctx, m, zip); err != nil {
			return "", "", err
		}
		c.build.from[m.String()] = from
	} else if err := c.checkZip(m, zip, false); err != nil {
		return "", "", err
	}
	return dir, from, unpack(m, zip, dir)
}

// isWhole reports whether the cache has all files of a version.
func (c *cache) isWhole(m module.Version, dir string) bool {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false
	}
	partial, err := c.download(m, ".partial")
	if err != nil {
		return false
	}
	_, err = os.Stat(partial)
	return errors.Is(err, fs.ErrNotExist)
}

// checkOld compares the checksum of cached files with go.sum.
func (c *cache) checkOld(m module.Version) error {
	if c.checked[m] {
		return nil
	}
	name, err := c.download(m, ".ziphash")
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another tool has added the files
	}
	if err != nil {
		return err
	}
	if err := c.sums.check(m, strings.TrimSpace(string(sum)), false); err != nil {
		return err
	}
	c.checked[m] = true
	return nil
}

// checkZip checks the checksum of a zip file and writes it to a file beside the zip file.
func (c *cache) checkZip(m module.Version, zip string, fetched bool) error {
	sum, err := dirhash.HashZip(zip, dirhash.Hash1)
	if err != nil {
		return fmt.Errorf("the zip of %s is broken: %w", m, err)
	}
	if err := c.sums.check(m, sum, fetched); err != nil {
		return err
	}
	name, err := c.download(m, ".ziphash")
	if err != nil {
		return err
	}
	c.checked[m] = true
	return writeFile(name, []byte(sum))
}

// fetch downloads the zip file of a version, checks it and adds it to the cache.
func (c *cache) fetch(ctx context.Context, m module.Version, zip string) (from string, err error) {
	f, err := os.CreateTemp(filepath.Dir(zip), filepath.Base(zip)+".*.tmp")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	size, from, err := c.proxies.zip(ctx, m, f)
	if err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	if files, err := modzip.CheckZip(m, f.Name()); err != nil {
		return "", fmt.Errorf("the zip of %s from %s is broken: %w", m, from, err)
	} else if err := files.Err(); err != nil {
		return "", fmt.Errorf("the zip of %s from %s has files that a module may not have: %w", m, from, err)
	}
	if err := c.checkZip(m, f.Name(), true); err != nil {
		return "", err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return "", err
	}
	c.build.tell(fmt.Sprintf("%s from %s, %s", m, from, bytesText(size)))
	return from, os.Rename(f.Name(), zip)
}

// unpack extracts a zip file. The folder appears only when it is complete.
func unpack(m module.Version, zip, dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := modzip.Unzip(tmp, m, zip); err != nil {
		return fmt.Errorf("the zip of %s cannot be unpacked: %w", m, err)
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil { // an incomplete folder
		return err
	}
	return os.Rename(tmp, dir)
}

// lock waits for the lock that the go command also uses.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	for !filelock.Try(f) {
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return func() { f.Close() }, nil
}

// writeFile writes a file that other processes may be reading.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func (b *Build) tell(line string) {
	if b.Progress != nil {
		b.Progress(line)
	}
}

func bytesText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
