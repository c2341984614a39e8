package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

// Resolver finds the types and variables for the expressions and names that [Types] has returned.
type Resolver interface {
	// Variable returns the variable with a name, as an addressable value.
	Variable(name string) (reflect.Value, error)
	// Resolve returns the type for an expression.
	Resolve(expr string) (reflect.Type, error)
	// Global returns the pointer that the package variable with a name contains.
	Global(name string) (reflect.Value, error)
}

var errDamaged = errors.New("the checkpoint is damaged")

// Restore sets the variables to the saved values. If it returns an error, some variables may have
// been set.
func (v *Values) Restore(r Resolver) (err error) {
	d := &decoder{buf: v.Data, r: r}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errDamaged, p)
		}
	}()
	for _, t := range v.Types {
		rt, err := d.resolve(t)
		if err != nil {
			return err
		}
		d.types = append(d.types, rt)
	}
	// Each variable is a whole region or a part of one.
	own := map[int]unsafe.Pointer{}
	for _, s := range v.Variables {
		x, err := r.Variable(s.Name)
		if err != nil {
			return err
		}
		if x.Type() != d.types[s.Type] {
			return fmt.Errorf("the variable %s is now a %s, but was saved as a %s", s.Name, x.Type(), d.types[s.Type])
		}
		if s.Region >= 0 && s.Offset == 0 {
			own[s.Region] = x.Addr().UnsafePointer()
		}
	}
	d.allocate(own)
	d.fill()
	for _, s := range v.Variables {
		x, err := r.Variable(s.Name)
		if err != nil {
			return err
		}
		if s.Region < 0 {
			continue
		}
		from := unsafe.Add(d.regions[s.Region].at, s.Offset)
		if to := x.Addr().UnsafePointer(); from != to {
			return fmt.Errorf("%w: the variable %s is at another address", errDamaged, s.Name)
		}
	}
	if d.pos != len(d.buf) {
		return errDamaged
	}
	return nil
}

type decoder struct {
	buf     []byte
	pos     int
	r       Resolver
	types   []reflect.Type
	regions []region
	tables  []reflect.Value
	counts  []int
}

func (d *decoder) resolve(t Type) (rt reflect.Type, err error) {
	if t.Expr != "" {
		if rt, err = d.r.Resolve(t.Expr); err != nil {
			return nil, err
		}
	} else if rt = follow(d.types[t.From], t.How); rt == nil {
		return nil, fmt.Errorf("the type %s has changed", d.types[t.From])
	}
	if Layout(rt) != t.Layout {
		return nil, fmt.Errorf("the type %s has changed", rt)
	}
	return rt, nil
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.buf[d.pos:])
	if size <= 0 {
		panic("a number is cut off")
	}
	d.pos += size
	return n
}

func (d *decoder) int() int { return int(d.uint()) }

func (d *decoder) take(n int) []byte {
	d.pos += n
	return d.buf[d.pos-n : d.pos]
}

// allocate allocates the memory for the values.
func (d *decoder) allocate(own map[int]unsafe.Pointer) {
	for i := range d.int() {
		r := region{elem: d.types[d.int()], n: d.int()}
		switch p, ok := own[i]; {
		case ok && r.n == 1:
			r.at = p
		case r.n == 1:
			r.at = reflect.New(r.elem).UnsafePointer()
		default:
			r.at = reflect.MakeSlice(reflect.SliceOf(r.elem), r.n, r.n).UnsafePointer()
		}
		d.regions = append(d.regions, r)
	}
	for range d.int() {
		t, n := d.types[d.int()], d.int()
		d.tables = append(d.tables, reflect.MakeMapWithSize(t, n))
		d.counts = append(d.counts, n)
	}
}

// fill reads the contents of the memory. It reads the entries of maps last, when their keys can be
// hashed: pointers are hashed by address, and all other parts of a key are read together with the
// key.
func (d *decoder) fill() {
	for _, r := range d.regions {
		if formOf(r.elem).plain {
			copy(unsafe.Slice((*byte)(r.at), r.size()), d.take(int(r.size())))
			continue
		}
		for i := range r.n {
			d.memory(r.elem, unsafe.Add(r.at, uintptr(i)*r.elem.Size()))
		}
	}
	for i, m := range d.tables {
		t := m.Type()
		for range d.counts[i] {
			k, v := reflect.New(t.Key()), reflect.New(t.Elem())
			d.memory(t.Key(), k.UnsafePointer())
			d.memory(t.Elem(), v.UnsafePointer())
			m.SetMapIndex(k.Elem(), v.Elem())
		}
	}
}

func (d *decoder) memory(t reflect.Type, p unsafe.Pointer) {
	if formOf(t).plain {
		copy(unsafe.Slice((*byte)(p), t.Size()), d.take(int(t.Size())))
		return
	}
	if _, ok := locks[t]; ok {
		return
	}
	switch t.Kind() {
	case reflect.String:
		*(*string)(p) = string(d.take(d.int()))
	case reflect.Pointer:
		d.pointer(t, p)
	case reflect.Slice:
		d.slice(t, p)
	case reflect.Map:
		if d.uint() == isNew {
			at(t, p).Set(d.tables[d.int()].Convert(t))
		}
	case reflect.Interface:
		switch d.uint() {
		case isGlobal:
			at(t, p).Set(d.global())
		case isNew:
			v := reflect.New(d.types[d.int()])
			d.memory(v.Type().Elem(), v.UnsafePointer())
			at(t, p).Set(v.Elem())
		}
	case reflect.Array:
		for i := range t.Len() {
			d.memory(t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			d.memory(f.Type, unsafe.Add(p, f.Offset))
		}
	}
}

func (d *decoder) global() reflect.Value {
	v, err := d.r.Global(string(d.take(d.int())))
	if err != nil {
		panic(err)
	}
	return v
}

func (d *decoder) ref() unsafe.Pointer {
	r, off := d.regions[d.int()], d.uint()
	if uintptr(off) >= r.size() {
		panic("a pointer points outside its object")
	}
	return unsafe.Add(r.at, off)
}

func (d *decoder) pointer(t reflect.Type, p unsafe.Pointer) {
	to := (*unsafe.Pointer)(p)
	switch d.uint() {
	case isNew:
		*to = d.ref()
	case isEmpty:
		*to = reflect.New(t.Elem()).UnsafePointer()
	case isGlobal:
		*to = d.global().UnsafePointer()
	case isLocal:
		*to = unsafe.Pointer(time.Local)
	case isUTC:
		*to = unsafe.Pointer(time.UTC)
	}
}

func (d *decoder) slice(t reflect.Type, p unsafe.Pointer) {
	switch d.uint() {
	case isNil:
	case isEmpty:
		n := d.int()
		at(t, p).Set(reflect.MakeSlice(t, n, d.int()))
	case isNew:
		data := d.ref()
		*(*slice)(p) = slice{data, d.int(), d.int()}
	}
}
