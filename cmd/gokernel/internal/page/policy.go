package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"strings"
)

// handlers lists the hashes of the scripts that move animations and 3D charts of package display.
// The scripts are in attributes. The data that they read is shown and never run. A test compares
// these hashes with the output of the package.
var handlers = []string{
	"sha256-Ym+U6mhSmzoyhM/tYQUPey+0xp7SgsLgFK/GMETsTcs=", // display/course
	"sha256-HcQRg8hHcG0yl2vXvZ7RV5O8+SzSMvPJMk42Sm1N9GI=", // display/plot3d
}

// passive is the part of the policy that doesn't concern scripts. It allows pictures, sounds,
// styles and fonts that are in the page or in files next to it. Pages can load nothing else, and
// have no frames. They can submit forms only to their own site.
const passive = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; base-uri 'none'; form-action 'self'"

// policy returns the Content-Security-Policy of a page that runs the given scripts and the scripts
// of package display. The policy forbids scripts in texts and outputs of a notebook, handlers in
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

// LivePolicy returns the policy of pages that also start a worker and read a notebook. The worker's
// script and the notebook are files next to the page. The response with the worker's script decides
// what the worker may do.
func LivePolicy() string {
	return SharedPolicy() + "; worker-src 'self'; connect-src 'self'"
}

// Hash returns the hash of a script for a Content-Security-Policy.
func Hash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
