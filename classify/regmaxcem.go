package classify

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Variant names a form of the correntropy machine.
type Variant string

const (
	// VariantAuto is PerRow; for a linear machine without a given Lambda and Sigma it is PerRow or PerRowJoint,
	// whichever makes held-out labels most probable.
	VariantAuto Variant = "auto"
	// PerRowJoint learns the scores of all classes at once, as probabilities, and gives one weight to each row, from how
	// improbable its label is (regmaxcem_joint.go). It needs a linear kernel.
	PerRowJoint Variant = "joint"
	// PerRow gives one weight to each row, from the misses of all its scores together,
	// and charges only scores short of their target. A wrong label spoils two scores of its
	// row at once, so rows are the natural unit.
	PerRow Variant = "row"
	// PerElement gives one weight to each class of each row, eq. (8) of the paper, with the
	// errors of eqs. (9) and (15) mended.
	PerElement Variant = "element"
	// AsPrinted is the paper's Algorithm 1 to the letter: weights per element, the
	// bandwidth rule of section 2.1, the centres of eq. (15), plain iteration. The
	// objective may rise, and the rule tends to collapse.
	AsPrinted Variant = "paper"
)

// SigmaRule tells how the bandwidth is chosen.
type SigmaRule string

const (
	// SigmaAuto is Sigma if that is given, else the paper's rule for AsPrinted and
	// DefaultSigma for the other variants.
	SigmaAuto SigmaRule = "auto"
	// SigmaPaper is the mean squared miss over 2, anew in every step: sigma =
	// sum_li (f_li - y_li)^2 / (2 L N). One-vs-all it drives the machine to w = 0, b = -1.
	SigmaPaper SigmaRule = "paper"
	// SigmaByFolds picks from 1, 1.5, 2, 3 by the accuracy in three-fold cross-validation.
	SigmaByFolds SigmaRule = "cv"
)

// DefaultSigma is the bandwidth in units of the targets +1 and -1.
const DefaultSigma = 1.5

// defaultAnneal is how many times too wide the bandwidth is at first.
const defaultAnneal = 4

// sigmaGrid is what SigmaByFolds tries.
var sigmaGrid = []float64{1, 1.5, 2, 3}

// RegMaxCEM is the regularised maximum correntropy machine (Wang, Wang, Jing, Gao). With
// s_i the squared misses of row i summed over the classes, it minimises
//
//	mean_i (1 - exp(-s_i / 2 sigma^2)) + lambda/(2 sigma^2) sum_l ||w_l||^2,
//
// 2 sigma^2 times which tends to the objective of Square as sigma grows.
type RegMaxCEM struct {
	Options
	// Variant. Zero: VariantAuto.
	Variant Variant
	// Loss of the misses, from a text (loss.Parse) or of one's own. Nil: Welsch's, which is
	// correntropy. Others get the bandwidth that matches a Welsch loss with the sigma below,
	// unless theirs is fixed.
	Loss loss.Loss
	// Rule and Sigma give the bandwidth. Zero: SigmaAuto.
	Rule  SigmaRule
	Sigma float64
	// Anneal is the factor by which the bandwidth is too wide at first; it is halved after a
	// few steps until it is what was asked for. 1: off. Zero: 4.
	Anneal float64
	// TwoSided charges scores beyond their target as well.
	TwoSided bool

	open bool // neither a variant is given nor what belongs to one
}

func (m RegMaxCEM) name() string     { return "regmaxcem" }
func (m RegMaxCEM) options() Options { return m.Options }

// Fit trains the machine on rows with labels from 0 to classes-1.
func (m RegMaxCEM) Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error) {
	var err error
	if m, err = m.filled(); err != nil {
		return nil, err
	}
	return fitSource(ctx, m, src, labels, classes)
}

// FitBeside is [Square.FitBeside].
func (m RegMaxCEM) FitBeside(ctx context.Context, table linalg.Source, counts []int) (*Model, error) {
	var err error
	if m, err = m.filled(); err != nil {
		return nil, err
	}
	return fitBeside(ctx, m, table, counts)
}

func (m RegMaxCEM) filled() (RegMaxCEM, error) {
	if m.Rule == "" {
		m.Rule = SigmaAuto
	}
	linear := m.Kernel.Kind == "" || m.Kernel.Kind == kernel.Linear
	if m.Variant == "" || m.Variant == VariantAuto {
		m.open = m.Sigma == 0 && m.Rule == SigmaAuto && !m.TwoSided
		m.Variant = PerRow
	}
	if !word(string(m.Variant), "joint row element paper") {
		return m, refusal.Parameter("variant", m.Variant, "is not one of auto, joint, row, element, paper")
	}
	if m.Variant == PerRowJoint && (!linear || m.TwoSided || m.Rule == SigmaPaper) {
		return m, refusal.Parameter("variant", m.Variant, "is for kernel=linear, without margin=two-sided and sigma=paper; variant=row takes these")
	}
	if !word(string(m.Rule), "auto paper cv") {
		return m, refusal.Parameter("sigma", m.Rule, "is not a number, auto, paper or cv")
	}
	if !(m.Sigma >= 0) || math.IsInf(m.Sigma, 1) {
		return m, refusal.Parameter("sigma", m.Sigma, "must be a positive number")
	}
	if m.Rule == SigmaAuto && m.Sigma == 0 {
		if m.Sigma = DefaultSigma; m.Variant == AsPrinted {
			m.Rule = SigmaPaper
		}
	}
	if m.Lambda == 0 && m.Variant == AsPrinted {
		m.Lambda = PrintedLambda
	}
	if m.Anneal == 0 {
		m.Anneal = defaultAnneal
	}
	if m.Clip == 0 && m.Variant == AsPrinted {
		m.Clip = math.Inf(1)
	}
	if !(m.Anneal >= 1) || m.Anneal > 1e6 {
		return m, refusal.Parameter("anneal", m.Anneal, "must be at least 1")
	}
	return m, nil
}

func (m RegMaxCEM) train(ctx context.Context, t *task) (*outcome, error) {
	if m.Rule == SigmaByFolds {
		sigma, err := m.choose(ctx, t)
		if err != nil {
			return nil, err
		}
		m.Rule, m.Sigma = SigmaAuto, sigma
	}
	spec, err := loss.Specify(m.Loss, welsch)
	if err != nil {
		return nil, err
	}
	if m.Variant == AsPrinted && t.kernel {
		return m.trainSpelled(ctx, t)
	}
	if m.Variant == PerRowJoint {
		return m.trainJoint(ctx, t, spec)
	}
	s := t.system(t.o.Lambda * t.total)
	start, err := firstState(ctx, t, s)
	if err != nil {
		return nil, err
	}
	p := &problem{t: t, s: s, perElement: m.Variant != PerRow, oneSided: m.Variant == PerRow && !m.TwoSided, printed: m.Variant == AsPrinted}
	set := irls.Settings{
		Loss: spec, Prior: t.prior, Absolute: true, MaxSteps: t.o.steps(100), Tol: t.o.Tol, Plain: m.Variant == AsPrinted, OnStep: t.o.OnStep,
	}
	if p.perElement {
		set.Prior = make([]float64, 0, p.Len())
		for _, a := range t.prior {
			for range t.classes {
				set.Prior = append(set.Prior, a)
			}
		}
	}
	if m.Rule == SigmaPaper {
		set.Rescale = irls.EveryStep
		set.Bandwidth = func(squared []float64) float64 { return matching(spec, p.printedSigma(squared, set.Prior)) }
	} else {
		m.graduate(&set, spec, t)
	}
	last, err := irls.Run(ctx, p, start, set)
	if err != nil {
		return nil, err
	}
	return &outcome{
		theta: last.State.theta, scores: last.State.scores, weights: last.Weights, perElement: p.perElement,
		steps: last.Steps, status: last.Status, loss: last.Loss,
	}, nil
}

// graduate gives a fixed bandwidth that begins too wide; the wide stages only prepare.
func (m RegMaxCEM) graduate(set *irls.Settings, spec loss.Spec, t *task) {
	if spec.Rule().Kind != loss.Fixed {
		spec = spec.WithRule(loss.FixedAt(matching(spec, m.Sigma)))
	}
	set.Loss, set.Graduate, set.Stage = spec, m.Anneal, irls.Stage{Steps: 3, Tol: max(t.o.Tol, 1e-3)}
}

var welsch = loss.MustParse("welsch")

// matching is the bandwidth that belongs to a Welsch loss with this sigma.
func matching(spec loss.Spec, sigma float64) float64 {
	return spec.WithRule(loss.Rule{}).Bandwidth([]float64{sigma * sigma}, nil, 1)
}

// leastSigma keeps the printed rule from dividing by zero.
const leastSigma = 1e-6

// printedSigma is the paper's bandwidth for squared misses.
func (p *problem) printedSigma(squared, prior []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range squared {
		sum += prior[i] * v
		total += prior[i]
	}
	if !p.perElement {
		total *= float64(p.t.classes)
	}
	return max(sum/(2*total), leastSigma)
}

// choose tries bandwidths by cross-validation.
func (m RegMaxCEM) choose(ctx context.Context, t *task) (float64, error) {
	folds := t.folds(3)
	best, most := DefaultSigma, -1.0
	for _, sigma := range sigmaGrid {
		m.Rule, m.Sigma = SigmaAuto, sigma
		right := 0.0
		for _, fold := range folds {
			scores, _, err := t.scoresWithout(ctx, m, fold)
			if err != nil {
				return 0, err
			}
			for i, share := range fold {
				if share > 0 && largest(scores.RawRowView(i)) == t.labels[i] {
					right += share * t.prior[i]
				}
			}
		}
		if right > most {
			best, most = sigma, right
		}
	}
	return best, nil
}

// largest is the position of the largest number.
func largest(v []float64) int {
	best := 0
	for l, x := range v {
		if x > v[best] {
			best = l
		}
	}
	return best
}
