package file

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
)

func TestDressedNumbers(t *testing.T) {
	for _, text := range []string{"$1,200.50", "1.234,5 EUR", "12 %", "12%", "(300)", "-5 %", "1'000", "€ 9", "9 €", "+3", "1 234 567", "~10", "<5", "USD 1,000", "$-4.20", "1e3", "1,5", "20\u00a0000", "7°"} {
		if !isDressedNumber(text) {
			t.Errorf("%q is not taken for a number", text)
		}
	}
	for _, text := range []string{"", "red", "3XL", "1.2.3", "2020-01-01", "7:30", "a1", "12 34", "1,23,4", "--", "%", "B12", "10-20", "5 apples"} {
		if isDressedNumber(text) {
			t.Errorf("%q is taken for a number", text)
		}
	}
}

// Text columns that are probably no categories are asked about, with the flags that decide.
func TestQuestionableCategories(t *testing.T) {
	column := func(cells ...string) string {
		return "x,price\n" + func() (s string) {
			for i, c := range cells {
				s += fmt.Sprintf("%d,\"%s\"\n", i, c)
			}
			return s
		}()
	}
	var many, few []string
	for i := range 60 {
		many = append(many, "name "+string(rune('A'+i%26))+strings.Repeat("x", i/26))
		few = append(few, many[i%50])
	}
	for name, c := range map[string]struct {
		text    string
		coding  Categorical
		problem string // "" : coded
	}{
		"currency":      {column("$1,200", "$15", "$1,200", "$3"), OneHot, `texts such as "$`},
		"also ordinal":  {column("$1,200", "$15", "$1,200", "$3"), Ordinal, `texts such as "$`},
		"percent":       {column("10%", "20%", "10%", "n/a"), OneHot, "look like numbers"},
		"numbers, n/a":  {column("1", "n/a", "2", "n/a", "n/a", "n/a"), OneHot, `"n/a"`},
		"many":          {column(many...), OneHot, "60 different texts"},
		"many, ordinal": {column(many...), Ordinal, ""},
		"50":            {column(few...), OneHot, ""},
		"words":         {column("red", "blue", "red", "n/a"), OneHot, ""},
		"sizes":         {column("10 kg", "L", "XL", "3XL"), OneHot, ""},
		"shown only":    {column("$1,200", "$15", "$1,200", "$3"), Codes, ""},
	} {
		_, err := Read(context.Background(), "-", Options{Input: strings.NewReader(c.text), Categorical: c.coding})
		if c.problem == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		complaint(t, err)
		e, ok := err.(*dataset.InputError)
		if !ok || e.Column != "price" || !strings.Contains(e.Problem, c.problem) || !strings.Contains(e.Advice(flags), "--text price") || !strings.Contains(e.Advice(flags), "--drop price") {
			t.Errorf("%s: %v", name, err)
		}
		set, err := Read(context.Background(), "-", Options{Input: strings.NewReader(c.text), Categorical: c.coding, Text: []string{"price"}})
		if err != nil || c.coding == OneHot && set.Dim() < 3 {
			t.Errorf("%s, called a category: %v", name, err)
		}
		if _, err := Read(context.Background(), "-", Options{Input: strings.NewReader(c.text), Categorical: c.coding, Drop: []string{"price"}}); err != nil {
			t.Errorf("%s, dropped: %v", name, err)
		}
	}
}
