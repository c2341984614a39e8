package figure

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longestAlt is how many characters of a text stand for a figure that does not
// describe itself.
const longestAlt = 300

// Alt is the sentence that says what the figure shows, for readers who do not see it:
// Title and Desc, or, of a figure without a Desc, its Text, or what is written on it.
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

// plain is the figure as text: the sentence, then Text without what the sentence says.
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

// labels are the texts on the figure, each once.
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

// described writes the title and the description of an SVG document, and gives the
// attributes that point to them. Documents that say the same share the ids.
func (f *Figure) described() (attributes, elements string) {
	alt := f.Alt()
	title, desc := f.Title, f.Desc
	if title == "" {
		title, desc = alt, ""
	} else if desc == "" {
		desc = alt
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(title + "\x00" + desc)) // cannot fail
	id := strconv.FormatUint(uint64(h.Sum32()), 36)
	attributes = ` role="img" aria-labelledby="title-` + id
	elements = `<title id="title-` + id + `">` + escape(printable(title)) + "</title>\n"
	if desc != "" {
		attributes += ` desc-` + id
		elements += `<desc id="desc-` + id + `">` + escape(printable(desc)) + "</desc>\n"
	}
	return attributes + `"`, elements
}

// joinLines makes one line of a text that was laid out with spaces.
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
