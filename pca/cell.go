package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// DefaultCellLoss is the loss of single cells in pca-cell when none is named: Welsch at the width
// with 95 % efficiency, 2.11 standard deviations of regular cells.
var DefaultCellLoss = loss.MustParse("welsch")

// Cell is PCA that can give up single cells as well as whole rows. It minimises
//
//	sum_i rho_row( (1/d_i) sum_j rho_cell( ((x_ij - xhat_ij) / s_j)^2 ) )
//
// over xhat of rank m about a centre, s_j the spread of regular cells of column j about what is
// expected of them and d_i the number of cells of row i that are known. Both losses may be any;
// their product of weights is what a cell counts (casewise and cellwise weights: Centofanti, Hubert
// and Rousseeuw 2024). Missing cells (NaN) count nothing and need no permission. A row keeps
// its vote where only some of its cells are bad, so the fit stands where most rows have one.
//
// The result does not depend on the units of the columns. LearnRank and Missing of the options
// have no meaning here.
type Cell struct {
	Options
	// Loss of a row: of the mean loss of its cells. Nil: DefaultLoss. An open bandwidth is
	// chosen so that rows of nothing but bad cells count next to nothing.
	Loss loss.Loss
	// CellLoss is that of a cell's squared deviation in standard deviations of regular cells.
	// Nil: DefaultCellLoss.
	CellLoss loss.Loss
	// Rescale tells when an open bandwidth of Loss is recomputed.
	Rescale irls.Rescale
	// Whole refuses missing values.
	Whole bool
}

const (
	// cellWarm is how many times the sample's rows a table must have to be learned from the
	// sample first.
	cellWarm = 5
	// cellCopies is how often the rows of a sample are in memory when it is learned.
	cellCopies = 6
	// cellRounds is how often spreads of cells are measured again.
	cellRounds = 2
)

// Fit finds the subspace.
func (c Cell) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	ctx = given.Context(ctx)
	rows, err := loss.Specify(c.Loss, DefaultLoss)
	if err != nil {
		return nil, err
	}
	cells, err := loss.Specify(c.CellLoss, DefaultCellLoss)
	if err != nil {
		return nil, err
	}
	if err := linalg.Given(x); err != nil {
		return nil, err
	}
	o := c.Options.filled()
	n, d := x.Dims()
	if err := o.check(n, d); err != nil {
		return nil, err
	}
	o.Weights, _ = univariate.Counted(n, o.Weights)
	learn := func(t *cellTable, o Options) (irls.Result[cellState], error) {
		t.loss = newCellLoss(cells)
		set := irls.Settings{
			Loss: rows, Rescale: c.Rescale, MaxSteps: o.MaxSteps, Tol: o.Tol, Zero: cellZero, Plain: o.Plain, OnStep: o.OnStep,
		}
		at, err := t.begin(ctx, o, set)
		if err != nil {
			return irls.Result[cellState]{}, err
		}
		return t.learn(ctx, at, set, cellRounds)
	}
	if !inMemory(x) && n > linalg.RoomOf(x)/d {
		size := min(linalg.SampleRows(x), max(2000, linalg.RoomOf(x)/(cellCopies*d)))
		if n > size && 5*d <= size {
			return c.fitMany(ctx, x, o, drawnRows(univariate.NewRows(n, o.Weights), o.Seed, size), learn)
		}
		if n <= size { // small, whatever the room
			all, err := linalg.Gather(ctx, x, univariate.NewRows(n, nil).All())
			if err != nil {
				return nil, err
			}
			x = linalg.FromDense(all)
		}
	}
	t, err := newCellTable(ctx, x, o, c.Whole)
	if err != nil {
		return nil, err
	}
	res, err := learn(t, o)
	if err != nil {
		return nil, err
	}
	// From here on there is a whole state: a cancelled fit still becomes a model.
	return o.finishCells(given.Rest(ctx), t, res)
}

// cellZero is the mean loss of a row's cells that counts as none: cells at the level of rounding.
const cellZero = 1e-14

// begin returns the state that the reweighting starts from, its scores included. Of a large table
// a sample is learned first.
func (t *cellTable) begin(ctx context.Context, o Options, set irls.Settings) (cellState, error) {
	sample, err := t.sample(ctx, o)
	if err != nil {
		return cellState{}, err
	}
	at, err := sample.start(ctx, o)
	if err != nil {
		return cellState{}, err
	}
	t.exclude(at)
	if sample != t {
		sample.exclude(at)
		if t.rows >= cellWarm*sample.rows {
			set.OnStep, set.Tol = nil, math.Max(set.Tol, 1e-4)
			res, err := sample.learn(ctx, at, set, cellRounds)
			switch {
			case err != nil:
				return cellState{}, err
			case res.Status == irls.Cancelled: // there is no state of all rows yet
				return cellState{}, context.Cause(ctx)
			}
			at = res.State
		}
		t.adopt(sample)
	}
	at.scores = mat.NewDense(t.n(), at.rank(), nil)
	_, err = t.score(ctx, at, at.scores)
	return at, err
}

// learn alternates reweighting and measuring the spreads of cells.
func (t *cellTable) learn(ctx context.Context, at cellState, set irls.Settings, rounds int) (irls.Result[cellState], error) {
	if at.scores == nil {
		at.scores = mat.NewDense(t.n(), at.rank(), nil)
		if _, err := t.score(ctx, at, at.scores); err != nil {
			return irls.Result[cellState]{}, err
		}
	}
	set.Prior = t.prior
	if set.Loss.Rule().Kind == loss.Auto {
		set.Bandwidth = func(u []float64) float64 { return rowBandwidth(set.Loss, u, t.prior, t.loss.most()) }
	}
	var all irls.Result[cellState]
	most, onStep := set.MaxSteps, set.OnStep
	for round := 0; ; round++ {
		last := round == rounds-1
		made, stages := max(len(all.Steps)-1, 0), 0
		if made > 0 {
			stages = all.Steps[made].Stage + 1
		}
		set.MaxSteps, set.Whole = max(most-made, 1), round > 0
		now := set
		if !last {
			now.Tol, now.MaxSteps = math.Max(set.Tol, 1e-3), max(set.MaxSteps/2, 1)
		}
		if onStep != nil {
			now.OnStep = func(s irls.Step) {
				if s.Number > 0 || made == 0 {
					onStep(later(s, made, stages))
				}
			}
		}
		res, err := irls.Run(ctx, &cellProblem{t}, at, now)
		if err != nil {
			return all, err
		}
		for _, s := range res.Steps {
			if s.Number > 0 || made == 0 {
				all.Steps = append(all.Steps, later(s, made, stages))
			}
		}
		res.Steps = all.Steps
		all = res
		if last || res.Status == irls.Cancelled || res.Status == irls.PerfectFit || most <= len(all.Steps)-1 {
			return all, nil
		}
		at = t.rescale(res.State)
	}
}

// later is a step of a run that goes on after others.
func later(s irls.Step, steps, stages int) irls.Step {
	s.Number += steps
	s.Stage += stages
	return s
}

const (
	// atLimit is the least weight of a row at the limit of regular ones, that of a typical one being 1.
	atLimit = 0.4
	// atWorst is the weight of a row none of whose cells counts, as far as atLimit allows.
	atWorst = 0.003
	// atMost is the most that a row at the limit counts.
	atMost = 0.8
)

// rowBandwidth is the bandwidth of the loss of rows. Where the loss of cells is bounded so is that of a
// row, and a bad row is only some times as far off as a good one: a width from the typical row
// alone would let it vote. So the width is the largest at which a row of nothing but bad cells
// counts next to nothing, within bounds for what a row at the limit of regular ones counts.
func rowBandwidth(spec loss.Spec, u, prior []float64, worst float64) float64 {
	n := total(prior, len(u))
	typical := univariate.WeightedMedian(u, prior)
	limit := outlying.Limit(u, prior, n, outlying.Densest(outlying.HalfSize(n, 0)))
	limit *= limit
	if !(typical > 0 && limit > typical*(1+1e-6) && limit <= math.MaxFloat64) {
		return spec.Bandwidth(u, prior, loss.KappaSubspace)
	}
	// widest is the largest width at which a row with this loss counts at most so much.
	widest := func(row, counts float64) float64 {
		low, high := math.Log(math.Sqrt(typical))-7, math.Log(math.Sqrt(row))+7
		for range 60 {
			middle := (low + high) / 2
			l := spec.At(math.Exp(middle))
			if full := l.LogWeight(typical); math.IsInf(full, -1) || l.LogWeight(row)-full <= math.Log(counts) {
				low = middle
			} else {
				high = middle
			}
		}
		return math.Exp(low)
	}
	most := widest(limit, atMost)
	if worst > limit && worst <= math.MaxFloat64 {
		most = math.Min(most, widest(worst, atWorst))
	}
	return math.Max(most, widest(limit, atLimit))
}
