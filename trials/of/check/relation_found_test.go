package check

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// lawsOf are the relations of a table, and what the part for them says.
func lawsOf(t *testing.T, table *tolerant.Table) (check.Evidence, []check.Relation) {
	t.Helper()
	_, r := wrongRows(t, table)
	for _, e := range r.Found {
		if e.Part == check.PartRelation {
			return e, r.Relations
		}
	}
	return check.Evidence{}, r.Relations
}

func TestOrderOfColumns(t *testing.T) {
	r := random.New(3, "orders in time")
	var a, b, c []float64
	for range 800 {
		start := 1e6 * r.Float64()
		a, b, c = append(a, start), append(b, start+math.Floor(5e4*r.ExpFloat64())), append(c, 1e6*r.Float64())
	}
	table := numbersTable([]string{"start", "end", "other"}, a, b, c)
	b[17] = a[17] - 3e5
	e, relations := lawsOf(t, table)
	if got := texts(relations); !slices.Equal(got, []string{"start <= end"}) {
		t.Errorf("relations %q", got)
	}
	if len(e.Cells) == 0 || e.Cells[0].Row != 17 {
		t.Errorf("cells %v", e.Cells)
	}
}

func TestOneColumnDecidesAnother(t *testing.T) {
	r := random.New(4, "zip")
	cities := []string{"Bonn", "Kiel", "Trier", "Ulm"}
	var zip []float64
	var city []string
	for range 600 {
		k := r.IntN(12)
		zip, city = append(zip, float64(50000+k*7)), append(city, cities[k%4])
	}
	city[33] = cities[(slices.Index(cities, city[33])+1)%4]
	table := numbersTable([]string{"zip"}, zip)
	table.Columns = append(table.Columns, categoryColumn("city", city))
	e, relations := lawsOf(t, table)
	if got := texts(relations); !slices.Equal(got, []string{"zip decides city"}) {
		t.Errorf("relations %q", got)
	}
	if len(e.Cells) != 2 || e.Cells[0].Row != 33 || e.Cells[0].Column != 1 || !e.Cells[0].Doubt || !e.Cells[1].Doubt { // nobody knows whether it was the zip
		t.Fatalf("cells %v", e.Cells)
	}
}

// Points of a smooth curve lie between their neighbours up to rounding, and that is no law.
func TestNoRelationsAlongCurves(t *testing.T) {
	r := random.New(5, "curves")
	columns := make([][]float64, 36)
	names := make([]string, len(columns))
	for range 40 {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		for j := range columns {
			x := float64(j) / 20
			names[j] = fmt.Sprint("nm", j)
			columns[j] = append(columns[j], math.Round(1e3*(a*math.Sin(x)+b*math.Cos(x)+c*x))/1e3)
		}
	}
	for _, r := range func() []check.Relation { _, r := lawsOf(t, numbersTable(names, columns...)); return r }() {
		if len(r.Columns) > 2 {
			t.Errorf("%s", r.Text)
		}
	}
}
