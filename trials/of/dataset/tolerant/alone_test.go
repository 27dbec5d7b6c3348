package tolerant_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A column that is alone has no separator: commas below its name belong to its values.
func TestCommasOfAColumnThatIsAlone(t *testing.T) {
	for text, want := range map[string]float64{
		"preis\n57,86\n":                         57.86,
		"preis\n57,86\n12\n(3,25)\n-4,5\n":       57.86,
		"preis\n57,86 €\n12,05 €\n":              57.86,
		"share\n16,4 %\n":                        16.4,
		"paid\n\"1,029.80 USD\"\n1,340.10 USD\n": 1029.8,
		"paid\n1,029.80 USD\n980.00 USD\n":       1029.8,
		"day\nMay 7, 2000\nDec 31, 1999\n":       957657600,
		"people\n1,234,567\n23,456\n12\n1,000\n": 1234567,
		"preis\n57,86\n\n12,05\n":                57.86,
		"\"preis\"\r\n57,86\r\n1,5\r\n":          57.86,
		"text\ta\n1,5\t2\n2,5\t3\n":              1.5,
		"a,b\n1,5\n2,7\n":                        1,
		"1,5\n2,7\n3,8\n":                        1,
		"a,\n1,5\n2,7\n":                         1,
		"sep=,\na\n1,5\n":                        1,
		"400.5\n57,86\n":                         57.86, // it is named
	} {
		table, err := tolerant.Open(context.Background(), []string{"-"}, tolerant.Options{Input: strings.NewReader(text), Names: []string{"400.5"}})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		c := table.Columns[0]
		if got := c.Values; got == nil || math.Abs(got[0]-want) > 1e-9 {
			t.Errorf("%q: %q is %v of %v, not %g", text, c.Name, c.Kind, got, want)
		}
		if alone := want != 1 && c.Name != "text"; alone && len(table.Columns) > 1 {
			t.Errorf("%q has %d columns", text, len(table.Columns))
		}
	}
}
