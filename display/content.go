package display

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"math"
	"net/http"
	"regexp"
	"strings"
)

// Text is a bundle of plain text, shown as it is.
func Text(s string) Bundle {
	return Bundle{Data: map[string]any{MIMEText: s}}
}

// HTML is a bundle of HTML. The text for frontends without HTML is s without
// its tags. Markup in data must be escaped by the caller (html.EscapeString).
func HTML(s string) Bundle {
	return Bundle{Data: map[string]any{MIMEHTML: s, MIMEText: plainOfHTML(s)}}
}

// Markdown is a bundle of Markdown, in which $...$ and $$...$$ are formulas.
func Markdown(s string) Bundle {
	return Bundle{Data: map[string]any{MIMEMarkdown: s, MIMEText: s}}
}

// Math is a bundle of a displayed formula in LaTeX, without the dollar signs:
// Math(`\hat y = \theta^\top x`).
func Math(formula string) Bundle {
	f := strings.TrimSpace(formula)
	f = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(f, "$$"), "$$"))
	return Bundle{Data: map[string]any{MIMELaTeX: "$$" + f + "$$", MIMEText: f}}
}

// LaTeX is a bundle of LaTeX as it is, such as an align environment. Notebooks
// render the mathematics of LaTeX and no more.
func LaTeX(s string) Bundle {
	return Bundle{Data: map[string]any{MIMELaTeX: s, MIMEText: s}}
}

// SVG is a bundle of an SVG document. Notebooks that are not trusted do not show
// SVG: the figures of the subpackages carry a PNG beside it.
func SVG(s string) Bundle {
	return Bundle{Data: map[string]any{MIMESVG: s, MIMEText: "<SVG image>"}}
}

// PNG is a bundle of an encoded image; JPEG and GIF are recognised too. Its size
// is that of its pixels.
func PNG(data []byte) (Bundle, error) {
	mime := http.DetectContentType(data)
	switch mime {
	case MIMEPNG, MIMEJPEG, MIMEGIF:
	default:
		return Bundle{}, fmt.Errorf("display.PNG: the %d bytes are %s, not a PNG, JPEG or GIF image", len(data), mime)
	}
	text := "<" + strings.ToUpper(strings.TrimPrefix(mime, "image/")) + " image>"
	return Bundle{Data: map[string]any{mime: data, MIMEText: text}}, nil
}

// Image is a bundle of a picture, as PNG with one pixel of the picture for one
// of the screen; pictures below 64 pixels are enlarged by a whole factor, so
// that digits and kernels can be seen.
func Image(m image.Image) (Bundle, error) {
	if m == nil {
		return Bundle{}, errors.New("display.Image: the image is nil")
	}
	return imageBundle(m)
}

func imageBundle(m image.Image) (Bundle, error) {
	r := m.Bounds()
	if r.Empty() {
		return Bundle{}, fmt.Errorf("display.Image: the image has no pixels (bounds %v)", r)
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, m); err != nil {
		return Bundle{}, fmt.Errorf("display.Image: %w", err)
	}
	scale := 1
	if s := max(r.Dx(), r.Dy()); s < 64 {
		scale = (128 + s - 1) / s
	}
	return Bundle{
		Data: map[string]any{
			MIMEPNG:  buf.Bytes(),
			MIMEText: fmt.Sprintf("<image %d×%d>", r.Dx(), r.Dy()),
		},
		Metadata: map[string]any{MIMEPNG: map[string]any{"width": r.Dx() * scale, "height": r.Dy() * scale}},
	}, nil
}

// JSON is a bundle of v as a JSON tree that can be folded. v is anything that
// encoding/json can marshal; a json.RawMessage or a []byte that is valid JSON is
// taken as it is.
func JSON(v any) (Bundle, error) {
	if raw, ok := v.([]byte); ok && json.Valid(raw) {
		v = json.RawMessage(raw)
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return Bundle{}, fmt.Errorf("display.JSON: %w", err)
	}
	var tree any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return Bundle{}, fmt.Errorf("display.JSON: %w", err)
	}
	return Bundle{Data: map[string]any{MIMEJSON: tree, MIMEText: string(text)}}, nil
}

// Audio is a bundle that plays mono samples in [-1, 1] at rate samples a second;
// louder samples are cut off. It travels as 16-bit WAV inside the notebook.
func Audio(samples []float64, rate int) (Bundle, error) {
	if rate <= 0 {
		return Bundle{}, fmt.Errorf("display.Audio: the rate is %d samples a second; give a positive one, such as 44100", rate)
	}
	if len(samples) == 0 {
		return Bundle{}, errors.New("display.Audio: there are no samples")
	}
	if len(samples) > 1<<24 {
		return Bundle{}, fmt.Errorf("display.Audio: %d samples are too many to keep in a notebook; show a part", len(samples))
	}
	wav := make([]byte, 44, 44+2*len(samples))
	copy(wav[0:], "RIFF")
	copy(wav[8:], "WAVEfmt ")
	copy(wav[36:], "data")
	le := binary.LittleEndian
	le.PutUint32(wav[4:], uint32(36+2*len(samples)))
	le.PutUint32(wav[16:], 16)             // size of the format chunk
	le.PutUint16(wav[20:], 1)              // PCM
	le.PutUint16(wav[22:], 1)              // one channel
	le.PutUint32(wav[24:], uint32(rate))   // samples a second
	le.PutUint32(wav[28:], uint32(2*rate)) // bytes a second
	le.PutUint16(wav[32:], 2)              // bytes a sample
	le.PutUint16(wav[34:], 16)             // bits a sample
	le.PutUint32(wav[40:], uint32(2*len(samples)))
	for i, s := range samples {
		if math.IsNaN(s) {
			return Bundle{}, fmt.Errorf("display.Audio: sample %d is NaN", i)
		}
		wav = le.AppendUint16(wav, uint16(int16(math.Round(32767*math.Max(-1, math.Min(1, s))))))
	}
	return Bundle{Data: map[string]any{
		MIMEHTML: `<audio controls src="data:audio/wav;base64,` + base64.StdEncoding.EncodeToString(wav) + `"></audio>`,
		MIMEText: fmt.Sprintf("<audio, %.2f s at %d Hz>", float64(len(samples))/float64(rate), rate),
	}}, nil
}

var (
	htmlHidden = regexp.MustCompile(`(?is)<(script|style)\b.*?</(script|style)>|<!--.*?-->`)
	htmlBreak  = regexp.MustCompile(`(?i)</(p|div|tr|li|h[1-6]|table|pre)>|<br\s*/?>`)
	htmlTag    = regexp.MustCompile(`<[^>]*>`)
	blankLines = regexp.MustCompile(`\n\s*\n+`)
)

// plainOfHTML is what is left of HTML for a terminal: its text.
func plainOfHTML(s string) string {
	s = htmlHidden.ReplaceAllString(s, "")
	s = htmlBreak.ReplaceAllString(s, "\n")
	s = html.UnescapeString(htmlTag.ReplaceAllString(s, ""))
	return strings.TrimSpace(blankLines.ReplaceAllString(s, "\n"))
}
