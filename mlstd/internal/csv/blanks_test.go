package csv

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gokernel/gokernel/mlstd/csv"
)

const byBlanks = "the fields are separated by white space"

func TestBlanks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       string
		notes      []string
	}{
		{"blanks", "Chins Situps Jumps\n5 162 60\n2 110 60\n", Options{}, "Chins whole numbers: 5 2\nSitups whole numbers: 162 110\nJumps whole numbers: 60 60\n", []string{byBlanks}},
		{"runs, and blanks at the ends", "  GPA   TUCE\tPSI \n 2.66  20 0\t\n 2.89\t22  1\n", Options{}, "GPA numbers: 2.66 2.89\nTUCE whole numbers: 20 22\nPSI whole numbers: 0 1\n", []string{byBlanks}},
		{"carriage returns, empty lines, no last newline", "a b\r\n\r\n1 2\r\n3 4 \r\n5 6", Options{}, "a whole numbers: 1 3 5\nb whole numbers: 2 4 6\n", []string{byBlanks}},
		{"quotation marks", "city n\n\"New York\" 1\n\"Los \"\"Angeles\"\"\" 2\n", Options{}, "city texts: New York Los \"Angeles\"\nn whole numbers: 1 2\n", []string{byBlanks}},
		{"missing values", "a b\n1 NA\nNA 2\n3 4\n", Options{}, "a whole numbers: 1 ? 3\nb whole numbers: ? 2 4\n", []string{byBlanks}},
		{"names of rows, as R writes them", "mpg cyl\n\"Mazda RX4\" 21 6\n\"Datsun 710\" 22.8 4\n", Options{}, "row texts: Mazda RX4 Datsun 710\nmpg numbers: 21 22.8\ncyl whole numbers: 6 4\n",
			[]string{byBlanks, `the first column has no name and is called "row"`}},
		{"lines above", "# measured by hand\n# twice\na b\n1 2\n3 4\n", Options{}, "a whole numbers: 1 3\nb whole numbers: 2 4\n", nil},
		{"lines left out", "some words first\na b\n1 2\n3 4\n", Options{Dialect: csv.Dialect{Skip: 1}}, "a whole numbers: 1 3\nb whole numbers: 2 4\n", []string{byBlanks}},
		{"no names", "1 2\n3 4\n5 6\n", Options{Dialect: csv.Dialect{NoHeader: true}}, "x1 whole numbers: 1 3 5\nx2 whole numbers: 2 4 6\n", []string{byBlanks}},
		{"asked for", "first second\nred green\nblue black\n", Options{Dialect: csv.Dialect{Separator: " "}}, "first texts: red blue\nsecond texts: green black\n", []string{byBlanks}},
		{"words are no fields", "city\nNew York\nLos Angeles\n", Options{}, "city texts: New York Los Angeles\n", []string{}},
		{"words in every line", "first name\nAnn Lee\nBob Ray\n", Options{}, "first name texts: Ann Lee Bob Ray\n", []string{}},
		{"commas go first", "a b,c\n1 2,3\n4 5,6\n", Options{}, "a b texts: 1 2 4 5\nc whole numbers: 3 6\n", []string{}},
		{"not as many in each", "a b c\n1 2 3\n4 5\n6 7 8\n", Options{}, "a b c texts: 1 2 3 4 5 6 7 8\n", []string{"each line is one field, though most have several numbers: set Separator of the Dialect, or Pattern"}},
	} {
		got, err := Read(of(c.text), &c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := dump(got); d != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, d, c.want)
		}
		if c.notes != nil && !slices.Equal(got.Notes, c.notes) && !(len(got.Notes) == 0 && len(c.notes) == 0) {
			t.Errorf("%s: notes %q, want %q", c.name, got.Notes, c.notes)
		}
	}
}

// The reader's result does not depend on how the input is split into reads.
func TestBlankReaderInPieces(t *testing.T) {
	text := strings.Repeat(" a  \"b \t c\"\t d \r\n\n", 4000)
	want := strings.Repeat("a\t\"b \t c\"\td\r\n\n", 4000)
	for name, in := range map[string]io.Reader{"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text)), "with the error": iotest.DataErrReader(strings.NewReader(text))} {
		got, err := io.ReadAll(&blankReader{in: in, quotes: true})
		if err != nil || string(got) != want {
			t.Errorf("%s: %v, %d bytes, want %d", name, err, len(got), len(want))
		}
	}
}
