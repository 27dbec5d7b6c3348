package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// task is one training problem: features of rows, their labels and how much they count.
type task struct {
	a         *mat.Dense // n x (m+1), the last column ones
	kernel    bool       // the first n columns are the exact kernel: coefficients are those of the rows' kernels
	labels    []int
	classes   int
	prior     []float64                            // weight of every row, class weights included; zero leaves a row out
	total     float64                              // of prior
	near      *belief.Neighbours                   // of the rows; nil: not asked
	rows      *mat.Dense                           // scaled rows, one for each of a; nil: not known
	votes     *mat.Dense                           // where training may begin (warm.go); nil: at nothing
	untouched *heldOut                             // scores of held-out rows before any lost of its vote, by which labels are judged; nil: those of the choice
	trusted   []float64                            // how much of its vote each row keeps for what is thought of its label (trust.go); nil: all of it
	widen     func(gamma float64) (*design, error) // features by a kernel of so many times the inverse width; nil: it is given
	wide      *design                              // that was chosen; nil: none
	rough     bool                                 // only scores of held-out rows are asked for
	o         Options
}

func newTask(a *mat.Dense, labels []int, classes int, prior []float64, o Options) *task {
	t := &task{a: a, labels: labels, classes: classes, prior: prior, o: o}
	for _, v := range prior {
		t.total += v
	}
	return t
}

// y is the target of row i for class l.
func (t *task) y(i, l int) float64 {
	if t.labels[i] == l {
		return 1
	}
	return -1
}

// twins tells whether there are two classes, both with rows: their machines are f and -f.
func (t *task) twins() bool {
	var there [2]bool
	for i, a := range t.prior {
		if t.classes == 2 && a > 0 {
			there[t.labels[i]] = true
		}
	}
	return there[0] && there[1]
}

// targets is the table of all targets.
func (t *task) targets() *mat.Dense {
	out := mat.NewDense(len(t.labels), t.classes, nil)
	for i := range t.labels {
		row := out.RawRowView(i)
		for l := range row {
			row[l] = t.y(i, l)
		}
	}
	return out
}

// outcome is what training returns.
type outcome struct {
	theta      *mat.Dense // (m+1) x k
	scores     *mat.Dense // n x k, of the training rows
	weights    []float64  // what each row counted in the end, or each row and class
	perElement bool
	joint      bool // probabilities are exp(f_l) / sum_m exp(f_m)
	steps      []irls.Step
	status     irls.Status
	gap        float64     // how far the objective may be above its least value, relative to it, where that is more than it should be
	loss       loss.Scaled // of robust machines, with its bandwidth; nil otherwise
}

// machine is a way to train.
type machine interface {
	name() string
	options() Options
	train(ctx context.Context, t *task) (*outcome, error)
}

// squaredNorm is the sum over the classes of ||w||^2, given their coefficients and scores.
func (t *task) squaredNorm(theta, scores *mat.Dense) float64 {
	sum := 0.0
	for l := range t.classes {
		sum += t.squaredNormOf(theta, scores, l)
	}
	return sum
}

// squaredNormOf is ||w||^2 of class l: that of the coefficients without the intercept or, where these
// are those of kernels, c'Kc = c'(f - b).
func (t *task) squaredNormOf(theta, scores *mat.Dense, l int) float64 {
	p, _ := theta.Dims()
	intercept := theta.At(p-1, l)
	sum := 0.0
	for j := range p - 1 {
		if v := theta.At(j, l); !t.kernel {
			sum += v * v
		} else if v != 0 {
			sum += v * (scores.At(j, l) - intercept)
		}
	}
	return max(sum, 0)
}

// trace collects steps as training goes and shows them to the observer.
type trace struct {
	steps []irls.Step
	see   func(irls.Step)
}

func (r *trace) add(s irls.Step) {
	s.Number = len(r.steps)
	r.steps = append(r.steps, s)
	if r.see != nil {
		r.see(s)
	}
}

// relativeChange is the size of b - a over the size of b.
func relativeChange(a, b *mat.Dense) float64 {
	moved, size := 0.0, 0.0
	p, _ := a.Dims()
	for j := range p {
		x, y := a.RawRowView(j), b.RawRowView(j)
		for l, v := range y {
			moved += (v - x[l]) * (v - x[l])
			size += v * v
		}
	}
	if moved == 0 {
		return 0
	}
	return math.Sqrt(moved / size)
}
