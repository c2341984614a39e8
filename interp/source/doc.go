// Package source loads the packages that cells import and that are not compiled into
// the kernel: it finds their folders by package modules, chooses their files for this
// machine, type-checks them and what they import, and says before anything runs what
// cannot be run from source.
//
// A [Loader] serves one session. Its files: loader.go finds and loads; files.go chooses
// and parses files; missing.go has functions without a body, and what stands for them;
// embed.go reads what //go:embed names.
package source
