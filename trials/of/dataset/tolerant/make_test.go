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
