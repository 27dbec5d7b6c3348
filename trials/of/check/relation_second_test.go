package check

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"gonum.org/v1/gonum/mat"
)

// invoices are clean rows of quantity, price, gross, net and total; share of them have a discount that no column tells of.
func invoices(n int, share float64) *tolerant.Table {
	r := random.New(21, "invoices")
	cents := func(v float64) float64 { return math.Round(100*v) / 100 }
	x := mat.NewDense(n, 6, nil)
	for i := range n {
		qty, price := float64(1+r.IntN(30)), cents(5+50*r.Float64())
		gross := cents(qty * price)
		net, freight := gross, float64(10+r.IntN(5))
		if r.Float64() < share {
			net = cents(gross * []float64{0.95, 0.9, 0.85}[r.IntN(3)])
		}
		x.SetRow(i, []float64{qty, price, gross, net, freight, cents(net + freight)})
	}
	return tolerant.FromValues([]string{"qty", "price", "gross", "net", "freight", "total"}, x)
}

// Rows that obey a law but for a factor, many and alike, have a discount: they are told together, and a slip among them is still wrong.
func TestSecondLawsExcuseTheirRows(t *testing.T) {
	table := invoices(1200, 0.04)
	table.Columns[5].Values[100] *= 10
	table.Columns[3].Values[200] = math.Round(table.Columns[3].Values[200]*37) / 100
	r, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Wrong[100] || !r.Wrong[200] {
		t.Errorf("slips are wrong: %v, %v", r.Wrong[100], r.Wrong[200])
	}
	wrong := 0
	for _, w := range r.Wrong {
		if w {
			wrong++
		}
	}
	if wrong > 4 {
		t.Errorf("%d rows are called wrong, two are", wrong)
	}
	if !slices.ContainsFunc(r.Groups, func(g check.Group) bool {
		return strings.Contains(g.Text, "0.85, 0.9, 0.95 times the net that net = gross gives")
	}) {
		t.Errorf("nobody tells of the discounts: %v", r.Groups)
	}
}

// A law that a fifth of the rows break is told with its share and its rows, and nothing is called wrong for it.
func TestLawsThatMostRowsObey(t *testing.T) {
	table := invoices(800, 0)
	r := random.New(22, "clerk")
	off := map[int]bool{}
	for i := range 800 {
		if r.Float64() < 0.2 {
			off[i] = true
			table.Columns[5].Values[i] = math.Round(100*table.Columns[5].Values[i]*(0.5+r.Float64())) / 100
		}
	}
	found, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(found.Relations, func(l check.Relation) bool {
		return strings.HasPrefix(l.Text, "total = ") && strings.HasSuffix(l.Text, "% of the rows")
	})
	if at < 0 {
		t.Fatalf("the law is not told: %v", found.Relations)
	}
	if law := found.Relations[at]; math.Abs(float64(len(law.Broken)-len(off))) > 8 {
		t.Errorf("%s: broken in %d rows, %d are off", law.Text, len(law.Broken), len(off))
	}
	wrong, listed := 0, 0
	for _, w := range found.Wrong {
		if w {
			wrong++
		}
	}
	for _, c := range found.Cells {
		if off[c.Row] && c.Part == check.PartRelation {
			listed++
		}
	}
	if wrong > 8 || listed < len(off)-8 {
		t.Errorf("%d rows are called wrong; %d of %d cells are told as suspicious", wrong, listed, len(off))
	}
}

// Overtime is nought in half of the rows. A slip of another cell in one of these is no second law, however many there are.
func TestNoughtsThatAreUsualExcuseNoSlips(t *testing.T) {
	r := random.New(23, "wages")
	const n = 900
	c := make([][]float64, 7)
	for j := range c {
		c[j] = make([]float64, n)
	}
	var want []int
	for i := range n {
		base, bonus, over := cents(2500+600*r.NormFloat64()), 0.0, 0.0
		if r.IntN(4) == 0 {
			bonus = cents(base * 0.1 * r.Float64())
		}
		if r.IntN(2) == 0 {
			over = cents(40 * r.ExpFloat64())
		}
		gross := cents(base + bonus + over)
		tax, social := cents(0.3*gross-400-20*r.Float64()), cents(0.0935*min(gross, 4000))
		for j, v := range []float64{base, bonus, over, gross, tax, social, cents(gross - tax - social)} {
			c[j][i] = v
		}
		if over == 0 && len(want) < 9 && i%70 < 6 && i > 70*len(want) {
			c[4+2*(len(want)%2)][i] *= 10
			want = append(want, i)
		}
	}
	rows, result := wrongRows(t, numbersTable([]string{"base", "bonus", "overtime", "gross", "tax", "social", "net"}, c...))
	for _, i := range want {
		if !slices.Contains(rows, i) {
			t.Errorf("row %d is not called: %v", i, result.Groups)
		}
	}
}
