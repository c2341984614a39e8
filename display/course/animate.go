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
	smallWidth  = 230.0
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

// What the slider and the button do stands in their attributes: a page that
// removes scripts removes it too and is left with the small frames.
const (
	onLoad  = `this.style.display='none';this.nextElementSibling.style.display='block'`
	onInput = `var f=this.parentNode.parentNode.firstElementChild.children,i=+this.value;` +
		`for(var k=0;k<f.length;k++)f[k].style.display=k==i?'block':'none';` +
		`this.nextElementSibling.textContent=(i+1)+' / '+f.length`
	onClick = `var b=this,s=b.nextElementSibling;` +
		`if(b.timer){clearInterval(b.timer);b.timer=0;b.textContent='▶';return}` +
		`b.textContent='❚❚';b.timer=setInterval(function(){if(!s.isConnected){clearInterval(b.timer);return}` +
		`s.value=(+s.value+1)%%(+s.max+1);s.oninput()},%d)`
)

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
	var b strings.Builder
	b.WriteString("<div>\n")
	fmt.Fprintf(&b, `<img alt="frames" width="%.0f" src="%s" onload="%s">`+"\n", small.W, dataURI(still), html.EscapeString(onLoad))
	b.WriteString(`<div style="display:none"><div>` + "\n")
	for i, f := range a.frames {
		shown := "none"
		if i == 0 {
			shown = "block"
		}
		data, err := encode(images[i])
		if err != nil {
			return display.Bundle{}, err
		}
		fmt.Fprintf(&b, `<img alt="frame %d" width="%.0f" style="display:%s" src="%s">`+"\n", i+1, f.W, shown, dataURI(data))
	}
	// Long animations play faster.
	pause := int(math.Max(80, math.Min(500, 6000/float64(len(a.frames)))))
	fmt.Fprintf(&b, `</div><div style="display:flex;align-items:center;gap:8px;width:%.0fpx;max-width:100%%">`+
		`<button type="button" onclick="%s">▶</button>`+
		`<input type="range" min="0" max="%d" value="0" step="1" style="flex:1" oninput="%s">`+
		`<span style="font-variant-numeric:tabular-nums">1 / %d</span></div></div>`+"\n</div>",
		a.frames[0].W, html.EscapeString(fmt.Sprintf(onClick, pause)), len(a.frames)-1, html.EscapeString(onInput), len(a.frames))
	return display.Bundle{
		Data: map[string]any{
			display.MIMEHTML: b.String(),
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
	cols := min(n, 4)
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

func dataURI(data []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
}
