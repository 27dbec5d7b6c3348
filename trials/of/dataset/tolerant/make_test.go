package tolerant

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"gonum.org/v1/gonum/mat"
)

// column makes a table of one column.
func column(t *testing.T, o tolerant.Options, cells ...string) *tolerant.Column {
	t.Helper()
	rows := make([][]string, len(cells))
	for i, c := range cells {
		rows[i] = []string{c}
	}
	return &tolerant.FromStrings([]string{"c"}, rows, o).Columns[0]
}

var nan = math.NaN()

func sameValues(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || x != x && y != y })
}

func TestMisfitsAreFindings(t *testing.T) {
	got := column(t, tolerant.Options{}, "1.5", "2.5", "oops", "4.5", "12/05", "6.5", "1e999", "5 lb")
	if got.Kind != tolerant.Number || !slices.Equal(got.Misfits, []int{2, 4, 6, 7}) || got.Sure != 0.5 {
		t.Errorf("a %v column with misfits %v, %v sure", got.Kind, got.Misfits, got.Sure)
	}
	if !strings.Contains(strings.Join(got.Remarks, " "), `4 cells do not fit, such as "oops".`) {
		t.Errorf("remarks %q", got.Remarks)
	}
}

func TestDoubledNames(t *testing.T) {
	table := tolerant.FromStrings([]string{"a", "b", "a", "a (2)", ""}, [][]string{{"1", "2", "3", "4", "5"}}, tolerant.Options{})
	var names []string
	for _, c := range table.Columns {
		names = append(names, c.Name)
	}
	if want := []string{"a", "b", "a (3)", "a (2)", "column5"}; !slices.Equal(names, want) {
		t.Errorf("names %q, not %q", names, want)
	}
	if table.Columns[2].Given != "a" || len(table.Columns[2].Remarks) == 0 {
		t.Errorf("%+v", table.Columns[2])
	}
}

func TestFromValues(t *testing.T) {
	table := tolerant.FromValues([]string{"a"}, mat.NewDense(2, 2, []float64{1, nan, 2.5, 4}))
	a, b := table.Columns[0], table.Columns[1]
	if a.Name != "a" || b.Name != "x2" || !sameValues(a.Values, []float64{1, 2.5}) || b.Missing != 1 || table.Text(1, 0) != "2.5" || table.Text(0, 1) != "" {
		t.Errorf("%+v %+v", a, b)
	}
}

func TestColumnsOfNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		cells    []string
		want     []float64
		unit     string
		grouping string
		comma    bool
		decimals int
	}{
		"plain":         {[]string{"1.5", "-2", "3e2", "+4.25"}, []float64{1.5, -2, 300, 4.25}, "", "", false, 0},
		"dollars":       {[]string{"$82.74", "$1,234.50", "-$3.00", "$ 5.10", "($7.25)", "$(8.00)", "$-9.00"}, []float64{82.74, 1234.5, -3, 5.1, -7.25, -8, -9}, "$", ",", false, 2},
		"euros":         {[]string{"1.234,50 €", "12,00 €", "-3,10 €", "4,20€", "EUR 5,00"}, []float64{1234.5, 12, -3.1, 4.2, 5}, "€", ".", true, 2},
		"swiss":         {[]string{"1'234.50", "12'345'678.00", "7.25", "CHF 3.00"}, []float64{1234.5, 12345678, 7.25, 3}, "CHF", "'", false, 2},
		"french":        {[]string{"1 234,5", "12\u00a0345,5", "1\u202f234\u202f567,5", "7,5"}, []float64{1234.5, 12345.5, 1234567.5, 7.5}, "", " ", true, 1},
		"percent":       {[]string{"12 %", "3.5%", "7 %", "n/a"}, []float64{12, 3.5, 7, nan}, "%", "", false, 0},
		"units":         {[]string{"12 kg", "3.5 kg", "7kg", "8 KG"}, []float64{12, 3.5, 7, 8}, "kg", "", false, 0},
		"trailing":      {[]string{"5-", "1,234.50-", "3.25"}, []float64{-5, -1234.5, 3.25}, "", ",", false, 2},
		"accounting":    {[]string{"(1,234.50)", "2,000.25", "(3.00)"}, []float64{-1234.5, 2000.25, -3}, "", ",", false, 2},
		"true minus":    {[]string{"−5.5", "–6.5", "7.5"}, []float64{-5.5, -6.5, 7.5}, "", "", false, 1},
		"marks":         {[]string{"1", "NA", "n/a", "-", "?", "#N/A", "None", "null", "NaN", ".", "", "2"}, []float64{1, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, 2}, "", "", false, 0},
		"decimal comma": {[]string{"1,5", "2,75", "1.234", "1,234"}, []float64{1.5, 2.75, 1234, 1.234}, "", ".", true, 1},
		"thousands":     {[]string{"1,234", "12,345", "999"}, []float64{1234, 12345, 999}, "", ",", false, 0},
		"hexadecimal":   {[]string{"0x1F", "0xff", "0x10"}, []float64{31, 255, 16}, "", "", false, 0},
		"far":           {[]string{"1e308", "-1e308", "5e-324"}, []float64{1e308, -1e308, 5e-324}, "", "", false, 0},
	} {
		got := column(t, tolerant.Options{}, c.cells...)
		if got.Kind != tolerant.Number || !sameValues(got.Values, c.want) || len(got.Misfits) > 0 {
			t.Errorf("%s: a %v column of %v (misfits %v), not numbers %v", name, got.Kind, got.Values, got.Misfits, c.want)
		}
		if got.Unit != c.unit || got.Grouping != c.grouping || got.Comma != c.comma || got.Decimals != c.decimals {
			t.Errorf("%s: unit %q, grouping %q, comma %v, %d decimals", name, got.Unit, got.Grouping, got.Comma, got.Decimals)
		}
	}
}
