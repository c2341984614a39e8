package page

import (
	"embed"
	"strings"
)

// This is reveal.js 6.0.2 as its authors release it, under its MIT license. The files are
// compressed with gzip -9n.
//
//go:embed reveal/LICENSE reveal/*.gz
var revealFiles embed.FS

// DeckPolicy returns the policy of a deck of slides: SharedPolicy, with the speaker view. The
// speaker view is a window that inherits the policy. It has a script of its own, and shows the deck
// in frames.
func DeckPolicy() (string, error) {
	plugin, err := unpacked(revealFiles, "reveal/notes.js.gz")
	if err != nil {
		return "", err
	}
	return SharedPolicy() + " '" + Hash(speakerScript(string(plugin))) + "'; frame-src 'self'", nil
}

// speakerScript returns the script of the speaker view, which is in a template literal of the notes
// plugin.
func speakerScript(plugin string) string {
	_, script, _ := strings.Cut(plugin, "<script>")
	script, _, _ = strings.Cut(script, `<\/script>`)
	return strings.ReplaceAll(script, `\\`, `\`)
}
