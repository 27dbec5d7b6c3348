package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/mcd"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// listed is up to how many outlying rows of a table that is not in memory are named.
const listed = 1 << 16

// first is what the first reading finds beside the sample.
type first struct {
	votes  *linalg.Moments // of all rows; nil where they have no vote
	bad    bool            // a number is not finite
	sample *linalg.Picked  // the same for all
}

// Parts are the kept ones.
func (f *first) Parts() []any {
	parts := []any{&f.bad, f.sample.X}
	if f.votes != nil {
		parts = append(parts, f.votes.Parts()...)
	}
	return parts
}

// readSample reads all rows once and returns the given ones, and the moments of all where every row has a vote.
func (o Options) readSample(ctx context.Context, src linalg.Source, rows []int, votes bool) (*mat.Dense, *linalg.Moments, error) {
	_, d := src.Dims()
	sample := linalg.Pick(src, rows)
	found, err := linalg.Pass(ctx, src,
		func() *first {
			f := &first{sample: sample}
			if votes {
				f.votes = linalg.NewMoments(d)
			}
			return f
		},
		func(f *first, at int, block *mat.Dense) {
			if !sample.Take(at, block) || f.bad {
				f.bad = true
			} else if f.votes != nil {
				n, _ := block.Dims()
				if mat.Max(block) > largest || mat.Min(block) < -largest {
					block = mat.DenseCopyOf(block)
					block.Apply(func(_, _ int, v float64) float64 { return math.Max(-largest, math.Min(largest, v)) }, block)
				}
				f.votes.Add(block, univariate.Part(o.Weights, at, n))
			}
		},
		func(into, from *first) {
			into.bad = into.bad || from.bad
			if into.votes != nil && !into.bad {
				into.votes.Merge(from.votes)
			}
		})
	switch {
	case err != nil:
		return nil, nil, err
	case found.bad:
		return nil, nil, firstBad(ctx, src)
	case votes && !(found.votes.Total() > 0):
		return nil, nil, refusal.Weights("no row has a weight")
	}
	return sample.X, found.votes, nil
}

// look is what one reading of all rows tells at a model. Sums count rows as their prior weights say.
type look struct {
	Weighted  *linalg.Moments // by the weights of the rows
	Regular   *linalg.Moments // of rows near the subspace and its centre
	Count     float64         // rows
	Loss      float64         // sum of losses
	Sum       float64         // of weights
	Squares   float64         // of weights over prior ones
	Kept      float64         // squared scores
	Rest      float64         // squared distances
	Near      float64         // squared distances of rows that are not flagged
	NearCount float64         // and their number
	Lone      judging.Lone    // of squared distances from the centre
	Flagged   int             // rows beyond the cut-offs
	Rows      []int           // these, from 0; nil where they are too many to be named
}

// Parts are the kept ones.
func (l *look) Parts() []any {
	parts := []any{&l.Count, &l.Loss, &l.Sum, &l.Squares, &l.Kept, &l.Rest, &l.Near, &l.NearCount, &l.Lone.All, &l.Lone.Most, &l.Flagged, &l.Rows}
	if l.Weighted != nil {
		parts = append(append(parts, l.Weighted.Parts()...), l.Regular.Parts()...)
	}
	return parts
}

func (l *look) objective() float64 { return l.Loss / l.Count }

// effective is the effective number of rows.
func (l *look) effective() float64 {
	if l.Squares == 0 {
		return 0
	}
	return l.Sum * (l.Sum / l.Squares)
}

// divisor turns the weighted scatter into variances.
func (l *look) divisor() float64 {
	return math.Max(l.Sum*(1-1/math.Max(l.effective(), 2)), math.SmallestNonzeroFloat64)
}

// look reads all rows; moments for a further step are formed where they are asked for.
func (b *many) look(ctx context.Context, m *Model, moments bool) (*look, error) {
	_, d := b.src.Dims()
	k := len(m.eigenvalues)
	off, out, inside := m.orthogonalCutoff*m.orthogonalCutoff, m.scoreCutoff*m.scoreCutoff, mcd.Limit(k)
	if m.shrunk > 0 { // these are training rows
		out /= m.shrunk * m.shrunk
	}
	if off == 0 { // rows lie in the subspace
		off = math.Inf(1)
	}
	weight, beyond := b.weight(m), b.beyond(m)
	return linalg.Pass(ctx, b.src,
		func() *look {
			l := new(look)
			if moments {
				l.Weighted, l.Regular = linalg.NewMoments(d), linalg.NewMoments(d)
			}
			return l
		},
		func(l *look, first int, block *mat.Dense) {
			n, _ := block.Dims()
			s, z := make([]float64, n), mat.NewDense(n, k, nil)
			w, near, room := make([]float64, n), make([]float64, n), make([]float64, k)
			if err := linalg.Residuals(context.Background(), linalg.FromDense(block), m.mean, m.basis, s, z); err != nil {
				panic(err) // the shapes are the model's
			}
			for i, v := range s {
				far := squaredOver(m.principal(room, z.RawRowView(i)))
				flagged := v > off || far > out
				if flagged {
					l.Flagged++
					if len(l.Rows) <= listed {
						l.Rows = append(l.Rows, first+i)
					}
				}
				a := weightAt(b.Weights, first+i)
				if w[i] = a * weight(v); a == 0 || v > beyond {
					continue
				}
				l.Count += a
				l.Loss += a * m.loss.Rho(v)
				l.Sum += w[i]
				l.Squares += w[i] * (w[i] / a)
				kept := 0.0
				for _, c := range z.RawRowView(i) {
					kept += a * c * c
				}
				l.Kept += kept
				l.Rest += a * v
				l.Lone.Add(kept + a*v)
				if !flagged {
					l.Near += a * v
					l.NearCount += a
				}
				if v <= off && far <= inside {
					near[i] = a
				}
			}
			if moments {
				l.Weighted.Add(block, w)
				l.Regular.Add(block, near)
			}
		},
		func(into, from *look) {
			into.Count += from.Count
			into.Loss += from.Loss
			into.Sum += from.Sum
			into.Squares += from.Squares
			into.Kept += from.Kept
			into.Rest += from.Rest
			into.Near += from.Near
			into.NearCount += from.NearCount
			into.Lone.Join(from.Lone)
			into.Flagged += from.Flagged
			if len(into.Rows) <= listed {
				into.Rows = append(into.Rows, from.Rows...)
			}
			if moments {
				into.Weighted.Merge(from.Weighted)
				into.Regular.Merge(from.Regular)
			}
		})
}
