package figure

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longestAlt is the maximum number of characters of the texts that describe a figure without a
// description.
const longestAlt = 300

// Alt returns a description of the figure for readers who cannot see it: Title and Desc. Without
// Desc, it uses Text, or the labels in the drawing.
func (f *Figure) Alt() string {
	desc := f.Desc
	if desc == "" {
		desc = shorten(joinLines(f.Text))
	}
	if desc == "" {
		desc = shorten("Drawing with the texts " + strings.Join(f.labels(), ", "))
	}
	switch title := strings.TrimSpace(f.Title); {
	case title == "" || strings.HasPrefix(desc, title):
		return desc
	case strings.ContainsRune(".!?:", rune(title[len(title)-1])):
		return title + " " + desc
	default:
		return title + ". " + desc
	}
}

// plain returns the figure as text: Alt, then Text without what Alt already says.
func (f *Figure) plain() string {
	alt := f.Alt()
	if f.Desc == "" && f.Text != "" {
		return f.Text
	}
	text := f.Text
	if first, rest, _ := strings.Cut(text, "\n"); first == f.Title || strings.Contains(alt, first) {
		text = strings.TrimLeft(rest, "\n")
	}
	if text == "" {
		return alt
	}
	return alt + "\n\n" + text
}

// labels returns the distinct texts in the drawing.
func (f *Figure) labels() []string {
	var out []string
	seen := map[string]bool{}
	for _, o := range f.ops {
		if l, ok := o.(label); ok && !seen[l.text] {
			seen[l.text] = true
			out = append(out, l.text)
		}
	}
	return out
}

// described returns the title and the description of an SVG document, and the attributes that
// point to them. Documents with the same title and description have the same ids.
func (f *Figure) described() (attributes, elements string) {
	alt := f.Alt()
	title, desc := f.Title, f.Desc
	if title == "" {
		title, desc = alt, ""
	} else if desc == "" {
		desc = alt
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(title + "\x00" + desc)) // never fails
	id := strconv.FormatUint(uint64(h.Sum32()), 36)
	attributes = ` role="img" aria-labelledby="title-` + id
	elements = `<title id="title-` + id + `">` + escape(printable(title)) + "</title>\n"
	if desc != "" {
		attributes += ` desc-` + id
		elements += `<desc id="desc-` + id + `">` + escape(printable(desc)) + "</desc>\n"
	}
	return attributes + `"`, elements
}

// joinLines joins a text that was laid out with spaces into one line.
func joinLines(text string) string {
	var parts []string
	for line := range strings.Lines(text) {
		if s := strings.Join(strings.Fields(line), " "); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "; ")
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= longestAlt {
		return s
	}
	r := []rune(s)[:longestAlt-1]
	for i := len(r) - 1; i > longestAlt/2; i-- {
		if r[i] == ' ' {
			r = r[:i]
			break
		}
	}
	return strings.TrimRight(string(r), " ;,") + "…"
}
