package course

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

// playerJS replaces the small frames by a player. The script is in one attribute and the frames
// are in another one. A page that removes scripts removes both, and shows a single image.
//
//go:embed player.js
var playerJS string

// playerData is the content of a player.
type playerData struct {
	width, stillWidth      float64
	pause                  int // between frames, in milliseconds
	name                   string
	frames, captions, alts []string
	alt, still             string
}

// player returns an animation as HTML.
func player(p playerData) string {
	list := func(s []string) string {
		b, err := json.Marshal(s)
		if err != nil {
			return "[]" // strings can always be encoded
		}
		return html.EscapeString(string(b))
	}
	script := strings.Join(strings.Fields(playerJS), " ")
	return fmt.Sprintf(`<div><img alt="%s" width="%.0f" data-width="%.0f" data-pause="%d" data-name="%s" data-captions="%s" data-alts="%s" `+
		`data-frames="%s" onload="%s" src="data:image/png;base64,%s"></div>`,
		html.EscapeString(p.alt), p.stillWidth, p.width, p.pause, html.EscapeString(p.name), list(p.captions), list(p.alts),
		strings.Join(p.frames, " "), html.EscapeString("{ "+script+" }"), p.still)
}
