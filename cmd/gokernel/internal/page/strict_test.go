package page

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// TestStrict checks that HTML keeps all of its words, and nothing that could hide them.
func TestStrict(t *testing.T) {
	for src, want := range map[string]string{
		`<p>a <b>b</b> <a href="x" title="y">c</a></p>`:                          `<p>a <b>b</b> <a href="x" title="y">c</a></p>`,
		`<style>body { display: none }</style>a`:                                 `a`,
		`a<style>p { color: red }`:                                               `a`,
		`a<!-- b <p>c</p>`:                                                       `a`,
		`<p style="position:fixed;inset:0;TEXT-ALIGN: Right">a</p>`:              `<p style="text-align:right">a</p>`,
		`<p style="color:transparent">a</p><p style="text-align:var(--x)">b`:     `<p>a</p><p>b</p>`,
		`<p hidden class="unseen math" id="i" onclick="x()">a</p>`:               `<p class="math" id="i">a</p>`,
		`<template><p>a</p></template>b`:                                         `<p>a</p>b`,
		`<details><summary>a</summary>b</details>`:                               `<details open=""><summary>a</summary>b</details>`,
		`<dialog><p>a</p></dialog><center><font color="white">b</font></center>`: `<p>a</p>b`,
		`<textarea><b>a</b>`:                                                     `&lt;b&gt;a&lt;/b&gt;`,
		`<select><option>a</select><button>b</button>`:                           `ab`,
		`<div><p>a<div>b`:                                                        `<div><p>a</p><div>b</div></div>`,
		`<svg overflow="visible"><rect width="9999"/></svg><math>x</math>a`:      `a`,
		`<img src="data:," width="99999" height="20" alt="a">`:                   `<img src="data:," height="20" alt="a"/>`,
		`<input type="checkbox" checked="" disabled=""> a <input value="b">`:     `<input type="checkbox" checked="" disabled=""/> a `,
		`<table><td colspan="2" style="font-size:0;white-space:nowrap">a</td>`:   `<table><tbody><tr><td colspan="2" style="white-space:nowrap">a</td></tr></tbody></table>`,
	} {
		if got := strict(src); got != want {
			t.Errorf("%s\n is %s\nwant %s", src, got, want)
		}
	}
	if deep := strings.Repeat("<b>", 5000) + "a"; !strings.Contains(strict(deep), "a") {
		t.Error("deeply nested HTML loses its text")
	}
	nb := &notebook.Notebook{Metadata: map[string]any{}, Cells: []*notebook.Cell{
		{ID: "c", Type: notebook.Markdown, Source: "$x$ and `y` <style>p { display: none }</style>\n\n```go\nx := 1\n```"},
	}}
	b, err := Render(nb, "n", Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<span class="math inline">x</span>`, "<code>y</code>", `<span class="number">1</span>`, strictCSS} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(string(b), "p { display: none }") {
		t.Error("the page has a style of the notebook")
	}
}
