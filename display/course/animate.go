package course

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"reflect"
	"strings"

	"golang.org/x/image/draw"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// Limits of an animation.
const (
	mostFrames  = 120
	smallFrames = 12 // shown next to each other where a page cannot run scripts
	smallWidth  = 266.0
)

// Animation is a sequence of figures.
type Animation struct {
	frames []*figure.Figure
	name   string   // what the slider varies
	values []string // one per frame
	alt    string
	err    error
}

// Animate shows figures one after the other, with a slider and a play button. frames is a slice of
// charts, graphs, trees or drawings. The slider needs no kernel, so it also works in exported
// pages. It can be moved with the keyboard. For readers who prefer reduced motion, the button
// advances by one frame. Where a page cannot run scripts, as on GitHub and in print, up to twelve
// frames are shown next to each other. To keep the axes of charts fixed, set the same XRange and
// YRange in each chart.
func Animate(frames any) *Animation {
	a := &Animation{}
	v := reflect.ValueOf(frames)
	if !v.IsValid() || v.Kind() != reflect.Slice {
		a.err = fmt.Errorf("Animate: the frames must be a slice of charts, got a %T", frames)
		return a
	}
	switch n := v.Len(); {
	case n == 0:
		a.err = errors.New("Animate: there must be at least one frame")
	case n > mostFrames:
		a.err = fmt.Errorf("Animate: there are %d frames: pass at most %d, such as every %dth", n, mostFrames, (n+mostFrames-1)/mostFrames)
	}
	for i := 0; a.err == nil && i < v.Len(); i++ {
		d, ok := v.Index(i).Interface().(interface {
			Figure() (*figure.Figure, error)
		})
		if !ok {
			a.err = fmt.Errorf("Animate: frame %d is a %v: pass charts, graphs, trees or drawings", i, v.Index(i).Type())
			break
		}
		f, err := d.Figure()
		if err != nil {
			a.err = fmt.Errorf("Animate: frame %d: %w", i, err)
			break
		}
		a.frames = append(a.frames, f)
	}
	return a
}

// Over sets the name of the quantity that the slider varies and its value at each frame:
// Over("k", []int{1, 2, 4, 8}).
func (a *Animation) Over(name string, values any) *Animation {
	v := reflect.ValueOf(values)
	switch {
	case a.err != nil:
	case !v.IsValid() || v.Kind() != reflect.Slice:
		a.err = fmt.Errorf("Animate: the values of %q must be a slice with one value per frame, got a %T", name, values)
	case v.Len() != len(a.frames):
		a.err = fmt.Errorf("Animate: there are %s of %q for %s", count(v.Len(), "value"), name, count(len(a.frames), "frame"))
	default:
		a.name, a.values = name, nil
		for i := range v.Len() {
			a.values = append(a.values, strings.ReplaceAll(display.Format(v.Index(i).Interface()), `"`, ""))
		}
	}
	return a
}

// Alt sets the sentence that describes the animation for readers who cannot see it.
func (a *Animation) Alt(sentence string) *Animation { a.alt = sentence; return a }

// caption returns the caption of frame i.
func (a *Animation) caption(i int) string {
	if a.values == nil {
		return fmt.Sprintf("%d / %d", i+1, len(a.frames))
	}
	return a.name + " = " + a.values[i]
}

// shownWidth returns the width at which the frames are shown.
func (a *Animation) shownWidth() float64 {
	w, _ := a.frames[0].Size()
	return w
}

// describe describes the first and the last frame.
func (a *Animation) describe() string {
	if a.alt != "" {
		return a.alt
	}
	s := "Animation of " + count(len(a.frames), "frame")
	if a.name != "" {
		s += " over " + a.name + " from " + a.values[0] + " to " + a.values[len(a.values)-1]
	}
	s += ". First: " + a.frames[0].Alt()
	if n := len(a.frames); n > 1 {
		s += " Last: " + a.frames[n-1].Alt()
	}
	return s
}

// Display renders the animation.
func (a *Animation) Display() (display.Bundle, error) {
	if a.err != nil {
		return display.Bundle{}, a.err
	}
	images := make([]image.Image, len(a.frames))
	for i, f := range a.frames {
		images[i] = f.Image()
	}
	small := a.small(images)
	still := small.PNG()
	frames := make([]string, len(images))
	for i, img := range images {
		data, err := encode(img)
		if err != nil {
			return display.Bundle{}, err
		}
		frames[i] = base64.StdEncoding.EncodeToString(data)
	}
	// Animations with many frames play faster.
	pause := int(math.Max(80, math.Min(500, 6000/float64(len(frames)))))
	captions, alts := make([]string, len(a.frames)), make([]string, len(a.frames))
	for i, f := range a.frames {
		captions[i], alts[i] = a.caption(i), f.Alt()
	}
	page := player(playerData{
		width: a.shownWidth(), stillWidth: small.W * small.Zoom, pause: pause, name: a.name,
		frames: frames, captions: captions, alts: alts,
		alt: a.describe(), still: base64.StdEncoding.EncodeToString(still),
	})
	return display.Bundle{
		Data: map[string]any{
			display.MIMEHTML: page,
			display.MIMEPNG:  still,
			display.MIMEText: small.Text,
		},
		Metadata: map[string]any{display.MIMEPNG: map[string]any{"width": int(math.Ceil(small.W * small.Zoom)), "height": int(math.Ceil(small.H * small.Zoom)), "alt": small.Alt()}},
	}, nil
}

// small arranges frames next to each other: all of them, or a selection at equal distances that
// includes the first and the last.
func (a *Animation) small(images []image.Image) *figure.Figure {
	n := min(len(images), smallFrames)
	pick := make([]int, n)
	ratio := 0.0
	for i := range pick {
		if n > 1 {
			pick[i] = int(math.Round(float64(i) * float64(len(images)-1) / float64(n-1)))
		}
		f := a.frames[pick[i]]
		ratio = math.Max(ratio, f.H/f.W)
	}
	cols := min(n, 3)
	rows := (n + cols - 1) / cols
	const gap, caption = 10.0, 16.0
	h := math.Round(smallWidth * ratio)
	f := figure.New(gap+float64(cols)*(smallWidth+gap), gap+float64(rows)*(h+caption+gap))
	f.Desc = a.describe()
	f.Text = f.Desc + "\n\n" + a.frames[len(a.frames)-1].Text
	for i, k := range pick {
		x, y := gap+float64(i%cols)*(smallWidth+gap), gap+float64(i/cols)*(h+caption+gap)
		src := images[k].Bounds()
		height := math.Round(smallWidth * float64(src.Dy()) / float64(src.Dx()))
		img := image.NewNRGBA(image.Rect(0, 0, 2*int(smallWidth), 2*int(height)))
		draw.CatmullRom.Scale(img, img.Bounds(), images[k], src, draw.Src, nil)
		f.Label(x, y+11, a.caption(k), figure.TextStyle{Font: smallFont, Color: figure.Soft()})
		f.Picture(x, y+caption, smallWidth, height, img)
	}
	return f
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}
