// Command slim removes from a WebAssembly program the tables that map instructions to source
// positions:
//
//	slim PROGRAM RESULT
//
// These are the tables of files, lines, inlined calls, arguments in tracebacks, and points at
// which a goroutine cannot be preempted asynchronously (WebAssembly has no such preemption). The
// tables that are needed to find and copy stacks stay. In a traceback, functions keep their
// names, but lines are unknown and inlined calls are missing. The tables are overwritten with
// zeros, which take almost no space once compressed.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("slim: ")
	if len(os.Args) != 3 {
		log.Fatal("usage: slim PROGRAM RESULT")
	}
	program, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if program, err = slim(program); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[2], program, 0o666); err != nil {
		log.Fatal(err)
	}
}

// dataSection is the id of the section with the initial contents of memory.
const dataSection = 11

var errShort = errors.New("the module ends too early")

// slim returns the module with the tables removed.
func slim(module []byte) ([]byte, error) {
	if !bytes.HasPrefix(module, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errors.New("the file is not a WebAssembly module")
	}
	out := bytes.Clone(module[:8])
	for rest := module[8:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || uint64(len(rest)-1-n) < size {
			return nil, errShort
		}
		head, section := rest[:1+n], rest[1+n:1+n+int(size)]
		rest = rest[1+n+int(size):]
		if head[0] != dataSection {
			out = append(append(out, head...), section...)
			continue
		}
		memory, err := unpack(section)
		if err != nil {
			return nil, err
		}
		if err := empty(memory); err != nil {
			return nil, err
		}
		section = pack(memory)
		out = append(binary.AppendUvarint(append(out, dataSection), uint64(len(section))), section...)
	}
	return out, nil
}

const (
	i32const = 0x41
	end      = 0x0b
)

// unpack returns the memory that the segments of a data section describe.
func unpack(section []byte) ([]byte, error) {
	var memory []byte
	count, n := binary.Uvarint(section)
	if n <= 0 {
		return nil, errShort
	}
	section = section[n:]
	for range count {
		if len(section) < 2 || section[0] != 0 || section[1] != i32const {
			return nil, errors.New("the address of a data segment must be constant")
		}
		// An address is a signed number, but the addresses of a Go program are not negative.
		address, n := binary.Uvarint(section[2:])
		if n <= 0 || len(section) < 3+n || section[2+n] != end {
			return nil, errShort
		}
		section = section[3+n:]
		size, n := binary.Uvarint(section)
		if n <= 0 || uint64(len(section)-n) < size {
			return nil, errShort
		}
		if need := int(address + size); need > len(memory) {
			memory = append(memory, make([]byte, need-len(memory))...)
		}
		copy(memory[address:], section[n:n+int(size)])
		section = section[n+int(size):]
	}
	return memory, nil
}

// gap is the number of zeros that end a segment.
const gap = 64

// pack returns segments for the parts of memory that are not zero.
func pack(memory []byte) []byte {
	var segments []byte
	count := uint64(0)
	zeros := make([]byte, gap)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		size := bytes.Index(memory[at:], zeros)
		if size < 0 {
			size = len(memory) - at
		}
		segments = append(segments, 0, i32const)
		segments = appendSigned(segments, at)
		segments = append(segments, end)
		segments = binary.AppendUvarint(segments, uint64(size))
		segments = append(segments, memory[at:at+size]...)
		count++
		at += size
	}
	return append(binary.AppendUvarint(nil, count), segments...)
}

// appendSigned appends a nonnegative number as a signed LEB128.
func appendSigned(b []byte, x int) []byte {
	for x >= 0x40 {
		b = append(b, byte(x)|0x80)
		x >>= 7
	}
	return append(b, byte(x))
}

// These constants describe the function tables, as package runtime reads them (symtab.go: pcHeader,
// _func).
const (
	magic       = "\xf1\xff\xff\xff\x00\x00\x01\x08" // Go 1.20 and later, for wasm
	headerWords = 8
	funcSize    = 44
	pcspAt      = 16
	pcfileAt    = 20
	pclnAt      = 24
	npcdataAt   = 28
	startLineAt = 36
	nfuncdataAt = 43
)

// These are the numbers of the tables to remove, as in package internal/abi.
var (
	droppedPCData   = map[int]bool{0: true, 2: true, 3: true} // UnsafePoint, InlTreeIndex, ArgLiveIndex
	droppedFuncData = map[int]bool{3: true, 5: true, 6: true} // InlTree, ArgInfo, ArgLiveInfo
)

// Indices of tables of inlined calls.
const (
	inlTreeIndex = 2 // maps an instruction to its entry in InlTree
	inlTree      = 3
)

// absent marks data that a function does not have.
const absent = ^uint32(0)

// inlinedCall is the size of an entry of InlTree.
const inlinedCall = 16

// empty removes the references of functions to dropped tables and overwrites these tables with
// zeros.
func empty(memory []byte) error {
	at := bytes.Index(memory, []byte(magic))
	if at < 0 || at != bytes.LastIndex(memory, []byte(magic)) {
		return errors.New("the function tables were not found")
	}
	var header [headerWords]int
	for i := range header {
		header[i] = int(binary.LittleEndian.Uint64(memory[at+8+8*i:]))
	}
	count, cu, files, pctab, functab := header[0], at+header[4], at+header[5], at+header[6], at+header[7]
	if count <= 0 || !(at < cu && cu < files && files < pctab && pctab < functab && functab+8*count < len(memory)) {
		return fmt.Errorf("the function tables have an unknown format: %v", header)
	}
	data, err := dataOfFunctions(memory, at, at+header[3])
	if err != nil {
		return err
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(memory[at:]) }
	put := func(at int, x uint32) { binary.LittleEndian.PutUint32(memory[at:], x) }

	kept, gone := map[uint32]bool{}, map[uint32]bool{}
	for i := range count {
		f := functab + int(word(functab+8*i+4))
		kept[word(f+pcspAt)] = true
		for _, at := range []int{pcfileAt, pclnAt} {
			gone[word(f+at)] = true
			put(f+at, 0)
		}
		put(f+startLineAt, 0)
		npcdata := int(word(f + npcdataAt))
		if npcdata > inlTreeIndex && memory[f+nfuncdataAt] > inlTree {
			values, tree := word(f+funcSize+4*inlTreeIndex), word(f+funcSize+4*npcdata+4*inlTree)
			if values != 0 && tree != absent {
				_, most := scan(memory[pctab+int(values) : functab])
				clear(memory[data+int(tree):][:inlinedCall*(most+1)])
			}
		}
		for j := range npcdata {
			at := f + funcSize + 4*j
			if !droppedPCData[j] {
				kept[word(at)] = true
				continue
			}
			gone[word(at)] = true
			put(at, 0)
		}
		for j := range int(memory[f+nfuncdataAt]) {
			if droppedFuncData[j] {
				put(f+funcSize+4*npcdata+4*j, absent)
			}
		}
	}
	for table := range gone {
		if !kept[table] && table != 0 {
			length, _ := scan(memory[pctab+int(table) : functab])
			clear(memory[pctab+int(table):][:length])
		}
	}
	clear(memory[cu:pctab])
	return nil
}

// moduleData is the index of the word in the runtime's moduledata that has the address of the
// functions' data. The first two words are the addresses of the header and of the function names.
const moduleData = 40

// dataOfFunctions returns the position of the functions' data.
func dataOfFunctions(memory []byte, header, names int) (int, error) {
	pair := binary.LittleEndian.AppendUint64(nil, uint64(header))
	pair = binary.LittleEndian.AppendUint64(pair, uint64(names))
	module := bytes.Index(memory, pair)
	if module < 0 || module != bytes.LastIndex(memory, pair) {
		return 0, errors.New("the runtime's moduledata was not found")
	}
	data := int(binary.LittleEndian.Uint64(memory[module+8*moduleData:]))
	if data <= 0 || data >= len(memory) {
		return 0, errors.New("the functions' data were not found")
	}
	return data, nil
}

// scan returns the length of the table of values at the start of table, and the largest value.
// The table has pairs of differences, of the value (which starts at -1) and of the address. It
// ends with a value difference of 0 that is not the first one.
func scan(table []byte) (length, most int) {
	value := -1
	most = value
	for first := true; ; first = false {
		change, n := binary.Uvarint(table[length:])
		length += n
		if change == 0 && !first {
			return length, most
		}
		value += int(change>>1) ^ -int(change&1)
		most = max(most, value)
		_, n = binary.Uvarint(table[length:])
		length += n
	}
}
