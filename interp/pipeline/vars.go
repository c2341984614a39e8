package pipeline

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// variable returns a variable that the program declares.
func (c *Compiler) variable(p *Program, name string) (reflect.Value, error) {
	obj := p.checked.Package.Scope().Lookup(name)
	if obj == nil {
		return reflect.Value{}, fmt.Errorf("interp: the cell has no variable %s", name)
	}
	return c.engineVar(obj)
}

// Variable returns a variable that the program declares, as an addressable value.
func (c *Compiler) Variable(p *Program, name string) (reflect.Value, error) {
	return c.variable(p, name)
}

// Values returns the values of the cell's last expression.
func (c *Compiler) Values(p *Program) ([]reflect.Value, error) {
	var vals []reflect.Value
	for _, name := range p.unit.Results {
		v, err := c.variable(p, name)
		if err != nil {
			return nil, err
		}
		vals = append(vals, v)
	}
	return vals, nil
}

// Release drops the values of the cell's last expression, so that they can be freed.
func (c *Compiler) Release(p *Program) {
	for _, name := range p.unit.Results {
		if v, err := c.variable(p, name); err == nil {
			v.SetZero()
		}
	}
}

func (c *Compiler) engineVar(obj types.Object) (reflect.Value, error) {
	v, ok := obj.(*types.Var)
	if !ok {
		return reflect.Value{}, fmt.Errorf("interp: %s is not a variable", obj.Name())
	}
	return c.Engine.Var(v)
}

// keepSites is the maximum number of vector operations to remember for errors.
const keepSites = 20000

// addSites records the positions of operations on vectors and matrices.
func (c *Compiler) addSites(sites map[token.Pos]rewrite.Site) {
	if len(c.Sites)+len(sites) > keepSites {
		clear(c.Sites)
	}
	for pos, site := range sites {
		c.Sites[int(pos)] = site
	}
}

// Unreach undoes the definitions that a failed cell did not reach: their names refer to the same
// objects as before.
func (c *Compiler) Unreach(p *Program) {
	c.unreach(p, rewrite.InitName, p.unit.Initial())
	c.unreach(p, rewrite.ReachedName, p.unit.Definitions())
}

// unreach does the work of Unreach for the definitions that a variable of the cell counts.
func (c *Compiler) unreach(p *Program, counter string, definitions map[string]int) {
	v, err := c.variable(p, counter)
	if err != nil {
		return // it has no definition that can fail
	}
	for name, n := range definitions {
		if n > int(v.Int()) {
			c.restore(p, name)
		}
	}
}

// restore makes a name refer to the same object as before the cell.
func (c *Compiler) restore(p *Program, name string) {
	now, old := c.Scope.Lookup(name), p.old[name]
	if now == nil {
		return
	}
	if old != nil && replaces(old.Obj, now.Obj) {
		return // it has had the old value from the start
	}
	c.Scope.PutBack(name, old)
}

// carryOver sets the new variables of a cell to the values of the variables that they replace. They
// keep these values until the cell reaches their definitions.
func (c *Compiler) carryOver(p *Program) {
	for name, old := range p.old {
		now := c.Scope.Lookup(name)
		if now == nil || !replaces(old.Obj, now.Obj) {
			continue
		}
		if _, isVar := now.Obj.(*types.Var); !isVar {
			continue
		}
		nv, err1 := c.engineVar(now.Obj)
		ov, err2 := c.engineVar(old.Obj)
		if err1 != nil || err2 != nil {
			continue // a value that can't be read can't be copied
		}
		if p.zeroed[name] {
			nv.SetZero()
		} else if nv.Addr().Pointer() != ov.Addr().Pointer() {
			nv.Set(ov)
		}
	}
}
