package site

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// sources describes where the sources of a course are.
type sources struct {
	// URL is the address of its page, such as https://github.com/owner/name.
	URL string `json:"url"`
	// Branch is "main" if it is empty.
	Branch string `json:"branch"`
	// Directory is the path of the directory of the notebooks in the repository.
	Directory string `json:"directory"`
	// Edit and View are addresses that edit and show a file, for hosts that are unknown to this
	// program; {file} stands for the path of the file in the repository.
	Edit string `json:"edit"`
	View string `json:"view"`
}

// filePlace stands for a path in an address.
const filePlace = "{file}"

func (r *sources) check() error {
	if r.URL == "" {
		if *r != (sources{}) {
			return fmt.Errorf("url must not be empty")
		}
		return nil
	}
	if u, err := url.Parse(r.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" {
		return fmt.Errorf("url must be an address such as https://github.com/owner/name, got %q", r.URL)
	}
	for field, address := range map[string]string{"edit": r.Edit, "view": r.View} {
		if address != "" && !strings.Contains(address, filePlace) {
			return fmt.Errorf("%s must contain %s, got %q", field, filePlace, address)
		}
	}
	return nil
}

// file returns the path in the repository of a file whose path is relative to the directory of the
// notebooks, or "" if the file is outside of the repository.
func (r *sources) file(name string) string {
	name = path.Join(r.Directory, name)
	if name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	return name
}

// edit returns the address of a page on which readers can edit a file, or "" if there is none.
func (r *sources) edit(name string) string {
	return r.address(name, r.Edit, map[string]string{"gitlab": "-/edit/{branch}/{file}", "gitea": "_edit/{branch}/{file}", "": "edit/{branch}/{file}"})
}

// view returns the address of a page that shows a file, or "" if there is none.
func (r *sources) view(name string) string {
	return r.address(name, r.View, map[string]string{"gitlab": "-/blob/{branch}/{file}", "gitea": "src/branch/{branch}/{file}", "": "blob/{branch}/{file}"})
}

// address returns an address for a file, from a template or, without one, from the template for the
// kind of host.
func (r *sources) address(name, pattern string, byHost map[string]string) string {
	file := r.file(name)
	if r.URL == "" || file == "" {
		return ""
	}
	if pattern == "" {
		pattern = strings.TrimRight(r.URL, "/") + "/" + byHost[r.host()]
	}
	branch := r.Branch
	if branch == "" {
		branch = "main"
	}
	return strings.NewReplacer("{branch}", escapePath(branch), filePlace, escapePath(file)).Replace(pattern)
}

// host returns the kind of the repository's host: "gitlab", "gitea", or "" for GitHub and hosts
// with the same addresses.
func (r *sources) host() string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	for kind, names := range map[string][]string{"gitlab": {"gitlab"}, "gitea": {"gitea", "codeberg", "forgejo"}} {
		for _, name := range names {
			if strings.Contains(u.Hostname(), name) {
				return kind
			}
		}
	}
	return ""
}

// escapePath escapes the elements of a path for an address.
func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	return strings.Join(parts, "/")
}
