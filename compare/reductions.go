package compare

import (
	"context"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/report"
)

// Contender is one method's line of the comparison.
type Contender struct {
	Method      string         `json:"method"`
	Classical   report.Number  `json:"explained_variance_classical"`
	Robust      report.Number  `json:"explained_variance_robust"`
	Outliers    int            `json:"outliers"`
	Effective   report.Number  `json:"effective_sample_size"`
	Angle       report.Number  `json:"angle_to_default"`             // degrees, to the default method's subspace
	CleanError  *report.Number `json:"clean_error,omitempty"`        // mean distance of clean rows from their reconstruction
	CleanMedian *report.Number `json:"clean_error_median,omitempty"` // its median: blind to outliers that were there before
	Steps       int            `json:"steps"`
	Status      string         `json:"status"`
	Seconds     report.Number  `json:"fit_seconds"`

	Fit *Fitted `json:"-"`
}

// Reduced is a comparison of methods that reduce rows.
type Reduced struct {
	Data       string      `json:"data"`
	Rows       int         `json:"rows"`
	Columns    int         `json:"columns"`
	Components int         `json:"components"`
	Rank       string      `json:"rank,omitempty"` // of images and tensors, such as 12x12
	Corrupt    string      `json:"corrupt,omitempty"`
	Hit        int         `json:"rows_corrupted,omitempty"`
	Default    string      `json:"default"`
	Methods    []Contender `json:"methods"`
	Remarks    []string    `json:"remarks,omitempty"` // on how the data were read
	Numbers    []float64   `json:"-"`                 // of the rows in their file, where some were left out

	lineup catalog.Lineup
}

// Reductions is a comparison of methods that reduce rows: all of one family, each keeping
// as much of a row as the one they are held against.
type Reductions struct {
	Methods []string          // names; none: all of the usual family
	Shared  map[string]string // parameters of every method that has them
	Corrupt string            // dirt for the data, such as rows:0.2
	Seed    uint64
	Observe func(Progress) // may be nil
}

// Progress tells how many methods are done.
type Progress struct {
	Label       string // what is being fitted
	Done, Total int
	Step        *irls.Step // of the fit under way; nil between fits
}

// Check refuses methods that cannot be compared and parameters that none of them has.
func (r Reductions) Check() error { _, _, err := r.contenders(); return err }

// Run compares the methods on a table, which is dirtied first where that is asked for.
// The table that the methods have seen comes back as well.
func (r Reductions) Run(ctx context.Context, set *dataset.Set) (*Reduced, *dataset.Set, error) {
	ctx = given.Context(ctx)
	entrants, lineup, err := r.contenders()
	if err != nil {
		return nil, nil, err
	}
	result := &Reduced{Data: set.Name, Columns: set.Dim(), Corrupt: r.Corrupt, Default: reference(lineup, entrants), lineup: lineup}
	var clean *mat.Dense
	if r.Corrupt != "" {
		dirty, hit, intact, err := Dirtied(set, r.Corrupt, r.Seed)
		if err != nil {
			return nil, nil, err
		}
		result.Hit, clean, set = hit, intact, dirty
	}
	result.Rows = set.Rows()
	return result, set, r.contest(ctx, result, entrants, set, clean)
}

// Dirtied dirties a set and tells how many rows were hit; clean are the rows that were not.
func Dirtied(set *dataset.Set, spec string, seed uint64) (dirty *dataset.Set, hit int, clean *mat.Dense, err error) {
	dirty, dirt, err := corrupt.Apply(set, spec, seed)
	if err != nil {
		return nil, 0, nil, &catalog.UsageError{Parameter: "corrupt", Problem: err.Error(), Hint: "inlier data corrupt lists the kinds of dirt", Cause: err}
	}
	var kept []int
	for i := range set.Rows() {
		if !dirt.Rows[i] {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 {
		return nil, 0, nil, usage("corrupt", "leave some rows clean", "--corrupt %s hits every row", spec)
	}
	return dirty, dirt.RowCount(), set.Subset(kept).X, nil
}

// contenders are the methods to compare, all of one family; every shared parameter must
// be known to one.
func (r Reductions) contenders() (list []catalog.Entrant, lineup catalog.Lineup, err error) {
	lineups := catalog.Lineups()
	lineup = lineups[0]
	for _, m := range catalog.Methods() {
		if len(r.Methods) == 0 && m.Family == lineup.Family {
			list = append(list, catalog.Entrant{Label: m.Name, Method: m.Name})
		}
	}
	for i, name := range r.Methods {
		m, err := catalog.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, lineup, err
		}
		if k := slices.IndexFunc(lineups, func(l catalog.Lineup) bool { return l.Family == m.Family }); i == 0 && k >= 0 {
			lineup = lineups[k]
		}
		if m.Family != lineup.Family {
			var families []string
			for _, l := range lineups {
				families = append(families, "of the family "+l.Family)
			}
			return nil, lineup, usage("methods", "compare takes methods "+strings.Join(families, ", or ")+"; inlier methods --brief lists them", "method %s cannot be compared here", m.Name)
		}
		list = append(list, catalog.Entrant{Label: m.Name, Method: m.Name})
	}
	for name, value := range r.Shared {
		known := false
		for _, e := range list {
			m, err := catalog.Lookup(e.Method)
			if err != nil {
				return nil, lineup, err
			}
			if p, ok := m.Param(name); ok {
				known = true
				if err := p.Check(value); err != nil {
					return nil, lineup, err
				}
			}
		}
		if !known {
			return nil, lineup, usage(catalog.ParametersField+name, "inlier methods lists the parameters", "none of the compared methods has a parameter %q", name)
		}
	}
	return list, lineup, nil
}

// reference is the method that the others are held against.
func reference(l catalog.Lineup, list []catalog.Entrant) string {
	for _, e := range list {
		if slices.Contains(l.References, e.Method) {
			return e.Method
		}
	}
	return l.References[0]
}

// contest fits the reference, then the others with as many components.
func (r Reductions) contest(ctx context.Context, result *Reduced, entrants []catalog.Entrant, set *dataset.Set, clean *mat.Dense) error {
	run := func(label string, done int) catalog.Run {
		if r.Observe == nil {
			return catalog.Run{Seed: r.Seed}
		}
		p := Progress{Label: label, Done: done, Total: len(entrants)}
		r.Observe(p)
		return catalog.Run{Seed: r.Seed, OnStep: func(s irls.Step) { p.Step = &s; r.Observe(p) }}
	}
	first, err := Enter(ctx, catalog.Entrant{Label: result.Default, Method: result.Default}, set, r.Shared, run(result.Default, 0))
	if err != nil {
		return err
	}
	size, err := first.size()
	if err != nil {
		return err
	}
	result.Components, result.Rank = size.components, size.rank
	for k, e := range entrants {
		f := first
		if e.Method != result.Default {
			m, err := catalog.Lookup(e.Method)
			if err != nil {
				return err
			}
			if f, err = Enter(ctx, e, set, size.shared(m, r.Shared), run(e.Label, k)); err != nil {
				return err
			}
		}
		c, err := weighUp(ctx, f, first, clean)
		if err != nil {
			return err
		}
		result.Methods = append(result.Methods, *c)
	}
	return nil
}

// weighUp turns a fit into a line of the table.
func weighUp(ctx context.Context, f, reference *Fitted, clean *mat.Dense) (*Contender, error) {
	d := f.Model.Describe()
	c := &Contender{Method: f.Label, Outliers: d.Outliers, Effective: report.Number(d.Effective), Steps: d.Steps, Status: d.Status,
		Seconds: report.Number(f.Seconds), Classical: report.Number(math.NaN()), Robust: report.Number(math.NaN()), Fit: f}
	for _, name := range []string{"explained_variance_", "explained_"} { // of the families pca and tensor
		if v, ok := figure(d, name+"classical"); ok {
			c.Classical = report.Number(v)
		}
		if v, ok := figure(d, name+"robust"); ok {
			c.Robust = report.Number(v)
		}
	}
	bases, err := reference.bases()
	if err != nil {
		return nil, err
	}
	angle, err := f.AngleTo(bases...)
	if err != nil {
		return nil, err
	}
	c.Angle = report.Number(angle)
	if clean != nil {
		mean, median, err := f.ErrorOn(ctx, clean)
		if err != nil {
			return nil, err
		}
		c.CleanError, c.CleanMedian = (*report.Number)(&mean), (*report.Number)(&median)
	}
	return c, nil
}
