package grading

import (
	"go/scanner"
	"go/token"
	"hash/fnv"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Pair is two submissions with the similarity of their answers, from 0 to 1.
type Pair struct {
	A, B       string
	Similarity float64
}

// These are the parameters of winnowing, the algorithm of Schleimer, Wilkerson and Aiken
// (Winnowing: Local Algorithms for Document Fingerprinting, SIGMOD 2003). Winnowing keeps the
// minimum of each window of hashes of gram tokens, and so finds any common run of gram+window-1
// tokens.
const (
	gram   = 12
	window = 8
)

// Similarity compares the answers of all pairs of submissions, in descending order of similarity.
// Names and layout don't count, and neither does text from the released notebook.
func Similarity(names []string, submissions []*notebook.Notebook, released *notebook.Notebook) []Pair {
	common := fingerprints(released)
	prints := make([]map[uint64]bool, len(submissions))
	for i, nb := range submissions {
		prints[i] = fingerprints(nb)
		for h := range common {
			delete(prints[i], h)
		}
	}
	var pairs []Pair
	for i := range prints {
		for j := range i {
			shared := 0
			for h := range prints[i] {
				if prints[j][h] {
					shared++
				}
			}
			if least := min(len(prints[i]), len(prints[j])); least > 0 && shared > 0 {
				pairs = append(pairs, Pair{names[j], names[i], float64(shared) / float64(least)})
			}
		}
	}
	sort.SliceStable(pairs, func(a, b int) bool { return pairs[a].Similarity > pairs[b].Similarity })
	return pairs
}

func fingerprints(nb *notebook.Notebook) map[uint64]bool {
	prints := map[uint64]bool{}
	for _, c := range nb.Cells {
		if m := markOf(c); c.Type != notebook.Code || m.role == tests || m.role == locked {
			continue
		}
		words := tokens(c.Source)
		var hashes []uint64
		for i := 0; i+gram <= len(words); i++ {
			h := fnv.New64a()
			h.Write([]byte(strings.Join(words[i:i+gram], " ")))
			hashes = append(hashes, h.Sum64())
		}
		for i := range hashes {
			least := hashes[i]
			for _, h := range hashes[i:min(i+window, len(hashes))] {
				least = min(least, h)
			}
			prints[least] = true
		}
	}
	return prints
}

// tokens returns the Go tokens of src, with the same token for all names and the same token for all
// numbers.
func tokens(src string) (words []string) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), []byte(src), func(token.Position, string) {}, 0)
	for {
		_, tok, _ := s.Scan()
		if tok == token.EOF {
			return words
		}
		if tok != token.SEMICOLON {
			words = append(words, tok.String())
		}
	}
}
