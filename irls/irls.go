// Package irls is the one engine behind every robust fit in Inlier: iteratively
// reweighted least squares.
//
// A robust loss turns each observation's squared residual s into a weight; a weighted
// least-squares step answers with a new state; repeat. The engine knows neither
// matrices nor models. A family (robust PCA, ELM, linear regression, tensors) hands it
// a [Problem] that can compute residuals at a state and solve the weighted
// least-squares step; [Run] does the rest: bandwidth, weights, step control, stopping,
// trace, cancellation.
//
// # What is promised
//
// While the bandwidth stands still (one stage of the trace) the objective
//
//	J(state) = sum_i a_i rho(s_i) / sum_i a_i + slope * penalty(state)
//
// never rises; slope is that of the loss (drho/ds = slope * weight), so that a penalty means
// the same beside every loss. Where rho is concave in s the plain step already falls, because the
// weighted square majorises the loss; elsewhere (KMPE with p > 2, alpha > 2) a step that
// would rise is shortened until it falls, and the trace says by how much. How a run
// ended is data ([Status]), not an error. Every run ends: each turn of the loop makes a
// step, of which there are at most MaxSteps, or closes a stage that cannot come back.
//
// # Stages
//
// A run is a row of stages, each with one loss. What leads from one to the next is the
// engine's work, so that a family needs no loop of its own:
//
//   - An open bandwidth is looked at again after every few steps until it stands still; a
//     last stage then runs to convergence ([Settings.Rescale], [Settings.Bandwidth],
//     [Settings.Stage]).
//   - A bandwidth may begin too wide and narrow stage by stage ([Settings.Graduate]), or any
//     row of losses may lead to the last one ([Settings.Path]).
//   - A penalty may be chosen anew from the weights that were found, until it stands still
//     ([Settings.Retune]).
//   - Where the objective is flat to rounding, plain steps may bring the state's last
//     digits ([Settings.Polish]).
//   - [Best] compares what several starts lead to.
//
// # Cancelling
//
// One rule holds for every fit of Inlier. Until there is a first whole state, a fit whose
// context ends returns the context's error ([Ended] tells it from others). From then on it
// returns no error but a whole, usable model of the best state so far, with [Status]
// Cancelled. So the later a context ends, the better the outcome: an error, then a
// cancelled model, then the finished one. A fit without iteration has no state before it
// is done. For [Run] a state is whole once its residuals are known; [Best] keeps what
// earlier starts have found. A family that calls Run again from a whole state keeps that
// state where Run returns an error that has Ended.
package irls

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Problem is what a model family provides. S is its state: whatever the weighted
// least-squares step returns, such as a mean and a basis. States are immutable.
type Problem[S any] interface {
	// Len is the number of observations that receive a weight.
	Len() int
	// Residuals writes the squared residual norm of every observation into s.
	Residuals(ctx context.Context, at S, s []float64) error
	// Solve minimises sum_i w_i s_i + A Penalty, where A is the sum of the prior weights (the
	// number of observations without them). from is a warm start.
	Solve(ctx context.Context, from S, w []float64) (S, error)
	// Penalty is the quadratic term of Solve; 0 without one. Beside the mean loss stands the
	// loss's slope times it, which makes the weighted step one of descent.
	Penalty(at S) float64
	// Between returns the state a fraction t of the way from a to b, 0 < t < 1.
	Between(a, b S, t float64) (S, error)
	// Distance tells how far b is from a, free of scale; 0 means the same model.
	Distance(a, b S) float64
}

// Status tells how a run ended.
type Status int

const (
	// Unfinished is the zero value: nothing has said how the run ended.
	Unfinished Status = iota
	// Converged: the objective or the state stands still.
	Converged
	// StepLimit: MaxSteps solves were made.
	StepLimit
	// PerfectFit: every observation that counts is reproduced to rounding.
	PerfectFit
	// Stalled: no shortened step lowers the objective further.
	Stalled
	// Cancelled: the context ended; the state is the best so far.
	Cancelled
)

var statusNames = [...]string{"unfinished", "converged", "step limit", "perfect fit", "stalled", "cancelled"}

// String is the text used in traces, JSON and model files.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("status %d", int(s))
	}
	return statusNames[s]
}

// ParseStatus reads the text that String writes. An empty text, as in records that hold no
// status, is Unfinished.
func ParseStatus(text string) (Status, error) {
	if text == "" {
		return Unfinished, nil
	}
	if k := slices.Index(statusNames[:], text); k >= 0 {
		return Status(k), nil
	}
	return Unfinished, refusal.Setting("status", "irls: unknown status %q; known are %s", text, strings.Join(statusNames[:], ", "))
}

// Step is one line of the trace: the state after a solve.
type Step struct {
	Number    int     `json:"step"`                  // from 1; 0 is the start
	Stage     int     `json:"stage"`                 // objectives of one stage share a bandwidth and never rise
	Objective float64 `json:"objective"`             // mean loss plus penalty
	Scale     float64 `json:"scale"`                 // bandwidth, 0 for losses without one
	Effective float64 `json:"effective_sample_size"` // (sum w)^2 / sum w^2
	Change    float64 `json:"change"`                // distance from the state before
	Damping   float64 `json:"damping"`               // part of the full step taken, 1 = all
}

// Result is what a run returns.
type Result[S any] struct {
	State   S
	Status  Status
	Steps   []Step
	Loss    loss.Scaled // with the bandwidth of the last stage
	Squared []float64   // squared residuals at State
	Weights []float64   // weights at State, prior included
}

// Objective is the last objective of the trace.
func (r Result[S]) Objective() float64 {
	if len(r.Steps) == 0 {
		return math.NaN()
	}
	return r.Steps[len(r.Steps)-1].Objective
}

// Run reweights from the given start until the objective stands still. A context that ends
// before the residuals of the start are known gives its error, unless Settings.Whole is set;
// later, the best state so far with status Cancelled.
func Run[S any](ctx context.Context, p Problem[S], start S, set Settings) (Result[S], error) {
	ctx = given.Context(ctx)
	if err := set.fill(p.Len()); err != nil {
		return Result[S]{}, err
	}
	r := &run[S]{p: p, set: set, state: start, s: make([]float64, p.Len()), w: make([]float64, p.Len()), next: make([]float64, p.Len())}
	if err := r.begin(ctx); err != nil {
		return Result[S]{}, err
	}
	if err := r.stages(ctx); Ended(err) {
		r.status = Cancelled
	} else if err != nil {
		return Result[S]{}, err
	}
	r.weigh()
	return Result[S]{State: r.state, Status: r.status, Steps: r.steps, Loss: r.loss, Squared: r.s, Weights: r.w}, nil
}

// Best runs from every start and returns the result with the smallest objective when all
// are judged by one bandwidth, the smallest that any of them found. Where the context ends
// before every run has ended, the best of those that have a state is returned with status
// Cancelled. An empty list is an error.
func Best[S any](ctx context.Context, p Problem[S], starts []S, set Settings) (Result[S], error) {
	ctx = given.Context(ctx)
	if len(starts) == 0 {
		return Result[S]{}, refusal.Setting("start", "irls: no start given")
	}
	var all []Result[S]
	var judge loss.Scaled
	cut := false
	for _, start := range starts {
		r, err := Run(ctx, p, start, set)
		if cut = Ended(err) && len(all) > 0; cut {
			break
		}
		if err != nil {
			return Result[S]{}, err
		}
		all = append(all, r)
		if judge == nil || r.Loss.Scale() < judge.Scale() {
			judge = r.Loss
		}
		if cut = r.Status == Cancelled; cut {
			break
		}
	}
	best, lowest := 0, math.Inf(1)
	for k, r := range all {
		if v := meanLoss(judge, r.Squared, set.Prior) + judge.Slope()*p.Penalty(r.State); v < lowest {
			best, lowest = k, v
		}
	}
	if cut {
		all[best].Status = Cancelled
	}
	return all[best], nil
}

// Ended tells whether an error says that a context ended: it was cancelled or its deadline
// has passed.
func Ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// meanLoss is sum a_i rho(s_i) / sum a_i over the observations that count.
func meanLoss(l loss.Scaled, s, prior []float64) float64 {
	total := float64(len(s))
	if prior != nil {
		total = linalg.Total(len(s), func(from, to int) (sum float64) {
			for _, a := range prior[from:to] {
				sum += a
			}
			return sum
		})
	}
	sum := linalg.Total(len(s), func(from, to int) (sum float64) {
		for i, v := range s[from:to] {
			if prior == nil {
				sum += l.Rho(v)
			} else if a := prior[from+i]; a != 0 {
				sum += a * l.Rho(v)
			}
		}
		return sum
	})
	if sum <= math.MaxFloat64 && total <= math.MaxFloat64 {
		return sum / total
	}
	// The sum overflows; the mean need not.
	largest := 0.0
	for _, a := range prior {
		largest = math.Max(largest, a)
	}
	sum, total = 0, 0
	for i, v := range s {
		a := 1 / float64(len(s))
		if prior != nil {
			a *= prior[i] / largest
		}
		if a > 0 {
			sum += a * l.Rho(v)
			total += a
		}
	}
	return sum / total
}
