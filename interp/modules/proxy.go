package modules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	modzip "golang.org/x/mod/zip"
)

// errNone reports that a proxy does not have the module or version.
var errNone = errors.New("not found")

const (
	maxText      = 16 << 20 // size limit for files other than zip files
	maxRedirects = 10
	patience     = 20 * time.Second // how long to wait for a silent proxy
	tellEvery    = time.Second
)

// proxies fetches files of modules from the proxies of GOPROXY in turn.
type proxies struct{ build *Build }

// entry is an entry of GOPROXY.
type entry struct {
	url       string
	anyError  bool // try the next entry after any error, not only if the file does not exist
	isDirect  bool
	isOff     bool
	localPath string // path for file:///
}

// entries returns the proxies for a module.
func (p *proxies) entries(path string) []entry {
	env := p.build.env
	if env.isPrivate(path) {
		return []entry{{isDirect: true}}
	}
	var list []entry
	rest := env.Proxy
	for rest != "" {
		text, anyError := rest, false
		if i := strings.IndexAny(rest, ",|"); i >= 0 {
			text, anyError, rest = rest[:i], rest[i] == '|', rest[i+1:]
		} else {
			rest = ""
		}
		switch text = strings.TrimSpace(text); text {
		case "":
			continue
		case "off":
			return append(list, entry{isOff: true})
		case "direct", "noproxy":
			return append(list, entry{isDirect: true})
		}
		e := entry{url: strings.TrimSuffix(text, "/"), anyError: anyError}
		if local, ok := strings.CutPrefix(e.url, "file://"); ok {
			e.localPath = filepath.FromSlash(local)
		}
		list = append(list, e)
	}
	return list
}

// try asks the proxies in turn until one has the file. The function get reads its response.
func (p *proxies) try(ctx context.Context, path, file string, get func(e entry, from string, r io.Reader) error) error {
	if p.build.env.Offline {
		return fmt.Errorf("%s must be fetched, but the session is offline", what(path, file))
	}
	escaped, err := module.EscapePath(path)
	if err != nil {
		return err
	}
	var failure error
	for _, e := range p.entries(path) {
		var err error
		switch {
		case e.isOff:
			err = fmt.Errorf("%s must be fetched, but GOPROXY=off forbids it", what(path, file))
		case e.isDirect && p.build.env.isPrivate(path):
			err = fmt.Errorf("%s is private (GOPRIVATE or GONOPROXY) and not in the module cache: fetch it once with go mod download", what(path, file))
		case e.isDirect:
			err = errNone // its repository would need version control tools
		case e.localPath != "":
			err = readLocal(filepath.Join(e.localPath, filepath.FromSlash(escaped), filepath.FromSlash(file)), e, get)
		default:
			err = p.request(ctx, e, e.url+"/"+(&url.URL{Path: escaped + "/" + file}).EscapedPath(), get)
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case e.isDirect && failure != nil:
			return failure // the error of a proxy is more informative
		case errors.Is(err, errNone), e.anyError:
			if failure == nil || errors.Is(failure, errNone) {
				failure = err
			}
		default:
			return err
		}
	}
	if failure == nil {
		failure = errNone
	}
	return failure
}

// what describes a file of a module for the user.
func what(path, file string) string {
	v := strings.TrimPrefix(file, "@v/")
	for _, ext := range []string{".zip", ".mod", ".info"} {
		if v, ok := strings.CutSuffix(v, ext); ok {
			return path + "@" + v
		}
	}
	return path
}

func readLocal(name string, e entry, get func(entry, string, io.Reader) error) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return errNone
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return get(e, e.url, f)
}

// request requests one file from one proxy.
func (p *proxies) request(ctx context.Context, e entry, address string, get func(entry, string, io.Reader) error) error {
	wait := p.build.env.Patience
	if wait == 0 {
		wait = patience
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	host := redacted(e.url)
	silent := time.AfterFunc(wait, func() {
		cancel(fmt.Errorf("%s has not answered for %v: check the network and GOPROXY", host, wait))
	})
	defer silent.Stop()
	failed := func(err error) error {
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
			return cause
		}
		if ue := (*url.Error)(nil); errors.As(err, &ue) {
			err = ue.Err
		}
		if oe := (*net.OpError)(nil); errors.As(err, &oe) && oe.Op == "dial" || isUnknownHost(err) {
			return fmt.Errorf("%s cannot be reached: %w", host, err)
		}
		return fmt.Errorf("%s returned an invalid answer: %w", host, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return failed(err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusGone:
		return errNone
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%s answered %s", host, resp.Status)
	}
	body := &alive{r: resp.Body, beat: func() { silent.Reset(wait) }}
	if err := get(e, host, body); err != nil {
		if body.err != nil {
			return failed(body.err)
		}
		return err
	}
	return nil
}

func isUnknownHost(err error) bool {
	var d *net.DNSError
	return errors.As(err, &d)
}

// redacted returns an address without its password.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.User = nil
	return u.String()
}

var client = &http.Client{
	CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) >= maxRedirects {
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		return nil
	},
}

// alive is a response body that signals when data arrives.
type alive struct {
	r    io.Reader
	beat func()
	err  error
}

func (a *alive) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if n > 0 {
		a.beat()
	}
	if err != nil && err != io.EOF {
		a.err = err
	}
	return n, err
}

// text fetches a small file.
func (p *proxies) text(ctx context.Context, path, file string) ([]byte, error) {
	var data []byte
	err := p.try(ctx, path, file, func(_ entry, from string, r io.Reader) (err error) {
		data, err = io.ReadAll(io.LimitReader(r, maxText+1))
		if err == nil && len(data) > maxText {
			err = fmt.Errorf("%s sent more than %d MB for %s", from, maxText>>20, file)
		}
		return err
	})
	return data, err
}

// versions lists the versions of a module.
func (p *proxies) versions(ctx context.Context, path string) ([]string, error) {
	data, err := p.text(ctx, path, "@v/list")
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 0 && semver.IsValid(f[0]) {
			list = append(list, f[0])
		}
	}
	return list, nil
}

func (p *proxies) latest(ctx context.Context, path string) (string, error) {
	return p.info(ctx, path, "@latest")
}

// revision returns the version for a branch, tag or commit.
func (p *proxies) revision(ctx context.Context, path, query string) (string, error) {
	escaped, err := module.EscapeVersion(query)
	if err != nil {
		return "", err
	}
	return p.info(ctx, path, "@v/"+escaped+".info")
}

func (p *proxies) info(ctx context.Context, path, file string) (string, error) {
	data, err := p.text(ctx, path, file)
	if err != nil {
		return "", err
	}
	var info struct{ Version string }
	if err := json.Unmarshal(data, &info); err != nil || !semver.IsValid(info.Version) {
		return "", fmt.Errorf("the proxy's description of %s is broken", path)
	}
	return info.Version, nil
}

// goMod fetches the go.mod of a version.
func (p *proxies) goMod(ctx context.Context, m module.Version) ([]byte, error) {
	v, err := module.EscapeVersion(m.Version)
	if err != nil {
		return nil, err
	}
	data, err := p.text(ctx, m.Path, "@v/"+v+".mod")
	if errors.Is(err, errNone) {
		return nil, notOnProxy(m)
	}
	return data, err
}

func notOnProxy(m module.Version) error {
	return fmt.Errorf("no proxy has %s: check the path and the version, or fetch it once with go mod download", m)
}

// zip fetches the files of a version.
func (p *proxies) zip(ctx context.Context, m module.Version, to *os.File) (size int64, from string, err error) {
	v, err := module.EscapeVersion(m.Version)
	if err != nil {
		return 0, "", err
	}
	err = p.try(ctx, m.Path, "@v/"+v+".zip", func(_ entry, host string, r io.Reader) error {
		from = host
		if err := to.Truncate(0); err != nil {
			return err
		}
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return err
		}
		size, err = io.Copy(to, io.LimitReader(&counted{r: r, tell: func(n int64) {
			p.build.tell(fmt.Sprintf("fetching %s from %s: %s so far", m, host, bytesText(n)))
		}}, modzip.MaxZipFile+1))
		if err == nil && size > modzip.MaxZipFile {
			err = fmt.Errorf("the zip of %s is larger than %d MB", m, modzip.MaxZipFile>>20)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("the zip of %s ended too early, after %s", m, bytesText(size))
		}
		return err
	})
	if errors.Is(err, errNone) {
		err = notOnProxy(m)
	}
	return size, from, err
}

// counted reports the progress of a download from time to time.
type counted struct {
	r    io.Reader
	n    int64
	told time.Time
	tell func(n int64)
}

func (c *counted) Read(p []byte) (int, error) {
	if c.told.IsZero() {
		c.told = time.Now()
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if time.Since(c.told) > tellEvery {
		c.told = time.Now()
		c.tell(c.n)
	}
	return n, err
}
