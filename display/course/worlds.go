package course

import (
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/mlstd/rl"
)

// World draws the current state of a reinforcement learning environment. It accepts the types
// *rl.GridWorld, *rl.MountainCar, *rl.CartPole, *rl.Blackjack and rl.TaxiState, and draws the state
// at the time of the call. A slice of drawings can thus show the states over time; use [Animate] to
// play the slice.
func World(world any) *Drawing {
	f, err := worldFigure(world)
	return &Drawing{draw: func() (*figure.Figure, error) { return f, err }}
}

func worldFigure(world any) (*figure.Figure, error) {
	switch w := world.(type) {
	case *rl.GridWorld:
		return mapFigure(w)
	case *rl.MountainCar:
		return carFigure(w), nil
	case *rl.CartPole:
		return cartFigure(w), nil
	case *rl.Blackjack:
		return cardsFigure(w.Table()), nil
	case rl.TaxiState:
		return taxiFigure(w)
	}
	return nil, fmt.Errorf("World: %T is not a world that can be drawn: pass a *ml.GridWorld, *ml.MountainCar, *ml.CartPole, *ml.Blackjack or ml.TaxiState", world)
}

// mapFigure draws the cells with their letters.
func mapFigure(w *rl.GridWorld) (*figure.Figure, error) {
	m, err := w.MDP()
	if err != nil {
		return nil, err
	}
	values := w.Values(make([]float64, m.NumStates()))
	for _, row := range values {
		for j := range row {
			row[j] = math.NaN()
		}
	}
	return gridworld(values, w.Map)
}

func lineStyle() figure.Style { return figure.Style{Stroke: figure.Frame(), Width: 1.5} }

func bodyStyle() figure.Style { return figure.Style{Fill: figure.Ink()} }

// carFigure draws the hill and the car on it.
func carFigure(c *rl.MountainCar) *figure.Figure {
	const width, height, margin = 420.0, 220.0, 16.0
	at := func(x float64) figure.Point {
		return figure.Point{
			X: margin + (x+1.2)/1.8*(width-2*margin),
			Y: height - margin - 24 - (math.Sin(3*x)+1)/2*(height-2*margin-60),
		}
	}
	f := figure.New(width, height)
	var hill []figure.Point
	for i := range 121 {
		hill = append(hill, at(-1.2+1.8*float64(i)/120))
	}
	f.Polyline(hill, lineStyle())
	flag := at(0.5)
	f.Line(flag.X, flag.Y, flag.X, flag.Y-34, lineStyle())
	f.Polygon([]figure.Point{{X: flag.X, Y: flag.Y - 34}, {X: flag.X + 16, Y: flag.Y - 28}, {X: flag.X, Y: flag.Y - 22}}, bodyStyle())
	car := at(c.X)
	f.Marker(car.X, car.Y-8, 8, figure.Circle, bodyStyle())
	caption(f, height, fmt.Sprintf("position %.2f, velocity %.3f", c.X, c.V))
	f.Text = fmt.Sprintf("mountain car at %.3f, velocity %.4f", c.X, c.V)
	return f
}

// cartFigure draws the cart on its rail and the pole on it.
func cartFigure(c *rl.CartPole) *figure.Figure {
	const width, height = 420.0, 220.0
	rail := height - 56
	x := width/2 + c.State[0]/2.4*(width/2-50)
	f := figure.New(width, height)
	f.Line(20, rail, width-20, rail, lineStyle())
	f.Rect(x-28, rail-20, 56, 20, 3, figure.Style{Fill: figure.Faint(), Stroke: figure.Frame(), Width: 1})
	sin, cos := math.Sincos(c.State[2])
	f.Line(x, rail-20, x+110*sin, rail-20-110*cos, figure.Style{Stroke: figure.Ink(), Width: 5})
	caption(f, height, fmt.Sprintf("position %.2f m, angle %.1f°", c.State[0], c.State[2]*180/math.Pi))
	f.Text = fmt.Sprintf("cart at %.3f m, pole at %.2f degrees", c.State[0], c.State[2]*180/math.Pi)
	return f
}

// caption writes a line below a drawing.
func caption(f *figure.Figure, height float64, text string) {
	f.Label(16, height-12, strings.ReplaceAll(text, "-", "−"), figure.TextStyle{Font: figure.Font{Size: 12}, Color: figure.Ink()})
}

// cardsFigure shows what the player sees.
func cardsFigure(b rl.BlackjackState) *figure.Figure {
	f := figure.New(260, 96)
	ace := ""
	if b.Ace {
		ace = ", an ace counts 11"
	}
	f.Rect(8, 8, 244, 80, 6, figure.Style{Stroke: figure.Frame(), Width: 1})
	f.Label(22, 40, fmt.Sprintf("dealer shows %d", b.Dealer), figure.TextStyle{Font: figure.Font{Size: 14}, Color: figure.Ink()})
	f.Label(22, 68, fmt.Sprintf("you have %d%s", b.Sum, ace), figure.TextStyle{Font: figure.Font{Size: 14, Bold: true}, Color: figure.Ink()})
	f.Text = fmt.Sprintf("%d%s against %d", b.Sum, ace, b.Dealer)
	return f
}

// taxiFigure draws the city: the stands as letters and the taxi as T. The passenger's stand and
// the destination are in the caption.
func taxiFigure(t rl.TaxiState) (*figure.Figure, error) {
	if t.Row < 0 || t.Row > 4 || t.Col < 0 || t.Col > 4 || t.Passenger < 0 || t.Passenger > 4 || t.Destination < 0 || t.Destination > 3 {
		return nil, fmt.Errorf("World: %+v is not a state of the taxi", t)
	}
	const side, margin = 48.0, 12.0
	f := figure.New(2*margin+5*side, 2*margin+5*side+22)
	stands := map[[2]int]string{{0, 0}: "R", {0, 4}: "G", {4, 0}: "Y", {4, 3}: "B"}
	names := []string{"R", "G", "Y", "B", "the taxi"}
	for i := range 5 {
		for j := range 5 {
			x, y := margin+side*float64(j), margin+side*float64(i)
			style := figure.Style{Stroke: figure.Faint(), Width: 1}
			f.Rect(x, y, side, side, 0, style)
			text, bold := stands[[2]int{i, j}], false
			if i == t.Row && j == t.Col {
				text, bold = "T", true
			}
			if text != "" {
				f.Label(x+side/2, y+side/2+5, text, figure.TextStyle{Font: figure.Font{Size: 15, Bold: bold}, Color: figure.Ink(), Anchor: figure.Middle})
			}
		}
	}
	f.Rect(margin, margin, 5*side, 5*side, 0, figure.Style{Stroke: figure.Frame(), Width: 2})
	for _, w := range [][2]float64{{0, 1}, {1, 1}, {3, 0}, {4, 0}, {3, 2}, {4, 2}} {
		x, y := margin+side*(w[1]+1), margin+side*w[0]
		f.Line(x, y, x, y+side, figure.Style{Stroke: figure.Frame(), Width: 3})
	}
	text := fmt.Sprintf("passenger: %s, to %s", names[t.Passenger], names[t.Destination])
	f.Label(margin, 2*margin+5*side+12, text, figure.TextStyle{Font: figure.Font{Size: 12}, Color: figure.Ink()})
	f.Text = fmt.Sprintf("taxi at row %d, column %d; %s", t.Row, t.Col, text)
	return f, nil
}
