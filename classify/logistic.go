package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Logistic is regularised logistic regression. Of two classes, or with OneVsAll one class against the
// others, it is for each class the minimum of
//
//	mean_i log(1 + exp(-y_i f(x_i))) + lambda ||w||^2,
//
// found by Newton's method. Newton's step is a weighted least-squares step with weight
// p(1-p), the same for which the robust machines have their solver; a class whose
// objective would rise takes a shorter step. Linear machines of more classes are learned jointly (multinomial.go).
type Logistic struct {
	Options
	// Multiclass tells how more than two classes are learned. Zero: MulticlassAuto.
	Multiclass Multiclass
}

func (m Logistic) name() string     { return "logistic" }
func (m Logistic) options() Options { return m.Options }

// Fit trains the machine on rows with labels from 0 to classes-1.
func (m Logistic) Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return fitSource(ctx, m, src, labels, classes)
}

// FitBeside is [Square.FitBeside].
func (m Logistic) FitBeside(ctx context.Context, table linalg.Source, counts []int) (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return fitBeside(ctx, m, table, counts)
}

func (m Logistic) check() error {
	if m.Multiclass != "" && !word(string(m.Multiclass), "auto joint one-vs-all") {
		return refusal.Parameter("multiclass", m.Multiclass, "is not one of auto, joint, one-vs-all")
	}
	if m.Multiclass == Joint && m.Kernel.Kind == kernel.RBF {
		return refusal.Parameter("multiclass", m.Multiclass, "is for kernel=linear; leave it out")
	}
	return nil
}

// leastCurvature keeps Newton's weights away from zero.
const leastCurvature = 1e-10

func (m Logistic) train(ctx context.Context, t *task) (*outcome, error) {
	if m.Multiclass != OneVsAll && t.o.Kernel.Kind == kernel.Linear && t.present() > 2 {
		return m.trainJoint(ctx, t)
	}
	n, p := t.a.Dims()
	k := t.classes
	theta := t.begin()
	// Newton's model of half the objective times n: curvature p(1-p), penalty 2 lambda n.
	s := t.system(2 * t.o.Lambda * t.total)
	s.forcing = inexact(t.o.Tol)
	present := make([]bool, k)
	for i, a := range t.prior {
		present[t.labels[i]] = present[t.labels[i]] || a > 0
	}
	for l, there := range present {
		if !there { // the likelihood of a class without rows has no maximum: log-odds of half a row
			for j := range p - 1 {
				theta.Set(j, l, 0)
			}
			theta.Set(p-1, l, -math.Log(2*t.total+1))
		}
	}
	scores := s.scores(theta)
	objective := t.logisticObjectives(scores, theta)
	record := &trace{see: t.o.OnStep}
	step := irls.Step{Objective: total(objective), Effective: loss.EffectiveSampleSize(t.prior), Damping: 1}
	record.add(step)
	status := irls.StepLimit
	residual, w := mat.NewDense(n, k, nil), importance{elements: mat.NewDense(n, k, nil)}
	for range t.o.steps(100) {
		for i, a := range t.prior {
			f, e, h := scores.RawRowView(i), residual.RawRowView(i), w.elements.RawRowView(i)
			for l := range k {
				if !present[l] {
					continue
				}
				y := t.y(i, l)
				miss := sigmoid(-y * f[l]) // probability of the other side
				curvature := max(miss*(1-miss), leastCurvature)
				e[l], h[l] = y*miss/curvature, a*curvature
			}
		}
		full, err := s.solve(ctx, theta, residual, w)
		if err != nil {
			if ctx.Err() != nil && len(record.steps) > 1 {
				status = irls.Cancelled
				break
			}
			return nil, err
		}
		next, nextScores := full, s.scores(full)
		nextObjective := t.logisticObjectives(nextScores, next)
		damping := 1.0
		for l := range k { // a class that overshot goes half the way, and half again
			for part := 0.5; !(nextObjective[l] <= objective[l]*(1+1e-12)); part /= 2 {
				share := 0.5
				if part < 1e-6 {
					share, part = 0, 0
				}
				shorten(next, theta, l, share)
				shorten(nextScores, scores, l, share)
				damping = min(damping, part)
				if nextObjective[l] = t.logisticObjective(nextScores, next, l); part == 0 {
					break
				}
			}
		}
		step.Change = relativeChange(theta, next)
		settled := true
		for l := range k {
			settled = settled && objective[l]-nextObjective[l] <= t.o.Tol*nextObjective[l]
		}
		theta, scores, objective = next, nextScores, nextObjective
		step.Objective, step.Damping = total(objective), damping
		record.add(step)
		if settled || step.Change <= t.o.Tol {
			status = irls.Converged
			break
		}
	}
	return &outcome{theta: theta, scores: scores, weights: append([]float64(nil), t.prior...), steps: record.steps, status: status}, nil
}

// shorten moves column l of b to the given share of its way from a.
func shorten(b, a *mat.Dense, l int, share float64) {
	rows, _ := a.Dims()
	for i := range rows {
		from := a.At(i, l)
		if share == 0 { // also where b is not a number
			b.Set(i, l, from)
			continue
		}
		b.Set(i, l, from+share*(b.At(i, l)-from))
	}
}

// logisticObjectives are the objectives of all classes.
func (t *task) logisticObjectives(scores, theta *mat.Dense) []float64 {
	out := make([]float64, t.classes)
	for l := range out {
		out[l] = t.logisticObjective(scores, theta, l)
	}
	return out
}

// logisticObjective is the mean loss of class l plus the penalty.
func (t *task) logisticObjective(scores, theta *mat.Dense, l int) float64 {
	sum := 0.0
	for i, a := range t.prior {
		if a > 0 {
			sum += a * softplus(-t.y(i, l)*scores.At(i, l))
		}
	}
	return sum/t.total + t.o.Lambda*t.squaredNormOf(theta, scores, l)
}

// sigmoid is 1/(1+exp(-x)) without overflow.
func sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

// softplus is log(1+exp(x)) without overflow.
func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}
