package file

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

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
		coding  file.Categorical
		problem string // "" : coded
	}{
		"currency":      {column("$1,200", "$15", "$1,200", "$3"), file.OneHot, `texts such as "$`},
		"also ordinal":  {column("$1,200", "$15", "$1,200", "$3"), file.Ordinal, `texts such as "$`},
		"percent":       {column("10%", "20%", "10%", "n/a"), file.OneHot, "look like numbers"},
		"numbers, n/a":  {column("1", "n/a", "2", "n/a", "n/a", "n/a"), file.OneHot, `"n/a"`},
		"many":          {column(many...), file.OneHot, "60 different texts"},
		"many, ordinal": {column(many...), file.Ordinal, ""},
		"50":            {column(few...), file.OneHot, ""},
		"words":         {column("red", "blue", "red", "n/a"), file.OneHot, ""},
		"sizes":         {column("10 kg", "L", "XL", "3XL"), file.OneHot, ""},
		"shown only":    {column("$1,200", "$15", "$1,200", "$3"), file.Codes, ""},
	} {
		_, err := file.Read(context.Background(), "-", file.Options{Input: strings.NewReader(c.text), Categorical: c.coding})
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
		set, err := file.Read(context.Background(), "-", file.Options{Input: strings.NewReader(c.text), Categorical: c.coding, Text: []string{"price"}})
		if err != nil || c.coding == file.OneHot && set.Dim() < 3 {
			t.Errorf("%s, called a category: %v", name, err)
		}
		if _, err := file.Read(context.Background(), "-", file.Options{Input: strings.NewReader(c.text), Categorical: c.coding, Drop: []string{"price"}}); err != nil {
			t.Errorf("%s, dropped: %v", name, err)
		}
	}
}
