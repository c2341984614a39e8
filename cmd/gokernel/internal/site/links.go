package site

import (
	"fmt"
	"html"
	"iter"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

var imports = regexp.MustCompile(`@import|url\(\s*["']?(?:https?:)?//`)

// elements yields the elements of a page, each with its attributes as they are
// written; what stands in scripts is none.
func elements(text string) iter.Seq2[string, string] {
	return func(yield func(name, attributes string) bool) {
		for {
			i := strings.IndexByte(text, '<')
			if i < 0 {
				return
			}
			text = text[i+1:]
			n := 0
			for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || n > 0 && text[n] >= '0' && text[n] <= '9') {
				n++
			}
			if n == 0 {
				continue
			}
			end := n
			for end < len(text) && text[end] != '>' {
				if text[end] == '"' {
					close := strings.IndexByte(text[end+1:], '"')
					if close < 0 {
						return
					}
					end += close + 1
				}
				end++
			}
			name := strings.ToLower(text[:n])
			if !yield(name, text[n:min(end, len(text))]) {
				return
			}
			if text = text[min(end, len(text)):]; name == "script" {
				text = text[max(0, strings.Index(text, "</script")):]
			}
		}
	}
}

// attribute gives the value of one of the attributes of an element.
func attribute(attributes, name string) (string, bool) {
	for {
		i := strings.Index(attributes, name+`="`)
		if i < 0 {
			return "", false
		}
		value := attributes[i+len(name)+2:]
		end := strings.IndexByte(value, '"')
		if end < 0 {
			return "", false
		}
		if i > 0 && strings.ContainsRune(" \n\t", rune(attributes[i-1])) {
			return html.UnescapeString(value[:end]), true
		}
		attributes = value[end:]
	}
}

// checkLinks fails for a link that leads nowhere, an identity that a page has twice,
// and for whatever a reader's browser would load from elsewhere.
func (b *builder) checkLinks() error {
	ids := map[string]map[string]bool{}
	var wrong []string
	names := slices.Sorted(maps.Keys(b.files))
	for _, file := range names {
		switch path.Ext(file) {
		case ".html":
			ids[file] = map[string]bool{}
			for _, attributes := range elements(string(b.files[file])) {
				id, ok := attribute(attributes, "id")
				if !ok {
					continue
				}
				if ids[file][id] {
					wrong = append(wrong, fmt.Sprintf("%s has two elements with the id %q", file, id))
				}
				ids[file][id] = true
			}
		case ".css":
			if m := imports.FindString(string(b.files[file])); m != "" {
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
				address, ok := attribute(attributes, a)
				if !ok {
					continue
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
	return fmt.Errorf("links of the site are wrong:\n%s%s", strings.Join(wrong, "\n"), more)
}

// follow says why an address of a page is wrong, "" when it is right.
func (b *builder) follow(file, element, address string, ids map[string]map[string]bool) string {
	if strings.HasPrefix(address, "data:") {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Sprintf("%q is no address", address)
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
	if _, ok := b.files[target]; !ok && !b.promised[target] {
		return fmt.Sprintf("the link to %s leads nowhere", address)
	}
	if u.Fragment != "" && ids[target] != nil && !ids[target][u.Fragment] {
		return fmt.Sprintf("the link to %s leads to a page without that place", address)
	}
	return ""
}
