package site

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/internal/similar"
	"golang.org/x/net/html"
)

var imports = pattern.New(`@import|url\(\s*["']?(?:https?:)?//`)

// elements yields the elements of a page with their attributes, except text in scripts.
func elements(text string) iter.Seq2[string, map[string]string] {
	return func(yield func(name string, attributes map[string]string) bool) {
		for z := html.NewTokenizer(strings.NewReader(text)); ; {
			switch z.Next() {
			case html.ErrorToken: // the end
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				name, more := z.TagName()
				element, attributes := string(name), map[string]string{}
				for more {
					var key, val []byte
					key, val, more = z.TagAttr()
					if _, twice := attributes[string(key)]; !twice {
						attributes[string(key)] = string(val)
					}
				}
				if !yield(element, attributes) {
					return
				}
			}
		}
	}
}

// checkLinks returns an error for each broken link, for each duplicate ID on a page, and for
// everything that a reader's browser would load from elsewhere.
func (b *builder) checkLinks(context.Context) error {
	var wrong []error
	report := func(page, cell, what, do string) {
		where := b.placeOn(page, cell, what)
		if what == noAddress && slices.ContainsFunc(b.faults, func(err error) bool { return strings.HasPrefix(err.Error(), where+": ") }) {
			return // checkSources knows more about it
		}
		wrong = append(wrong, &problem{where, what, do})
	}
	ids := map[string]map[string]bool{}
	names := slices.Sorted(maps.Keys(b.files))
	for _, file := range names {
		switch path.Ext(file) {
		case ".html":
			ids[file] = map[string]bool{}
			cell := ""
			for _, attributes := range elements(string(b.files[file])) {
				id, ok := attributes["id"]
				if !ok {
					continue
				}
				cell = cellOf(cell, id)
				if ids[file][id] {
					report(file, cell, fmt.Sprintf("two elements have the id %q", id), "rename one of them")
				}
				ids[file][id] = true
			}
		case ".css":
			if m := imports().FindString(string(b.files[file])); m != "" {
				report(file, "", "it loads from elsewhere: "+m, "")
			}
		}
	}
	for _, file := range names {
		if ids[file] == nil || b.isCopy(file) {
			continue
		}
		cell := ""
		for name, attributes := range elements(string(b.files[file])) {
			cell = cellOf(cell, attributes["id"])
			for _, a := range []string{"href", "src", "action"} {
				address, ok := attributes[a]
				if !ok {
					continue
				}
				if attributes["class"] == page.Elsewhere {
					name = "" // the link replaces what would have been loaded
				}
				if what, do := b.follow(file, name, address, ids); what != "" {
					report(file, cell, what, do)
				}
			}
		}
	}
	return joined(wrong...)
}

// cellOf returns the cell to which an element with an id belongs, if the element before belongs to
// the given cell.
func cellOf(before, id string) string {
	if cell, ok := strings.CutPrefix(id, "cell-"); ok {
		return cell
	}
	return before
}

// isCopy reports whether a page shows only what another page shows too, such as slides.
func (b *builder) isCopy(file string) bool { return strings.HasPrefix(file, "slides/") }

// placeOn returns the place in the sources of what a page shows: the file, and a cell or a line in
// it.
func (b *builder) placeOn(page, cell, what string) string {
	source := b.source(page)
	if source == "" {
		return page // the program has made it
	}
	where := b.in(source)
	if cell != "" {
		return where + ", cell " + cell
	}
	text, err := b.read(source)
	if _, address, ok := strings.Cut(what, "link to "); err == nil && ok {
		address, _, _ = strings.Cut(address, ":")
		for _, sought := range []string{"](" + address, address} {
			if before, _, found := strings.Cut(text, sought); found && address != "" {
				return fmt.Sprintf("%s, line %d", where, 1+strings.Count(before, "\n"))
			}
		}
	}
	return where
}

// isLater reports whether a file of the site is created only after the notebooks have run.
func isLater(file string) bool {
	dir, _, _ := strings.Cut(file, "/")
	return slices.Contains([]string{"api", "assets", "figures", "search.html"}, dir)
}

// noAddress is the message for a picture without an address.
const noAddress = "a picture has no address"

// follow explains what is wrong with an address on a page, and what to do. It returns "" if the
// address is right.
func (b *builder) follow(file, element, address string, ids map[string]map[string]bool) (what, do string) {
	if strings.HasPrefix(address, "data:") {
		return "", ""
	}
	shown := address
	if was, ok := b.written[file+" "+address]; ok {
		shown = was
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Sprintf("the link to %s: it isn't an address", shown), "correct the address"
	}
	if u.Scheme != "" || u.Host != "" {
		if element != "a" {
			return fmt.Sprintf("%s is loaded from elsewhere", shown), "save the file beside the notebooks, and write its path"
		}
		return "", ""
	}
	if address == "" && element == "img" {
		return noAddress, "write the path of the picture, or attach it to the cell again"
	}
	target := file
	if u.Path != "" {
		if target = path.Join(path.Dir(file), u.Path); strings.HasSuffix(u.Path, "/") {
			target += "/index.html"
		}
	}
	if b.draft && (isLater(target) || strings.HasPrefix(u.Fragment, "figure-of-")) {
		return "", "" // outputs and the library exist only after the notebooks have run
	}
	if _, ok := b.files[target]; !ok && !b.promised[target] {
		kind := "file"
		if element == "img" {
			kind = "picture"
		}
		return fmt.Sprintf("the link to %s: there is no such %s", shown, kind), b.suggestFile(file, shown)
	}
	if u.Fragment != "" && ids[target] != nil && !ids[target][u.Fragment] {
		do := "correct the link, or add the heading"
		if n := similar.Nearest(u.Fragment, slices.Sorted(maps.Keys(ids[target]))); n != "" {
			do = "write #" + n + ", or add the heading"
		}
		return fmt.Sprintf("the link to %s: no heading or cell there has the name %s", shown, u.Fragment), do
	}
	return "", ""
}

// suggestFile says what to do about a link on a page to a missing file.
func (b *builder) suggestFile(page, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "correct the address"
	}
	dir := path.Dir(b.source(page))
	missing := path.Join(dir, u.Path)
	var beside []string
	if list, err := os.ReadDir(filepath.Join(b.Dir, filepath.FromSlash(path.Dir(missing)))); err == nil {
		for _, d := range list {
			beside = append(beside, d.Name())
		}
	}
	if n := similar.Nearest(path.Base(missing), beside); n != "" && n != path.Base(missing) {
		return "write " + path.Join(path.Dir(u.Path), n) + ", or add " + b.in(missing)
	}
	return "add " + b.in(missing) + ", or correct the link"
}
