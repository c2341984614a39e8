// Package source loads the packages that cells import and that are not compiled into the kernel. It
// finds their folders with package modules, selects their files for this machine, and type-checks
// them and their imports. It reports what can't run from source before any code runs.
//
// A [Loader] serves one session. Its files: loader.go finds and loads packages, files.go selects
// and parses files, missing.go replaces functions without a body, and embed.go reads the files of
// //go:embed directives.
package source
