package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"
)

// repository is the repository of this program's module and its releases.
const repository = "github.com/gokernel/gokernel"

func newUpdate() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Check for a newer version",
		Long: `Look up the newest release at ` + repository + ` and print how to update
your installation. No information about you is sent, and nothing is changed.

With --check, the exit status is 1 if there is a newer version.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			exe, err := os.Executable()
			if err != nil {
				return fmt.Errorf("update: can't find this program's file: %w", err)
			}
			newest, err := newestRelease(cmd.Context(), "https://"+repository)
			if err != nil {
				return fmt.Errorf("update: %w", err)
			}
			text, newer := compareVersions(version(), newest)
			if newer {
				text += "\n" + howToUpdate(exe, newest)
			}
			fmt.Fprintln(cmd.OutOrStdout(), text)
			if newer && check {
				return exitCode(1)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "exit with status 1 if there is a newer version")
	return cmd
}

// newestRelease requests the version of a repository's newest release. Its page releases/latest
// redirects to the page of the release, which is named after its tag.
func newestRelease(ctx context.Context, address string) (string, error) {
	page := address + "/releases/latest"
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, page, nil)
	if err != nil {
		return "", err
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		if e := (*url.Error)(nil); errors.As(err, &e) {
			err = e.Err // without the address, which is in the message
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("no answer within 15 seconds")
		}
		return "", fmt.Errorf("can't check for a newer version: %s can't be reached: %w", page, err)
	}
	resp.Body.Close()
	to, err := resp.Location()
	if err != nil {
		return "", fmt.Errorf("%s has no release: the server answers %s", page, resp.Status)
	}
	tag := path.Base(to.Path)
	if !semver.IsValid(tag) {
		return "", fmt.Errorf("%s redirects to %s, which isn't a release", page, to)
	}
	return strings.TrimPrefix(tag, "v"), nil
}

// compareVersions compares a version with the newest release.
func compareVersions(have, newest string) (text string, newer bool) {
	switch {
	case !semver.IsValid("v" + have):
		return fmt.Sprintf("This is %s, built from source. The newest release is %s.", have, newest), false
	case semver.Compare("v"+have, "v"+newest) < 0:
		return fmt.Sprintf("This is %s. There is a newer version, %s.", have, newest), true
	default:
		return fmt.Sprintf("This is %s. There is no newer version.", have), false
	}
}

// howToUpdate explains how to update a program, according to the path of its file and the files
// around it.
func howToUpdate(exe, to string) string {
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	slashed := filepath.ToSlash(exe)
	prefix, below, _ := strings.Cut(slashed, "/share/jupyter/kernels/")
	there := func(pattern string) bool {
		found, err := filepath.Glob(filepath.Join(filepath.FromSlash(prefix), filepath.FromSlash(pattern)))
		return err == nil && len(found) > 0
	}
	switch {
	case strings.Contains(slashed, "/Cellar/"), strings.Contains(slashed, "/Caskroom/"):
		return "brew upgrade gokernel"
	case strings.Contains(slashed, "/scoop/apps/"):
		return "scoop update gokernel"
	case below != "" && there("conda-meta/gokernel-*.json"):
		return "conda update gokernel"
	case below != "" && (there("lib/python*/site-packages/gokernel-*.dist-info") || there("Lib/site-packages/gokernel-*.dist-info")):
		return "pip install --upgrade gokernel"
	}
	return fmt.Sprintf("Get it from https://%s/releases/tag/v%s, or with Go: go install %s/cmd/gokernel@v%s", repository, to, repository, to)
}
