package split

import (
	"fmt"
	"go/format"
	"go/token"
	"slices"
	"strings"
)

// Format returns the text of a cell as gofmt formats Go. Magics stay as they are. The text of a
// cell magic that takes no Go also stays as it is. Declarations and statements may be mixed.
func Format(src string) (string, error) {
	c := &Cell{Src: src, Base: token.Pos(gap + 1)}
	text := []byte(src)
	if c.wholeMagic(text) {
		if c.Whole.Name != "package" {
			return src, nil
		}
		head, body, _ := strings.Cut(strings.TrimLeft(src, space), "\n")
		out, err := format.Source([]byte("package p\n" + body))
		if err != nil {
			return "", formatError(err, 0)
		}
		_, rest, _ := strings.Cut(string(out), "\n")
		return head + "\n" + strings.Trim(rest, "\n"), nil
	}
	c.lineMagics(text)
	var parts []string
	begin := 0
	for _, m := range c.Lines {
		at := int(m.Pos - c.Base)
		end := at + len(m.Text)
		part, err := formatGo(src[begin:at], strings.Count(src[:begin], "\n"))
		if err != nil {
			return "", err
		}
		parts = append(parts, part, strings.TrimRight(src[at:end], space))
		if begin = end; begin < len(src) && src[begin] == '\n' {
			begin++
		}
	}
	part, err := formatGo(src[begin:], strings.Count(src[:begin], "\n"))
	if err != nil {
		return "", err
	}
	parts = slices.DeleteFunc(append(parts, part), func(p string) bool { return p == "" })
	return strings.Join(parts, "\n"), nil
}

// formatGo formats a part of a cell that has no magics. Before is the number of lines above it.
func formatGo(src string, before int) (string, error) {
	if strings.TrimSpace(src) == "" {
		return "", nil
	}
	text := []byte(src)
	chunks := chunk(scan(text), src)
	if len(chunks) == 0 {
		return strings.Trim(src, "\n"), nil
	}
	var b strings.Builder
	begin := 0
	for i := 0; i < len(chunks); {
		j := i
		for j+1 < len(chunks) && isDecl(chunks[j+1].kind) == isDecl(chunks[i].kind) {
			j++
		}
		end := len(src)
		if j+1 < len(chunks) {
			// Comments above the next chunk belong to that chunk. A comment on the last line
			// belongs to this chunk.
			end = lineEnd(text, chunks[j].end)
			if chunks[j+1].start < end {
				end = chunks[j+1].start
			}
		}
		group := src[begin:end]
		out, err := formatGroup(group, scan([]byte(group)))
		if err != nil {
			return "", formatError(err, before+strings.Count(src[:begin], "\n"))
		}
		if b.Len() > 0 {
			b.WriteString("\n")
			if strings.HasPrefix(strings.TrimLeft(group, " \t"), "\n\n") || strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(group, "\n"), " \t"), "\n") {
				b.WriteString("\n")
			}
		}
		b.WriteString(strings.Trim(out, "\n"))
		begin, i = end, j+1
	}
	last := chunks[len(chunks)-1]
	if c := scan(text)[last.last]; last.kind == stmtChunk && c.tok == token.SEMICOLON && c.lit == ";" {
		return hide(b.String()), nil
	}
	return b.String(), nil
}

// hide adds a semicolon at the end of formatted code, before a comment. The semicolon hides the
// last value.
func hide(code string) string {
	at := 0
	for _, t := range scan([]byte(code)) {
		if t.tok != token.SEMICOLON {
			at = t.end
		}
	}
	return code[:at] + ";" + code[at:]
}

func isDecl(k chunkKind) bool { return k != stmtChunk }

// listName is the function that stands for the values of a last statement while it is formatted.
const listName = "ǃlist"

// formatGroup formats declarations, or statements whose last one may list several values.
func formatGroup(src string, toks []tokenSpan) (string, error) {
	out, err := format.Source([]byte(src))
	if err == nil {
		return string(out), nil
	}
	chunks := chunk(toks, src)
	if len(chunks) == 0 {
		return "", err
	}
	last := chunks[len(chunks)-1]
	if len(listCommas(toks[last.first:last.last+1])) == 0 {
		return "", err
	}
	end := last.end
	for end > last.start && strings.ContainsRune(space+";", rune(src[end-1])) {
		end--
	}
	listed := src[:last.start] + listName + "(" + src[last.start:end] + ")" + src[end:]
	out, err2 := format.Source([]byte(listed))
	if err2 != nil {
		return "", err
	}
	text := string(out)
	at := strings.LastIndex(text, listName+"(")
	close := strings.LastIndexByte(text, ')')
	return text[:at] + text[at+len(listName)+1:close] + text[close+1:], nil
}

// formatError adds the lines above a part to the line of its error.
func formatError(err error, before int) error {
	var line, column int
	rest := err.Error()
	if n, _ := fmt.Sscanf(rest, "%d:%d:", &line, &column); n == 2 {
		_, rest, _ = strings.Cut(rest, ": ")
		return fmt.Errorf("line %d, column %d: %s", line+before, column, rest)
	}
	return err
}
