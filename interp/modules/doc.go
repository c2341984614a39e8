// Package modules finds the modules and folders of imported packages. It does so as the go command
// does, but without the go command. It searches the module of a notebook's folder, with its
// requirements, replacements, exclusions, vendor folder and workspace. It also searches the module
// cache and module proxies, and checks their files against go.sum and the checksum database.
//
// A [Build] contains the modules of one session. Read the files in this order: build.go has the
// exported functions. Then project.go reads go.mod, go.work and vendor/modules.txt. The file
// graph.go selects versions (minimal version selection over a pruned graph,
// https://go.dev/ref/mod#minimal-version-selection), and query.go finds versions that nothing
// requires yet. Fetched files go to the go command's cache in cache.go. The file proxy.go talks to
// proxies, sums.go checks the files, and env.go reads the settings.
package modules
