package check

import (
	"testing"
)

// Three letters differ by a finger's slip, or by right.
func TestShortMisspeltWords(t *testing.T) {
	for _, c := range []struct {
		rare   string
		meant  string
		others []string
	}{
		{"EUT", "EUR", []string{"USD"}},
		{"GTE", "GET", []string{"PUT"}},
		{"AUD", "", []string{"USD"}},
		{"SEK", "", []string{"USD", "DKK"}},
		{"E02", "", []string{"E01"}},
	} {
		levels, counts := append([]string{c.rare, "EUR", "GET"}, c.others...), []int{1, 150, 150}
		for range c.others {
			counts = append(counts, 90)
		}
		m, found := misspelt(levels, counts)[0]
		if found != (c.meant != "") || found && levels[m.level] != c.meant {
			t.Errorf("%s: %v %q, meant %q", c.rare, found, levels[m.level], c.meant)
		}
	}
}

// A slip in one of a few words of four letters calls the row; another letter may be another word.
func TestMisspeltWordsOfFourLetters(t *testing.T) {
	for word, want := range map[string]float64{"Nrod": 1e-5, "Wesr": 1e-5, "Rest": 1e-4} {
		if got := misspelt([]string{word, "Nord", "West", "Süd"}, []int{1, 150, 130, 120})[0].p; got != want {
			t.Errorf("%s: %g instead of %g", word, got, want)
		}
	}
}
