package site

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/internal/pattern"
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

// checkLinks returns an error for a broken link, for a duplicate ID on a page, and for anything
// that a reader's browser would load from elsewhere.
func (b *builder) checkLinks(context.Context) error {
	if err := errors.Join(b.faults...); err != nil {
		return err
	}
	ids := map[string]map[string]bool{}
	var wrong []string
	names := slices.Sorted(maps.Keys(b.files))
	for _, file := range names {
		switch path.Ext(file) {
		case ".html":
			ids[file] = map[string]bool{}
			for _, attributes := range elements(string(b.files[file])) {
				id, ok := attributes["id"]
				if !ok {
					continue
				}
				if ids[file][id] {
					wrong = append(wrong, fmt.Sprintf("%s has two elements with the id %q", file, id))
				}
				ids[file][id] = true
			}
		case ".css":
			if m := imports().FindString(string(b.files[file])); m != "" {
				wrong = append(wrong, fmt.Sprintf("%s loads from elsewhere: %s", file, m))
			}
		}
	}
	for _, file := range names {
		if ids[file] == nil {
			continue
		}
		for name, attributes := range elements(string(b.files[file])) {
			for _, a := range []string{"href", "src", "action"} {
				address, ok := attributes[a]
				if !ok {
					continue
				}
				if attributes["class"] == page.Elsewhere {
					name = "" // the link replaces what would have been loaded
				}
				if why := b.follow(file, name, address, ids); why != "" {
					wrong = append(wrong, fmt.Sprintf("%s: %s", file, why))
				}
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	const most = 20
	more := ""
	if len(wrong) > most {
		more = fmt.Sprintf("\nand %d more", len(wrong)-most)
		wrong = wrong[:most]
	}
	return fmt.Errorf("broken links in the site:\n%s%s", strings.Join(wrong, "\n"), more)
}

// isLater reports whether a file of the site is created only after the notebooks have run.
func isLater(file string) bool {
	dir, _, _ := strings.Cut(file, "/")
	return slices.Contains([]string{"api", "assets", "figures", "search.html"}, dir)
}

// follow explains why an address on a page is wrong, or returns "" if it is right.
func (b *builder) follow(file, element, address string, ids map[string]map[string]bool) string {
	if strings.HasPrefix(address, "data:") {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Sprintf("%q isn't an address", address)
	}
	if u.Scheme != "" || u.Host != "" {
		if element != "a" {
			return fmt.Sprintf("%q is loaded from elsewhere", address)
		}
		return ""
	}
	target := file
	if u.Path != "" {
		if target = path.Join(path.Dir(file), u.Path); strings.HasSuffix(u.Path, "/") {
			target += "/index.html"
		}
	}
	if b.draft && (isLater(target) || strings.HasPrefix(u.Fragment, "figure-")) {
		return "" // outputs and the library exist only after the notebooks have run
	}
	if _, ok := b.files[target]; !ok && !b.promised[target] {
		return fmt.Sprintf("the link to %s is broken", address)
	}
	if u.Fragment != "" && ids[target] != nil && !ids[target][u.Fragment] {
		return fmt.Sprintf("the link to %s has an anchor that its page doesn't have", address)
	}
	return ""
}
