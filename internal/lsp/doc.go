// Package lsp has the messages of the Language Server Protocol 3.17 that gokernel uses. They are
// generated from the machine-readable form of the specification, generator/lsp.json in the
// repository microsoft/lsprotocol. No existing Go module that includes notebook documents can be
// imported.
//
// The types have the same names as in the specification, which documents them
// (microsoft.github.io/language-server-protocol).
//
// To generate them again, run go run ./gen PATH/lsp.json in this directory.
package lsp
