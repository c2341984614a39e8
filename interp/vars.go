package interp

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// variable gives a variable that the program declares.
func (s *Session) variable(p *program, name string) (reflect.Value, error) {
	obj := p.checked.Package.Scope().Lookup(name)
	if obj == nil {
		return reflect.Value{}, fmt.Errorf("interp: the cell has no variable %s", name)
	}
	return s.engineVar(obj)
}

func (s *Session) engineVar(obj types.Object) (reflect.Value, error) {
	v, ok := obj.(*types.Var)
	if !ok {
		return reflect.Value{}, fmt.Errorf("interp: %s is not a variable", obj.Name())
	}
	return s.engine.Var(v)
}

// keepSites bounds the operations on vectors that are remembered for errors.
const keepSites = 20000

// addSites remembers where operations on vectors and matrices stand.
func (s *Session) addSites(sites map[token.Pos]rewrite.Site) {
	if len(s.sites)+len(sites) > keepSites {
		clear(s.sites)
	}
	for pos, site := range sites {
		s.sites[int(pos)] = site
	}
}
