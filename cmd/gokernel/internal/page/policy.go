package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"strings"
)

// handlers lists the hashes of the scripts that move animations and 3D charts of package display.
// They are in attributes, and the data that they read is shown and never run. A test compares them
// with the output of the package.
var handlers = []string{
	"sha256-Ym+U6mhSmzoyhM/tYQUPey+0xp7SgsLgFK/GMETsTcs=", // display/course
	"sha256-HcQRg8hHcG0yl2vXvZ7RV5O8+SzSMvPJMk42Sm1N9GI=", // display/plot3d
}

// passive is what pages may contain apart from scripts: pictures and sounds, styles, fonts, all
// part of the page or beside it. Pages load nothing else, have no frames, and can't submit forms.
const passive = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; base-uri 'none'; form-action 'self'"

// policy returns the Content-Security-Policy of a page that runs these scripts and the scripts of
// package display. The policy forbids scripts in texts and outputs of a notebook, handlers in
// attributes, and javascript: addresses.
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

// SharedPolicy returns the Content-Security-Policy of pages whose scripts are files beside them.
func SharedPolicy() string {
	return policy(nil) + " 'self'"
}

// LivePolicy returns the policy of pages which also start a worker and read a notebook, both files
// beside them. The response with the worker's script decides what the worker may do.
func LivePolicy() string {
	return SharedPolicy() + "; worker-src 'self'; connect-src 'self'"
}

// Hash returns the hash of a script for a Content-Security-Policy.
func Hash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
