package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// listed is up to how many outlying samples of a table that is not in memory are named.
const listed = 1 << 16

// look is what one reading of all samples tells at a model.
type look struct {
	Learned      *moments     // by the weights, with the factors that these are learned with
	Full         *moments     // with those of the full rank; the same where that is the same
	Count        float64      // samples that take part, as their prior weights say
	Loss         float64      // sum of their losses
	Sum, Squares float64      // of weights, and of their squares over prior ones
	Norm, Square float64      // of residuals at the full rank
	Rest, All    float64      // squared residuals and distances from the mean, as prior weights say
	Near, Within float64      // the same of samples that are not flagged
	Lone         judging.Lone // of distances from the mean; nothing where samples have weights
	Flagged      int
	Rows         []int // these, from 0; too many to be named where they are fewer
}

// Parts are the kept ones.
func (l *look) Parts() []any {
	parts := []any{&l.Flagged, &l.Rows, &l.Lone.All, &l.Lone.Most}
	for _, v := range l.numbers() {
		parts = append(parts, v)
	}
	for _, m := range l.moments() {
		parts = append(parts, &m.total, m.sum)
		for _, g := range m.grams {
			if g != nil {
				parts = append(parts, g)
			}
		}
	}
	return parts
}

func (l *look) moments() []*moments {
	if l.Full == l.Learned {
		return []*moments{l.Learned}
	}
	return []*moments{l.Learned, l.Full}
}

func (l *look) objective() float64 { return l.Loss / l.Count }

// effective is the effective number of samples.
func (l *look) effective() float64 {
	if l.Squares == 0 {
		return 0
	}
	return l.Sum * (l.Sum / l.Squares)
}

func (l *look) explained() Explained {
	share := func(rest, all float64) float64 {
		if all == 0 {
			return 1
		}
		return 1 - rest/all
	}
	return Explained{Classical: share(l.Rest, l.All), Robust: share(l.Near, l.Within)}
}

func (l *look) numbers() [10]*float64 {
	return [10]*float64{&l.Count, &l.Loss, &l.Sum, &l.Squares, &l.Norm, &l.Square, &l.Rest, &l.All, &l.Near, &l.Within}
}

// tooFar bounds squares in sums, which those of absurd samples would leave no finite number.
const tooFar = 1e150

// look reads all samples.
func (b *many) look(ctx context.Context, m *Model) (*look, error) {
	same := times(b.p.ranks) == times(b.ranks)
	modes := b.p.reduced()
	return linalg.Pass(ctx, b.raw.src,
		func() *look {
			l := &look{Learned: b.raw.empty(modes)}
			if l.Full = l.Learned; !same {
				l.Full = b.raw.empty(modes)
			}
			return l
		},
		func(l *look, first int, block *mat.Dense) {
			n, _ := block.Dims()
			prior := univariate.Part(b.prior, first, n)
			b.judge(l, m, first, block, prior)
			k := b.raw.desk()
			defer b.raw.desks.put(k)
			near := b.near(block)
			w := b.weigh(l, k, near, prior)
			b.sum(l.Learned, k, near, w, b.res.State, b.p.ranks)
			if !same {
				b.sum(l.Full, k, near, w, bases{mean: b.res.State.mean, factors: b.at.factors}, b.ranks)
			}
		},
		func(into, from *look) {
			for k, m := range into.moments() {
				m.add(from.moments()[k], modes)
			}
			for k, to := range into.numbers() {
				*to += *from.numbers()[k]
			}
			into.Lone.Join(from.Lone)
			into.Flagged += from.Flagged
			if len(into.Rows) <= listed {
				into.Rows = append(into.Rows, from.Rows...)
			}
		})
}

// judge adds the verdicts on a block.
func (b *many) judge(l *look, m *Model, first int, block *mat.Dense, prior []float64) {
	seen, err := m.measure(context.Background(), b.raw.others(linalg.FromDense(block)))
	if err != nil {
		panic(err) // the numbers are finite
	}
	all := float64(b.raw.n)
	for i, out := range m.judge(seen.distances, seen.scores).Outlier {
		d := seen.distances[i]
		l.Norm += d / all
		l.Square += math.Min(d/all*d, math.MaxFloat64/all)
		a := 1.0
		if prior != nil {
			a = prior[i]
		}
		rest, norm := a*math.Min(squared(d), tooFar), a*math.Min(seen.norms[i], tooFar)
		l.Rest += rest
		l.All += norm
		if b.plan.squares() {
			l.Lone.Add(norm)
		}
		if !out {
			l.Near += rest
			l.Within += norm
		} else if l.Flagged++; len(l.Rows) <= listed {
			l.Rows = append(l.Rows, first+i)
		}
	}
}

// near is a block with far numbers moved to the limits.
func (b *many) near(block *mat.Dense) *mat.Dense {
	n, _ := block.Dims()
	for i := range n {
		if b.limits.Beyond(block.RawRowView(i)) {
			moved, err := linalg.Load(context.Background(), b.limits.Clip(linalg.FromDense(block)))
			if err != nil {
				panic(err) // it is in memory
			}
			return moved
		}
	}
	return block
}

// weigh adds losses and weights of a block, and returns the weights.
func (b *many) weigh(l *look, k *desk, block *mat.Dense, prior []float64) []float64 {
	n, _ := block.Dims()
	w, s := make([]float64, n), make([]float64, n)
	at, in := 0, 0
	k.each(0, block, b.res.State.mean, nil, func(row []float64, _ float64) {
		k.norm[in] = kernel.Ddot(k.d, row, 1, row, 1)
		in++
	}, func(count int) {
		k.residuals(count, b.res.State.factors, s[at:at+count])
		at, in = at+count, 0
	})
	for i, s := range s {
		a := 1.0
		if prior != nil {
			a = prior[i]
		}
		if a == 0 || b.beyond > 0 && b.away(block.RawRowView(i)) > b.beyond {
			continue
		}
		v := math.Exp(b.res.Loss.LogWeight(s) - b.top)
		w[i] = a * v
		l.Count += a
		l.Loss += a * b.res.Loss.Rho(s)
		l.Sum += w[i]
		l.Squares += w[i] * v
	}
	return w
}

// away is how far a sample lies from the middle of all.
func (b *many) away(row []float64) float64 {
	sum := 0.0
	for j, v := range row {
		sum = math.Hypot(sum, v-b.centre[j])
	}
	return sum
}

// sum adds the samples of a block about a mean, with the factors of the other modes.
func (b *many) sum(to *moments, k *desk, block *mat.Dense, w []float64, at bases, ranks []int) {
	modes := (&problem{samples: b.raw, ranks: ranks}).reduced()
	k.each(0, block, at.mean, w, func(row []float64, weight float64) {
		to.total += weight
		kernel.Daxpy(k.d, weight, row, 1, to.sum, 1)
	}, func(count int) {
		for _, m := range modes {
			k.gram(count, at.factors, m, to.grams[m])
		}
	})
}

// empty are sums of nothing.
func (s *samples) empty(modes []int) *moments {
	a := &moments{sum: make([]float64, s.d), grams: make([][]float64, len(s.shape))}
	for _, m := range modes {
		a.grams[m] = make([]float64, s.shape[m]*s.shape[m])
	}
	return a
}
