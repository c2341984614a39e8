// Package modules finds the modules and folders that hold the packages of imports,
// as the go command does and without it: the module of a notebook's folder with its
// requirements, replacements, exclusions, vendor folder and workspace, the module
// cache, and module proxies, whose files are checked against go.sum and the checksum
// database.
//
// A [Build] is the modules of one session. Its files, in the order in which a newcomer
// reads them: build.go is what others see; project.go reads go.mod, go.work and
// vendor/modules.txt; graph.go chooses versions (minimal version selection over a
// pruned graph, https://go.dev/ref/mod#minimal-version-selection); query.go finds
// versions that nothing requires yet; cache.go keeps what was fetched where the go
// command keeps it; proxy.go speaks to proxies; sums.go checks; env.go reads the
// settings.
package modules
