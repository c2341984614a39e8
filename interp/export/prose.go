package export

import (
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/internal/pattern"
)

// proseWidth is the width at which prose is wrapped, without the slashes.
const proseWidth = 76

var (
	htmlComment = pattern.New(`(?s)<!--.*?-->`)
	image       = pattern.New(`!\[([^\]]*)\]\([^)]*\)`)
	webLink     = pattern.New(`\[([^\]]*)\]\((https?://[^)\s]*)[^)]*\)`)
	localLink   = pattern.New(`\[([^\]]*)\]\([^)]*\)`)
	listItem    = pattern.New(`^\s*([-*+]|\d+[.)])\s+`)
	summaryEnd  = pattern.New(`\s*</summary>\s*`)
	htmlTag     = pattern.New(`</?(?:a|b|br|center|code|details|div|em|i|img|kbd|p|small|span|strong|sub|summary|sup|u)(?:\s[^>]*)?/?>`)
	strong      = pattern.New(`\*\*([^*]+)\*\*`)
	proseWord   = pattern.New(`(?:[^\s$]|\$[^$]{1,70}\$|\$)+`) // a formula is part of a word
)

// prose returns a Markdown cell as lines of a comment, without the slashes.
func prose(text string) []string {
	text = htmlComment().ReplaceAllString(text, "")
	text = htmlTag().ReplaceAllString(summaryEnd().ReplaceAllString(text, ": "), "")
	text = image().ReplaceAllString(text, "$1")
	text = webLink().ReplaceAllString(text, "$1 ($2)")
	text = localLink().ReplaceAllString(text, "$1")
	text = strong().ReplaceAllString(text, "$1")
	var out, paragraph []string
	mark := "" // mark of the list item that contains the paragraph
	flush := func() {
		switch {
		case len(paragraph) == 0:
		case mark == "":
			out = append(out, wrap(strings.Join(paragraph, " "), "")...)
		default:
			lines := wrap(strings.Join(paragraph, " "), "    ")
			lines[0] = "  " + mark + " " + strings.TrimLeft(lines[0], " ")
			out = append(out, lines...)
		}
		paragraph, mark = nil, ""
	}
	verbatim := "" // the end of a part that keeps its line breaks
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		trimmed := strings.TrimSpace(line)
		if verbatim == "" && strings.HasPrefix(trimmed, ">") { // a block quote
			trimmed = strings.TrimSpace(trimmed[1:])
			line = trimmed
		}
		switch {
		case verbatim != "":
			if ends(trimmed, verbatim) {
				if verbatim == "$$" && trimmed != "$$" {
					out = append(out, "\t"+trimmed)
				}
				verbatim = ""
				continue
			}
			out = append(out, "\t"+line)
		case strings.HasPrefix(trimmed, "```"):
			flush()
			verbatim = "```"
		case trimmed == "$$":
			flush()
			verbatim = "$$"
		case strings.HasPrefix(trimmed, "$$") && strings.HasSuffix(trimmed, "$$") && len(trimmed) > 4:
			flush()
			out = append(out, "\t"+strings.TrimSpace(strings.Trim(trimmed, "$")))
		case strings.HasPrefix(trimmed, "$$"):
			flush()
			out = append(out, "\t"+strings.TrimSpace(trimmed[2:]))
			verbatim = "$$"
		case strings.HasPrefix(trimmed, "|"):
			flush()
			out = append(out, "\t"+trimmed)
		case trimmed == "":
			flush()
			out = append(out, "")
		case strings.HasPrefix(trimmed, "#"):
			flush()
			out = append(out, "# "+strings.TrimSpace(strings.TrimLeft(trimmed, "#")))
		case listItem().MatchString(line):
			flush()
			if mark = strings.TrimSpace(listItem().FindString(line)); strings.ContainsAny(mark, "-*+") {
				mark = "-"
			}
			paragraph = []string{strings.TrimSpace(listItem().ReplaceAllString(line, ""))}
		default:
			paragraph = append(paragraph, trimmed)
		}
	}
	flush()
	return squeeze(out)
}

func ends(line, mark string) bool {
	if mark == "$$" {
		return strings.HasSuffix(line, "$$")
	}
	return strings.HasPrefix(line, mark)
}

// wrap breaks a paragraph into lines.
func wrap(text, indent string) []string {
	var lines []string
	line := indent
	for _, w := range proseWord().FindAllString(text, -1) {
		if len(line) > len(indent) && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > proseWidth {
			lines = append(lines, line)
			line = indent
		}
		if len(line) > len(indent) {
			line += " "
		}
		line += w
	}
	return append(lines, line)
}

// squeeze removes blank lines at the start and the end, and all but one of consecutive blank lines.
func squeeze(lines []string) []string {
	var out []string
	for _, l := range lines {
		if l == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, l)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// comment formats lines as a comment.
func comment(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString("//")
		if l != "" && l[0] != '\t' {
			b.WriteString(" ")
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}
