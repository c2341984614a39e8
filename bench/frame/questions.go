package main

import (
	"path/filepath"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/read"
)

// question is one question of the benchmark.
type question struct {
	name, text string
	sums       []string // columns of the answer whose sums are compared
	do         func(t map[string]*frame.Frame) *frame.Frame
}

// parts are the kinds of questions, in order.
var parts = []string{"read", "group", "join"}

// questionsOf returns the questions of a part, whose files are in dir.
func questionsOf(part, dir string) []question {
	switch part {
	case "read":
		return []question{{"1", "read its CSV", []string{"v1", "v2", "v3"}, func(map[string]*frame.Frame) *frame.Frame {
			return must(read.Read(filepath.Join(dir, csvFile)))
		}}}
	case "group":
		return groupQuestions
	}
	return joinQuestions
}

// csvFile is the table of the group-by questions as CSV.
const csvFile = "x.csv"

// by groups the only table of the group-by questions.
func by(keys []string, aggs ...frame.Agg) func(map[string]*frame.Frame) *frame.Frame {
	return func(t map[string]*frame.Frame) *frame.Frame { return t["x"].By(keys...).Agg(aggs...) }
}

var groupQuestions = []question{
	{"1", "sum v1 by id1", []string{"v1_sum"}, by([]string{"id1"}, frame.Sum("v1"))},
	{"2", "sum v1 by id1:id2", []string{"v1_sum"}, by([]string{"id1", "id2"}, frame.Sum("v1"))},
	{"3", "sum v1, mean v3 by id3", []string{"v1_sum", "v3_mean"}, by([]string{"id3"}, frame.Sum("v1"), frame.Mean("v3"))},
	{"4", "mean v1:v3 by id4", []string{"v1_mean", "v2_mean", "v3_mean"}, by([]string{"id4"}, frame.Mean("v1"), frame.Mean("v2"), frame.Mean("v3"))},
	{"5", "sum v1:v3 by id6", []string{"v1_sum", "v2_sum", "v3_sum"}, by([]string{"id6"}, frame.Sum("v1"), frame.Sum("v2"), frame.Sum("v3"))},
	{"6", "median v3, sd v3 by id4, id5", []string{"v3_median", "v3_sd"}, by([]string{"id4", "id5"}, frame.Median("v3"), frame.SD("v3"))},
	{"7", "max v1 - min v2 by id3", []string{"range"}, func(t map[string]*frame.Frame) *frame.Frame {
		f := t["x"].By("id3").Agg(frame.Max("v1"), frame.Min("v2"))
		return f.With("range", f.Col("v1_max").Minus(f.Col("v2_min"))).Select("id3", "range")
	}},
	{"8", "largest two v3 by id6", []string{"v3"}, func(t map[string]*frame.Frame) *frame.Frame {
		return t["x"].Select("id6", "v3").By("id6").Top(2, "-v3")
	}},
	{"9", "regression v1, v2 by id2, id4", []string{"r2"}, func(t map[string]*frame.Frame) *frame.Frame {
		f := t["x"].By("id2", "id4").Agg(frame.Corr("v1", "v2").As("r"))
		return f.With("r2", f.Col("r").Times(f.Col("r"))).Drop("r")
	}},
	{"10", "sum v3, count by id1:id6", []string{"v3_sum", "count"}, by([]string{"id1", "id2", "id3", "id4", "id5", "id6"}, frame.Sum("v3"), frame.Count())},
}

var joinQuestions = []question{
	{"1", "small inner on int", []string{"v1", "v2"}, func(t map[string]*frame.Frame) *frame.Frame { return t["x"].Join(t["small"], "id1") }},
	{"2", "medium inner on int", []string{"v1", "v2"}, func(t map[string]*frame.Frame) *frame.Frame { return t["x"].Join(t["medium"], "id2") }},
	{"3", "medium outer on int", []string{"v1", "v2"}, func(t map[string]*frame.Frame) *frame.Frame { return t["x"].LeftJoin(t["medium"], "id2") }},
	{"4", "medium inner on category", []string{"v1", "v2"}, func(t map[string]*frame.Frame) *frame.Frame { return t["x"].Join(t["medium"], "id5") }},
	{"5", "big inner on int", []string{"v1", "v2"}, func(t map[string]*frame.Frame) *frame.Frame { return t["x"].Join(t["big"], "id3") }},
}
