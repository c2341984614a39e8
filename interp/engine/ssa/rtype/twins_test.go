package rtype

//lint:file-ignore U1000 only the layout and the names of what is declared here matter

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// The types of this file exist twice in the tests: compiled, and built from this file's source.
// TestTwins compares the compiled types with the built types.

type (
	TwinInt     int
	twinFloat   float64
	TwinString  string
	TwinBytes   []byte
	TwinArray   [3]TwinString
	TwinNested  [2][2]struct{ A, b int }
	TwinMap     map[string][]twinFloat
	TwinChan    chan<- TwinInt
	TwinChans   chan (<-chan int)
	TwinFunc    func(a int, rest ...string) (n int, err error)
	TwinPointer *TwinInt
	TwinEmpty   struct{}
	TwinAny     any
	TwinComplex complex64
	TwinAlias   = map[TwinInt]TwinEmpty
)

func (i TwinInt) String() string        { return fmt.Sprintf("<%d>", int(i)) }
func (i *TwinInt) Set(n int)            { *i = TwinInt(n) }
func (f TwinFunc) Call(a int) int       { n, _ := f(a); return n }
func (m TwinMap) Len() int              { return len(m) }
func (c TwinChan) Send(i TwinInt)       { c <- i }
func (a TwinArray) First() TwinString   { return a[0] }
func (b *TwinBytes) Grow(n int)         { *b = append(*b, make([]byte, n)...) }
func (e TwinEmpty) unexported() float32 { return 0 }
func (e TwinEmpty) Exported(twinFloat)  {}
func (e TwinEmpty) another(_ *TwinNode) {}

type TwinNode struct {
	Left, Right *TwinNode
	kids        map[string]TwinNode
	set         *map[TwinKey]bool
	pair        *[2]TwinNode
	inner       *struct{ n []TwinNode }
	next        func(TwinNode) (TwinNode, error)
	ch          chan TwinNode
	any         interface{ Node() TwinNode }
}

func (n TwinNode) Node() TwinNode { return n }

type TwinKey struct {
	name string
	n    int
	self *map[TwinKey]TwinKey
}

type TwinTags struct {
	A int    `json:"a,omitempty" xml:"a,attr"`
	B string `json:"-"`
	c bool   `db:"c"`
	_ int
	D struct {
		E float32 `x:"y"`
	}
}

type TwinEmbed struct {
	TwinInt
	*TwinTags
	fmt.Stringer
	io.Writer
	twinFloat
	n int
}

type TwinStd struct {
	sync.Mutex
	*bytes.Buffer
	time.Time
	http.Handler
	done chan struct{}
}

type TwinOne struct{ *TwinTags }

type TwinWord struct{ p *TwinNode }

func (w TwinWord) Get() *TwinNode   { return w.p }
func (w *TwinWord) Put(n *TwinNode) { w.p = n }

type TwinFloats struct {
	A float32
	B float64
	C complex128
	D [1]float32
}

type TwinPadded struct {
	A int8
	B int64
	C int16
	D struct{}
}

type TwinBig struct {
	A [5000]*int
	B [200]string
}

type TwinInterface interface {
	io.Reader
	String() string
	unexported() float32
	Method(TwinNode, ...any) (TwinInterface, error)
}

type TwinBlank struct {
	_ func()
	a int
	_ [2]string
}

type TwinBlankWord struct {
	_ int32
	a int32
}

// TwinPoint and the next types have regular memory, except for TwinHole and TwinInner.
type TwinPoint struct{ Row, column int }

type TwinPath [2]TwinPoint

type TwinMixed struct {
	A, B int8
	C    [3]uint16
	D    *TwinPoint
	E    chan int
}

type TwinHole struct {
	A int8
	B int16
}

type TwinInner struct {
	In [2]struct{ _, A int }
	B  int
}

type TwinPair[K comparable, V any] struct {
	Key K
	Val V
	nxt *TwinPair[K, V]
}

func (p TwinPair[K, V]) Get() V                { return p.Val }
func (p *TwinPair[K, V]) Swap(k K, v V) (V, K) { return p.Val, p.Key }

type TwinList[T any] []TwinPair[string, T]

func (l TwinList[T]) Each(f func(T) bool) {}

type TwinTree[T interface{ Less(T) bool }] struct {
	l, r *TwinTree[T]
	v    T
}

func (i TwinInt) Less(j TwinInt) bool { return i < j }

type twinInterface interface{ x(twinInterface) }

var twinVars struct {
	A TwinPair[string, int]
	B TwinPair[TwinKey, map[string]*TwinNode]
	C TwinList[http.Request]
	D *TwinTree[TwinInt]
	E TwinList[struct{ X, y int }]
	F TwinPair[any, interface{ M(int) }]
	G TwinList[TwinPair[int, []time.Duration]]
	H map[[2]TwinInt]chan struct{}
	I struct {
		TwinInt
		x int `tag:"x"`
	}
	J struct{ TwinEmbed }
	K struct {
		*sync.WaitGroup
		_ int
	}
	L interface {
		unexported() float32
		Do(func(*TwinInt) error)
	}
	M func(TwinInt, ...map[string]TwinMap) <-chan error
	N TwinList[func(a int) string]
	T TwinList[interface{ m(twinFloat) }]
	U TwinList[struct{ *twinFloat }]
	V interface{ twinInterface }
	O *struct{ a, b *TwinNode }
	P interface{}
	Q [0]int
	R struct{}
	S [1]struct{ TwinWord }
}
