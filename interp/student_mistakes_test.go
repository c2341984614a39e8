package interp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// mistakesPage lists students' mistakes and the messages for them.
const mistakesPage = "../docs/reports/student-mistakes.md"

// mistake is a cell with its error message.
type mistake struct{ name, code, message string }

// whatToDo matches the instruction in a message: a hint, the name that was meant, or an instruction
// after the description of the error.
var whatToDo = regexp.MustCompile(`hint: |did you mean|but have|but does have|; \w|: (?:write|give|call|check|start|import|declare|type|charts are) |%load FILE|must be |one of `)

// complete reports which parts a message has: what is wrong, where, and what to do.
func (m mistake) complete() (what, where, todo bool) {
	return m.message != "", strings.Contains(m.message, "cell ["), whatToDo.MatchString(m.message)
}

func mistakes(t *testing.T) (subjects []string, of map[string][]mistake) {
	t.Helper()
	files, err := filepath.Glob("../testdata/cells/student_*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no mistakes: %v", err)
	}
	of = map[string][]mistake{}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(ar.Comment), "\n")
		_, subject, _ := strings.Cut(strings.TrimSuffix(head, "."), "first weeks: ")
		subjects = append(subjects, subject)
		var last *mistake
		for _, f := range ar.Files {
			text := strings.TrimSpace(string(f.Data))
			switch f.Name {
			case "mistake":
				of[subject] = append(of[subject], mistake{name: text})
				last = &of[subject][len(of[subject])-1]
			case "cell":
				if last != nil {
					last.code = text
				}
			case "error", "stderr":
				if last != nil {
					last.message = strings.TrimSpace(last.message + "\n" + text)
				}
			}
		}
	}
	return subjects, of
}

// TestStudentMistakes requires a complete message for nearly all students' mistakes, and checks
// that the page lists them all. The flag -update-cells rewrites the page.
func TestStudentMistakes(t *testing.T) {
	subjects, of := mistakes(t)
	var b strings.Builder
	all, whole := 0, 0
	var tables strings.Builder
	for _, subject := range subjects {
		fmt.Fprintf(&tables, "\n## %s\n\n| mistake | cell | message | what | where | to do |\n|---|---|---|---|---|---|\n", strings.ToUpper(subject[:1])+subject[1:])
		for _, m := range of[subject] {
			what, where, todo := m.complete()
			all++
			if what && where && todo {
				whole++
			} else {
				t.Logf("not complete: %s: %s\n%s", subject, m.name, m.message)
			}
			fmt.Fprintf(&tables, "| %s | %s | %s | %s | %s | %s |\n", cellOf(m.name), codeCell(m.code), codeCell(brief(m.message)), yes(what), yes(where), yes(todo))
		}
	}
	fmt.Fprintf(&b, `# Mistakes of students

This report lists mistakes that students make in their first weeks with Go, and the messages that
the notebook prints for them. Read it to judge the messages, or to see which mistakes they cover.
Of %d mistakes, %d have a message that says what is wrong, where, and what to do.

TestStudentMistakes makes the tables from the cells in testdata/cells/student_*.txtar. If a message
says what to write, TestFixesAreRight makes this change, runs the cell, and compares the result with
what the student meant.
`, all, whole)
	b.WriteString(tables.String())
	if whole < 250 || all-whole > 8 {
		t.Errorf("%d of %d messages are complete", whole, all)
	}
	have, err := os.ReadFile(mistakesPage)
	if err == nil && string(have) == b.String() {
		return
	}
	if !*update {
		t.Fatalf("%s is stale (%v): run go test ./interp -run TestStudentMistakes -update-cells", mistakesPage, err)
	}
	if err := os.WriteFile(mistakesPage, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// brief returns a message without the excerpts of the cell.
func brief(message string) string {
	var list []string
	for _, line := range strings.Split(message, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "compile error: "), strings.HasPrefix(line, "hint: "), strings.HasPrefix(line, "warning: "),
			strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "error: "), strings.HasPrefix(line, "stack overflow: "), strings.HasPrefix(line, "shapes do not fit: "):
			list = append(list, line)
		}
	}
	return strings.Join(list, "\n")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func cellOf(text string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;").Replace(text)
}

// codeCell formats code for a table cell, which can't contain line breaks.
func codeCell(code string) string {
	return "`` " + strings.NewReplacer("|", "\\|", "\n", " ⏎ ", "\t", "").Replace(code) + " ``"
}
