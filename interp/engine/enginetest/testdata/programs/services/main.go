// slog, text/template, flag, io and context with declared types.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	texttemplate "text/template"
	"time"
)

type User struct {
	Name  string
	Email string
	tags  []string
}

func (u User) Greeting(s string) string { return s + ", " + u.Name }
func (u *User) Upper() string           { return strings.ToUpper(u.Name) }
func (u User) Tags() ([]string, error)  { return u.tags, nil }
func (u User) Fail() (string, error)    { return "", errors.New("template failure") }
func (u User) LogValue() slog.Value     { return slog.GroupValue(slog.String("name", u.Name)) }

type Bits []bool

func (b *Bits) Set(s string) error {
	for _, r := range s {
		*b = append(*b, r == '1')
	}
	return nil
}
func (b *Bits) String() string { return fmt.Sprint(*b == nil, len(*b)) }

type rot13 struct{ r io.Reader }

func (r rot13) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	for i, c := range p[:n] {
		switch {
		case 'a' <= c && c <= 'z':
			p[i] = 'a' + (c-'a'+13)%26
		case 'A' <= c && c <= 'Z':
			p[i] = 'A' + (c-'A'+13)%26
		}
	}
	return n, err
}

type ctxKey struct{}

type handler struct {
	slog.Handler
	n int
}

func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	h.n++
	return h.Handler.Handle(ctx, r)
}

func main() {
	u := &User{"ada", "a@x", []string{"x", "y"}}
	t := texttemplate.Must(texttemplate.New("t").Funcs(texttemplate.FuncMap{"double": func(n int) int { return 2 * n }}).Parse(
		"{{.Name}} {{.Upper}} {{.Greeting \"hi\"}} {{range $i, $t := .Tags}}{{$i}}={{$t}};{{end}} {{double 21}} {{len .Email}}\n"))
	if err := t.Execute(os.Stdout, u); err != nil {
		fmt.Println(err)
	}
	fmt.Println(texttemplate.Must(texttemplate.New("f").Parse("{{.Fail}}")).Execute(io.Discard, u))
	fmt.Println(texttemplate.Must(texttemplate.New("g").Parse("{{.Nope}}")).Execute(io.Discard, u))
	template.Must(template.New("h").Parse("<b>{{.}}</b>\n")).Execute(os.Stdout, "<i>")

	h := &handler{Handler: slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})}
	l := slog.New(h)
	l.Info("hello", "user", u, "n", 3, slog.Group("g", "d", time.Second))
	l.Warn("bye", "err", errors.New("e"))
	fmt.Println(h.n)
	lg := log.New(os.Stdout, "pre: ", log.Lmsgprefix)
	lg.Printf("%v %s", *u, u)

	fs := flag.NewFlagSet("prog", flag.ContinueOnError)
	var b Bits
	fs.Var(&b, "bits", "the bits")
	n := fs.Int("n", 1, "number")
	fmt.Println(fs.Parse([]string{"-bits", "101", "-n=4", "rest"}), b, *n, fs.Args())

	io.Copy(os.Stdout, rot13{strings.NewReader("Uryyb, Jbeyq!\n")})
	sc := bufio.NewScanner(rot13{strings.NewReader("bar\ngjb")})
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 1, '.', tabwriter.AlignRight)
	fmt.Fprintln(tw, "a\tbbb\tc\t")
	fmt.Fprintln(tw, "aaaa\tb\tccccc\t")
	tw.Flush()

	ctx := context.WithValue(context.Background(), ctxKey{}, u)
	fmt.Println(ctx.Value(ctxKey{}).(*User).Name, ctx.Value("other"))
	ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err(), errors.Is(ctx.Err(), context.DeadlineExceeded))
	stop := make(chan struct{})
	context.AfterFunc(ctx, func() { close(stop) })
	<-stop
	pr, pw := io.Pipe()
	go func() {
		fmt.Fprint(pw, "through a pipe")
		pw.CloseWithError(errors.New("closed"))
	}()
	all, err := io.ReadAll(pr)
	fmt.Println(string(all), err)
}
