//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// pages are outputs with which a page would load something from elsewhere, run code, or become
// another page. URL is an address on a server that logs its requests.
func pages() []*attempt {
	const policy, stripped = "Content-Security-Policy", "gokernel leaves it out of the page"
	list := []struct{ name, page, stops, unshown string }{
		{"a script", `<script>new Image().src = "URL"</script>`, policy, ""},
		{"a script from elsewhere", `<script src="URL"></script>`, policy, ""},
		{"a module from elsewhere", `<script type="module">import "URL"</script>`, policy, ""},
		{"a handler of an error", `<img src="data:," onerror="new Image().src='URL'">`, policy, ""},
		{"a handler of SVG", `<svg onload="new Image().src='URL'"></svg>`, policy, ""},
		{"a handler of an animation", `<style>@keyframes a{}</style><p style="animation:a 1ms" onanimationstart="new Image().src='URL'">x</p>`, policy, ""},
		{"a frame", `<iframe src="URL"></iframe>`, policy + "; " + stripped, ""},
		{"a frame with its own document", `<iframe srcdoc="&lt;img src='URL'&gt;"></iframe>`, policy + "; " + stripped, ""},
		{"a frame that runs an address of javascript:", `<iframe src="javascript:void(fetch('URL'))"></iframe>`, policy + "; " + stripped, ""},
		{"an object", `<object data="URL"></object>`, policy + "; " + stripped, ""},
		{"an embedded document", `<embed src="URL">`, policy + "; " + stripped, ""},
		{"another page at once (meta refresh)", `<meta http-equiv="refresh" content="0;url=URL">`, stripped, ""},
		{"another page, in SVG", `<svg><foreignObject><meta http-equiv="refresh" content="0;url=URL"></foreignObject></svg>`, stripped, ""},
		{"another base address", `<base href="URL/"><img src="x.png">`, policy + "; " + stripped, ""},
		{"a picture", `<img src="URL">`, stripped + "; " + policy, ""},
		{"a picture for some screens (srcset)", `<img srcset="URL 1x">`, stripped + "; " + policy, ""},
		{"a picture for some screens (source)", `<picture><source srcset="URL"><img alt=""></picture>`, stripped + "; " + policy, ""},
		{"a picture of an input", `<input type="image" src="URL">`, stripped + "; " + policy, ""},
		{"a picture in SVG", `<svg><image href="URL" width="9" height="9"/></svg>`, stripped + "; " + policy, ""},
		{"a picture in SVG, by xlink", `<svg><image xlink:href="URL" width="9" height="9"/></svg>`, stripped + "; " + policy, ""},
		{"a part of another drawing (use)", `<svg><use href="URL#a"/></svg>`, stripped + "; " + policy, "Chromium fetches parts of drawings from the same origin only"},
		{"a filter of another drawing", `<svg><filter id="f"><feImage href="URL"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`, stripped + "; " + policy, ""},
		{"a sound", `<audio src="URL" autoplay preload="auto"></audio>`, stripped + "; " + policy, ""},
		{"a film", `<video preload="auto" src="URL"></video>`, stripped + "; " + policy, ""},
		{"a picture for a film", `<video poster="URL"></video>`, stripped + "; " + policy, ""},
		{"a source of a film", `<video preload="auto"><source src="URL"></video>`, stripped + "; " + policy, ""},
		{"text of a film", `<video><track default kind="subtitles" src="URL"></video>`, stripped + "; " + policy, "Chromium fetches the text of films from the same origin only"},
		{"a background", `<p style="background:url(URL)">x</p>`, stripped + "; " + policy, ""},
		{"a background in an attribute, as in old pages", `<table background="URL"><tr><td>x</td></tr></table>`, stripped + "; " + policy, ""},
		{"a background of a style sheet", `<style>body{background-image:url(URL)}</style>`, stripped + "; " + policy, ""},
		{"a background with escapes in its name", `<p style="background:u\72l(URL)">x</p>`, stripped + "; " + policy, ""},
		{"a set of backgrounds (image-set)", `<p style='background-image:image-set("URL" 1x)'>x</p>`, stripped + "; " + policy, ""},
		{"a marker of a list", `<ul style="list-style-image:url(URL)"><li>x</li></ul>`, stripped + "; " + policy, ""},
		{"content of a style sheet", `<style>p::after{content:url(URL)}</style><p>x</p>`, stripped + "; " + policy, ""},
		{"a style sheet of a style sheet (@import)", `<style>@import "URL";</style>`, stripped + "; " + policy, ""},
		{"a style sheet from elsewhere", `<link rel="stylesheet" href="URL">`, policy + "; " + stripped, ""},
		{"a font", `<style>@font-face{font-family:f;src:url(URL)}</style><p style="font-family:f">x</p>`, policy + "; " + stripped, ""},
		{"an icon of the page", `<link rel="icon" href="URL">`, policy + "; " + stripped, "Chromium without a window fetches no icons"},
		{"something for later (preload)", `<link rel="preload" as="image" href="URL">`, stripped + "; " + policy, ""},
		{"something for later (prefetch)", `<link rel="prefetch" href="URL">`, stripped + "; " + policy, ""},
		{"something for later (modulepreload)", `<link rel="modulepreload" href="URL">`, stripped + "; " + policy, ""},
		{"a page for later (prerender)", `<script type="speculationrules">{"prerender":[{"source":"list","urls":["URL"]}]}</script>`, policy, "Chromium does not fetch pages ahead for files"},
		{"a manifest", `<link rel="manifest" href="URL">`, stripped + "; " + policy, "Chromium without a window fetches no manifests"},
		{"a form that is sent by a script", `<form action="URL" id="f"></form><script>document.forms.f.submit()</script>`, policy, ""},
		{"a document within a template", `<template shadowrootmode="open"><img src="URL"></template>`, stripped + "; " + policy, ""},
		{"an output that closes the element around it", `</div></section></main><link rel="stylesheet" href="URL"><img src="URL">`, stripped + "; " + policy, ""},
		{"an output with tags in comments and text", `<!--><img src="URL">--><title><img src="URL"></title><noscript><p title="</noscript><img src=URL>"></noscript>`, stripped + "; " + policy, ""},
		{"an output that a parser reads differently the second time", `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=URL&gt;"></style></mglyph></table></mtext></math><svg></p><style><a id="</style><img src=URL>">`, stripped + "; " + policy, ""},
	}
	var all []*attempt
	for _, p := range list {
		all = append(all, &attempt{name: p.name, page: p.page, stops: p.stops, unshown: p.unshown, long: true})
	}
	return all
}

// asked holds the requests of browsers to the server: for a page made in the sandbox, and for a
// trusted one.
type asked struct {
	sandbox, trusted map[string]bool
	err              error
}

var askedOnce sync.Map // of options.program to a func() asked

// onPage checks whether the page of an attempt reaches the server. The first call reads all pages
// at once.
func (o options) onPage(a *attempt, out outcome) outcome {
	f, _ := askedOnce.LoadOrStore(o.program, sync.OnceValue(o.read))
	all := f.(func() asked)()
	if all.err != nil {
		out.Problem = all.err.Error()
		return out
	}
	if all.trusted[a.name] {
		out.Proof = "the server was asked"
	} else if out.Unshown == "" {
		fmt.Fprintf(os.Stderr, "no effect on a page that is trusted: %s\n", a.name)
	}
	if all.sandbox[a.name] {
		out.Effect = "the server was asked"
	}
	return out
}

// read makes the pages of all attempts and opens them in a browser.
func (o options) read() (all asked) {
	all.sandbox, all.err = o.readAll()
	if all.err == nil {
		all.trusted, all.err = o.readAll("--trust")
	}
	return all
}

// settle is the time in which a loaded page may still make requests, such as prefetches.
const settle = 2 * time.Second

func (o options) readAll(args ...string) (map[string]bool, error) {
	var mu sync.Mutex
	seen := map[string]bool{}
	loaded := make(chan string, 100)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		mu.Lock()
		seen[id] = true
		mu.Unlock()
		if strings.HasPrefix(id, "loaded") {
			loaded <- id
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
	})}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	dir, err := os.MkdirTemp("", "pages-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var files, frames []string
	names := map[string]string{}
	for i, a := range pages() {
		id := fmt.Sprintf("p%d", i)
		names[id] = a.name
		code := strings.ReplaceAll(a.page, "URL", fmt.Sprintf("http://%s/%s", l.Addr(), id))
		cell := func(s string) map[string]any {
			return map[string]any{"cell_type": "code", "id": "a", "metadata": map[string]any{}, "execution_count": nil, "outputs": []any{}, "source": s}
		}
		b, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{},
			"cells": []any{cell(fmt.Sprintf("display.HTML(%q)", code))}})
		if err != nil {
			return nil, err
		}
		name := filepath.Join(dir, id+".ipynb")
		if err := os.WriteFile(name, b, 0o644); err != nil {
			return nil, err
		}
		files = append(files, name)
		frames = append(frames, `<iframe src="`+html.EscapeString(id+".html")+`"></iframe>`)
	}
	all := slices.Concat([]string{"run", "--html", dir, "--sandbox"}, args, files)
	if out, err := exec.Command(o.program, all...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	browser, err := chromium()
	if err != nil {
		return nil, err
	}
	// A browser that reads all pages at once takes minutes.
	const atOnce = 8
	for part := range slices.Chunk(frames, atOnce) {
		index, done := filepath.Join(dir, "index.html"), fmt.Sprintf("loaded%p", &part[0])
		text := fmt.Sprintf("<!DOCTYPE html>%s<script>addEventListener('load', () => setTimeout(() => { new Image().src = 'http://%s/%s' }, %d))</script>",
			strings.Join(part, "\n"), l.Addr(), done, settle.Milliseconds())
		if err := os.WriteFile(index, []byte(text), 0o644); err != nil {
			return nil, err
		}
		if err := readIn(browser, dir, index, done, loaded); err != nil {
			return nil, err
		}
	}
	mu.Lock()
	defer mu.Unlock()
	got := map[string]bool{}
	for id := range seen {
		if name, ok := names[id]; ok {
			got[name] = true
		}
	}
	return got, nil
}

// readIn makes a browser read a page, which reports when it has loaded.
func readIn(browser, dir, index, done string, loaded chan string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--autoplay-policy=no-user-gesture-required", "--user-data-dir="+filepath.Join(dir, "profile"), "--remote-debugging-port=0", "file://"+index)
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, 5*time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	var err error
	for id := ""; id != done && err == nil; {
		select {
		case id = <-loaded:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it has read all pages
	waitErr := cmd.Wait()
	if err != nil {
		return fmt.Errorf("the browser has not read the pages: %w, %w\n%.500s", err, waitErr, said.String())
	}
	return nil
}

// chromium is the browser that reads the pages.
func chromium() (string, error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no browser: install chromium, or name one with CHROMIUM")
}
