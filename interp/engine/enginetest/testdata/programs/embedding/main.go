// Embedded interfaces, structs and types of the standard library.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sort"
	"strings"
	"sync"
	"time"
)

type named interface{ Name() string }
type animal struct{ name string }

func (a animal) Name() string     { return a.name }
func (a *animal) Rename(n string) { a.name = n }
func (a animal) hidden() string   { return "hidden " + a.name }

type dog struct {
	animal
	age int
}

func (d dog) Name() string { return "dog " + d.animal.Name() }

type puppy struct {
	*dog
	fmt.Stringer
}

type counter struct {
	sync.Mutex
	n map[string]int
}

func (c *counter) inc(k string) {
	c.Lock()
	defer c.Unlock()
	c.n[k]++
}

type logBuffer struct {
	bytes.Buffer
	lines int
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.lines += bytes.Count(p, []byte("\n"))
	return l.Buffer.Write(p)
}

type upper struct{ io.Reader }

func (u upper) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	copy(p, bytes.ToUpper(p[:n]))
	return n, err
}

type stamp struct {
	time.Time
	note string
}

type reversed struct{ sort.Interface }

func (r reversed) Less(i, j int) bool { return r.Interface.Less(j, i) }

type hello struct{ visits int }

func (h *hello) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.visits++
	w.Header().Set("X-Visits", fmt.Sprint(h.visits))
	fmt.Fprintf(w, "hello %s", r.URL.Path)
}

type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(s int) { r.status = s; r.ResponseWriter.WriteHeader(s) }

func main() {
	d := dog{animal{"rex"}, 3}
	d.Rename("max")
	p := puppy{&d, time.Second}
	fmt.Println(d.Name(), p.Name(), p.animal.Name(), p.hidden(), p.String(), p.age)
	p.Rename("tim")
	var n named = p
	fmt.Println(n.Name(), d.name)
	var rn interface{ Rename(string) } = p
	rn.Rename("via interface")
	fmt.Println(d.name)
	fmt.Println(p)
	if _, ok := any(d).(interface{ Rename(string) }); ok {
		fmt.Println("dog must not have Rename")
	}
	anon := struct {
		named
		*animal
		x int
	}{named: d, animal: &animal{"anon"}, x: 1}
	var h interface{ hidden() string } = anon
	fmt.Println(h.hidden(), anon.named.Name())
	fmt.Printf("%T\n", anon)

	c := counter{n: map[string]int{}}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() { c.inc(fmt.Sprint(i % 3)) })
	}
	wg.Wait()
	fmt.Println(c.n)

	var lb logBuffer
	fmt.Fprintln(&lb, "one")
	fmt.Fprint(io.Writer(&lb), "two\nthree")
	fmt.Println(lb.lines, lb.Len(), lb.String())
	b, err := io.ReadAll(upper{strings.NewReader("shout")})
	fmt.Println(string(b), err)
	st := stamp{time.Date(2024, 2, 29, 1, 2, 3, 0, time.UTC), "leap"}
	fmt.Println(st, st.Year(), st.Add(time.Hour).Format(time.Kitchen))
	xs := []string{"b", "c", "a"}
	sort.Sort(reversed{sort.StringSlice(xs)})
	fmt.Println(xs)

	srv := &hello{}
	mux := http.NewServeMux()
	mux.Handle("/", srv)
	mux.HandleFunc("/teapot", func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w}
		rec.WriteHeader(http.StatusTeapot)
		fmt.Fprint(rec, "status ", rec.status)
	})
	for _, path := range []string{"/a", "/teapot", "/b"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		fmt.Println(w.Code, w.Body, w.Header().Get("X-Visits"))
	}
	ts := httptest.NewServer(mux)
	defer ts.Close()
	resp, err := http.Get(ts.URL + "/net")
	if err != nil {
		fmt.Println(err)
		return
	}
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(string(body), srv.visits)
}
