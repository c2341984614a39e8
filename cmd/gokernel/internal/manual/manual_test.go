package manual

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestPages(t *testing.T) {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "prog", Short: "A program", Long: "It works.\n\n.PP is no macro here, nor is\n'this' a \\fBbold\\fR word.\n\n  keep  this\n  as-it is\n\nThe end.", Run: run}
	sub := &cobra.Command{Use: "make FILE...", Short: "Make files", Example: "  prog make a.b   # ~/a.b", Run: run}
	sub.Flags().StringP("output", "o", "", "write to this `file`")
	sub.Flags().Int("jobs", 2, "how many")
	sub.Flags().Bool("quick", false, "do less")
	sub.Flags().Bool("secret", false, "")
	if err := sub.Flags().MarkHidden("secret"); err != nil {
		t.Fatal(err)
	}
	root.AddCommand(sub, &cobra.Command{Use: "inner", Hidden: true, Run: run})

	pages := Pages(root, "1.2", Section{"Files", [][2]string{{"~/.prog", "what it keeps"}}})
	if got := slices.Sorted(maps.Keys(pages)); !slices.Equal(got, []string{"prog-make.1", "prog.1"}) {
		t.Fatalf("pages %v", got)
	}
	const first = `.TH "PROG" 1 "" "prog 1.2" "User Commands"
.SH NAME
prog \- A program
.SH SYNOPSIS
\fBprog\fR COMMAND [OPTIONS]
.SH DESCRIPTION
It works.
.PP
\&.PP is no macro here, nor is
\(aqthis\(aq a \efBbold\efR word.
.PP
.nf
.RS 4
keep  this
as\-it is
.RE
.fi
.PP
The end.
.SH COMMANDS
.TP
\fBmake\fR
Make files
.SH FILES
.TP
\fB\(ti/.prog\fR
what it keeps
.SH SEE ALSO
.BR prog\-make (1)
`
	if got := string(pages["prog.1"]); got != first {
		t.Errorf("prog.1:\n%s\nwant:\n%s", got, first)
	}
	const second = `.TH "PROG-MAKE" 1 "" "prog 1.2" "User Commands"
.SH NAME
prog\-make \- Make files
.SH SYNOPSIS
\fBprog make\fR FILE... [OPTIONS]
.SH OPTIONS
.TP
\fB\-\-jobs\fR \fIint\fR
how many (default 2)
.TP
\fB\-o\fR, \fB\-\-output\fR \fIfile\fR
write to this file
.TP
\fB\-\-quick\fR
do less
.SH EXAMPLES
.nf
.RS 4
prog make a.b   # \(ti/a.b
.RE
.fi
.SH SEE ALSO
.BR prog (1)
`
	if got := string(pages["prog-make.1"]); got != second {
		t.Errorf("prog-make.1:\n%s\nwant:\n%s", got, second)
	}
	for name, page := range pages {
		for line := range strings.Lines(string(page)) {
			if strings.HasPrefix(line, "'") {
				t.Errorf("%s: the line %q is a command", name, line)
			}
		}
	}
}
