package rtype

import (
	"bytes"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Place is a variable in memory.
type Place struct {
	Type *Type
	Addr unsafe.Pointer
}

// Migrate changes values in interfaces, directly in the places or reachable from them, to the types
// that have replaced the values' types: see Renew. captured returns the variables that an
// interpreted func value has captured. Migrate follows pointers, slices, maps, interfaces and
// interpreted func values. Values reachable only through channels and untyped pointers do not
// change. It returns the number of values that keep their old type because the old type implements
// an interface that the newer type does not implement. Nothing else may use the places while it
// runs.
func (ts *Types) Migrate(places []Place, captured func(*Closure) []Place) (kept int) {
	m := &migration{ts: ts, captured: captured, seen: map[Place]int{}, holds: map[reflect.Type]bool{}}
	for _, p := range places {
		m.push(p.Type.Reflect(), p.Addr, 1)
	}
	for len(m.work) > 0 {
		last := len(m.work) - 1
		r := m.work[last]
		m.work = m.work[:last]
		for i := range r.n {
			m.visit(r.typ, unsafe.Add(r.at, uintptr(i)*r.typ.Size()))
		}
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.epoch++
	return m.kept
}

type migration struct {
	ts       *Types
	captured func(*Closure) []Place
	seen     map[Place]int // number of adjacent variables visited, starting there
	holds    map[reflect.Type]bool
	work     []row
	kept     int
}

// row is a sequence of n adjacent variables of a type.
type row struct {
	typ reflect.Type
	at  unsafe.Pointer
	n   int
}

// push adds variables to the list of variables to visit.
func (m *migration) push(t reflect.Type, at unsafe.Pointer, n int) {
	if at == nil || n == 0 || !m.mayHold(t) {
		return
	}
	key := Place{TypeOf(t), at}
	if m.seen[key] >= n {
		return
	}
	m.seen[key] = n
	m.work = append(m.work, row{t, at, n})
}

// mayHold reports whether an interface can be reached from a variable of a type.
func (m *migration) mayHold(t reflect.Type) bool {
	has, ok := m.holds[t]
	if !ok {
		has = reachesInterface(t, map[reflect.Type]bool{})
		m.holds[t] = has
	}
	return has
}

func reachesInterface(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface, reflect.Func:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return reachesInterface(t.Elem(), seen)
	case reflect.Map:
		return reachesInterface(t.Key(), seen) || reachesInterface(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if reachesInterface(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// visit migrates a variable, and queues the variables to which it refers.
func (m *migration) visit(t reflect.Type, p unsafe.Pointer) {
	if !m.mayHold(t) {
		return
	}
	switch t.Kind() {
	case reflect.Interface:
		m.visitInterface(t, p)
	case reflect.Pointer:
		m.push(t.Elem(), *(*unsafe.Pointer)(p), 1)
	case reflect.Slice:
		s := (*[]byte)(p) // the length counts elements
		m.push(t.Elem(), unsafe.Pointer(unsafe.SliceData(*s)), len(*s))
	case reflect.Array:
		for i := range t.Len() {
			m.visit(t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			m.visit(f.Type, unsafe.Add(p, f.Offset))
		}
	case reflect.Map:
		m.visitMap(t, p)
	case reflect.Func:
		if c := ClosureOf(*(*unsafe.Pointer)(p)); c != nil && c.env != nil {
			for _, v := range m.captured(c) {
				m.push(v.Type.Reflect(), v.Addr, 1)
			}
		}
	}
}

var reflectTypeType = TypeOf(reflect.TypeOf(reflect.TypeFor[int]())) // *reflect.rtype

func (m *migration) visitInterface(t reflect.Type, p unsafe.Pointer) {
	w := (*words)(p)
	if w.typ == nil {
		return
	}
	dynamic := (*Type)(w.typ)
	if t.NumMethod() > 0 {
		dynamic = (*Itab)(w.typ).Type()
	}
	if dynamic == reflectTypeType {
		if now := m.ts.Latest((*Type)(w.data)); now != (*Type)(w.data) {
			atomic.StorePointer(&w.data, unsafe.Pointer(now))
		}
		return
	}
	if now := m.ts.Latest(dynamic); now != dynamic {
		word := unsafe.Pointer(now)
		if t.NumMethod() > 0 {
			word = unsafe.Pointer(ItabFor(TypeOf(t), now))
		}
		if word != nil {
			atomic.StorePointer(&w.typ, word)
		} else if epoch, _ := m.ts.renewed.Load(dynamic); epoch == m.ts.epoch {
			m.kept++
		}
	}
	if dynamic.Direct() {
		m.visit(dynamic.Reflect(), unsafe.Pointer(&w.data))
		return
	}
	m.push(dynamic.Reflect(), w.data, 1)
}

// visitMap migrates copies of the entries and stores changed ones.
func (m *migration) visitMap(t reflect.Type, p unsafe.Pointer) {
	table := *(*unsafe.Pointer)(p)
	key := Place{TypeOf(t), table}
	if table == nil || m.seen[key] > 0 {
		return
	}
	m.seen[key] = 1
	type entry struct{ old, key, elem reflect.Value }
	var changed []entry
	mv := reflect.NewAt(t, p).Elem()
	for it := mv.MapRange(); it.Next(); {
		e := entry{reflect.New(t.Key()).Elem(), reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()}
		e.old.SetIterKey(it)
		e.key.SetIterKey(it)
		e.elem.SetIterValue(it)
		if m.changes(e.key) || m.changes(e.elem) {
			changed = append(changed, e)
		}
	}
	for _, e := range changed {
		if !mv.MapIndex(e.old).IsValid() {
			m.kept++ // a key that is not equal to itself
			continue
		}
		mv.SetMapIndex(e.old, reflect.Value{})
		mv.SetMapIndex(e.key, e.elem)
	}
}

// changes migrates a variable and reports whether the variable itself has changed.
func (m *migration) changes(v reflect.Value) bool {
	mem := unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
	before := bytes.Clone(mem)
	m.visit(v.Type(), v.Addr().UnsafePointer())
	return !bytes.Equal(before, mem)
}
