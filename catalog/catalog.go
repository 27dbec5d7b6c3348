// Package catalog is the one table of everything Inlier can fit. The command line, the
// tuner, the experiments, the web page and the documents all read it, so a method that
// stands here is known everywhere, with the same parameters, defaults, ranges and words.
//
// [Methods] lists the entries; [Lookup] finds one by name; [Method.Fit] checks the
// parameters given as text, fits and returns a [Model]. What a model can do beyond that
// is told by the interfaces it satisfies: [Transformer], [Predictor], [Detector].
//
// To add a method, write its file in the family's package and one entry here: see
// docs/CONTRIBUTING.md.
package catalog

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/suggest"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/verdict"
)

// Task is what a method is for.
type Task = archive.Task

// The tasks. A method may serve as one step of a chain whatever its task.
const (
	Reduce   = archive.Reduce
	Regress  = archive.Regress
	Classify = archive.Classify
	Cluster  = archive.Cluster
)

// Method is one entry of the table.
type Method struct {
	Name    string  // as typed: "pca-kmpe"
	Family  string  // group of array names in the model file: "pca", "elm", "tensor", ...
	Tasks   []Task  // what it can be used for
	Title   string  // one line
	About   string  // what it does and when to use it, a few sentences
	Paper   string  // where it comes from
	Params  []Param // in the order of the help text
	Loss    bool    // takes --loss
	Default string  // default loss text of methods that take one
	Missing bool    // can use rows with missing values when asked to
	Proba   bool    // its classifiers tell probabilities
	Updates bool    // its models take further rows in
	Beside  bool    `json:"-"` // learns from rows and their targets in blocks

	// Build turns checked parameters into something that fits.
	Build func(v Values) (Fitter, error) `json:"-"`
	// Restore makes the model again from what Model.State gave.
	Restore func(s State) (Model, error) `json:"-"`

	family *family
	scaled bool // the parameter scaling is put on by the table
}

// Fitter is a configured estimator.
type Fitter interface {
	Fit(ctx context.Context, data dataset.Source, run Run) (Model, error)
}

// FitterFunc makes a Fitter of a function.
type FitterFunc func(ctx context.Context, data dataset.Source, run Run) (Model, error)

// Fit calls the function.
func (f FitterFunc) Fit(ctx context.Context, data dataset.Source, run Run) (Model, error) {
	return f(ctx, data, run)
}

// Run is what a fit takes beside data and parameters.
type Run struct {
	Seed    uint64          // randomness of the fit
	Weights []float64       // weights of the rows; nil: one each
	Votes   []float64       // of the rows, from which a reweighting begins in families that can begin anywhere; nil: their own start
	OnStep  func(irls.Step) // observes

	votes []float64 // what a reduction before made of the rows, 1 or less; nil: nothing
}

// Model is a fitted, immutable model.
type Model interface {
	// Describe tells what was fitted and how the fit ended.
	Describe() Description
	// State returns everything a model file holds.
	State() State
}

// What a fit leaves, as model files keep it: see package archive.
type (
	Description = archive.Description
	Parameters  = archive.Parameters
	State       = archive.State
	Array       = archive.Array
)

// Transformer is a model that reduces rows to fewer numbers and back.
type Transformer interface {
	Model
	// Transform returns one row of scores for each row of x.
	Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	// ScoreNames names the columns that Transform returns: pc1, pc2, ...
	ScoreNames() []string
	// Reconstruct returns what the model keeps of each row of x, in input columns.
	Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
}

// Predictor is a model that predicts a number or a class for a row.
type Predictor interface {
	Model
	// Predict returns predictions for the rows of x.
	Predict(ctx context.Context, x *mat.Dense) (*Prediction, error)
}

// Prediction is what a model predicts.
type Prediction = verdict.Prediction

// Detector is a model that tells outliers from other rows.
type Detector interface {
	Model
	// Outliers judges every row of data. Training rows and new rows are treated alike.
	Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error)
}

// Rememberer is a detector that still knows what it found of its training rows, so that
// they need not be judged again.
type Rememberer interface {
	// TrainingOutliers marks the outlying training rows; nil when they are forgotten, as
	// in a model from a file.
	TrainingOutliers() []bool
}

var table = map[string]*Method{}

// register adds an entry; the family files call it at start-up.
func register(m *Method) {
	if _, twice := table[m.Name]; twice {
		panic("catalog: method " + m.Name + " is registered twice")
	}
	build := m.Build
	m.Build = func(v Values) (Fitter, error) {
		f, err := build(v)
		if err != nil {
			return nil, err
		}
		return door{f}, nil
	}
	table[m.Name] = m
}

// familyOrder is the order in which families are listed.
var familyOrder = []string{"pca", "correntropy-pca", "elm", "linear", "classify", "tensor", "chain", "cluster"}

// Methods lists every method, family by family, in alphabetical order within each.
func Methods() []*Method {
	offerReductions()
	rank := map[string]int{}
	for i, f := range familyOrder {
		rank[f] = i
	}
	out := make([]*Method, 0, len(table))
	for _, m := range table {
		out = append(out, m)
	}
	sort.Slice(out, func(i, j int) bool {
		if a, b := rank[out[i].Family], rank[out[j].Family]; a != b {
			return a < b
		}
		return out[i].Name < out[j].Name
	})
	return out
}

// Lookup finds a method by name. The error names the nearest known one.
func Lookup(name string) (*Method, error) {
	offerReductions()
	if m, ok := table[name]; ok {
		return m, nil
	}
	names := make([]string, 0, len(table))
	for n := range table {
		names = append(names, n)
	}
	sort.Strings(names)
	return nil, &UsageError{Parameter: "method", Problem: fmt.Sprintf("there is no method %q", name), Hint: didYouMean(name, names, "inlier methods lists them")}
}

// Fit checks the parameters, given as text, and fits.
func (m *Method) Fit(ctx context.Context, data dataset.Source, params map[string]string, run Run) (Model, error) {
	v, err := m.Check(params)
	if err != nil {
		return nil, err
	}
	f, err := m.Build(v)
	if err != nil {
		return nil, err
	}
	return f.Fit(ctx, data, run)
}

// UsageError is a mistake in what the user asked for: an unknown name, a value out of range.
type UsageError struct {
	Problem, Hint string
	Parameter     string // the field of a request that is meant: method, target, loss, parameters.sigma; or empty
	Cause         error  // the refusal behind it, where a family wrote one
}

// ParametersField stands before the name of a method's parameter in UsageError.Parameter.
const ParametersField = "parameters."

// Unwrap is the refusal behind the error; nil where there is none.
func (e *UsageError) Unwrap() error { return e.Cause }

// Error is one line; the hint stands apart so that a terminal can show it on its own line.
func (e *UsageError) Error() string { return e.Problem }

// didYouMean is a hint: the known name nearest to a mistyped one, if there is one, and
// what else there is to say.
func didYouMean(name string, known []string, otherwise string) string {
	if nearest := suggest.Nearest(name, known); nearest != "" {
		return fmt.Sprintf("did you mean %q? %s", nearest, otherwise)
	}
	return otherwise
}

// join lists words for a message.
func join(words []string) string { return strings.Join(words, ", ") }
