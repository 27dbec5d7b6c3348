package tolerant

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

func TestSeveralCurrencies(t *testing.T) {
	cells := repeated(60, func(i int) string { return []string{"$", "€", "£"}[i%3] + fmt.Sprintf("%d.50", i*i) })
	cells[7] = "$-5.00"
	c := column(t, tolerant.Options{}, cells...)
	if c.Kind != tolerant.Number || len(c.Misfits) > 0 || c.Values[7] != -5 || c.Values[59] != 59*59+.5 {
		t.Fatalf("a %v column, misfits %v: %v", c.Kind, c.Misfits, c.Values)
	}
	if remarks := strings.Join(c.Remarks, " "); !strings.Contains(remarks, "several currencies ($ 35 %, £ 33 %, € 32 %)") {
		t.Error(remarks)
	}
	// One in another currency is an exception.
	for i := range cells {
		cells[i] = fmt.Sprintf("$%d.50", i*i)
	}
	cells[9] = "€81.50"
	if c := column(t, tolerant.Options{}, cells...); !slices.Equal(c.Misfits, []int{9}) {
		t.Errorf("misfits %v", c.Misfits)
	}
}

func TestWritingsOfNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  []float64
		comma bool
	}{
		"limits":             {[]string{"<0.1", "0.5", "≥ 7", "~8", "0.9", "1.0"}, []float64{.1, .5, 7, 8, .9, 1}, false},
		"exponents":          {[]string{"1,5E+03", "2,25E-02", "3E5", "4,0e0"}, []float64{1500, .0225, 3e5, 4}, true},
		"both decimal marks": {[]string{"1,5", "2.5", "3,5", "4,25", "6.125", "7,125"}, []float64{1.5, 2.5, 3.5, 4.25, 6.125, 7.125}, true},
		"thousands":          {[]string{"1,5", "2.500,5", "3,5", "4,25", "6.125"}, []float64{1.5, 2500.5, 3.5, 4.25, 6125}, true},
		"whole thousands":    {[]string{"€ 430", "€ 2.440", "€ 18.780", "0", "€ 95", "€ 7.545", "-€ 610"}, []float64{430, 2440, 18780, 0, 95, 7545, -610}, true},
		"three decimals":     {[]string{"2.440", "18.780", "0", "7.545", "1.125"}, []float64{2.44, 18.78, 0, 7.545, 1.125}, false},
		"some decimals":      {[]string{"2", "3", "4", "1.125", "2.375", "4.625", "1.5"}, []float64{2, 3, 4, 1.125, 2.375, 4.625, 1.5}, false},
		"whole and long":     {[]string{"2", "3", "4", "1.125", "2.375", "4.625", "1250"}, []float64{2, 3, 4, 1.125, 2.375, 4.625, 1250}, false},
		"figure blanks":      {[]string{"1\u2007234.5", "2\u2007345.25", "12.5"}, []float64{1234.5, 2345.25, 12.5}, false},
		"squares":            {[]string{"5 m2", "6 m²", "7.5 m^2", "8 m2"}, []float64{5, 6, 7.5, 8}, false},
		"hexadecimal":        {[]string{"-0x1F", "0xFF", "0x0A"}, []float64{-31, 255, 10}, false},
		"invisible blanks":   {[]string{"\u200b5.5", "6.5\u200e", "\u20077.5"}, []float64{5.5, 6.5, 7.5}, false},
	} {
		got := column(t, tolerant.Options{}, c.cells...)
		if got.Kind != tolerant.Number || len(got.Misfits) > 0 || !sameValues(got.Values, c.want) || got.Comma != c.comma {
			t.Errorf("%s: a %v column of %v, misfits %v, comma %v", name, got.Kind, got.Values, got.Misfits, got.Comma)
		}
	}
}

// A column that repeats does not name rows, and years in two digits are no names either.
func TestWhatNamesNoRows(t *testing.T) {
	table := tolerant.FromStrings([]string{"ip", "year", "id"}, func() (rows [][]string) {
		for i := range 600 {
			rows = append(rows, []string{fmt.Sprintf("10.0.%d.%d", i%20, i%23), fmt.Sprint(50 + i), fmt.Sprintf("K%d", i)})
		}
		return rows
	}(), tolerant.Options{})
	c := table.Columns
	if c[0].Kind != tolerant.Identifier || !c[0].Repeats || c[1].Kind != tolerant.Number || c[2].Kind != tolerant.Identifier || c[2].Repeats {
		t.Errorf("%s; repeats %v %v", kindsOf(table), c[0].Repeats, c[2].Repeats)
	}
}
