package tune

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/catalog"
)

// Result is what a search has found.
type Result struct {
	Method         string
	Task           catalog.Task
	Metric         Metric
	Axes           []Axis
	Folds, Repeats int
	Trials         []Trial // best first
	Choice         int     // index of the chosen trial
	Rule           string  // how it was chosen: "best", or "one standard error"
	Fits           int     // made in this run
	Reused         int     // taken from the journal
	Unknown        int     // cells of validation rows whose category no training row had
	Seconds        float64
}

// Trial is a candidate with its score.
type Trial struct {
	Candidate
	Rank          int     // from 1; equal scores share one
	Score         float64 // mean over the repeats; NaN when a fit failed
	SD            float64 // spread of the folds (jackknife)
	StandardError float64 // of the score: SD over the root of the number of folds
	Seconds       float64 // of all fits of the last round
	Rung          int     // of a halving search: the last round reached
	Rows          int     // training rows of that round; 0: all
	Failure       string  // why a fit failed
}

// Chosen is the trial to use.
func (r *Result) Chosen() *Trial { return &r.Trials[r.Choice] }

// mostBlocks bounds the blocks of the jackknife: with more folds, folds are joined.
const mostBlocks = 20

// judge turns the outcomes of a candidate's fits into its score and spread. Within a
// repeat every row is predicted once, so the score is computed over all rows; the
// jackknife leaves out one fold after the other; for the trimmed error see influences.
func (w *work) judge(t *Trial, out []outcome) {
	t.Seconds, t.Failure = 0, ""
	for _, o := range out {
		t.Seconds += o.seconds
		if o.failure != "" && t.Failure == "" {
			t.Failure = o.failure
		}
	}
	t.Score, t.SD, t.StandardError = math.NaN(), math.NaN(), math.NaN()
	if t.Failure != "" {
		return
	}
	m, folds := w.search.Metric, w.search.Folds
	blocks := min(folds, mostBlocks)
	var sum float64
	var pseudo []float64
	for repeat := range w.search.Repeats {
		at := func(skip int) (float64, error) {
			var rows []int
			var values []float64
			for f := range folds {
				if f%blocks != skip {
					rows = append(rows, w.parts[repeat*folds+f].Test...)
					values = append(values, out[repeat*folds+f].values...)
				}
			}
			return m.value(w.set.Target, rows, values)
		}
		whole, err := at(-1)
		if err != nil {
			t.Failure = err.Error()
			return
		}
		sum += whole
		if m.Name == "trimmed" {
			errors := make([][]float64, blocks)
			for f := range folds {
				for k, i := range w.parts[repeat*folds+f].Test {
					errors[f%blocks] = append(errors[f%blocks], math.Abs(w.set.Target.Values[i]-out[repeat*folds+f].values[k]))
				}
			}
			pseudo = append(pseudo, influences(errors, m.Share, whole)...)
			continue
		}
		for b := range blocks {
			without, err := at(b)
			if err != nil {
				t.Failure = err.Error()
				return
			}
			pseudo = append(pseudo, float64(blocks)*whole-float64(blocks-1)*without)
		}
	}
	t.Score = sum / float64(w.search.Repeats)
	// Repeats divide the same rows anew, which makes the score steadier but tells nothing
	// new about the rows: the error is that of one repeat's blocks.
	t.SD = deviation(pseudo)
	t.StandardError = t.SD / math.Sqrt(float64(blocks))
}

// deviation is the standard deviation with n-1.
func deviation(v []float64) float64 {
	if len(v) < 2 {
		return math.NaN()
	}
	mean, squares := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(v)-1))
}

// rank sorts the trials: those that came further first, then by score; ties in the order
// of the grid.
func (r *Result) rank() {
	slices.SortStableFunc(r.Trials, func(a, b Trial) int {
		failed := func(t Trial) int {
			if math.IsNaN(t.Score) {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(failed(a), failed(b)), cmp.Compare(b.Rung, a.Rung), r.Metric.order(a.Score, b.Score))
	})
	for i := range r.Trials {
		r.Trials[i].Rank = i + 1
		if i > 0 && r.Trials[i].Score == r.Trials[i-1].Score && r.Trials[i].Rung == r.Trials[i-1].Rung {
			r.Trials[i].Rank = r.Trials[i-1].Rank
		}
	}
}

// choose picks the trial to use.
func (r *Result) choose(oneSE bool) {
	r.Choice, r.Rule = 0, "best"
	best := r.Trials[0]
	if !oneSE || math.IsNaN(best.StandardError) {
		return
	}
	r.Rule = "one standard error"
	for i, t := range r.Trials {
		if t.Rung != best.Rung || math.IsNaN(t.Score) || math.Abs(t.Score-best.Score) > best.StandardError {
			continue
		}
		if simpler(t.Candidate, r.Trials[r.Choice].Candidate, r.Axes) {
			r.Choice = i
		}
	}
}

// simplicity tells which direction of a parameter makes a model simpler: +1 large values,
// -1 small ones. Parameters that are not listed do not matter. The order is that of
// importance.
var simplicity = []struct {
	name      string
	direction float64
}{
	{"hidden", -1}, {"components", -1}, {"reduce.components", -1}, {"features", -1}, {"gamma", -1}, {"lambda", +1}, {"reduce.lambda", +1}, {"p", -1}, {"reduce.p", -1},
}

// simpler compares candidates parameter by parameter; a linear kernel is simpler than any
// other.
func simpler(a, b Candidate, axes []Axis) bool {
	for _, kernel := range []string{"kernel", "reduce.kernel"} {
		if x, y := a.Params[kernel], b.Params[kernel]; x != y {
			return x == "linear"
		}
	}
	for _, s := range simplicity {
		if !slices.ContainsFunc(axes, func(x Axis) bool { return x.Name == s.name }) {
			continue
		}
		if a.Params[s.name] == b.Params[s.name] {
			continue
		}
		x, err1 := strconv.ParseFloat(a.Params[s.name], 64)
		y, err2 := strconv.ParseFloat(b.Params[s.name], 64)
		// A word such as auto cannot be compared with a number.
		return err1 == nil && err2 == nil && s.direction*(x-y) > 0
	}
	return false
}
