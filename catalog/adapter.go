package catalog

import (
	"context"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// One adapter stands between the table and the families. It knows none of their models: a fitted one
// is a Typed, and what else it can do is told by the methods it has. An entry says how to fit;
// its family says what it learns from and how it is restored.

// Typed is the fitted model of a family.
type Typed interface {
	// Describe tells what was fitted, with the names that the caller has for things.
	Describe(archive.Names) Description
	// State is everything a model file holds.
	State() State
}

// What typed models can do.
type (
	transformer interface {
		Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
		Width() int
	}
	reconstructor interface {
		Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	}
	contributor interface {
		Contributions(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	}
	judge interface {
		Judge(ctx context.Context, x *mat.Dense) (*verdict.Rows, error)
	}
	valueJudge interface {
		Judge(ctx context.Context, x *mat.Dense, y []float64) (*verdict.Rows, error)
	}
	labelJudge interface {
		Judge(ctx context.Context, x *mat.Dense, labels []int) (*verdict.Rows, error)
	}
	targetJudge interface {
		Judge(ctx context.Context, x, targets *mat.Dense) (*verdict.Rows, error)
	}
	predictor interface {
		Predict(ctx context.Context, x *mat.Dense) (*Prediction, error)
	}
	valuePredictor interface {
		Predict(ctx context.Context, x *mat.Dense) ([]float64, error)
	}
	bordered interface {
		Outside(x *mat.Dense) []bool
	}
	outputPredictor interface {
		Predict(ctx context.Context, x *mat.Dense) (*mat.Dense, error)
	}
)

// family is what the entries of a family share.
type family struct {
	name    string
	tasks   []Task
	learns  func(method string, v Values, data *lesson) error // looks at the target; nil: there is none to learn
	restore func(State) (Typed, error)
	renew   renew
	learner bool   // may work on reduced rows
	raw     bool   // learns from columns as they are; scaling can be put before
	missing string // what to do about a number that is missing
	strange bool   // a label that the model does not know counts as none
	proba   bool   // classifiers tell probabilities
}

// fit fits an entry; v are its own and may be changed.
type fit func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error)

// lesson is what a fit learns from: rows and, for families that learn one, the target.
type lesson struct {
	dataset.Source
	target  *dataset.Target // nil: there is none
	task    Task            // regress or classify
	values  []float64       // to regress
	labels  []int           // to classify
	classes []string
	counts  []int         // rows of each class, of rows in blocks
	beside  linalg.Source // the rows with the target as last column, where these are read in blocks; else nil
}

// besides is a source that has its rows in blocks together with the target.
type besides interface {
	// Beside returns them, the target last, and its name; nil where it cannot.
	Beside() (linalg.Source, string)
}

// classed is a source that has its rows in blocks together with their classes.
type classed interface {
	// BesideClasses returns them, the index of the class last, the target without its labels, and how many rows each class has; nil
	// where the target is none of classes.
	BesideClasses(ctx context.Context) (linalg.Source, *dataset.Target, []int, error)
}

// inBlocks finds rows and targets in blocks, where the data have them so.
func (t *lesson) inBlocks(ctx context.Context, m *Method, v Values) error {
	src, ok := t.Source.(classed)
	if ok && slices.Contains(m.Tasks, Classify) && !v.Is("task", string(Regress)) {
		table, target, counts, err := src.BesideClasses(ctx)
		if err != nil {
			return err
		}
		if table != nil {
			t.beside, t.target, t.task, t.classes, t.counts = table, target, Classify, target.Classes, counts
			return manyClasses(t, len(counts)-count(counts, 0))
		}
		if !slices.Contains(m.Tasks, Regress) || v.Is("task", string(Classify)) {
			return nil // which asks for the target, and says what is wrong with it
		}
	}
	if src, ok := t.Source.(besides); ok && slices.Contains(m.Tasks, Regress) {
		var name string
		t.beside, name = src.Beside()
		t.target, t.task = &dataset.Target{Name: name}, Regress
	}
	return nil
}

func count(numbers []int, of int) (n int) {
	for _, v := range numbers {
		if v == of {
			n++
		}
	}
	return n
}

// rows are the rows alone: a plain matrix where they are in memory.
func (t *lesson) rows() linalg.Source {
	if m, ok := t.Source.(interface{ Dense() *mat.Dense }); ok {
		return linalg.FromDense(m.Dense())
	}
	return t.Source
}

// dense is all rows in memory.
func (t *lesson) dense(ctx context.Context) (*mat.Dense, error) { return linalg.Load(ctx, t.Source) }

// add completes an entry and adds it to the table. check looks at the parameters beyond what
// their ranges tell, and may fill in what they leave open; it may be nil.
func add(m *Method, of *family, check func(v Values) error, fit fit) {
	m.Family, m.Tasks, m.Proba, m.family = of.name, of.tasks, of.proba, of
	m.Build = func(v Values) (Fitter, error) {
		v = maps.Clone(v)
		if m.Loss {
			if _, err := loss.Parse(v.Text("loss")); err != nil {
				return nil, &UsageError{Parameter: "loss", Problem: err.Error(), Hint: "inlier losses lists them"}
			}
		}
		if check != nil {
			if err := check(v); err != nil {
				return nil, err
			}
		}
		return FitterFunc(func(ctx context.Context, data dataset.Source, run Run) (Model, error) {
			return of.fit(ctx, m, fit, maps.Clone(v), data, run)
		}), nil
	}
	m.Restore = func(s State) (Model, error) {
		typed, err := of.restore(s)
		if err != nil {
			return nil, err
		}
		return adapt(typed, of, s.Description), nil
	}
	if of.learner {
		makeChain(m)
	}
	if of.raw {
		makeScaled(m)
	}
	register(m)
}

// restoring makes the restore function of a family whatever its model.
func restoring[M Typed](restore func(State) (M, error)) func(State) (Typed, error) {
	return func(s State) (Typed, error) { return restore(s) }
}

func (of *family) fit(ctx context.Context, m *Method, fit fit, v Values, data dataset.Source, run Run) (Model, error) {
	t := &lesson{Source: data}
	var err error
	if m.Beside {
		if err := t.inBlocks(ctx, m, v); err != nil {
			return nil, err
		}
	}
	if t.beside == nil && of.tasks[0] != Reduce {
		if t.target, err = data.Target(ctx); err != nil {
			return nil, err
		}
	}
	if of.learns != nil && t.beside == nil {
		if err := of.learns(m.Name, v, t); err != nil {
			return nil, err
		}
	}
	typed, err := fit(ctx, v, t, run)
	if err != nil {
		return nil, explain(err, data.Name(), data.Columns(), t.classes, of.missing)
	}
	return adapt(typed, of, describe(m, typed, v, t, run)), nil
}

// describe is the family's description with the names and parameters of the table.
func describe(m *Method, typed Typed, v Values, data *lesson, run Run) Description {
	names := archive.Names{Columns: data.Columns(), Classes: data.classes}
	d := typed.Describe(names)
	for name, text := range d.Parameters {
		if _, ok := v[name]; ok {
			v[name] = text
		}
	}
	d.Method, d.Family, d.Parameters, d.Seed, d.ColumnNames = m.Name, m.Family, Parameters(v), run.Seed, data.Columns()
	if d.Shape == nil {
		d.Shape = data.Shape()
	}
	if d.Loss == "" && m.Loss {
		d.Loss = v.Text("loss")
	}
	if data.values != nil || data.labels != nil || data.beside != nil {
		d.Target = data.target.Name
	}
	if c, ok := typed.(interface{ Labels() []int }); ok && data.target != nil && data.target.Labels != nil {
		d.Target = data.target.Name
		compareClusters(&d, c.Labels(), data.target.Labels)
	}
	return d
}

// adapted is a typed model in the table's words.
type adapted struct {
	typed       Typed
	family      *family
	description Description
}

// adapt gives a model the capabilities that its methods tell.
func adapt(typed Typed, of *family, d Description) Model {
	a := &adapted{typed: typed, family: of, description: d}
	if _, ok := typed.(transformer); ok {
		return &reduction{a}
	}
	return &prediction{a}
}

// Adapt makes a model of the table of one that was fitted without it, such as a *pca.Model, for
// everything that asks for one: judging with reasons, pictures, model files.
func Adapt(typed Typed) (Model, error) {
	d := typed.Describe(archive.Names{})
	m, err := Lookup(d.Method)
	if err != nil {
		return nil, err
	}
	return adapt(typed, m.family, d), nil
}

// Typed is the model of the family behind a model of the table: a *pca.Model, for instance. It
// is nil for models of several steps.
func (a *adapted) Typed() Typed { return a.typed }

// As finds a capability beyond the table's: of the model itself, or of the typed one behind it.
func As[T any](m any) (T, bool) {
	if t, ok := m.(T); ok {
		return t, true
	}
	if a, ok := m.(interface{ Typed() Typed }); ok {
		t, ok := a.Typed().(T)
		return t, ok
	}
	var none T
	return none, false
}

func (a *adapted) Describe() Description { return a.description }

// State is that of the typed model with the table's description.
func (a *adapted) State() State {
	s := a.typed.State()
	s.Description = a.description
	return s
}

// Trace is the course of the fit, for convergence curves.
func (a *adapted) Trace() []irls.Step {
	if t, ok := a.typed.(interface{ Steps() []irls.Step }); ok {
		return t.Steps()
	}
	return nil
}
