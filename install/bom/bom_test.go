package bom

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestOf checks the licenses of modules of all kinds against those that their repositories state,
// and that each has a text.
func TestOf(t *testing.T) {
	l, err := Of("linux/amd64", "windows/amd64")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(l.License, []byte("gokernel authors")) {
		t.Error("the license is not that of gokernel")
	}
	found := map[string]Part{}
	for _, p := range l.Parts {
		found[p.Path] = p
		if p.Version == "" || len(p.Text) < 100 || p.Path != "std" && !strings.HasPrefix(p.Sum, "h1:") {
			t.Errorf("%s: version %q, sum %q, license of %d bytes", p.Path, p.Version, p.Sum, len(p.Text))
		}
	}
	for path, want := range map[string]string{
		"gonum.org/v1/gonum":                   "BSD-3-Clause",
		"github.com/go-zeromq/zmq4":            "BSD-3-Clause",
		"github.com/traefik/yaegi":             "Apache-2.0",
		"github.com/yuin/goldmark":             "MIT",
		"github.com/ajstarks/svgo":             "CC-BY-4.0",
		"github.com/golang/freetype":           "FTL",
		"codeberg.org/go-fonts/liberation":     "BSD-3-Clause AND OFL-1.1",
		"github.com/inconshreveable/mousetrap": "Apache-2.0", // only on Windows
		"github.com/go-sql-driver/mysql":       "MPL-2.0",
		"std":                                  "BSD-3-Clause",
	} {
		if p := found[path]; p.License != want {
			t.Errorf("%s: license %q, want %q", path, p.License, want)
		}
	}
	if !slices.IsSortedFunc(l.Parts[:len(l.Parts)-1], func(a, b Part) int { return strings.Compare(a.Path, b.Path) }) {
		t.Error("the parts are not in order")
	}
	third := l.ThirdParty()
	for _, want := range []string{"\ngonum.org/v1/gonum v", "Stephen L. Moshier", "The FreeType Project LICENSE", "its standard library and runtime\n---"} {
		if !bytes.Contains(third, []byte(want)) {
			t.Errorf("the licenses of all parts lack %q", want)
		}
	}
}

func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"Redistribution and use in source\n and binary forms ... may be used to endorse or promote\nproducts": "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with or without":                                  "BSD-2-Clause",
		"Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software":      "MIT",
		"All rights reserved.": "",
	} {
		if got := identify([]byte(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCycloneDX(t *testing.T) {
	l := &List{License: []byte("Redistribution and use in source and binary forms"), Parts: []Part{
		{Path: "a.org/b", Version: "v1.0.0", Sum: "h1:x", License: "MIT"}, {Path: "std", Version: "1.26.0", License: "BSD-3-Clause"},
	}}
	text, err := l.CycloneDX("0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	if d.Format != "CycloneDX" || d.Spec != "1.6" || d.Metadata.Component.PURL != "pkg:golang/github.com/gokernel/gokernel@v0.1.0" || len(d.Components) != 2 {
		t.Errorf("%s", text)
	}
	if c := d.Components[0]; c.PURL != "pkg:golang/a.org/b@v1.0.0" || c.Licenses[0].Expression != "MIT" || c.Properties[0].Value != "h1:x" {
		t.Errorf("%+v", c)
	}
	if on := d.Depends[0].On; !slices.Equal(on, []string{"pkg:golang/a.org/b@v1.0.0", "pkg:golang/std@1.26.0"}) {
		t.Errorf("depends on %q", on)
	}
}
