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

// A word that is only very likely above a number breaks no law where it is another: so many rows are not wrong.
func TestStepsOfChanceAreNoLaw(t *testing.T) {
	for _, likely := range []float64{0.93, 0.9} {
		r := rand.New(rand.NewPCG(8, 2))
		var b strings.Builder
		b.WriteString("age,income,premium\n")
		for range 1500 {
			age := 18 + r.IntN(63)
			premium := "no"
			if (r.Float64() < likely) == (age >= 55) {
				premium = "yes"
			}
			fmt.Fprintf(&b, "%d,%.0f,%s\n", age, 30000+9000*r.NormFloat64(), premium)
		}
		if wrong := checkText(t, b.String()).Wrong; count(wrong) > 5 {
			t.Errorf("with %v %d of 1500 right rows are called wrong", likely, count(wrong))
		}
	}
}

func count(list []bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}
