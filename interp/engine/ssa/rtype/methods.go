package rtype

import (
	"go/types"
	"iter"
	"sync"
	"unsafe"
)

// Method is a method that compiled code can call, of a built type.
type Method struct {
	// Sel is the method in the method set of its receiver's type.
	Sel *types.Selection
	// Recv is the receiver's type as the implementing function receives it: T, or *T.
	Recv *Type

	types *Types
	form  recvForm
	once  sync.Once
	fn    unsafe.Pointer
}

// recvForm is the form in which a stub gets its receiver.
type recvForm uint8

const (
	recvNone    recvForm = iota // an ordinary function
	recvPlain                   // as Go passes a first parameter
	recvWord                    // the receiver is one pointer-shaped word
	recvPointed                 // a pointer to the receiver
)

// Func returns the engine's pointer for the function that implements the method. The first call
// asks the engine for it.
func (m *Method) Func() unsafe.Pointer {
	m.once.Do(func() { m.fn = m.types.cfg.Method(m) })
	return m.fn
}

// Receiver copies the receiver represented by the data word of an interface to dst, a variable of
// type Recv.
func (m *Method) Receiver(word, dst unsafe.Pointer) {
	if m.form == recvWord {
		*(*unsafe.Pointer)(dst) = word
		return
	}
	if word == nil {
		panic(nilReceiver(m))
	}
	typedmemmove(m.Recv, dst, word)
}

// nilReceiverError is the panic of a value method called through a nil pointer.
type nilReceiverError string

func (e nilReceiverError) Error() string { return string(e) }
func (nilReceiverError) RuntimeError()   {}

func nilReceiver(m *Method) error {
	rt := m.Recv.Reflect()
	return nilReceiverError("value method " + rt.String() + "." + m.Sel.Obj().Name() +
		" called using nil *" + rt.Name() + " pointer")
}

// Implementation returns the built method that an interface call of the i-th method of the table
// reaches, or nil if it is compiled.
func (t *Itab) Implementation(i int) *Method {
	return methodAt(*(*uintptr)(t.Func(i)))
}

// Func returns the i-th method of the table as a func value whose first parameter is the data word:
// see MethodSignature.
func (t *Itab) Func(i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(&t.fun), uintptr(i)*unsafe.Sizeof(uintptr(0)))
}

// addMethods fills the method tables of T and *T. A method of T with a value receiver has two
// stubs. One takes a pointer to the receiver; *T uses this stub, too. The other takes the receiver
// itself. A method of *T has one stub.
func (ts *Types) addMethods(b *block) {
	own := make(map[string]textOff) // stubs that take *T, by method
	recv := b.typ
	path := nameOff(0)
	if b.pkgPath != "" {
		path = nameKey{name: b.pkgPath}.off()
	}
	b.self.pkgPath, b.ptd.pkgPath = path, path
	table := b.self.methods()
	for i, sel := range b.selfs {
		m := ts.describe(&table[i], b.self, sel)
		pointed := ts.stub(b, sel, recv, recvPointed)
		own[sel.Obj().Id()] = pointed
		if recv.Direct() {
			m.ifn = ts.stub(b, sel, recv, recvWord)
			m.tfn = m.ifn
		} else {
			m.ifn = pointed
			m.tfn = ts.stub(b, sel, recv, recvPlain)
		}
	}
	table = b.ptd.methods()
	for i, sel := range b.ptrs {
		m := ts.describe(&table[i], b.ptd, sel)
		code, ok := own[sel.Obj().Id()]
		if !ok {
			code = ts.stub(b, sel, b.ptr, recvWord)
		}
		m.ifn, m.tfn = code, code
	}
}

// describe sets the name and type of a table entry.
func (ts *Types) describe(m *method, u *uncommon, sel *types.Selection) *method {
	f := sel.Obj().(*types.Func)
	key := nameKey{name: f.Name(), flags: exportedFlag(f.Exported())}
	if f.Exported() {
		u.xcount++
	} else {
		key.pkgPath = pathOf(f)
	}
	m.name = key.off()
	m.mtyp = ts.of(withoutRecv(f)).off()
	return m
}

// stub returns a code pointer through which compiled code can call the method.
func (ts *Types) stub(b *block, sel *types.Selection, recv *Type, form recvForm) textOff {
	key := stubKey{b.origin, recv == b.ptr, sel.Obj(), form}
	if have, ok := ts.stubs[key]; ok {
		return have // the stub of a type that has been renewed
	}
	m := &Method{Sel: sel, Recv: recv, types: ts, form: form}
	ft := ts.of(withoutRecv(sel.Obj().(*types.Func)))
	c := &Closure{code: closurePC(), env: unsafe.Pointer(m)}
	pc, err := newStub(c)
	if err != nil {
		panic(unbuildable{err})
	}
	// The parameters' types may be incomplete. Assign registers when they are complete.
	ts.last(func() {
		c.sig = ts.signature(ft, recv, form)
		if c.sig.stack != 0 {
			c.viaReflect()
		}
	})
	off := codeOff(pc)
	ts.last(func() { ts.stubs[key] = off })
	return off
}

// stubKey identifies the function of a stub.
type stubKey struct {
	origin  types.Type // T
	pointer bool       // the receiver is *T
	method  types.Object
	form    recvForm
}

// methodTypes returns the types of the methods in a descriptor's table.
func methodTypes(t *Type) iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		if t.tflag&tflagUncommon == 0 {
			return
		}
		for _, m := range uncommonOf(t).methods() {
			if mt := resolveTypeOff(t, m.mtyp); mt != nil && !yield(mt) {
				return
			}
		}
	}
}
