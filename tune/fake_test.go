package tune

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// ridgeline is a small method for tests: regression on the first column through the
// training means, shrunk by lambda. It notes what it was fitted to.
type ridgeline struct {
	mu   sync.Mutex
	fits []*dataset.Set
	fail func(params catalog.Values) error
}

func (r *ridgeline) method() *catalog.Method {
	return &catalog.Method{
		Name: "ridgeline", Family: "test", Tasks: []catalog.Task{catalog.Regress, catalog.Classify},
		Params: []catalog.Param{
			{Name: "lambda", Kind: catalog.Number, Default: "0", Min: 0, Meaning: "shrinks"},
			{Name: "hidden", Kind: catalog.Integer, Default: "auto", Min: 1, Max: 1000, Choices: []string{"auto"}, Meaning: "nothing"},
			{Name: "mode", Kind: catalog.Choice, Default: "plain", Choices: []string{"plain", "flip"}, Meaning: "flip: predicts the opposite"},
		},
		Build: func(v catalog.Values) (catalog.Fitter, error) {
			return catalog.FitterFunc(func(ctx context.Context, src dataset.Source, run catalog.Run) (catalog.Model, error) {
				data, err := dataset.Read(ctx, src)
				if err != nil {
					return nil, err
				}
				r.mu.Lock()
				r.fits = append(r.fits, data)
				r.mu.Unlock()
				if r.fail != nil {
					if err := r.fail(v); err != nil {
						return nil, err
					}
				}
				return fitLine(data, v), ctx.Err()
			}), nil
		},
		Restore: func(catalog.State) (catalog.Model, error) { return nil, fmt.Errorf("not kept") },
	}
}

type line struct {
	slope, x, y float64
	classes     int
	centres     []float64
	flip        bool
}

func fitLine(data *dataset.Set, v catalog.Values) *line {
	l := &line{flip: v.Is("mode", "flip")}
	n := data.Rows()
	if t := data.Target; t.Labels != nil {
		l.classes = len(t.Classes)
		l.centres = make([]float64, l.classes)
		count := make([]float64, l.classes)
		for i, k := range t.Labels {
			l.centres[k] += data.X.At(i, 0)
			count[k]++
		}
		for k := range l.centres {
			l.centres[k] /= max(1, count[k])
		}
		return l
	}
	var xy, xx float64
	for i, y := range data.Target.Values {
		l.x += data.X.At(i, 0) / float64(n)
		l.y += y / float64(n)
	}
	for i, y := range data.Target.Values {
		xy += (data.X.At(i, 0) - l.x) * (y - l.y)
		xx += (data.X.At(i, 0) - l.x) * (data.X.At(i, 0) - l.x)
	}
	l.slope = xy / (xx + v.Float("lambda"))
	if l.flip {
		l.slope = -l.slope
	}
	return l
}

func (l *line) Describe() catalog.Description { return catalog.Description{Method: "ridgeline"} }
func (l *line) State() catalog.State          { return catalog.State{} }

func (l *line) Predict(_ context.Context, x *mat.Dense) (*catalog.Prediction, error) {
	n, _ := x.Dims()
	p := &catalog.Prediction{}
	for i := range n {
		v := x.At(i, 0)
		if l.centres == nil {
			p.Values = append(p.Values, l.y+l.slope*(v-l.x))
			continue
		}
		best := 0
		for k, c := range l.centres {
			if d, b := c-v, l.centres[best]-v; d*d < b*b {
				best = k
			}
		}
		if l.flip {
			best = (best + 1) % l.classes
		}
		p.Labels = append(p.Labels, best)
	}
	return p, nil
}

// lineData is y = 3x + noise with some wild targets.
func lineData(n int, seed uint64) *dataset.Set {
	r := dataset.Random(seed, "tune test")
	s := &dataset.Set{Name: "line", X: mat.NewDense(n, 2, nil), Columns: []string{"x", "noise"}, Target: &dataset.Target{Name: "y"}}
	for i := range n {
		x := r.NormFloat64()
		s.X.SetRow(i, []float64{x, r.NormFloat64()})
		y := 3*x + 0.3*r.NormFloat64()
		if i%17 == 3 {
			y += 40
		}
		s.Target.Values = append(s.Target.Values, y)
	}
	return s
}

// classData has unequal classes along the first column.
func classData(n int) *dataset.Set {
	r := dataset.Random(7, "tune test classes")
	s := &dataset.Set{Name: "classes", X: mat.NewDense(n, 1, nil), Columns: []string{"x"}, Target: &dataset.Target{Name: "kind", Classes: []string{"a", "b", "c"}}}
	for i := range n {
		k := 0
		if i%5 == 1 {
			k = 1
		} else if i%5 == 2 && i%2 == 0 {
			k = 2
		}
		s.X.Set(i, 0, 2*float64(k)+r.NormFloat64())
		s.Target.Labels = append(s.Target.Labels, k)
	}
	return s
}

func axis(t *testing.T, m *catalog.Method, text string) Axis {
	t.Helper()
	a, err := ParseAxis(m, nil, text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
