package inlier

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

// Monitor is the job of fitting a method along the scale of its loss: at the scale that a fit settles on, at narrower ones, where
// more rows lose their votes, and at wider ones, up to nearly the classical fit. Each begins with the votes that its neighbour
// ended with, where the family can begin anywhere. Rows that lose their vote at every scale are outliers whatever the scale;
// a jump of many at once is another fit (Riani, Cerioli, Atkinson, Perrotta 2014: Monitoring robust regression).
type Monitor struct {
	Fit
	// Fits along the scale. 0: 25; 1: the one at the scale that is settled on.
	Fits int `json:"fits,omitempty"`
}

// The scales reach from a quarter to 16 times the settled one, so many to an octave that 25 fits do.
const (
	monitorFits  = 25
	monitorLow   = -2 // octaves
	monitorHigh  = 4
	monitorMost  = 201
	monitorBytes = 5                  // of a vote and a verdict
	monitorVotes = monitorBytes << 27 // most of them, in bytes
	monitorRows  = 100_000            // from which the fits off the settled scale learn, of a larger table
)

// MonitorResult is the fit, and the fits along the scale.
type MonitorResult struct {
	*FitResult
	Parameter string          `json:"scale_parameter,omitempty"` // what is varied: the loss, sigma, ...; empty: the fit has no scale
	Fits      []MonitoredFit  `json:"fits"`                      // from the narrowest scale to the widest
	Settled   int             `json:"settled"`                   // which of them is at the scale of the fit
	Sampled   int             `json:"sampled_rows,omitempty"`    // that the others learn from, to judge all; 0: all
	Votes     [][]float32     `json:"-"`                         // of the rows, for each of the fits, from 0 to 1
	Outlying  [][]bool        `json:"-"`                         // likewise
	set       *dataset.Set    // the rows
	sample    []int           // rows that the fits off the settled scale learn from; nil: all
	learned   *dataset.Set    // those rows
	judged    *verdict.Rows   // by the fit itself
	outlying  []int           // the outliers among the rows that are left, from 1
	numbers   []float64       // of the rows in the file, from 1; nil: none was left out
	dates     map[string]bool // columns of a table that was read tolerantly that hold days since 1970
}

// MonitoredFit is a fit at one scale of the loss.
type MonitoredFit struct {
	Scale     report.Number `json:"scale"`
	Loss      string        `json:"loss"`
	Status    string        `json:"status"`
	Steps     int           `json:"steps"`
	Effective report.Number `json:"effective_sample_size"`
	Outliers  int           `json:"outliers"`
	Problem   string        `json:"problem,omitempty"`
}

// Check refuses what cannot be asked for, before anything is read.
func (m Monitor) Check() error {
	if m.Fits < 0 || m.Fits > monitorMost {
		return about("fits", usage(fmt.Sprintf("from 1 to %d fits", monitorMost), "%d fits along the scale are not allowed", m.Fits))
	}
	return m.Fit.Check()
}

// Run reads the data and fits. A table that does not fit into memory is fitted at the settled scale alone.
func (m Monitor) Run(ctx context.Context, o Observer) (*MonitorResult, error) {
	ctx = given.AllOrNothing(ctx)
	if err := m.Check(); err != nil {
		return nil, err
	}
	r := newReporter("monitor", o)
	job, err := m.prepare()
	if err != nil {
		return nil, err
	}
	dates, tell := map[string]bool{}, m.Data.OnColumns
	m.Data.OnColumns = func(columns []ReadColumn, remarks []tolerant.Remark) {
		for _, c := range columns {
			dates[c.Name] = c.ReadAs == tolerant.Date.String() && c.LeftOut == ""
		}
		if tell != nil {
			tell(columns, remarks)
		}
	}
	var written []model.Written
	var rest []int
	m.Data.wrote, m.Data.rest = &written, &rest
	set, parts, err := m.Data.table(ctx, job.needs(), r)
	if err != nil {
		return nil, err
	}
	result := &MonitorResult{set: set, Fits: []MonitoredFit{}, numbers: counted(rest), dates: dates}
	first := m.Fit
	if parts != nil {
		parts.Close()
		result.FitResult, err = first.Run(ctx, o)
		return result, err
	}
	first.Data, first.Checkpoint = Data{Set: set}, "" // which is of tables in blocks
	if result.FitResult, err = first.Run(ctx, o); err != nil {
		return nil, err
	}
	result.outlying = result.OutlierRows
	result.place(rest)
	result.Data, result.fitted.Input = set.Name, model.Input{Unnamed: set.Unnamed, Coder: set.Coder, Written: written}
	if d, ok := result.fitted.Value.(catalog.Detector); ok {
		if result.judged, err = judge.Rows(ctx, d, set); err != nil {
			return nil, err
		}
	}
	if fits := m.along(); fits > 1 && result.judged != nil && result.judged.Weight != nil {
		if votes := monitorBytes * int64(fits) * int64(set.Rows()); m.holds(set, job, votes) {
			err = result.alongScale(ctx, m.Fit, job, fits, r)
		} else {
			result.Warnings = append(result.Warnings, fmt.Sprintf("votes at %d scales would take %s: fitted at the settled one alone", fits, words.Size(votes)))
		}
	}
	return result, err
}

// holds tells whether the votes of all rows at all scales have room beside the table.
func (m Monitor) holds(set *dataset.Set, job *fitJob, votes int64) bool {
	if m.Data.Memory > 0 {
		n, d := set.X.Dims()
		return job.needs().bytes(int64(n)*int64(d), int64(d))+votes <= m.Data.Memory
	}
	return votes <= min(monitorVotes, memory.Free())
}

// counted are rows, from 0, as numbers from 1.
func counted(rows []int) (numbers []float64) {
	for _, row := range rows {
		numbers = append(numbers, float64(row+1))
	}
	return numbers
}

func (m Monitor) along() int {
	if m.Fits == 0 {
		return monitorFits
	}
	return m.Fits
}

// alongScale fits from the settled scale outwards, on either side.
func (r *MonitorResult) alongScale(ctx context.Context, f Fit, job *fitJob, fits int, events *reporter) error {
	spec, err := loss.Parse(r.Loss)
	if err != nil || spec.Rule().Kind != loss.Fixed || !(spec.Rule().Value > 0) {
		return nil // there is no scale
	}
	if r.Parameter = scaleParameter(job.method); r.Parameter == "" {
		return nil
	}
	settled := spec.Rule().Value
	octave := float64(monitorHigh-monitorLow) / float64(fits-1)
	r.Settled = int(math.Round(-monitorLow / octave))
	r.Fits, r.Votes, r.Outlying = make([]MonitoredFit, fits), make([][]float32, fits), make([][]bool, fits)
	r.Fits[r.Settled] = MonitoredFit{Scale: report.Number(settled), Loss: r.Loss, Status: r.Status, Steps: r.Steps, Effective: r.Effective, Outliers: r.Outliers}
	r.Votes[r.Settled], r.Outlying[r.Settled] = narrow(r.judged.Weight), trained(r.fitted.Value, r.judged)
	done := 1
	r.draw(f.Seed)
	for _, way := range []int{-1, 1} {
		votes := r.judged.Weight
		for k := r.Settled + way; k >= 0 && k < fits; k += way {
			events.send(Event{Phase: "fit", Label: "along the scale", Done: done, Total: fits, Rows: r.Rows, Columns: r.Columns})
			scale := settled * math.Exp2(octave*float64(k-r.Settled))
			rows, err := r.fitAt(ctx, f, spec.WithRule(loss.FixedAt(scale)), votes, k)
			if err != nil {
				return err
			}
			if r.Votes[k], r.Outlying[k] = r.Votes[k-way], r.Outlying[k-way]; rows != nil {
				votes, r.Votes[k], r.Outlying[k] = rows.Weight, narrow(rows.Weight), rows.Outlier
			}
			done++
		}
	}
	return ctx.Err()
}

// fitAt is the fit at a scale, from the votes of its neighbour; where that fails from the family's own start. It returns nil where
// that fails too.
func (r *MonitorResult) fitAt(ctx context.Context, f Fit, spec loss.Spec, votes []float64, k int) (*verdict.Rows, error) {
	at := &r.Fits[k]
	*at = MonitoredFit{Scale: report.Number(spec.Rule().Value), Loss: spec.String()}
	f.Parameters, f.Loss = r.fixed(f.Parameters), ""
	f.Parameters[r.Parameter] = at.Loss
	if r.Parameter != "loss" {
		f.Parameters[r.Parameter] = fmt.Sprint(spec.Rule().Value)
	}
	job, err := f.prepare()
	if err != nil {
		return nil, err
	}
	for _, from := range [][]float64{votes, nil} {
		m, err := job.fitter.Fit(ctx, r.learned.Source(), catalog.Run{Seed: f.Seed, Weights: r.ofSample(f.Weights), Votes: r.ofSample(from)})
		var rows *verdict.Rows
		if err == nil {
			rows, err = judge.Rows(ctx, m.(catalog.Detector), r.set)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || rows.Weight == nil {
			at.Problem = fmt.Sprint(err)
			continue
		}
		about := m.Describe()
		if r.sample == nil {
			rows.Outlier = trained(m, rows)
		}
		at.Status, at.Steps, at.Effective, at.Outliers = about.Status, about.Steps, report.Number(about.Effective), rows.Count()
		at.Problem = ""
		return rows, nil
	}
	return nil, nil
}

// trained are the outliers among the rows that a model was learned from: those that its fit has found, else as it judges them.
func trained(m catalog.Model, judged *verdict.Rows) []bool {
	if known, ok := m.(catalog.Rememberer); ok {
		if outlier := known.TrainingOutliers(); len(outlier) == len(judged.Outlier) {
			return outlier
		}
	}
	return judged.Outlier
}

// draw chooses the rows that the fits off the settled scale learn from.
func (r *MonitorResult) draw(seed uint64) {
	r.learned = r.set
	n := r.set.Rows()
	if n <= 2*monitorRows { // little would be gained
		return
	}
	r.sample = random.New(seed, "rows along the scale").Perm(n)[:monitorRows]
	slices.Sort(r.sample)
	r.learned, r.Sampled = r.set.Subset(r.sample), monitorRows
}

// ofSample are the values of the rows that are learned from.
func (r *MonitorResult) ofSample(values []float64) []float64 {
	if r.sample == nil || values == nil {
		return values
	}
	some := make([]float64, len(r.sample))
	for k, i := range r.sample {
		some[k] = values[i]
	}
	return some
}

func narrow(votes []float64) []float32 {
	out := make([]float32, len(votes))
	for i, v := range votes {
		out[i] = float32(v)
	}
	return out
}

// fixed are the parameters of the fit, with the size that it has chosen.
func (r *MonitorResult) fixed(given catalog.Parameters) catalog.Parameters {
	out := catalog.Parameters{}
	for name, value := range given {
		out[name] = value
	}
	if size, chosen := r.Parameters["components"]; chosen {
		out["components"] = size
	}
	return out
}

// scaleParameter is the parameter of a method by which the scale of its loss is set; empty: there is none.
func scaleParameter(m *catalog.Method) string {
	if m.Loss {
		return "loss"
	}
	k := slices.IndexFunc(m.Params, func(p catalog.Param) bool { return p.Name == "sigma" || p.Name == "cutoff" })
	if k < 0 {
		return ""
	}
	return m.Params[k].Name
}
