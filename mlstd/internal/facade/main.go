package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("facade: ")
	dir := flag.String("dir", ".", "the directory of mlstd")
	flag.Parse()
	files, err := generate(*dir)
	if err != nil {
		log.Fatal(err)
	}
	old, err := filepath.Glob(filepath.Join(*dir, "zz_*.go"))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range old {
		if files[filepath.Base(name)] == nil {
			if err := os.Remove(name); err != nil {
				log.Fatal(err)
			}
		}
	}
	for name, content := range files {
		name = filepath.Join(*dir, name)
		if b, err := os.ReadFile(name); err == nil && bytes.Equal(b, content) {
			continue
		}
		if err := os.WriteFile(name, content, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
