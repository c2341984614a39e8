package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"time"
	"unsafe"
)

// Lost is a variable that was not saved.
type Lost struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Type is the type of values in a form from which the restored session can find the type.
type Type struct {
	Expr   string `json:"expr,omitempty"`
	From   int    `json:"from,omitempty"` // if it has no expression: the type it is derived from
	How    int    `json:"how,omitempty"`  // how it is derived
	Layout uint64 `json:"layout"`
}

// Values are the values of variables in their encoded form.
type Values struct {
	Variables []Saved `json:"variables"`
	Types     []Type  `json:"types"`
	Lost      []Lost  `json:"lost,omitempty"`
	Data      []byte  `json:"-"`
}

// Saved is a saved variable.
type Saved struct {
	Name   string `json:"name"`
	Region int    `json:"region"`
	Offset uint64 `json:"offset"`
	Type   int    `json:"type"`
}

// Collect encodes the values of variables that can be saved, up to a limit in bytes; 0 means no
// limit. The values must not change while it runs. The cancel function may be nil.
func Collect(list []Variable, types Types, limit int64, cancel func() bool) (*Values, error) {
	v := &Values{}
	var kept []Variable
	whole := newCollector(types, limit, cancel)
	for _, x := range list {
		one := newCollector(types, limit, cancel)
		err := one.variable(x)
		if err == nil {
			err = one.merge()
		}
		if err == nil {
			_, err = types.Express(x.Value.Type())
		}
		var refused *Refused
		switch {
		case err == nil:
			kept = append(kept, x)
		case errors.Is(err, ErrCanceled):
			return nil, err
		case errors.As(err, &refused) && refused.Path != "":
			v.Lost = append(v.Lost, Lost{x.Name, fmt.Sprintf("%s (%s%s)", refused.Why, x.Name, refused.Path)})
		default:
			v.Lost = append(v.Lost, Lost{x.Name, err.Error()})
		}
	}
	for _, x := range kept {
		if err := whole.variable(x); err != nil {
			return nil, err
		}
	}
	if err := whole.merge(); err != nil {
		return nil, err
	}
	e := &encoder{c: whole, v: v, types: map[reflect.Type]int{}, tables: map[unsafe.Pointer]int{}}
	for _, x := range kept {
		n, off := 0, uintptr(0)
		if x.Value.Type().Size() == 0 {
			n = -1
		} else {
			n, off = whole.place(x.Value.Addr().UnsafePointer())
		}
		typ, err := e.typ(x.Value.Type())
		if err != nil {
			return nil, err
		}
		v.Variables = append(v.Variables, Saved{x.Name, n, uint64(off), typ})
	}
	return v, e.all()
}

type encoder struct {
	c      *collector
	v      *Values
	buf    []byte
	types  map[reflect.Type]int
	tables map[unsafe.Pointer]int
	order  []*table
}

func (e *encoder) uint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }

func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// typ returns the number of a type.
func (e *encoder) typ(t reflect.Type) (int, error) {
	if n, ok := e.types[t]; ok {
		return n, nil
	}
	entry := Type{Layout: Layout(t)}
	var err error
	if entry.Expr, err = e.c.types.Express(t); err != nil {
		d, ok := e.c.parents[t]
		if !ok {
			return 0, err
		}
		if entry.From, err = e.typ(d.from); err != nil {
			return 0, err
		}
		entry.How = d.how
	}
	e.types[t] = len(e.v.Types)
	e.v.Types = append(e.v.Types, entry)
	return e.types[t], nil
}

// all writes the regions and the maps: first their types, then their contents.
func (e *encoder) all() error {
	head := &encoder{c: e.c, v: e.v, types: e.types}
	head.uint(uint64(len(e.c.regions)))
	for _, r := range e.c.regions {
		n, err := head.typ(r.elem)
		if err != nil {
			return err
		}
		head.uint(uint64(n))
		head.uint(uint64(r.n))
	}
	for _, r := range e.c.regions {
		if formOf(r.elem).plain {
			e.buf = append(e.buf, unsafe.Slice((*byte)(r.at), r.size())...)
			continue
		}
		for i := range r.n {
			if err := e.memory(r.elem, unsafe.Add(r.at, uintptr(i)*r.elem.Size())); err != nil {
				return err
			}
		}
	}
	// Entries may refer to more maps.
	var entries [][]byte
	body := e.buf
	for i := 0; i < len(e.order); i++ {
		e.buf = nil
		tab := e.order[i]
		for j := range tab.keys {
			if err := e.memory(tab.t.Key(), tab.keys[j]); err != nil {
				return err
			}
			if err := e.memory(tab.t.Elem(), tab.values[j]); err != nil {
				return err
			}
		}
		entries = append(entries, e.buf)
	}
	head.uint(uint64(len(e.order)))
	for _, tab := range e.order {
		n, err := head.typ(tab.t)
		if err != nil {
			return err
		}
		head.uint(uint64(n))
		head.uint(uint64(len(tab.keys)))
	}
	e.v.Data = append(head.buf, body...)
	for _, b := range entries {
		e.v.Data = append(e.v.Data, b...)
	}
	return nil
}

func (e *encoder) memory(t reflect.Type, p unsafe.Pointer) error {
	if formOf(t).plain {
		e.buf = append(e.buf, unsafe.Slice((*byte)(p), t.Size())...)
		return nil
	}
	if _, ok := locks[t]; ok {
		return nil // it is the zero value
	}
	if t == timeType {
		plain := (*(*time.Time)(p)).Round(0)
		p = unsafe.Pointer(&plain)
	}
	switch t.Kind() {
	case reflect.String:
		e.string(*(*string)(p))
	case reflect.Pointer:
		e.pointer(t, *(*unsafe.Pointer)(p))
	case reflect.Slice:
		s := (*slice)(p)
		switch {
		case s.data == nil:
			e.uint(isNil)
			return nil
		case s.cap == 0 || t.Elem().Size() == 0:
			e.uint(isEmpty)
		default:
			e.uint(isNew)
			e.ref(s.data)
		}
		e.uint(uint64(s.len))
		e.uint(uint64(s.cap))
	case reflect.Map:
		m := at(t, p)
		if m.IsNil() {
			e.uint(isNil)
			return nil
		}
		n, ok := e.tables[m.UnsafePointer()]
		if !ok {
			n = len(e.order)
			e.tables[m.UnsafePointer()] = n
			e.order = append(e.order, e.c.tables[m.UnsafePointer()])
		}
		e.uint(isNew)
		e.uint(uint64(n))
	case reflect.Interface:
		v := at(t, p)
		if v.IsNil() {
			e.uint(isNil)
			return nil
		}
		v = v.Elem()
		if v.Kind() == reflect.Pointer {
			if name, ok := e.c.types.Global(v.UnsafePointer(), v.Type()); ok {
				e.uint(isGlobal)
				e.string(name)
				return nil
			}
		}
		n, err := e.typ(v.Type())
		if err != nil {
			return err
		}
		e.uint(isNew)
		e.uint(uint64(n))
		return e.memory(v.Type(), boxed(v))
	case reflect.Array:
		for i := range t.Len() {
			if err := e.memory(t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size())); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if err := e.memory(f.Type, unsafe.Add(p, f.Offset)); err != nil {
				return err
			}
		}
	default: // Collect has checked that it is nil
	}
	return nil
}

// Tags of references.
const (
	isNil = iota
	isNew
	isEmpty
	isGlobal
	isLocal // time.Local
	isUTC
)

func (e *encoder) pointer(t reflect.Type, to unsafe.Pointer) {
	switch {
	case to == nil:
		e.uint(isNil)
		return
	case t == locationType && to == unsafe.Pointer(time.Local):
		e.uint(isLocal)
		return
	case t == locationType && to == unsafe.Pointer(time.UTC):
		e.uint(isUTC)
		return
	}
	if name, ok := e.c.types.Global(to, t); ok {
		e.uint(isGlobal)
		e.string(name)
		return
	}
	if t.Elem().Size() == 0 {
		e.uint(isEmpty)
		return
	}
	e.uint(isNew)
	e.ref(to)
}

func (e *encoder) ref(p unsafe.Pointer) {
	n, off := e.c.place(p)
	e.uint(uint64(n))
	e.uint(uint64(off))
}

// Layout returns a checksum of the memory layout of a type and the names of its fields.
func Layout(t reflect.Type) uint64 {
	h := fnv.New64a()
	seen := map[reflect.Type]int{}
	var write func(t reflect.Type)
	write = func(t reflect.Type) {
		if n, ok := seen[t]; ok {
			fmt.Fprintf(h, "#%d;", n)
			return
		}
		seen[t] = len(seen)
		fmt.Fprintf(h, "%s %d %d;", t.Kind(), t.Size(), t.Align())
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice:
			write(t.Elem())
		case reflect.Array:
			fmt.Fprintf(h, "%d;", t.Len())
			write(t.Elem())
		case reflect.Map:
			write(t.Key())
			write(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				fmt.Fprintf(h, "%s %d;", f.Name, f.Offset)
				write(f.Type)
			}
		}
	}
	write(t)
	return h.Sum64()
}
