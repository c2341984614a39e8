//go:build !js

package sqlite

import (
	"strings"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// place returns the position of an error in the query. The driver does not report it, so the query
// is prepared again with empty tables that have the same columns. If that fails in another way, as
// with tables of files, it searches for the word in the message.
func (c *connection) place(query, message string) (int, bool) {
	if at := c.offset(query, message); at >= 0 && at <= len(query) {
		return at, true
	}
	word := ""
	if _, rest, ok := strings.Cut(message, `near "`); ok {
		word, _, _ = strings.Cut(rest, `"`)
	} else if strings.HasPrefix(message, "no such ") || strings.HasPrefix(message, "ambiguous ") {
		_, word, _ = strings.Cut(message, ": ")
	}
	if word == "" {
		return 0, false
	}
	at := strings.Index(query, word)
	return at, at >= 0
}

// offset returns the position that SQLite reports, or -1.
func (c *connection) offset(query, message string) int {
	tls := libc.NewTLS()
	defer tls.Close()
	pointer := libc.Xmalloc(tls, 16)
	if pointer == 0 {
		return -1
	}
	defer libc.Xfree(tls, pointer)
	name, err := libc.CString(":memory:")
	if err != nil {
		return -1
	}
	defer libc.Xfree(tls, name)
	if sqlite3.Xsqlite3_open_v2(tls, name, pointer, sqlite3.SQLITE_OPEN_READWRITE|sqlite3.SQLITE_OPEN_MEMORY, 0) != sqlite3.SQLITE_OK {
		return -1
	}
	db := at(pointer)
	defer sqlite3.Xsqlite3_close_v2(tls, db)
	for _, schema := range c.schemas {
		prepare(tls, db, schema, pointer, true)
	}
	for from := 0; from < len(query); {
		used, ok := prepare(tls, db, query[from:], pointer, false)
		if !ok {
			if libc.GoString(sqlite3.Xsqlite3_errmsg(tls, db)) != message {
				return -1
			}
			if at := int(sqlite3.Xsqlite3_error_offset(tls, db)); at >= 0 {
				return from + at
			}
			return -1
		}
		if used == 0 {
			return -1
		}
		from += used
	}
	return -1
}

// at reads the pointer at p in SQLite's memory.
func at(p uintptr) uintptr { return **(**uintptr)(unsafe.Pointer(&p)) }

// prepare prepares the first statement of text, and runs it if step is set. It returns the length
// of the statement.
func prepare(tls *libc.TLS, db uintptr, text string, pointer uintptr, step bool) (used int, ok bool) {
	z, err := libc.CString(text)
	if err != nil {
		return 0, false
	}
	defer libc.Xfree(tls, z)
	if sqlite3.Xsqlite3_prepare_v2(tls, db, z, -1, pointer, pointer+8) != sqlite3.SQLITE_OK {
		return 0, false
	}
	statement, tail := at(pointer), at(pointer+8)
	if step {
		sqlite3.Xsqlite3_step(tls, statement)
	}
	sqlite3.Xsqlite3_finalize(tls, statement)
	return int(tail - z), true
}
