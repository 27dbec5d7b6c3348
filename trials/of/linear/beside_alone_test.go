package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// A row with one absurd cell makes its own residual, and a loss that rejects nothing hears it: in blocks as little as in memory, be it in the sample or not.
// Far rows that the others confirm are heard.
func TestFitBesideAlone(t *testing.T) {
	ctx := context.Background()
	const n, d = 7000, 4
	for name, far := range map[string]float64{"absurd": 1e300, "sentinel": 999999, "confirmed": 5000} {
		draw := rand.New(rand.NewPCG(5, 5))
		table := mat.NewDense(n, d+1, nil)
		for i := range n {
			row := table.RawRowView(i)
			for j := range d {
				row[j] = draw.NormFloat64()
			}
			if name == "confirmed" && i == 33 {
				row[2] = far
			}
			row[d] = 2 + 0.5*draw.NormFloat64()
			for j := range d {
				row[d] += float64(j) * row[j]
			}
		}
		if name != "confirmed" {
			for k := range 6 {
				table.Set(11+1013*k, k%d, far*(1-0.1*float64(k)))
			}
			table.Set(50, d, 1e6)
		}
		x, y := linalg.FromDense(beside.Columns(table)), mat.Col(nil, d, table)
		for text, within := range map[string]float64{"huber": 0.05, "cauchy": 0.05, "welsch": 0.05, "tukey": 0.05, "l1": 0.3} { // standard errors; L1 is smoothed in blocks
			spec := loss.MustParse(text)
			want, err := linear.Robust{Loss: spec}.Fit(ctx, x, y)
			if err != nil {
				t.Fatal(err)
			}
			m, err := linear.Robust{Loss: spec}.FitBeside(ctx, &blocks{x: table, room: 3 * 2500 * (d + 1)})
			if err != nil {
				t.Fatal(err)
			}
			_, lines := m.Table()
			_, wanted := want.Table()
			for j, c := range wanted {
				if !(math.Abs(lines[j].Value-c.Value) < within*c.Error) || !(math.Abs(lines[j].Error/c.Error-1) < 0.2*within) {
					t.Errorf("%s, %s: coefficient %d is %v, in memory %v", name, text, j, lines[j], c)
				}
			}
		}
	}
}
