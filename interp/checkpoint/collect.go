package checkpoint

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unsafe"
)

// region is n consecutive elements of a type.
type region struct {
	at   unsafe.Pointer
	elem reflect.Type
	n    int
}

func (r region) size() uintptr { return uintptr(r.n) * r.elem.Size() }
func (r region) from() uintptr { return uintptr(r.at) }
func (r region) end() uintptr  { return uintptr(r.at) + r.size() }

// table is a map with its contents at the time it was found.
type table struct {
	t            reflect.Type
	keys, values []unsafe.Pointer // pointers to copies
}

// derived describes how to derive a type from another: as the element of a pointer, slice or array
// (-1), as the key or element of a map (-2, -3), or as the type of a field.
type derived struct {
	from reflect.Type
	how  int
}

const (
	ofElem = -1 - iota
	ofKey
	ofValue
)

// follow returns the derived type, or nil if the type has another form.
func follow(from reflect.Type, how int) reflect.Type {
	switch k := from.Kind(); {
	case how == ofElem && (k == reflect.Pointer || k == reflect.Slice || k == reflect.Array), how == ofValue && k == reflect.Map:
		return from.Elem()
	case how == ofKey && k == reflect.Map:
		return from.Key()
	case how >= 0 && k == reflect.Struct && how < from.NumField():
		return from.Field(how).Type
	}
	return nil
}

// meet records how the component types of t are derived from it, because memory may contain types
// that the session can't name.
func (c *collector) meet(t reflect.Type) {
	note := func(how int) {
		p := follow(t, how)
		if _, ok := c.parents[p]; !ok {
			c.parents[p] = derived{t, how}
		}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		note(ofElem)
	case reflect.Map:
		note(ofKey)
		note(ofValue)
	case reflect.Struct:
		for i := range t.NumField() {
			note(i)
		}
	}
}

// collector finds the values that variables refer to.
type collector struct {
	types   Types
	limit   int64
	cancel  func() bool
	bytes   int64
	looks   int
	found   map[region]string // regions found so far, with the path to each
	todo    []region
	tables  map[unsafe.Pointer]*table
	parents map[reflect.Type]derived // how to derive all types except the types of variables and interfaces
	met     map[reflect.Type]bool
	regions []region // after merge: the regions to write
}

func newCollector(types Types, limit int64, cancel func() bool) *collector {
	return &collector{types: types, limit: limit, cancel: cancel, found: map[region]string{}, tables: map[unsafe.Pointer]*table{}, parents: map[reflect.Type]derived{}, met: map[reflect.Type]bool{}}
}

// add adds a region, and later everything it refers to.
func (c *collector) add(r region, path string) error {
	if r.size() == 0 {
		return nil
	}
	if _, ok := c.found[r]; ok {
		return nil
	}
	c.found[r] = path
	c.todo = append(c.todo, r)
	c.bytes += int64(r.size())
	return c.check()
}

// check returns an error if the collection has to stop.
func (c *collector) check() error {
	if c.limit > 0 && c.bytes > c.limit {
		return ErrTooLarge
	}
	if c.looks++; c.looks%256 == 0 && c.cancel != nil && c.cancel() {
		return ErrCanceled
	}
	return nil
}

// variable finds the values that one variable refers to.
func (c *collector) variable(v Variable) error {
	if err := c.add(region{at: v.Value.Addr().UnsafePointer(), elem: v.Value.Type(), n: 1}, ""); err != nil {
		return err
	}
	for len(c.todo) > 0 {
		r := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		if err := c.elements(r, c.found[r]); err != nil {
			return err
		}
	}
	return nil
}

// maxPath is the maximum length of a path in an error message.
const maxPath = 120

func step(path, s string) string {
	if len(path) > maxPath {
		return path
	}
	return path + s
}

func (c *collector) elements(r region, path string) error {
	f := formOf(r.elem)
	if f.plain {
		return nil
	}
	for i := range r.n {
		p := path
		if r.n > 1 {
			p = step(path, "["+strconv.Itoa(i)+"]")
		}
		if err := c.memory(r.elem, unsafe.Add(r.at, uintptr(i)*r.elem.Size()), p); err != nil {
			return err
		}
	}
	return nil
}

// memory examines a value of type t.
func (c *collector) memory(t reflect.Type, p unsafe.Pointer, path string) error {
	f := formOf(t)
	if f.plain {
		return nil
	}
	if !c.met[t] {
		c.met[t] = true
		c.meet(t)
	}
	if why, ok := locks[t]; ok {
		if !at(t, p).IsZero() {
			return &Refused{path, why}
		}
		return nil
	}
	if f.refuse != "" && t.Kind() != reflect.Interface {
		return &Refused{path, f.refuse}
	}
	switch t.Kind() {
	case reflect.String:
		c.bytes += int64(len(*(*string)(p)))
		return c.check()
	case reflect.Pointer:
		return c.pointer(t, *(*unsafe.Pointer)(p), path)
	case reflect.Slice:
		if s := (*slice)(p); s.cap > 0 {
			return c.add(region{at: s.data, elem: t.Elem(), n: s.cap}, path)
		}
	case reflect.Interface:
		v := at(t, p)
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
		if v.Kind() == reflect.Pointer {
			if _, ok := c.types.Global(v.UnsafePointer(), v.Type()); ok {
				return nil
			}
		}
		if _, err := c.types.Express(v.Type()); err != nil {
			return &Refused{path, err.Error()}
		}
		return c.memory(v.Type(), boxed(v), path)
	case reflect.Map:
		return c.table(t, p, path)
	case reflect.Array:
		for i := range t.Len() {
			if err := c.memory(t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()), step(path, "["+strconv.Itoa(i)+"]")); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if err := c.memory(f.Type, unsafe.Add(p, f.Offset), step(path, "."+f.Name)); err != nil {
				return err
			}
		}
	case reflect.Chan:
		if !at(t, p).IsNil() {
			return &Refused{path, "a channel cannot be saved"}
		}
	case reflect.Func:
		if !at(t, p).IsNil() {
			return &Refused{path, "a function value cannot be saved"}
		}
	case reflect.UnsafePointer:
		if *(*unsafe.Pointer)(p) != nil {
			return &Refused{path, "an unsafe.Pointer cannot be saved"}
		}
	}
	return nil
}

func (c *collector) pointer(t reflect.Type, to unsafe.Pointer, path string) error {
	switch {
	case to == nil, t == locationType && (to == unsafe.Pointer(time.Local) || to == unsafe.Pointer(time.UTC)):
		return nil
	}
	if _, ok := c.types.Global(to, t); ok {
		return nil
	}
	if why := formOf(t.Elem()).refuse; why != "" {
		return &Refused{path, why}
	}
	return c.add(region{at: to, elem: t.Elem(), n: 1}, path)
}

// table copies the entries of a map, so that the written entries are those that were found.
func (c *collector) table(t reflect.Type, p unsafe.Pointer, path string) error {
	m := at(t, p)
	if m.IsNil() || c.tables[m.UnsafePointer()] != nil {
		return nil
	}
	tab := &table{t: t}
	c.tables[m.UnsafePointer()] = tab
	for it := m.MapRange(); it.Next(); {
		k, v := boxed(it.Key()), boxed(it.Value())
		tab.keys, tab.values = append(tab.keys, k), append(tab.values, v)
		c.bytes += int64(t.Key().Size() + t.Elem().Size())
		if err := c.check(); err != nil {
			return err
		}
		if err := c.memory(t.Key(), k, step(path, "[key]")); err != nil {
			return err
		}
		if err := c.memory(t.Elem(), v, step(path, "[value]")); err != nil {
			return err
		}
	}
	return nil
}

// merge joins overlapping regions.
func (c *collector) merge() error {
	all := make([]region, 0, len(c.found))
	for r := range c.found {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b region) int {
		return cmp.Or(cmp.Compare(a.from(), b.from()), cmp.Compare(b.size(), a.size()), cmp.Compare(a.n, b.n))
	})
	for _, r := range all {
		if n := len(c.regions); n > 0 && r.from() < c.regions[n-1].end() {
			last := &c.regions[n-1]
			if r.end() > last.end() { // slices of one array
				if r.elem != last.elem || (r.from()-last.from())%r.elem.Size() != 0 {
					return &Refused{c.found[r], "the same memory has values of two types"}
				}
				last.n = int((r.end() - last.from()) / r.elem.Size())
				continue
			}
			if r.from() == last.from() && r.size() == last.size() && !holds(last.elem, 0, r.elem) && holds(r.elem, 0, last.elem) {
				*last = r // a struct that starts with the previous region as its only field
				continue
			}
			if !holds(last.elem, (r.from()-last.from())%last.elem.Size(), r.elem) {
				return &Refused{c.found[r], "the same memory has values of two types"}
			}
			continue
		}
		c.regions = append(c.regions, r)
	}
	return nil
}

// holds reports whether a variable of type t contains one or more consecutive variables of type
// part at an offset.
func holds(t reflect.Type, off uintptr, part reflect.Type) bool {
	for {
		if off == 0 && t == part || formOf(t).plain && formOf(part).plain {
			return true
		}
		switch t.Kind() {
		case reflect.Array:
			if t.Len() == 0 || t.Elem().Size() == 0 {
				return false
			}
			off, t = off%t.Elem().Size(), t.Elem()
		case reflect.Struct:
			found := false
			for i := range t.NumField() {
				if f := t.Field(i); f.Offset <= off && off < f.Offset+f.Type.Size() {
					off, t, found = off-f.Offset, f.Type, true
					break
				}
			}
			if !found {
				return false
			}
		default:
			// A region with an array type as the element of itself.
			return off == 0 && part.Kind() == reflect.Array && part.Len() > 0 && part.Elem() == t
		}
	}
}

// place returns the number of the region that contains an address, and the offset there.
func (c *collector) place(p unsafe.Pointer) (number int, off uintptr) {
	i, _ := slices.BinarySearchFunc(c.regions, uintptr(p)+1, func(r region, to uintptr) int { return cmp.Compare(r.from(), to) })
	return i - 1, uintptr(p) - c.regions[i-1].from()
}
