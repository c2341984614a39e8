package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

type source struct {
	name string
	set  *token.FileSet
	file *ast.File
	code string
}

func parseGo(name string, data []byte) (*source, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{name, set, f, string(data)}, nil
}

var (
	directive = regexp.MustCompile(`^//([a-z0-9]+:[a-z]|line |export |nolint|#nosec)`)
	expected  = regexp.MustCompile(`(?i)^\s*(unordered )?output:`)
)

// addComments adds each group of comments as a paragraph, and a comment after code as an item of a
// list. It leaves out directives, the expected output of examples and lists of references.
func (s *source) addComments(t *text) []finding {
	var found []finding
	for _, group := range s.file.Comments {
		at := s.set.Position(group.Pos())
		trailing := strings.TrimSpace(s.code[at.Offset-at.Column+1:at.Offset]) != ""
		references := false
	lines:
		for i, c := range group.List {
			if directive.MatchString(c.Text) {
				continue
			}
			line := s.set.Position(c.Pos()).Line
			body := c.Text[2:]
			block := strings.HasPrefix(c.Text, "/*")
			if block {
				body = strings.TrimSuffix(body, "*/")
			}
			for j, l := range strings.Split(body, "\n") {
				if expected.MatchString(l) {
					break lines
				}
				references = references && strings.TrimSpace(l) != "" || strings.HasPrefix(l, " References: ")
				if references {
					continue
				}
				if !strings.HasPrefix(l, "\t") && !strings.HasPrefix(l, " \t") {
					column := 0
					if i == 0 && j == 0 && trailing {
						column = at.Column - 1
					}
					if !block && column == 0 {
						full := s.code[strings.LastIndexByte(s.code[:s.set.Position(c.Pos()).Offset], '\n')+1 : s.set.Position(c.End()).Offset]
						found = append(found, tooLong(s.name, line+j, full)...)
					}
				}
				l = plain(strings.TrimPrefix(l, " "))
				switch {
				case trailing && i == 0 && j == 0:
					l = "- " + l
				case trailing:
					l = "  " + l
				}
				t.add(s.name, line+j, l)
			}
		}
		t.add(s.name, at.Line, "")
	}
	return found
}

// addStrings adds the string literals that read like a sentence: messages and help texts. Parts
// that are joined by + are one string, and "x" replaces an operand that is not constant.
func (s *source) addStrings(t *text) {
	add := func(pos token.Pos, value string) {
		if !sentence(value) {
			return
		}
		line := s.set.Position(pos).Line
		for i, l := range strings.Split(value, "\n") {
			if i == 0 {
				l = "- " + l
			}
			t.add(s.name, line, plain(hinted.ReplaceAllLiteralString(l, "code")))
		}
		t.add(s.name, line, "")
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.KeyValueExpr: // the value of this field is a citation or a list of commands
			if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Source" || key.Name == "Example") {
				return false
			}
		case *ast.AssignStmt:
			if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && sel.Sel.Name == "Source" {
				return false
			}
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return true
			}
			var b strings.Builder
			parts := 0
			var walk func(e ast.Expr)
			walk = func(e ast.Expr) {
				if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
					walk(sum.X)
					walk(sum.Y)
					return
				}
				if v, ok := literal(e); ok {
					b.WriteString(v)
					parts++
				} else {
					b.WriteString("x")
				}
			}
			walk(n)
			if parts == 0 {
				return true
			}
			add(n.Pos(), b.String())
			return false
		case *ast.BasicLit:
			if v, ok := literal(n); ok {
				add(n.Pos(), v)
			}
		}
		return true
	})
}

// hinted matches the code in a hint.
var hinted = regexp.MustCompile(`‹[^›]*›`)

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	v, err := strconv.Unquote(l.Value)
	return v, err == nil
}

// code matches strings that are written for a machine: markup, style sheets, SQL, scripts, Go.
var code = regexp.MustCompile(`^[A-Z][A-Za-z]*-[A-Z][A-Za-z-]*: |</|/>|<[a-z]+[ >]|\{\{|\}\}|;\n|\{\n|:=|\bSELECT\b|\bfunction\b.*\{|=>|#!/|^[MmLl]-?[0-9.]+[ ,]|'self'|\w\|\w|https?://\S+$`)

// sentence reports whether a string reads like prose: at least four words, almost only letters
// and spaces, and nothing in it that looks like code or, in lines without a period, like data.
func sentence(s string) bool {
	words := strings.Fields(s)
	if len(words) < 4 || code.MatchString(s) || strings.Count(s, "\n") > 1 && !strings.Contains(s, ".") {
		return false
	}
	letters, all := 0, 0
	for _, r := range s {
		all++
		if unicode.IsLetter(r) || unicode.IsSpace(r) {
			letters++
		}
	}
	lower := slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && strings.ToLower(w) == w })
	return lower && letters*100 >= 80*all
}

// plain escapes text that is not Markdown, so that Markdown finds no markup in it.
func plain(s string) string {
	return unmark.Replace(s)
}

var unmark = strings.NewReplacer("<", "‹", ">", "›", "*", "∗", "[", "", "]", "", "~~", "~", "%%", "%", "|", "¦", "&", "and")
