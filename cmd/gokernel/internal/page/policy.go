package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"strings"
)

// handlers are the hashes of the scripts by which animations and charts in space of package
// display move. They stand in attributes; the data that they read is shown and never run.
// A test holds them against what the package writes.
var handlers = []string{
	"sha256-Ym+U6mhSmzoyhM/tYQUPey+0xp7SgsLgFK/GMETsTcs=", // display/course
	"sha256-HcQRg8hHcG0yl2vXvZ7RV5O8+SzSMvPJMk42Sm1N9GI=", // display/plot3d
}

// passive is what pages may hold beside scripts: pictures and sounds, styles, fonts, all
// part of the page or beside it. They load nothing else, have no frames, and send no
// forms away.
const passive = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; base-uri 'none'; form-action 'self'"

// policy is the Content-Security-Policy of a page which runs these scripts and those of
// package display: no script of a text or an output of a notebook, no handler in an
// attribute, no javascript: address.
func policy(scripts []template.JS) string {
	sources := []string{"'unsafe-hashes'"}
	for _, h := range handlers {
		sources = append(sources, "'"+h+"'")
	}
	for _, s := range scripts {
		sources = append(sources, "'"+Hash(string(s))+"'")
	}
	return passive + "; script-src " + strings.Join(sources, " ")
}

// SharedPolicy is the Content-Security-Policy of pages whose scripts are files beside them.
func SharedPolicy() string {
	return policy(nil) + " 'self'"
}

// LivePolicy is that of pages which also start a worker and read a notebook, both files
// beside them. What the worker may do is for the answer with its script to say.
func LivePolicy() string {
	return SharedPolicy() + "; worker-src 'self'; connect-src 'self'"
}

// Hash names a script in a Content-Security-Policy.
func Hash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
