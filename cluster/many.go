package cluster

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Rows that are not in memory are grouped by a sample of them and then read a few times: for the sample, for each of two
// steps of all rows, and for what is said of them in the end. Bandwidth, radius of trimming and cut-offs are those of the
// sample at the centers of all rows, and nothing that is kept grows with their number.

const (
	// sampleCopies is how often the rows of a sample are in memory when it is grouped, and leastSample how many there are at least.
	sampleCopies, leastSample = 2, 2000
	// fullSteps are made with all rows, from centers at which a sample stands still.
	fullSteps = 2
	// listed is up to how many outlying rows are named.
	listed = 1 << 16
	// mostNumber is the largest number of a table whose far rows vote that has a square to add up, and mostFar how many rows beyond it are
	// put beside a sample.
	mostNumber, mostFar = 1e140, 64
)

// first is what the first reading finds.
type first struct {
	sample *linalg.Picked // the same for all
	bad    bool           // a number is not finite
	far    []int          // the first rows with a number beyond mostNumber
	values []float64      // theirs
}

// Parts are the kept ones.
func (f *first) Parts() []any { return []any{&f.bad, &f.far, &f.values, f.sample.X} }

// look notes rows that are far off, and numbers that are none.
func (f *first) look(at int, block *mat.Dense) {
	f.bad = !f.sample.Take(at, block) || f.bad
	if mat.Max(block) <= mostNumber && mat.Min(block) >= -mostNumber {
		return
	}
	rows, _ := block.Dims()
	for i := range rows {
		row := block.RawRowView(i)
		if far := func(v float64) bool { return math.Abs(v) > mostNumber }; len(f.far) < mostFar && slices.ContainsFunc(row, far) {
			f.far, f.values = append(f.far, at+i), append(f.values, row...)
		}
	}
}

// add takes what other rows, which stand below, have shown.
func (f *first) add(from *first) {
	f.bad = f.bad || from.bad
	k := min(len(from.far), mostFar-len(f.far))
	if k > 0 {
		f.far, f.values = append(f.far, from.far[:k]...), append(f.values, from.values[:len(from.values)/len(from.far)*k]...)
	}
}

// withFar is a sample with the rows beside it that are far off and not in it: by squares each of them outweighs all others, so that a start
// without them is none.
func (f *first) withFar(rows []int, weights []float64) *mat.Dense {
	d := f.sample.X.RawMatrix().Cols
	values := f.sample.X.RawMatrix().Data
	values = values[:len(values):len(values)]
	for k, i := range f.far {
		if _, in := slices.BinarySearch(rows, i); !in && (weights == nil || weights[i] > 0) {
			values = append(values, f.values[k*d:(k+1)*d]...)
		}
	}
	return mat.NewDense(len(values)/d, d, values)
}

// look is what one reading of all rows tells at a model.
type look struct {
	Sums    []float64 // of votes times rows less their center, by cluster
	Mass    []float64 // sum of votes in each
	Sizes   []float64 // rows with weight in each
	Count   float64   // rows, as their weights say
	Loss    float64   // what the steps lower: of the loss, or of squares up to that of the radius
	Kept    float64   // sum of squared distances, by votes of 0 or 1
	Inertia float64   // of all rows
	Votes   float64   // their sum
	Squares float64   // and of their squares
	Flagged int       // rows beyond the cut-offs
	Rows    []int     // these, from 0; too many to be named where they are fewer
}

// Parts are the kept ones.
func (l *look) Parts() []any {
	parts := []any{l.Sums, l.Mass, l.Sizes, &l.Flagged, &l.Rows}
	for _, v := range l.numbers() {
		parts = append(parts, v)
	}
	return parts
}

func (l *look) numbers() [6]*float64 {
	return [6]*float64{&l.Count, &l.Loss, &l.Kept, &l.Inertia, &l.Votes, &l.Squares}
}

// fitMany groups a sample, and then all rows.
func (k KMeans) fitMany(ctx context.Context, src linalg.Source) (*Model, error) {
	n, d := src.Dims()
	rows, total := univariate.NewRows(n, nil), float64(n)
	if k.Weights != nil {
		t := &table{n: n}
		if err := t.weigh(k.Weights); err != nil {
			return nil, err
		}
		rows, total = univariate.NewRows(n, k.Weights), t.total
	}
	size := min(linalg.SampleRows(src), max(leastSample, linalg.RoomOf(src)/(sampleCopies*d)))
	if n <= size {
		x, err := linalg.Gather(ctx, src, univariate.NewRows(n, nil).All())
		if err != nil {
			return nil, err
		}
		return k.Fit(ctx, linalg.FromDense(x))
	}
	taken := rows.Spaced(size, random.New(k.Seed, "cluster rehearsal").Float64)
	sample := linalg.Pick(src, taken)
	found, err := linalg.Pass(ctx, src, func() *first { return &first{sample: sample} }, (*first).look, (*first).add)
	switch {
	case err != nil:
		return nil, err
	case found.bad:
		return nil, linalg.Usable(ctx, src)
	}
	x := sample.X
	if !k.robust() {
		x = found.withFar(taken, k.Weights)
	}
	part, of := k, linalg.FromDense(x)
	part.Weights, part.OnStep = nil, nil
	m, err := part.Fit(ctx, of)
	if err != nil {
		return nil, err
	}
	if m.status == irls.Cancelled { // nothing is known of all rows yet
		return nil, context.Cause(ctx)
	}
	k.Clusters = m.Clusters()
	if float64(k.Clusters) > total {
		return nil, tooMany(k.Clusters, int(total))
	}
	return k.steps(ctx, src, of, m)
}

// steps makes those of all rows.
func (k KMeans) steps(ctx context.Context, src linalg.Source, sample *linalg.Matrix, m *Model) (*Model, error) {
	t, err := newTable(ctx, sample, nil, k.robust())
	if err != nil {
		return nil, err
	}
	part := k
	part.Weights, part.Centers = nil, nil
	part.rescale(t.unit)
	trace := m.steps
	var seen *look
	best := m
	for step := 0; ; step++ {
		now, err := k.look(ctx, src, m, absurdlyFar*math.Sqrt(t.typical)/t.unit)
		if err != nil {
			return nil, err
		}
		if seen != nil && !(now.Loss <= seen.Loss*(1+1e-11)) { // a step that rises is none
			break
		}
		next := irls.Step{Objective: now.objective(m), Effective: now.effective(), Damping: 1}
		if m.loss != nil {
			next.Scale = m.loss.Scale()
		}
		if at := len(trace); at > 0 {
			if next.Number, next.Stage = trace[at-1].Number+1, trace[at-1].Stage; step == 0 {
				next.Stage++
			}
		}
		trace = append(trace[:len(trace):len(trace)], next)
		if k.OnStep != nil {
			k.OnStep(next)
		}
		best, seen = m, now
		centers, moved := now.moved(m.centers)
		if step == fullSteps || !moved {
			break
		}
		at := result{centers: make([]float64, 0, len(now.Sums)), steps: trace, status: best.status}
		for c := range k.Clusters {
			for j, v := range centers.RawRowView(c) {
				at.centers = append(at.centers, v*t.unit-t.origin[j])
			}
		}
		if m.loss != nil {
			at.scale = m.loss.Scale() * t.unit
		}
		if m, err = part.finish(ctx, sample, t, at); err != nil {
			return nil, err
		}
	}
	best.seen, best.steps, best.inertia = seen, trace, math.Min(seen.Inertia, math.MaxFloat64)
	best.rows, _ = src.Dims()
	best.labels, best.weights, best.training, best.warnings = nil, nil, nil, nil
	best.warn()
	return best, nil
}

// objective is the mean squared distance, of kept rows or in the terms of the loss.
func (l *look) objective(m *Model) float64 {
	if m.loss != nil {
		return l.Loss / l.Count
	}
	return l.Kept / l.Votes
}

// effective is the effective number of rows.
func (l *look) effective() float64 {
	if l.Squares == 0 {
		return 0
	}
	return l.Votes * (l.Votes / l.Squares)
}

// moved are the centers after a step, and whether it changes any.
func (l *look) moved(from *mat.Dense) (*mat.Dense, bool) {
	out, any := mat.DenseCopyOf(from), false
	_, d := from.Dims()
	for c, mass := range l.Mass {
		row := out.RawRowView(c)
		for j, v := range l.Sums[c*d : (c+1)*d] {
			if to := row[j] + v/mass; mass > 0 && to != row[j] {
				row[j], any = to, true
			}
		}
	}
	return out, any
}

// look reads all rows. By a loss those beyond a distance have no vote, see [table.voters].
func (k KMeans) look(ctx context.Context, src linalg.Source, m *Model, beyond float64) (*look, error) {
	n, d := src.Dims()
	clusters := m.Clusters()
	most := math.MaxFloat64 / 4 / float64(n) // of a square, so that sums stay finite
	return linalg.Pass(ctx, src,
		func() *look {
			return &look{Sums: make([]float64, clusters*d), Mass: make([]float64, clusters), Sizes: make([]float64, clusters)}
		},
		func(l *look, at int, block *mat.Dense) {
			labels, distances, err := closestRows(context.Background(), linalg.FromDense(block), m.centers)
			if err != nil {
				panic(err) // the numbers are finite, and as many as the model's
			}
			for i, c := range labels {
				if distances[i] > m.cutoffs[c] {
					if l.Flagged++; len(l.Rows) <= listed {
						l.Rows = append(l.Rows, at+i)
					}
				}
				a := 1.0
				if k.Weights != nil {
					a = k.Weights[at+i]
				}
				if a == 0 {
					continue
				}
				s, vote := math.Min(square(distances[i]), most), m.vote(distances[i])
				if m.loss != nil && distances[i] > beyond && beyond > 0 {
					s, vote = math.Min(s, beyond*beyond), 0
				}
				l.Sizes[c]++
				l.Count += a
				l.Inertia += a * math.Min(square(distances[i]), most)
				l.Votes += a * vote
				l.Squares += a * vote * (a * vote)
				switch {
				case m.loss != nil:
					l.Loss += a * math.Min(m.loss.Rho(s), most)
				case vote == 0:
					l.Loss += a * square(m.radius)
				default:
					l.Loss += a * s
					l.Kept += a * s
				}
				if vote == 0 {
					continue
				}
				l.Mass[c] += a * vote
				center := m.centers.RawRowView(c)
				for j, v := range block.RawRowView(i) {
					l.Sums[c*d+j] += a * vote * (v - center[j])
				}
			}
		},
		func(into, from *look) {
			kernel.Daxpy(len(into.Sums), 1, from.Sums, 1, into.Sums, 1)
			for c := range into.Mass {
				into.Mass[c] += from.Mass[c]
				into.Sizes[c] += from.Sizes[c]
			}
			for j, to := range into.numbers() {
				*to += *from.numbers()[j]
			}
			into.Flagged += from.Flagged
			if len(into.Rows) <= listed {
				into.Rows = append(into.Rows, from.Rows...)
			}
		})
}

// weigh takes the weights of the rows, nil for one each.
func (t *table) weigh(weights []float64) error {
	t.weights, t.counted, t.total = weights, t.n, float64(t.n)
	if weights == nil {
		return nil
	}
	t.counted, t.total = 0, 0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return refusal.Weights("weight %d is %g; weights are finite and not negative", i+1, w)
		}
		if w > 0 {
			t.counted++
		}
		t.total += w
	}
	if t.counted == 0 {
		return refusal.Weights("the weights sum to zero")
	}
	return nil
}
