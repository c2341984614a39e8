package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// since is the commit after which the rules for subjects hold. In a clone without this commit, such
// as a shallow clone, newer commits can't be distinguished from older ones.
const since = "12bda2f6f1f4eb05747ac8044461728ab87ff6a3"

// checkSubjects checks the commits after since that are not merges.
func checkSubjects() ([]finding, error) {
	if _, err := command("", "git", "merge-base", "--is-ancestor", since, "HEAD"); err != nil {
		fmt.Fprintf(os.Stderr, "prose: subjects are not checked: the history has no commit %s\n", since)
		return nil, nil
	}
	log, err := command("", "git", "log", "--no-merges", "--format=%h %s", since+"..HEAD")
	if err != nil {
		return nil, err
	}
	var found []finding
	for line := range strings.Lines(log) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, m := range subjectErrors(subject) {
			found = append(found, finding{"commit " + hash, 1, m + ": " + subject, "Subject"})
		}
	}
	return found, nil
}

var (
	subjectForm = regexp.MustCompile(`^[A-Za-z0-9_./*{}-]+(, [A-Za-z0-9_./*{}-]+)*: \S`)
	// inflected matches the first words that cannot be an imperative: added, adding, adds.
	inflected = regexp.MustCompile(`^(\w+(ed|ing|[^su]s)|the|an?|what|who|whether|where|how|why|when|which|it|there|this|that|these|those|its?|no|all|some|each|every|more|new|now)$`)
	// verbs matches imperatives that look like the words that inflected matches.
	verbs = regexp.MustCompile(`^(embed|feed|need|speed|seed|shed|shred|wed|exceed|proceed|succeed|bring|ring|sing|string|swing|bias|alias|canvas|atlas)$`)
)

// subjectErrors returns what is wrong with the subject of a commit.
func subjectErrors(s string) []string {
	var errs []string
	if n := utf8.RuneCountInString(s); n > 72 {
		errs = append(errs, fmt.Sprintf("a subject must have at most 72 characters, got %d", n))
	}
	if strings.Contains(s, ";") {
		errs = append(errs, `a subject must have no semicolon ("; " means two commits)`)
	}
	if strings.HasPrefix(s, `Revert "`) {
		return errs
	}
	if !subjectForm.MatchString(s) {
		return append(errs, "a subject must have the form \"package: verb object\"")
	}
	_, rest, _ := strings.Cut(s, ": ")
	verb, _, _ := strings.Cut(rest, " ")
	if inflected.MatchString(verb) && !verbs.MatchString(verb) {
		errs = append(errs, fmt.Sprintf("a subject must begin with an imperative verb, got %q", verb))
	}
	if strings.HasSuffix(s, ".") {
		errs = append(errs, "a subject must not end with a period")
	}
	return errs
}
