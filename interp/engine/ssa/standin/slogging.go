package standin

import (
	"context"
	"io"
	"log"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// Package log/slog stores the program counter of its caller in each record. In a record that a cell
// logs, the program counter represents a line of the cell. A handler written in a cell finds the
// source of that line with runtime.CallersFrames. The handlers of package slog are compiled and
// don't know such program counters, so their option ReplaceAttr provides the source. The default
// handler passes records to package log, and so writes them as package log does in cells.

// slogging replaces functions that log a record or make handlers. While a handler runs, the note of
// the thread holds the position of the log call.
type slogging struct {
	m    *machine.Machine
	logs *logging
}

// overrides returns the replacements by the names of the replaced functions.
func (s *slogging) overrides() map[string]any {
	all := map[string]any{
		"log/slog.Log":           func(ctx context.Context, v slog.Level, m string, a ...any) { s.log(slog.Default(), ctx, v, m, a) },
		"(*log/slog.Logger).Log": s.logArgs,
		"log/slog.LogAttrs": func(ctx context.Context, v slog.Level, m string, a ...slog.Attr) {
			s.logAttrs(slog.Default(), ctx, v, m, a...)
		},
		"(*log/slog.Logger).LogAttrs": s.logAttrs,
		"log/slog.NewTextHandler": func(w io.Writer, o *slog.HandlerOptions) *slog.TextHandler {
			return slog.NewTextHandler(w, s.options(o))
		},
		"log/slog.NewJSONHandler": func(w io.Writer, o *slog.HandlerOptions) *slog.JSONHandler {
			return slog.NewJSONHandler(w, s.options(o))
		},
		"(log/slog.Record).Source":       s.source,
		"(*log/slog.Record).Source":      func(r *slog.Record) *slog.Source { return s.source(*r) },
		"(*log/slog.TextHandler).Handle": func(h *slog.TextHandler, ctx context.Context, r slog.Record) error { return s.handle(h, ctx, r) },
		"(*log/slog.JSONHandler).Handle": func(h *slog.JSONHandler, ctx context.Context, r slog.Record) error { return s.handle(h, ctx, r) },
	}
	for name, level := range map[string]slog.Level{
		"Debug": slog.LevelDebug, "Info": slog.LevelInfo, "Warn": slog.LevelWarn, "Error": slog.LevelError,
	} {
		maps.Copy(all, map[string]any{
			"log/slog." + name:                       func(m string, a ...any) { s.log(slog.Default(), context.Background(), level, m, a) },
			"log/slog." + name + "Context":           func(ctx context.Context, m string, a ...any) { s.log(slog.Default(), ctx, level, m, a) },
			"(*log/slog.Logger)." + name:             func(l *slog.Logger, m string, a ...any) { s.log(l, context.Background(), level, m, a) },
			"(*log/slog.Logger)." + name + "Context": func(l *slog.Logger, ctx context.Context, m string, a ...any) { s.log(l, ctx, level, m, a) },
		})
	}
	return all
}

func (s *slogging) logArgs(l *slog.Logger, ctx context.Context, level slog.Level, msg string, args ...any) {
	s.log(l, ctx, level, msg, args)
}

func (s *slogging) log(l *slog.Logger, ctx context.Context, level slog.Level, msg string, args []any) {
	s.record(l, ctx, level, msg, func(r *slog.Record) { r.Add(args...) })
}

func (s *slogging) logAttrs(l *slog.Logger, ctx context.Context, level slog.Level, msg string, attrs ...slog.Attr) {
	s.record(l, ctx, level, msg, func(r *slog.Record) { r.AddAttrs(attrs...) })
}

// record logs a record from the innermost call of cell code.
func (s *slogging) record(l *slog.Logger, ctx context.Context, level slog.Level, msg string, add func(*slog.Record)) {
	if ctx == nil {
		ctx = context.Background()
	}
	if !l.Enabled(ctx, level) {
		return
	}
	pc, _, _, _ := s.logs.callers.caller(0)
	r := slog.NewRecord(time.Now(), level, msg, pc)
	add(&r)
	s.handle(l.Handler(), ctx, r)
}

// handle passes a record to a handler.
func (s *slogging) handle(h slog.Handler, ctx context.Context, r slog.Record) error {
	if own := s.throughLog(h); own != nil {
		h = own
	}
	if at, ok := s.logs.callers.site(r.PC); ok {
		if th := s.m.Thread(); th != nil {
			defer func(before any) { th.Note = before }(th.Note)
			th.Note = &note{at: at, outer: th.Note}
		}
	}
	return h.Handle(ctx, r)
}

// source is the Source method of a record.
func (s *slogging) source(r slog.Record) *slog.Source {
	if at, ok := s.logs.callers.site(r.PC); ok {
		return at.source()
	}
	return r.Source()
}

func (s *site) source() *slog.Source {
	return &slog.Source{Function: s.function, File: s.file, Line: s.line}
}

// options returns the options of a handler. If the handler adds the source, the options let it find
// the source of records from cells.
func (s *slogging) options(o *slog.HandlerOptions) *slog.HandlerOptions {
	if o == nil || !o.AddSource {
		return o
	}
	replace := o.ReplaceAttr
	own := *o
	own.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
		if src, ok := a.Value.Any().(*slog.Source); ok && a.Key == slog.SourceKey && *src == (slog.Source{}) && len(groups) == 0 {
			if th := s.m.Thread(); th != nil {
				if n, ok := th.Note.(*note); ok {
					a.Value = slog.AnyValue(n.at.source())
				}
			}
		}
		if replace != nil {
			a = replace(groups, a)
		}
		return a
	}
	return &own
}

// throughLog returns a copy of the default handler that writes as package log does in cells, or nil
// if h is another handler.
func (s *slogging) throughLog(h slog.Handler) slog.Handler {
	v := reflect.ValueOf(h)
	if t := v.Type(); t.Kind() != reflect.Pointer || t.Elem().PkgPath() != "log/slog" || t.Elem().Name() != "defaultHandler" {
		return nil
	}
	own := reflect.New(v.Type().Elem())
	own.Elem().Set(v.Elem())
	output := own.Elem().FieldByName("output")
	if output.Kind() != reflect.Func || output.Type() != reflect.TypeFor[func(uintptr, []byte) error]() {
		return nil
	}
	write := func(pc uintptr, data []byte) error {
		at, _ := s.logs.callers.site(pc)
		return s.logs.write(log.Default(), at, string(slices.Clone(data)))
	}
	*(*func(uintptr, []byte) error)(output.Addr().UnsafePointer()) = write
	return own.Interface().(slog.Handler)
}
