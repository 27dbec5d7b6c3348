package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A border below 0 is as round as one above.
func TestBordersBelowNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	var b strings.Builder
	b.WriteString("frost,dew,sort\n")
	for k := range 800 {
		tenths := k*157%400 - 200
		sort := "mild"
		if tenths < -100 {
			sort = "hard"
		}
		text := fmt.Sprintf("%.1f", float64(tenths)/10)
		if tenths == 0 {
			text = "-0.0"
		}
		fmt.Fprintf(&b, "%s,%d,%s\n", text, r.IntN(90), sort)
	}
	var said []string
	for _, law := range checkText(t, b.String()).Relations {
		said = append(said, law.Text)
	}
	if want := "sort follows from frost: hard below -10, mild from -10 on"; !slices.ContainsFunc(said, func(s string) bool { return strings.ReplaceAll(s, ".0", "") == want }) {
		t.Errorf("%q", said)
	}
}

// A number of which all rows have another word than its neighbours is a code, of which each stands for a word.
func TestCodesOfWords(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var b strings.Builder
	b.WriteString("code,pieces,sort\n")
	for range 1500 {
		code := r.IntN(300)
		sort := "ABC"[code/100]
		if code%43 == 7 {
			sort = "BCA"[code/100]
		}
		fmt.Fprintf(&b, "%d,%d,sort %c\n", 100+code, r.IntN(90), sort)
	}
	var said []string
	for _, law := range checkText(t, b.String()).Relations {
		said = append(said, law.Text)
	}
	if !slices.Equal(said, []string{"code decides sort"}) {
		t.Errorf("%q", said)
	}
}
