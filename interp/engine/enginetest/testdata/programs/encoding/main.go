// json, xml, gob and text round trips of declared types.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

type Color int

const (
	Red Color = iota + 1
	Blue
)

func (c Color) MarshalText() ([]byte, error) {
	return []byte(map[Color]string{Red: "red", Blue: "blue"}[c]), nil
}
func (c *Color) UnmarshalText(b []byte) error {
	switch string(b) {
	case "red":
		*c = Red
	case "blue":
		*c = Blue
	default:
		return fmt.Errorf("no color %q", b)
	}
	return nil
}

type Span time.Duration

func (s Span) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).String()) }
func (s *Span) UnmarshalJSON(b []byte) error {
	var t string
	if err := json.Unmarshal(b, &t); err != nil {
		return err
	}
	d, err := time.ParseDuration(t)
	*s = Span(d)
	return err
}

type Base struct {
	ID      int `json:"id" xml:"id,attr"`
	private string
}

type Person struct {
	Base
	XMLName xml.Name          `json:"-" xml:"person"`
	Name    string            `json:"name"`
	Age     *int              `json:"age,omitempty" xml:"age,omitempty"`
	Friends []*Person         `json:"friends,omitempty" xml:"friends>person"`
	Colors  map[Color]float64 `json:"colors,omitempty" xml:"-"`
	Fav     Color             `json:"fav" xml:"fav"`
	Wait    Span              `json:"wait" xml:"-"`
	Extra   any               `json:"extra" xml:"-"`
	When    time.Time         `json:"when" xml:"when"`
	hidden  int
	Zero    struct{ A, B int } `json:"zero,omitzero" xml:"-"`
	Raw     json.RawMessage    `json:"raw" xml:"-"`
}

type Shape interface{ Area() float64 }
type Square struct{ Side float64 }
type Circle struct{ R float64 }

func (s Square) Area() float64  { return s.Side * s.Side }
func (c *Circle) Area() float64 { return 3 * c.R * c.R }

type Drawing struct {
	Shapes []Shape
	ByName map[string]Shape
}

type Pair[A, B any] struct {
	First  A `json:"first"`
	Second B `json:"second"`
}

type custom struct{ n int }

func (c custom) GobEncode() ([]byte, error) { return []byte(strings.Repeat("x", c.n)), nil }
func (c *custom) GobDecode(b []byte) error  { c.n = len(b); return nil }

func main() {
	age := 7
	p := &Person{Base: Base{ID: 1, private: "p"}, Name: "Ada", Age: &age, Fav: Blue, Wait: Span(90 * time.Second),
		Colors: map[Color]float64{Red: 1, Blue: 2.5}, Extra: []any{1, "x", nil, map[string]any{"k": true}},
		Friends: []*Person{{Name: "Bob <&>", Fav: Red}}, When: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Raw: json.RawMessage(`{"a":1}`)}
	p.Friends[0].Raw = json.RawMessage("null")
	j, err := json.Marshal(p)
	fmt.Println(string(j), err)
	var q Person
	fmt.Println(json.Unmarshal(j, &q), q.Name, *q.Age, q.Friends[0].Name, q.Colors, q.Fav, time.Duration(q.Wait), q.Extra, q.private, q.ID)
	ind, _ := json.MarshalIndent(Pair[string, []Pair[int, Color]]{"a", []Pair[int, Color]{{1, Red}}}, "", "  ")
	fmt.Println(string(ind))
	fmt.Println(json.Unmarshal([]byte(`{"fav":"green"}`), &q))
	fmt.Println(json.Unmarshal([]byte(`{"name":3}`), &q))
	_, err = json.Marshal(map[string]any{"c": make(chan Color)})
	fmt.Println(err)
	dec := json.NewDecoder(strings.NewReader(`{"First":1,"x":2}`))
	dec.DisallowUnknownFields()
	fmt.Println(dec.Decode(&Pair[int, int]{}))

	x, err := xml.MarshalIndent(p, "", " ")
	fmt.Println(string(x), err)
	var r Person
	fmt.Println(xml.Unmarshal(x, &r), r.Name, r.ID, *r.Age, len(r.Friends), r.Friends[0].Name, r.Fav, r.XMLName.Local, r.When.Equal(p.When))

	gob.Register(Square{})
	gob.Register(&Circle{})
	var buf bytes.Buffer
	d := Drawing{Shapes: []Shape{Square{2}, &Circle{1}}, ByName: map[string]Shape{"s": Square{3}}}
	fmt.Println(gob.NewEncoder(&buf).Encode(d))
	var e Drawing
	fmt.Println(gob.NewDecoder(&buf).Decode(&e))
	for _, s := range e.Shapes {
		fmt.Printf("%T %v\n", s, s.Area())
	}
	fmt.Println(e.ByName["s"].Area())
	buf.Reset()
	fmt.Println(gob.NewEncoder(&buf).Encode(Pair[custom, map[string]custom]{custom{3}, map[string]custom{"a": {5}}}))
	var c Pair[custom, map[string]custom]
	fmt.Println(gob.NewDecoder(&buf).Decode(&c), c)
}
