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

// Text returns a bundle of plain text, shown unchanged.
func Text(s string) Bundle {
	return Bundle{Data: map[string]any{MIMEText: s}}
}

// HTML returns a bundle of HTML. Frontends that do not support HTML show the text without the tags.
// The caller must escape markup in data (html.EscapeString).
func HTML(s string) Bundle {
	return Bundle{Data: map[string]any{MIMEHTML: s, MIMEText: plainOfHTML(s)}}
}

// Markdown returns a bundle of Markdown, in which $...$ and $$...$$ are formulas.
func Markdown(s string) Bundle {
	return Bundle{Data: map[string]any{MIMEMarkdown: s, MIMEText: s}}
}

// Math returns a bundle of a displayed LaTeX formula, written without dollar signs: Math(`\hat y
// = \theta^\top x`).
func Math(formula string) Bundle {
	f := strings.TrimSpace(formula)
	f = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(f, "$$"), "$$"))
	return Bundle{Data: map[string]any{MIMELaTeX: "$$" + f + "$$", MIMEText: f}}
}

// LaTeX returns a bundle of LaTeX source, such as an align environment. Notebooks render only the
// mathematics of LaTeX.
func LaTeX(s string) Bundle {
	return Bundle{Data: map[string]any{MIMELaTeX: s, MIMEText: s}}
}

// SVG returns a bundle of an SVG document. Untrusted notebooks do not show SVG, so the figures of
// the subpackages contain a PNG as well.
func SVG(s string) Bundle {
	return Bundle{Data: map[string]any{MIMESVG: s, MIMEText: "<SVG image>"}}
}

// PNG returns a bundle of an encoded image. It also accepts JPEG and GIF. The image is shown at
// its size in pixels.
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

// Image returns a bundle of an image as PNG. One pixel of the image takes one pixel on the screen.
// Images smaller than 64 pixels are enlarged by an integer factor, so that small images, such as
// digits and convolution kernels, can be seen.
func Image(m image.Image) (Bundle, error) {
	if m == nil {
		return Bundle{}, errors.New("display.Image: the image must not be nil")
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

// JSON returns a bundle of v as a collapsible JSON tree. v is any value that encoding/json can
// marshal. A json.RawMessage, or a []byte of valid JSON, is used unchanged.
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

// Audio returns a bundle that plays mono samples in [-1, 1] at rate samples per second. Samples
// outside the range are clipped. The notebook stores the sound as 16-bit WAV.
func Audio(samples []float64, rate int) (Bundle, error) {
	if rate <= 0 {
		return Bundle{}, fmt.Errorf("display.Audio: rate must be positive, such as 44100, got %d", rate)
	}
	if len(samples) == 0 {
		return Bundle{}, errors.New("display.Audio: samples must not be empty")
	}
	if len(samples) > 1<<24 {
		return Bundle{}, fmt.Errorf("display.Audio: got %d samples, too many for a notebook: play a part of them", len(samples))
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
	le.PutUint32(wav[24:], uint32(rate))   // samples per second
	le.PutUint32(wav[28:], uint32(2*rate)) // bytes per second
	le.PutUint16(wav[32:], 2)              // bytes per sample
	le.PutUint16(wav[34:], 16)             // bits per sample
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

// plainOfHTML returns the text of HTML, for frontends that cannot show HTML.
func plainOfHTML(s string) string {
	s = htmlHidden.ReplaceAllString(s, "")
	s = htmlBreak.ReplaceAllString(s, "\n")
	s = html.UnescapeString(htmlTag.ReplaceAllString(s, ""))
	return strings.TrimSpace(blankLines.ReplaceAllString(s, "\n"))
}
