// Package manual writes the commands of a program as pages of man(7).
package manual

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Section is an additional part of a page: terms and their meanings.
type Section struct {
	Title string
	Terms [][2]string
}

// Pages returns the pages of a command and its subcommands by the names of their files, such as
// gokernel-run.1. The first page includes the sections.
func Pages(root *cobra.Command, version string, sections ...Section) map[string][]byte {
	pages := map[string][]byte{}
	add(pages, root, version, sections)
	return pages
}

func add(pages map[string][]byte, cmd *cobra.Command, version string, sections []Section) {
	pages[name(cmd)+".1"] = page(cmd, version, sections)
	for _, sub := range listed(cmd) {
		add(pages, sub, version, nil)
	}
}

// listed returns the subcommands for users.
func listed(cmd *cobra.Command) (all []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			all = append(all, sub)
		}
	}
	return all
}

// name returns the name of a command's page.
func name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func page(cmd *cobra.Command, version string, sections []Section) []byte {
	var b bytes.Buffer
	root := cmd.Root()
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q \"User Commands\"\n", strings.ToUpper(name(cmd)), root.Name()+" "+version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name(cmd)), roff(cmd.Short))
	synopsis(&b, cmd)
	if cmd.Long != "" {
		b.WriteString(".SH DESCRIPTION\n")
		text(&b, cmd.Long)
	}
	if subs := listed(cmd); len(subs) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range subs {
			term(&b, `\fB`+roff(sub.Name())+`\fR`, sub.Short)
		}
	}
	options(&b, cmd)
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		literal(&b, strings.Split(cmd.Example, "\n"))
	}
	for _, s := range sections {
		fmt.Fprintf(&b, ".SH %s\n", strings.ToUpper(s.Title))
		for _, t := range s.Terms {
			term(&b, `\fB`+roff(t[0])+`\fR`, t[1])
		}
	}
	var others []string
	if cmd.HasParent() {
		others = append(others, name(cmd.Parent()))
	}
	for _, sub := range listed(cmd) {
		others = append(others, name(sub))
	}
	if len(others) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, o := range others {
			comma := ","
			if i == len(others)-1 {
				comma = ""
			}
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(o), comma)
		}
	}
	return b.Bytes()
}

func synopsis(b *bytes.Buffer, cmd *cobra.Command) {
	_, arguments, _ := strings.Cut(cmd.Use, " ")
	fmt.Fprintf(b, ".SH SYNOPSIS\n\\fB%s\\fR", roff(cmd.CommandPath()))
	if len(listed(cmd)) > 0 {
		arguments = "COMMAND"
	}
	if arguments != "" {
		fmt.Fprintf(b, " %s", roff(arguments))
	}
	b.WriteString(" [OPTIONS]\n")
}

func options(b *bytes.Buffer, cmd *cobra.Command) {
	first := true
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if first {
			b.WriteString(".SH OPTIONS\n")
			first = false
		}
		value, usage := pflag.UnquoteUsage(f)
		head := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			head = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + head
		}
		if value != "" {
			head += ` \fI` + roff(value) + `\fR`
		}
		switch f.DefValue {
		case "", "false", "0", "0s", "[]":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		term(b, head, usage)
	})
}

// term writes a term, which is already in roff, and its meaning.
func term(b *bytes.Buffer, head, meaning string) {
	fmt.Fprintf(b, ".TP\n%s\n%s\n", head, roff(meaning))
}

// text writes paragraphs. It keeps lines that begin with a space unchanged.
func text(b *bytes.Buffer, s string) {
	for i, paragraph := range strings.Split(s, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		lines := strings.Split(paragraph, "\n")
		if strings.HasPrefix(paragraph, " ") {
			literal(b, lines)
			continue
		}
		for _, line := range lines {
			b.WriteString(roff(line) + "\n")
		}
	}
}

// literal writes lines that are not filled.
func literal(b *bytes.Buffer, lines []string) {
	b.WriteString(".nf\n.RS 4\n")
	for _, line := range lines {
		b.WriteString(roff(strings.TrimPrefix(line, "  ")) + "\n")
	}
	b.WriteString(".RE\n.fi\n")
}

var escapes = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `~`, `\(ti`, `^`, `\(ha`, "`", `\(ga`, `'`, `\(aq`)

// roff escapes a line for man(7), so that no character is a command or is shown as another one.
func roff(s string) string {
	s = escapes.Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
