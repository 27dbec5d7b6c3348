package linear

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/internal/scaling"
)

// Describe tells what was fitted and how the fit ended.
func (m *Model) Describe(names archive.Names) archive.Description {
	if d, ok := m.kept.Description(); ok {
		return d
	}
	found := archive.Parameters{"intercept": "on"}
	if !m.hasIntercept {
		found["intercept"] = "off"
	}
	if m.scale > 0 && m.loss.Scale() > 0 {
		found["cutoff"] = strconv.FormatFloat(m.loss.Scale()/m.scale, 'g', 6, 64)
	}
	d := archive.Description{
		Method: "linear-robust", Family: "linear", Task: archive.Regress, Rows: m.rows, Columns: len(m.coef), Parameters: found, Loss: m.loss.String(),
		Status: m.status.String(), Outliers: m.outliers(), Effective: m.effective(), Warnings: m.Warnings(),
	}
	d.EndedWith(m.steps)
	for _, j := range m.dropped {
		d.Warnings = append(d.Warnings, fmt.Sprintf("column %q is constant or depends on the columns before it; its coefficient is 0", names.Column(j)))
	}
	d.Numbers = map[string]any{
		"scale": m.scale, "start_scale": m.startScale, "r2_robust": finiteOrNil(m.r2), "r2_robust_adjusted": finiteOrNil(m.adjusted),
		"degrees_of_freedom": m.freedom, "coefficients": m.coefficients(names), "near_zero_weight_rows": rowNumbers(m.rejectedRows(mostRows)), "kinds": m.kinds(),
	}
	return d
}

// coefficients lists estimate, standard error, t and p of every coefficient.
func (m *Model) coefficients(names archive.Names) []map[string]any {
	entry := func(name string, c Coefficient) map[string]any {
		return map[string]any{
			"name": name, "value": c.Value, "standard_error": finiteOrNil(c.Error), "t": finiteOrNil(c.T), "p": finiteOrNil(c.P),
		}
	}
	intercept, lines := m.Table()
	table := []map[string]any{entry("(intercept)", intercept)}
	for j, c := range lines {
		table = append(table, entry(names.Column(j), c))
	}
	return table
}

// mostRows bounds lists of row numbers in descriptions.
const mostRows = 1000

// rowNumbers counts rows from 1 and shortens long lists.
func rowNumbers(rows []int) []int {
	out := make([]int, 0, min(len(rows), mostRows))
	for _, i := range rows[:min(len(rows), mostRows)] {
		out = append(out, i+1)
	}
	return out
}

// finiteOrNil is what JSON can express.
func finiteOrNil(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

// numberOf is a number of a description, NaN where it has none.
func numberOf(d archive.Description, name string) float64 {
	if v, ok := d.Numbers[name].(float64); ok {
		return v
	}
	return math.NaN()
}

// State is everything a model file holds. Coefficients are in units of the data, so the
// scaling is the identity.
func (m *Model) State() archive.State {
	p := m.parts()
	d := len(p.Coef)
	arrays := map[string]archive.Array{
		"coef": {Shape: []int{1, d}, Data: p.Coef}, "intercept": archive.Vector([]float64{p.Intercept}),
		"weights": archive.Vector(p.Weights), "objective": archive.Objectives(p.Steps),
	}
	scaling.Identity(d).Store(arrays)
	if p.Covariance != nil {
		arrays["covariance"] = archive.Matrix(mat.DenseCopyOf(p.Covariance))
	}
	extra := map[string]any{
		"loss_at": p.Loss, "scale": p.Scale, "zero": p.Zero, "flag": p.Flag, "freedom": p.Freedom,
		"leverage_cutoff": p.LeverageCutoff, "largest_log_weight": p.Largest,
	}
	if p.StartCoef != nil {
		arrays["start_coef"], extra["start_intercept"], extra["start_scale"] = archive.Vector(p.StartCoef), p.StartIntercept, p.StartScale
	}
	if len(p.Dropped) > 0 {
		arrays["dropped"] = archive.Integers(p.Dropped)
	}
	m.leverage.Store(arrays)
	m.past.store(arrays, extra)
	return m.kept.State(m.Describe(archive.Names{}), arrays, extra)
}

// Restore makes the model again from its state.
func Restore(s archive.State) (*Model, error) {
	if err := s.Of("linear"); err != nil {
		return nil, err
	}
	r := s.Reader()
	coef, intercept := r.Matrix("coef"), r.Vector("intercept")
	p := parts{
		HasIntercept: s.Description.Parameters["intercept"] != "off", Weights: r.Vector("weights"), Steps: r.Trace(), Loss: r.Text("loss_at"),
		Scale: r.Number("scale"), Zero: r.Number("zero"), Flag: r.Number("flag"), Freedom: r.Number("freedom"),
		LeverageCutoff: r.Number("leverage_cutoff"), Largest: r.Number("largest_log_weight"), Warnings: s.Description.Warnings,
	}
	if r.Has("covariance") {
		if c := r.Matrix("covariance"); r.Err() == nil {
			n, k := c.Dims()
			if n != k {
				return nil, fmt.Errorf("array \"covariance\" of %d x %d is not square", n, k)
			}
			p.Covariance = mat.NewSymDense(n, mat.DenseCopyOf(c).RawMatrix().Data)
		}
	}
	if r.Has("start_coef") { // files of old do not tell the start
		p.StartCoef, p.StartIntercept, p.StartScale = r.Vector("start_coef"), r.Number("start_intercept"), r.Number("start_scale")
	}
	if r.Has("dropped") {
		p.Dropped = r.Integers("dropped")
	}
	p.R2, p.Adjusted = numberOf(s.Description, "r2_robust"), numberOf(s.Description, "r2_robust_adjusted")
	far := leverage.Restore(r)
	p.LeverageColumns, p.LeverageCentre, p.LeverageWhiten = far.Columns, far.Offset, far.Whiten
	p.Status = r.Status()
	if r.Err() != nil {
		return nil, r.Err()
	}
	rows, d := coef.Dims()
	if rows != 1 || len(intercept) != 1 {
		return nil, fmt.Errorf("%d rows of coefficients and %d intercepts; a regression has one", rows, len(intercept))
	}
	if scaling.Restore(r, d); r.Err() != nil {
		return nil, r.Err()
	}
	p.Coef, p.Intercept = mat.Row(nil, 0, coef), intercept[0]
	m, err := fromParts(p)
	if err != nil {
		return nil, err
	}
	unknown := d - len(m.dropped)
	if m.hasIntercept {
		unknown++
	}
	m.kept, m.rows, m.past = archive.Keep(s), s.Description.Rows, restorePast(r, d, unknown)
	return m, r.Err()
}

// WriteTo writes the model as the bytes of a model file, which the inlier command and package
// model read as well.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return archive.WriteTo(w, m.State()) }

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error { return archive.Save(path, m.State()) }

// Read reads a model from r, to its end.
func Read(r io.Reader) (*Model, error) { return archive.Read(r, Restore) }

// Load reads the model file at path, written by [Model.Save] or by the inlier command.
func Load(path string) (*Model, error) { return archive.Load(path, Restore) }
