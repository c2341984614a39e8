package testdeps

import (
	"reflect"
	"testing"
)

// Seeds are read as the go command writes them.
func TestSeedsOfEachType(t *testing.T) {
	got, err := seed("go test fuzz v1\nstring(\"a\\n\")\n[]byte(\"\\xff\")\nint(-3)\nuint8(7)\nbyte('a')\nrune('é')\nfloat64(-1.5)\nbool(true)\nint64(0x10)\n")
	want := []any{"a\n", []byte{0xff}, -3, uint8(7), byte('a'), 'é', -1.5, true, int64(16)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, %v, want %#v", got, err, want)
	}
	for _, bad := range []string{"", "int(1)", "go test fuzz v1\nint(1.5)", "go test fuzz v1\nuint8(300)", "go test fuzz v1\nx", "go test fuzz v1\nint(1, 2)"} {
		if got, err := seed(bad); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
}

func TestSeedsMustHaveTheTypesOfTheTarget(t *testing.T) {
	want := []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[string]()}
	if err := (deps{}).CheckCorpus([]any{1, "a"}, want); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]any{{1}, {"a", 1}, {1, "a", 2}} {
		if (deps{}).CheckCorpus(bad, want) == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}
