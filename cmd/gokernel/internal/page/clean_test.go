package page

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// TestClean checks the cleaned HTML of untrusted notebooks.
func TestClean(t *testing.T) {
	const host = "https://elsewhere.example"
	for src, want := range map[string]string{
		// Nothing to remove: not a byte changes.
		`<p class=a>x<br/>y &amp; z`:                                           `<p class=a>x<br/>y &amp; z`,
		`<img src="data:image/png;base64,AA==" alt="a">`:                       `<img src="data:image/png;base64,AA==" alt="a">`,
		`<img src="beside.png"><a href="` + host + `">x</a>`:                   `<img src="beside.png"><a href="` + host + `">x</a>`,
		`<style>p { background: url(#a), url("data:,x"), url(b.png) }</style>`: `<style>p { background: url(#a), url("data:,x"), url(b.png) }</style>`,
		`<svg><rect fill="url(#a)"/><use href="#b"/></svg>`:                    `<svg><rect fill="url(#a)"/><use href="#b"/></svg>`,
		`<p title="see url(` + host + `)">x</p>`:                               `<p title="see url(` + host + `)">x</p>`,
		// Elements.
		`a<meta http-equiv="refresh" content="0;url=` + host + `">b`:                       `ab`,
		`a<base href="` + host + `">b`:                                                     `ab`,
		`a<link rel="prefetch" href="` + host + `">b`:                                      `ab`,
		`a<link rel="stylesheet" href="x.css">b`:                                           `ab`,
		`a<script>x()</script>b`:                                                           `ab`,
		`a<object data="x.swf">c</object>b`:                                                `ab`,
		`a<iframe src="` + host + `/f" title="t"></iframe>b`:                               `a<a href="` + host + `/f" rel="noreferrer" class="elsewhere">t</a>b`,
		`a<iframe srcdoc="x"></iframe>b`:                                                   `a<a href="" rel="noreferrer" class="elsewhere"></a>b`,
		`a<img src="` + host + `/i.png" alt="a cat">b`:                                     `a<a href="` + host + `/i.png" rel="noreferrer" class="elsewhere">a cat</a>b`,
		`<img src="\\elsewhere\i.png">`:                                                    `<a href="\\elsewhere\i.png" rel="noreferrer" class="elsewhere">\\elsewhere\i.png</a>`,
		`<img src="file://elsewhere/i.png">`:                                               `file://elsewhere/i.png`,
		"<img src=\"ht\ntps://e.example/i.png\" alt=a>":                                    "<a href=\"ht\ntps://e.example/i.png\" rel=\"noreferrer\" class=\"elsewhere\">a</a>",
		`<video><source src="` + host + `/v"></video>`:                                     `<a href="` + host + `/v" rel="noreferrer" class="elsewhere">` + host + `/v</a>`,
		`<svg><image href="` + host + `"></image></svg>`:                                   `<svg><image></image></svg>`,
		`<svg><image href="#"><set attributeName="href" to="` + host + `"/></image></svg>`: `<svg><image href="#"></image></svg>`,
		// Attributes.
		`<b onclick="x()" style="color:red">b</b>`:              `<b style="color:red">b</b>`,
		`<a href=" java` + "\n" + `script:x()" ping="/p">b</a>`: `<a>b</a>`,
		`<table background="` + host + `"></table>`:             `<table></table>`,
		`<video poster="` + host + `"></video>`:                 `<video></video>`,
		`<svg fill="url(` + host + `#a)"></svg>`:                `<svg fill="none"></svg>`,
		// Styles.
		`<p style="color:red;background:url('` + host + `') top">x</p>`:               `<p style="color:red;background:none top">x</p>`,
		`<p style="background:u\72 l(//e.example/a)">x</p>`:                           `<p style="background:none">x</p>`,
		`<p style="background:ur/**/l(x); background:url(/**/` + host + `)">x</p>`:    `<p style="background:ur l(x); background:none">x</p>`,
		`<style>@import "` + host + `/a.css"; p { color: red }</style>`:               `<style> p { color: red }</style>`,
		`<style>@font-face { src: url(` + host + `) }</style>`:                        `<style>@font-face { src: none }</style>`,
		`<p style='background-image:image-set("` + host + `" 1x);color:red'>x</p>`:    `<p style="background-image:none;color:red">x</p>`,
		`<svg><style><img src="` + host + `"></style></svg>`:                          `<svg><style></style></svg><a href="` + host + `" rel="noreferrer" class="elsewhere">` + host + `</a>`,
		`</div></main><meta name="a"><p>x`:                                            `<p>x</p>`,
		`<template shadowrootmode="open"><img src="` + host + `" alt="a"></template>`: `<template shadowrootmode="open"><a href="` + host + `" rel="noreferrer" class="elsewhere">a</a></template>`,
		`<noscript><p title="</noscript><img src=` + host + ` alt=a>"></noscript>`:    `<a href="` + host + `" rel="noreferrer" class="elsewhere">a</a>&#34;&gt;`,
	} {
		if got := cleaned(src); got != want {
			t.Errorf("%s\n is %s\nwant %s", src, got, want)
		}
	}
}

// TestCleanEverywhere puts code that loads into all places of a notebook whose HTML becomes part of
// a page, and checks a trusted notebook.
func TestCleanEverywhere(t *testing.T) {
	const bad = `<meta http-equiv="refresh" content="0"><p style="background:url(https://e.example)">x</p>`
	view := map[string]any{"model_id": "1"}
	out := func(mime string) []*notebook.Output {
		return []*notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{mime: bad, "text/plain": "k = 1 (IntSlider from 0 to 1)"}}}
	}
	moving := out("text/html")
	moving[0].Data[widgetView] = view
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		{ID: "a", Type: notebook.Markdown, Source: "text " + bad + "\n\n![a cat](https://e.example/cat.png)"},
		{ID: "b", Type: notebook.Code, Source: "x", Outputs: out("text/html")},
		{ID: "c", Type: notebook.Code, Source: "x", Outputs: out("text/markdown")},
		{ID: "d", Type: notebook.Code, Source: "x", Outputs: moving},
	}}
	if err := nb.SetFrames(map[string]*notebook.Frames{"1": {
		Controls: []notebook.Control{{Name: "k", Kind: notebook.SliderControl, Values: []string{"0", "1"}}},
		Table:    []int{0, 1}, List: [][]*notebook.Output{out("text/html"), out("text/html")},
	}}); err != nil {
		t.Fatal(err)
	}
	for trust, want := range map[bool]int{false: 0, true: 5} {
		b, err := Render(nb, "x", Options{Trust: trust})
		if err != nil {
			t.Fatal(err)
		}
		page := string(b)
		if n := strings.Count(page, `http-equiv="refresh"`); n != want {
			t.Errorf("trusted %t: %d elements that lead to another page, want %d", trust, n, want)
		}
		if n := strings.Count(page, "url(https://"); n != want {
			t.Errorf("trusted %t: %d backgrounds from another host, want %d", trust, n, want)
		}
		if got := strings.Contains(page, `<img src="https://e.example/cat.png"`); got != trust {
			t.Errorf("trusted %t: a picture of another host is loaded: %t", trust, got)
		}
	}
}

// FuzzClean checks that cleaned HTML is clean.
func FuzzClean(f *testing.F) {
	f.Add(`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=//e onerror=x&gt;"></style></mglyph></table></mtext></math>`)
	f.Add(`<svg></p><style><a id="</style><img src=//e>">`)
	f.Add(`<p style="background:u\72l(//e)">`)
	f.Fuzz(func(t *testing.T, src string) {
		once := cleaned(src)
		if again := cleaned(once); again != once {
			t.Errorf("%q is cleaned to %q, and that to %q", src, once, again)
		}
	})
}

func TestEmptyHeaders(t *testing.T) {
	nb := &notebook.Notebook{Cells: []*notebook.Cell{{ID: "t", Type: notebook.Markdown, Source: "| | a |\n|:--|--|\n| b | c |\n"}}}
	got := string(Convert(nb, "n", Options{}).Cells[0].Source)
	if strings.Count(got, "<th") != 2 || !strings.Contains(got, `<td style="text-align:left"></td>`) || !strings.Contains(got, "<th>a</th>") {
		t.Errorf("the table is\n%s", got)
	}
	out := string(newDocument(Options{}).clean(`<th scope="col" style="a"></th><th scope="col">b</th>`))
	if out != `<td style="a"></td><th scope="col">b</th>` {
		t.Errorf("an output is %s", out)
	}
}
