// Package reflect on declared types.
package main

import (
	"fmt"
	"reflect"
	"strings"
)

type Account struct {
	Owner   string `db:"owner" json:"o"`
	balance float64
	Tags    []string
	Limits  map[string]int
	next    *Account
}

func (a Account) Balance() float64 { return a.balance }
func (a *Account) Deposit(x float64, note ...string) error {
	if x < 0 {
		return fmt.Errorf("negative %v %v", x, note)
	}
	a.balance += x
	return nil
}
func (a Account) secret() {}

type Op func(float64) float64

func (o Op) Twice(x float64) float64 { return o(o(x)) }

type Visitor interface {
	Visit(n int) Visitor
	quiet()
}
type Num int

func (n Num) Visit(k int) Visitor { return n + Num(k) }
func (n Num) quiet()              {}

type Box[T any] struct{ V T }

func (b Box[T]) Get() T   { return b.V }
func (b *Box[T]) Set(v T) { b.V = v }

func describe(t reflect.Type) {
	fmt.Println(t, t.Name(), t.PkgPath(), t.Kind(), t.Size(), t.Comparable(), t.NumMethod())
	for i := range t.NumMethod() {
		m := t.Method(i)
		fmt.Println("  method", m.Name, m.Type, m.PkgPath, m.Index)
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			f := t.Field(i)
			fmt.Println("  field", f.Name, f.Type, f.Tag, f.PkgPath, f.Offset, f.Index, f.Anonymous, f.IsExported())
		}
	}
}

func main() {
	for _, v := range []any{Account{}, &Account{}, Op(nil), Num(1), Box[int]{}, &Box[Account]{}, Box[[]map[string]Num]{}, struct {
		*Account
		Num
		x int `k:"v"`
	}{}} {
		describe(reflect.TypeOf(v))
	}
	describe(reflect.TypeFor[Visitor]())
	a := &Account{Owner: "ada"}
	v := reflect.ValueOf(a)
	out := v.MethodByName("Deposit").Call([]reflect.Value{reflect.ValueOf(10.5)})
	fmt.Println(out[0].IsNil(), a.balance)
	out = v.MethodByName("Deposit").CallSlice([]reflect.Value{reflect.ValueOf(-1.0), reflect.ValueOf([]string{"n"})})
	fmt.Println(out[0].Interface())
	f, _ := v.Type().MethodByName("Balance")
	fmt.Println(f.Func.Call([]reflect.Value{v})[0])
	bal, _ := reflect.TypeOf(*a).MethodByName("Balance")
	fmt.Println(bal.Func.Interface().(func(Account) float64)(*a))
	v.Elem().FieldByName("Owner").SetString("bob")
	v.Elem().Field(2).Set(reflect.Append(v.Elem().Field(2), reflect.ValueOf("t")))
	fmt.Println(*a, v.Elem().Field(1).CanSet(), v.Elem().Field(0).CanSet())
	sf, ok := v.Elem().Type().FieldByName("Owner")
	fmt.Println(sf.Tag.Get("db"), sf.Tag.Get("json"), ok)
	fmt.Println(reflect.TypeOf(Num(1)).Implements(reflect.TypeFor[Visitor]()), reflect.TypeOf(1).Implements(reflect.TypeFor[Visitor]()),
		reflect.TypeOf(a).AssignableTo(reflect.TypeFor[any]()), reflect.TypeOf(Num(1)).ConvertibleTo(reflect.TypeFor[float64]()))
	fmt.Println(reflect.ValueOf(Num(3)).Convert(reflect.TypeFor[float64]()), reflect.Zero(reflect.TypeOf(*a)))
	fmt.Println(reflect.DeepEqual(Account{Tags: []string{"x"}}, Account{Tags: []string{"x"}}), reflect.DeepEqual(*a, Account{}))
	n := reflect.New(reflect.TypeOf(Num(0)))
	n.Elem().SetInt(41)
	fmt.Println(n.Elem().Interface().(Visitor).Visit(1))
	sl := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(Num(0))), 2, 2)
	sl.Index(1).SetInt(5)
	fmt.Printf("%v %T\n", sl, sl.Interface())
	_, isNums := sl.Interface().([]Num)
	mp := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[Num](), reflect.TypeFor[*Account]()))
	mp.SetMapIndex(reflect.ValueOf(Num(1)), v)
	_, isMap := mp.Interface().(map[Num]*Account)
	fmt.Println(isNums, isMap, reflect.PointerTo(reflect.TypeFor[Num]()) == reflect.TypeFor[*Num]())
	fn := reflect.MakeFunc(reflect.TypeFor[Op](), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(in[0].Float() * 3)}
	})
	fmt.Println(fn.Interface().(Op).Twice(2), fn.MethodByName("Twice").Call([]reflect.Value{reflect.ValueOf(1.0)})[0])
	swap := func(in []reflect.Value) []reflect.Value { return []reflect.Value{in[1], in[0]} }
	var s2 func(Num, string) (string, Num)
	reflect.ValueOf(&s2).Elem().Set(reflect.MakeFunc(reflect.TypeOf(s2), swap))
	fmt.Println(s2(1, "x"))
	fmt.Println(reflect.TypeOf(main), reflect.TypeOf(strings.Map), reflect.TypeOf(func(Num, ...Account) *Op { return nil }))
	defer func() { fmt.Println("recovered:", recover()) }()
	v.Elem().Field(1).SetFloat(3)
}
