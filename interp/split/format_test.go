package split

import "testing"

func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"statements", "x:=1\nif x>0{fmt.Println( x )}", "x := 1\nif x > 0 {\n\tfmt.Println(x)\n}"},
		{"declarations", "func  f( )int{return 1}\n\n\n\ntype T struct{a int;bcd string}", "func f() int { return 1 }\n\ntype T struct {\n\ta   int\n\tbcd string\n}"},
		{"mixed", "import  \"fmt\"\nx:=f( )\n// f is one.\nfunc f( )int{return 1}\n\nx+ 1", "import \"fmt\"\nx := f()\n// f is one.\nfunc f() int { return 1 }\n\nx + 1"},
		{"comment behind", "x:=1 // one\nfunc f( ){}", "x := 1 // one\nfunc f() {}"},
		{"values", "x:=1\nx+1,x ,  f( x )", "x := 1\nx+1, x, f(x)"},
		{"values in lines", "f(x),\n  g( x )", "f(x),\n\tg(x)"},
		{"hidden value", "x:=1; x+1;", "x := 1\nx + 1;"},
		{"hidden value and a comment", "x+1 ; // not shown", "x + 1; // not shown"},
		{"magics", "%time x:=f( )\ny:=2\n!ls  -l\nml.KNN?\nz:=3", "%time x:=f( )\ny := 2\n!ls  -l\nml.KNN?\nz := 3"},
		{"magic of a cell", "%%time\nx:=1", "%%time\nx := 1"},
		{"no Go", "%%bash\nls   -l", "%%bash\nls   -l"},
		{"package", "%%package p\nfunc  F( ){}\n", "%%package p\nfunc F() {}"},
		{"only comments", "// nothing\n", "// nothing"},
		{"empty", "", ""},
		{"raw string", "x:=`a\n\n\nb`\nfunc f( ){}", "x := `a\n\n\nb`\nfunc f() {}"},
	} {
		got, err := Format(tt.src)
		if err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
			continue
		}
		if again, err := Format(got); err != nil || again != got {
			t.Errorf("%s: the second time %q, %v; want no change of %q", tt.name, again, err, got)
		}
	}
	if _, err := Format("%time f()\nx := 1\nif {"); err == nil || err.Error() != "line 3, column 4: missing condition in if statement (and 1 more errors)" {
		t.Errorf("an open block: %v", err)
	}
}
