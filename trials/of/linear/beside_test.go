package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// blocks is a table that is not in memory, with room for a sample, and counts how often it is read.
type blocks struct {
	x     *mat.Dense
	room  int
	scans int
}

func (b *blocks) Dims() (int, int) { return b.x.Dims() }

func (b *blocks) Room() int { return b.room }

func (b *blocks) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	b.scans++
	return linalg.FromDense(b.x).Scan(ctx, visit)
}

// Many rows are read four times and end where all of them in memory do.
func TestFitBeside(t *testing.T) {
	ctx := context.Background()
	const n, d = 7000, 4
	draw := rand.New(rand.NewPCG(3, 3))
	table := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := table.RawRowView(i)
		row[d] = 2 + 0.5*draw.NormFloat64()
		for j := range d {
			row[j] = draw.NormFloat64()
			row[d] += float64(j) * row[j]
		}
		if i%10 == 0 { // bad leverage points
			row[1], row[d] = 8+draw.NormFloat64(), -20
		}
	}
	table.Set(30, d, 1e300)
	table.Set(40, 0, -1e300)
	x, y := linalg.FromDense(beside.Columns(table)), mat.Col(nil, d, table)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1 + float64(i%2)
	}
	for name, o := range map[string]linear.Robust{
		"mm": {}, "weights": {Weights: weights}, "ridge": {Lambda: 50}, "plain": {Plain: true}, "welsch": {Loss: loss.MustParse("welsch")},
	} {
		want, err := o.Fit(ctx, x, y)
		if err != nil {
			t.Fatal(err)
		}
		src := &blocks{x: table, room: 3 * 2500 * (d + 1)}
		m, err := o.FitBeside(ctx, src)
		if err != nil {
			t.Fatal(err)
		}
		if src.scans > 4 || m.Rows() != n || m.Training() != nil || len(m.Weights()) > 0 {
			t.Errorf("%s: %d rows read %d times", name, m.Rows(), src.scans)
		}
		within, factor := 1e-3, 1.0 // standard errors
		if name == "ridge" {
			within, factor = 0.3, 50 // the spread of columns is the sample's
		}
		if name == "plain" {
			within, factor = 0.1, 50 // two reweighted steps, where Newton's are as good as exact
		}
		_, lines := m.Table()
		_, wanted := want.Table()
		for j, c := range wanted {
			if e := math.Abs(lines[j].Value - c.Value); !(e < within*c.Error) || !(math.Abs(lines[j].Error/c.Error-1) < 2e-4*factor) {
				t.Errorf("%s: coefficient %d is %v, of all rows %v", name, j+1, lines[j], c)
			}
		}
		a, b := m.Describe(archive.Names{}), want.Describe(archive.Names{})
		r2, _ := m.R2()
		wantR2, _ := want.R2()
		rows, known := m.OutlyingRows()
		if !known || len(rows) != a.Outliers || math.Abs(float64(a.Outliers-b.Outliers)) > 10 || math.Abs(r2-wantR2) > 1e-3 || math.Abs(m.Scale()/want.Scale()-1) > 1e-4*factor ||
			math.Abs(a.Effective/b.Effective-1) > 1e-4*factor || math.Abs(a.Objective/b.Objective-1) > 1e-4*factor || m.Freedom() != want.Freedom() {
			t.Errorf("%s: %+v\nof all rows %+v; R2 %g %g scale %g %g", name, a, b, r2, wantR2, m.Scale(), want.Scale())
		}
	}
}
