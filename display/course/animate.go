package course

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
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
	smallFrames = 12 // stand beside each other where nothing can move
	smallWidth  = 266.0
)

// Animation is figures that follow each other.
type Animation struct {
	frames []*figure.Figure
	err    error
}

// Animate shows figures one after the other, with a slider and a button that plays
// them: frames is a slice of charts, graphs, trees or drawings. The slider needs no
// kernel, so that it works in exported pages too; where a page may run nothing, as
// on GitHub and in print, up to twelve frames stand beside each other. Charts keep
// their axes still when each sets the same XRange and YRange.
func Animate(frames any) *Animation {
	a := &Animation{}
	v := reflect.ValueOf(frames)
	if !v.IsValid() || v.Kind() != reflect.Slice {
		a.err = fmt.Errorf("Animate: the frames are a %T; give a slice of charts", frames)
		return a
	}
	switch n := v.Len(); {
	case n == 0:
		a.err = errors.New("Animate: there are no frames")
	case n > mostFrames:
		a.err = fmt.Errorf("Animate: there are %d frames; give at most %d, such as every %dth", n, mostFrames, (n+mostFrames-1)/mostFrames)
	}
	for i := 0; a.err == nil && i < v.Len(); i++ {
		d, ok := v.Index(i).Interface().(interface {
			Figure() (*figure.Figure, error)
		})
		if !ok {
			a.err = fmt.Errorf("Animate: frame %d is a %v; give charts, graphs, trees or drawings", i, v.Index(i).Type())
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

// onLoad replaces the small frames by a player. It stands in an attribute, and the
// frames in another: a page that removes scripts removes both, and what is left is
// one picture.
const onLoad = `var g=this,w=g.dataset.width,e=function(t){return document.createElement(t)},` +
	`f=g.dataset.frames.split(' ').map(function(x,i){var m=new Image();m.width=w;m.alt='frame '+(i+1);m.src='data:image/png;base64,'+x;return m}),` +
	`d=e('div'),p=e('div'),c=e('div'),b=e('button'),s=e('input'),n=e('span'),t=0;` +
	`c.style.cssText='display:flex;align-items:center;gap:8px;max-width:100%;width:'+w+'px';` +
	`n.style.fontVariantNumeric='tabular-nums';b.type='button';b.textContent='▶';` +
	`s.type='range';s.min=0;s.max=f.length-1;s.value=0;s.style.flex=1;` +
	`s.oninput=function(){p.replaceChildren(f[+s.value]);n.textContent=(+s.value+1)+' / '+f.length};` +
	`b.onclick=function(){if(t){clearInterval(t);t=0;b.textContent='▶';return}` +
	`b.textContent='❚❚';t=setInterval(function(){if(!s.isConnected){clearInterval(t);return}` +
	`s.value=(+s.value+1)%f.length;s.oninput()},+g.dataset.pause)};` +
	`c.append(b,s,n);d.append(p,c);s.oninput();g.replaceWith(d)`

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
	// Long animations play faster.
	pause := int(math.Max(80, math.Min(500, 6000/float64(len(frames)))))
	page := fmt.Sprintf(`<div><img alt="The frames of an animation. Trust the notebook to see them." width="%.0f" `+
		`data-width="%.0f" data-pause="%d" data-frames="%s" onload="%s" src="data:image/png;base64,%s"></div>`,
		small.W, a.frames[0].W, pause, strings.Join(frames, " "), html.EscapeString(onLoad), base64.StdEncoding.EncodeToString(still))
	return display.Bundle{
		Data: map[string]any{
			display.MIMEHTML: page,
			display.MIMEPNG:  still,
			display.MIMEText: small.Text,
		},
		Metadata: map[string]any{display.MIMEPNG: map[string]any{"width": int(small.W), "height": int(small.H)}},
	}, nil
}

// small puts frames beside each other: all of them when they are few, else some at
// equal distances, the first and the last included.
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
	f.Text = fmt.Sprintf("animation of %s\n%s", count(len(images), "frame"), a.frames[len(a.frames)-1].Text)
	for i, k := range pick {
		x, y := gap+float64(i%cols)*(smallWidth+gap), gap+float64(i/cols)*(h+caption+gap)
		src := images[k].Bounds()
		height := math.Round(smallWidth * float64(src.Dy()) / float64(src.Dx()))
		img := image.NewNRGBA(image.Rect(0, 0, 2*int(smallWidth), 2*int(height)))
		draw.CatmullRom.Scale(img, img.Bounds(), images[k], src, draw.Src, nil)
		f.Label(x, y+11, fmt.Sprintf("%d / %d", k+1, len(images)), figure.TextStyle{Font: smallFont, Color: figure.Soft})
		f.Picture(x, y+caption, smallWidth, height, img)
	}
	return f
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}
