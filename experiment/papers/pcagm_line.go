package papers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
)

// What Fig. 2 of pca-gm says beside where PCA ends: where the objective (9) is smallest, and
// where the first step of Algorithm 2 from 30 degrees leads.
const (
	linePower     = 0.3
	lineFrom      = 30
	lineObjective = "smallest objective"
	lineStep      = "first step from 30 degrees"
)

// line is the rows of the toy about their generalised sample mean, and the printed delta.
type line struct {
	rows  *mat.Dense
	delta float64
}

func newLine(ctx context.Context, x *mat.Dense) (*line, error) {
	centre, err := pca.GeneralizedSampleMean(ctx, linalg.FromDense(x), linePower, pca.DeltaAnneal, nil)
	if err != nil {
		return nil, err
	}
	l := &line{rows: less(x, centre)}
	least, at := math.Inf(1), l.leading(func(int) float64 { return 1 })
	for i := range l.count() {
		least = math.Min(least, l.across(i, at))
	}
	l.delta = 0.01 * least
	return l, nil
}

func (l *line) count() int { n, _ := l.rows.Dims(); return n }

// across is the squared distance of a row from the line at an angle, in degrees.
func (l *line) across(i int, angle float64) float64 {
	sin, cos := math.Sincos(angle * math.Pi / 180)
	e := l.rows.At(i, 1)*cos - l.rows.At(i, 0)*sin
	return e * e
}

// objective is (9): the generalised mean of power p of the squared distances.
func (l *line) objective(angle, p float64) float64 {
	sum := 0.0
	for i := range l.count() {
		sum += math.Pow(l.across(i, angle)+l.delta, p) / float64(l.count())
	}
	return math.Pow(sum, 1/p)
}

// minimum is the angle at which the objective is smallest, to a hundredth of a degree.
func (l *line) minimum(p float64) float64 {
	best := 0.0
	for _, grid := range []struct{ reach, step float64 }{{90, 0.5}, {0.5, 0.01}} {
		middle, least := best, math.Inf(1)
		for a := middle - grid.reach; a <= middle+grid.reach; a += grid.step {
			if o := l.objective(a, p); o < least {
				best, least = a, o
			}
		}
	}
	return math.Mod(best+180, 180)
}

// step is where one step of Algorithm 2 leads from an angle.
func (l *line) step(angle, p float64) float64 {
	return l.leading(func(i int) float64 { return math.Pow(l.across(i, angle)+l.delta, p-1) })
}

// leading is the angle of the leading direction of the weighted scatter.
func (l *line) leading(weight func(i int) float64) float64 {
	xx, xy, yy := 0.0, 0.0, 0.0
	for i := range l.count() {
		x, y, w := l.rows.At(i, 0), l.rows.At(i, 1), weight(i)
		xx, xy, yy = xx+w*x*x, xy+w*x*y, yy+w*y*y
	}
	return math.Mod(90/math.Pi*math.Atan2(2*xy, xx-yy)+180, 180)
}

// lineEntrants are the angles of Fig. 2 that are no method's end.
func lineEntrants() []experiment.Entrant {
	one := func(name string, angle func(l *line) float64) experiment.Entrant {
		return experiment.Entrant{Name: name, Run: func(ctx context.Context, b *experiment.Bench) error {
			l, err := newLine(ctx, b.Data.(*synthetic.Generated).Set.X)
			if err != nil {
				return err
			}
			noteLine(b, angle(l))
			return nil
		}}
	}
	return []experiment.Entrant{
		one(lineObjective, func(l *line) float64 { return l.minimum(linePower) }),
		one(lineStep, func(l *line) float64 { return l.step(lineFrom, linePower) }),
	}
}

// noteLine notes an angle and how far it is off the inliers' direction.
func noteLine(b *experiment.Bench, angle float64) {
	b.Score("angle", angle)
	off := abs(angle - 48.6)
	b.Score("off", min(off, 180-off))
}
