package site

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// repository is the folder of the course's notebooks and documents.
const repository = "../../../../"

// prose returns the texts of the course's lectures by number.
func prose(t *testing.T) map[string]string {
	t.Helper()
	files, err := notebook.Glob(repository + "notebooks/[A-Z][0-9][0-9]-*.ipynb")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d lectures, %v", len(files), err)
	}
	texts := map[string]string{}
	for _, f := range files {
		nb, err := notebook.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range nb.Cells {
			if c.Type == notebook.Markdown {
				b.WriteString(c.Source + "\n\n")
			}
		}
		texts[filepath.Base(f)[:3]] = b.String()
	}
	return texts
}

// checkTerms reports rows whose term does not occur in a lecture that they name, and rows without
// lectures.
func checkTerms(rows [][]string, texts map[string]string, occurs func(text, term string) bool) (wrong []string) {
	for _, r := range rows {
		lectures := strings.Split(r[len(r)-1], ", ")
		if len(r) != 3 || r[1] == "" {
			wrong = append(wrong, strings.Join(r, " | ")+": want a term, what it means, and lectures")
			continue
		}
		for _, l := range lectures {
			switch text, ok := texts[l]; {
			case !ok:
				wrong = append(wrong, r[0]+": there is no lecture "+l)
			case !occurs(text, r[0]):
				wrong = append(wrong, r[0]+": it does not occur in "+l)
			}
		}
	}
	return wrong
}

// hasWord searches for a term of the glossary, in singular or plural.
func hasWord(text, term string) bool {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(term) + `(?:s|es)?\b`).MatchString(text)
}

var (
	formulas = regexp.MustCompile(`(?s)\$\$.+?\$\$|\$[^$\n]+?\$`)
	worded   = regexp.MustCompile(`\\(?:text|mathrm|textbf|mathit)\{[^}]*\}`)
	command  = regexp.MustCompile(`^\\[a-zA-Z]+$`)
	letter   = regexp.MustCompile(`^[a-zA-Z]$`)
)

// hasSign searches for a sign in the formulas of a text.
func hasSign(text, sign string) bool {
	sign = strings.Trim(sign, "$")
	pattern := regexp.QuoteMeta(sign)
	switch {
	case command.MatchString(sign):
		pattern += `(?:[^a-zA-Z]|$)`
	case letter.MatchString(sign):
		pattern = `(?:^|[^a-zA-Z\\])` + pattern + `(?:[^a-zA-Z]|$)`
	}
	re := regexp.MustCompile(pattern)
	for _, f := range formulas.FindAllString(text, -1) {
		if re.MatchString(worded.ReplaceAllString(strings.Trim(f, "$"), "")) {
			return true
		}
	}
	return false
}

// TestTerms checks the glossary and the notation against the lectures.
func TestTerms(t *testing.T) {
	texts := prose(t)
	b := &builder{Options: Options{Dir: repository}}
	for file, test := range map[string]struct {
		occurs func(text, term string) bool
		least  int
	}{"docs/reference/glossary.md": {hasWord, 100}, "docs/reference/notation.md": {hasSign, 40}} {
		text, err := b.read(file)
		if err != nil {
			t.Fatal(err)
		}
		list := rows(text)
		if len(list) < test.least {
			t.Errorf("%s has %d rows, want %d at least", file, len(list), test.least)
		}
		for _, w := range checkTerms(list, texts, test.occurs) {
			t.Errorf("%s: %s", file, w)
		}
		seen := map[string]bool{}
		for _, r := range list {
			if key := r[0] + "|" + r[1]; seen[key] {
				t.Errorf("%s: %s stands twice", file, r[0])
			} else {
				seen[key] = true
			}
		}
	}
}

// TestTermsAreChecked checks that the comparison can fail.
func TestTermsAreChecked(t *testing.T) {
	texts := map[string]string{"N01": "A *margin* of $\\gamma=2$, $\\text{C}$ and $$x_i$$."}
	for _, test := range []struct {
		term, lectures string
		sign           bool
		want           string
	}{
		{"margin", "N01", false, ""}, {"argin", "N01", false, "it does not occur in N01"}, {"margin", "N02", false, "there is no lecture N02"},
		{"margin", "", false, "there is no lecture"}, {`$\gamma$`, "N01", true, ""}, {`$\gam$`, "N01", true, "does not occur"},
		{"$C$", "N01", true, "does not occur"}, {"$x_i$", "N01", true, ""}, {"$A$", "N01", true, "does not occur"},
	} {
		occurs := hasWord
		if test.sign {
			occurs = hasSign
		}
		got := strings.Join(checkTerms([][]string{{test.term, "means", test.lectures}}, texts, occurs), "\n")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s in %s: got %q, want %q", test.term, test.lectures, got, test.want)
		}
	}
}

// TestCourseFile checks that the course file lists every lecture.
func TestCourseFile(t *testing.T) {
	b := &builder{Options: Options{Dir: repository + "notebooks"}}
	if err := b.readCourse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.readLectures(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, l := range b.lectures {
		if l.Number != "" && l.entry == nil {
			t.Errorf("%s is not in %s", l.Name, courseFile)
		}
	}
}

// TestCourseSite builds the site of the course without running it. It checks that every link of the
// lectures works, and that every mistake in the notes has a box in a lecture, which explains why it
// matters. The contents for JupyterLite have no solutions and no exams.
func TestCourseSite(t *testing.T) {
	dir := t.TempDir()
	var later []string
	opt := Options{Dir: repository + "notebooks", Out: filepath.Join(dir, "site"), Contents: filepath.Join(dir, "contents")}
	opt.Say = func(f string, args ...any) { later = append(later, fmt.Sprintf(f, args...)) }
	if err := Build(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	files, given := read(t, opt.Out), read(t, opt.Contents)
	homework := 0
	for name, content := range given {
		if strings.HasPrefix(name, "exam/") {
			t.Errorf("the contents have %s", name)
		}
		if path.Ext(name) != ".ipynb" {
			continue
		}
		nb, err := notebook.Decode([]byte(content))
		if err != nil {
			t.Fatal(err)
		}
		if secrets := grading.Secrets(nb); len(secrets) > 0 {
			t.Errorf("the contents have the solutions of %s: %v", name, secrets)
		}
		if strings.HasPrefix(name, "homework/") {
			homework++
		}
	}
	if homework < 20 || given["data/README.md"] == "" {
		t.Errorf("the contents have %d homework and %d files", homework, len(given))
	}
	if len(files) < 1500 {
		t.Errorf("the site has %d files", len(files))
	}
	for _, l := range later {
		t.Error(l)
	}
	boxes := regexp.MustCompile(`(?s)<details class="slip".*?</details>`)
	for name, page := range files {
		for _, box := range boxes.FindAllString(page, -1) {
			if !strings.Contains(box, "hy it matters") {
				t.Errorf("%s: a box does not say why it matters: %s", name, box)
			}
		}
	}
	if slips := files["slips.html"]; !regexp.MustCompile(`\d+ places, each with a box`).MatchString(slips) {
		t.Errorf("the slips index says %q", regexp.MustCompile(`\d+ places[^.]*`).FindString(slips))
	}
}
