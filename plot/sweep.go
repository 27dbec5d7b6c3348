package plot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tune"
)

func sweep() Kind {
	return Kind{
		Name: "sweep", Needs: Needs{Subject: OfMethods, Several: true, Data: true},
		Shows: "error of reconstruction against one parameter, or two: components, rank, alpha and beta",
		Of:    "methods that reduce rows, several separated by commas",
		About: `Every combination of the --grid values is fitted to the data and measured by how far rows are from their
reconstruction. With --corrupt the data are dirtied first, and only the rows that stayed clean are
measured. One --grid gives a line for each method, two give a table of colours.

A grid is a list, key=a,b,c, or a range: components=5..50:10, beta=0.1..10:9log.`,
		Params: []Param{
			{Name: "grid", Kind: catalog.Text, Several: true, Meaning: "values of a parameter, key=a,b,c or key=low..high:count[log]; once or twice"},
			{Name: "set", Kind: catalog.Text, Several: true, Meaning: "parameter that stays the same, key=value; may be repeated"},
			{Name: "loss", Kind: catalog.Text, Meaning: "loss of the methods that take one; inlier losses lists them"},
			{Name: "corrupt", Kind: catalog.Text, Meaning: "dirty the data first, such as rows:0.2; inlier data corrupt lists the kinds"},
			{Name: "error", Kind: catalog.Choice, Choices: []string{"mean", "median", "squared"}, Range: "it is mean, median or squared", Default: "mean with --corrupt, else median",
				Meaning: "what is drawn: mean or median distance, or mean squared distance: squared"},
		},
		Example: Example{Of: "corr-2dsvd faces/", Out: "sweep.svg",
			With: [][2]string{{"grid", "alpha=0.5,1,2,5"}, {"grid", "beta=1..20:5log"}, {"set", "rank=20"}, {"corrupt", "dummy:30"}}},
		check:   func(j *job) error { _, err := newSweep(j); return err },
		missing: func(j *job) bool { s, err := newSweep(j); return err == nil && s.fixed["missing"] == "fit" },
		draw:    drawSweep,
	}
}

// mostFits bounds the fits of a sweep.
const mostFits = 2000

// sweepPoint is one fit.
type sweepPoint struct {
	Method  string            `json:"method"`
	Values  map[string]string `json:"values"`
	Mean    report.Number     `json:"mean"`
	Median  report.Number     `json:"median"`
	Squared report.Number     `json:"squared"`
	Seconds report.Number     `json:"fit_seconds"`
}

// sweepJob is a sweep before and after its fits.
type sweepJob struct {
	methods []*catalog.Method
	axes    []tune.Axis
	fixed   map[string]string
	measure string
	points  []sweepPoint // methods outside, then the first axis, then the second
}

// newSweep checks what can be checked before data are read.
func newSweep(j *job) (*sweepJob, error) {
	s := &sweepJob{measure: j.text("error")}
	var err error
	if s.fixed, err = catalog.ParseSettings(j.list("set")); err != nil {
		return nil, about(paramsField+"set", err)
	}
	if text := j.text("loss"); text != "" {
		if _, err := loss.Parse(text); err != nil {
			return nil, badInput(paramsField+"loss", err, "inlier losses lists the losses")
		}
		s.fixed["loss"] = text
	}
	grid := j.list("grid")
	switch {
	case len(grid) == 0:
		return nil, usage(paramsField+"grid", "for example --grid components=5,10,20", "a sweep needs a parameter to vary")
	case len(grid) > 2:
		return nil, usage(paramsField+"grid", "inlier tune searches over more", "a sweep varies one or two parameters, not %d", len(grid))
	}
	if s.measure == "" {
		s.measure = "median"
		if j.text("corrupt") != "" {
			s.measure = "mean"
		}
	}
	for _, name := range j.names {
		m, err := catalog.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, about("names", err)
		}
		if !slices.Contains(m.Tasks, catalog.Reduce) {
			return nil, usage("names", "inlier tune --plot draws scores of methods that learn a target", "a sweep takes methods that reduce rows; %s does not", m.Name)
		}
		s.methods = append(s.methods, m)
		var axes []tune.Axis
		for _, text := range grid {
			axis, err := tune.ParseAxis(m, s.fixed, text)
			if err != nil {
				return nil, about(paramsField+"grid", err)
			}
			axes = append(axes, axis)
		}
		s.axes = axes
		if err := s.check(m); err != nil {
			return nil, err
		}
	}
	if len(s.axes) == 2 && s.axes[0].Name == s.axes[1].Name {
		return nil, usage(paramsField+"grid", "give its values in one --grid", "parameter %s is varied twice", s.axes[0].Name)
	}
	if n := len(s.methods) * len(s.settings()); n > mostFits {
		return nil, usage(paramsField+"grid", fmt.Sprintf("at most %d", mostFits), "the grid asks for %d fits", n)
	}
	return s, nil
}

// check refuses parameters that a method does not know.
func (s *sweepJob) check(m *catalog.Method) error {
	for _, axis := range s.axes {
		if _, twice := s.fixed[axis.Name]; twice {
			return usage(paramsField+"grid", "give it once", "parameter %s is varied by --grid and fixed by --set", axis.Name)
		}
	}
	_, err := m.Check(s.params(m, nil))
	return about(paramsField+"set", err)
}

// params are those of one fit. A loss goes to the methods that take one.
func (s *sweepJob) params(m *catalog.Method, values map[string]string) map[string]string {
	all := maps.Clone(values)
	if all == nil {
		all = map[string]string{}
	}
	for name, v := range s.fixed {
		if name != "loss" || m.Loss {
			all[name] = v
		}
	}
	return all
}

// settings are all combinations of the axes, the first axis outside.
func (s *sweepJob) settings() []map[string]string {
	list := []map[string]string{{}}
	for _, axis := range s.axes {
		var next []map[string]string
		for _, before := range list {
			for _, v := range axis.Values {
				with := maps.Clone(before)
				with[axis.Name] = v
				next = append(next, with)
			}
		}
		list = next
	}
	return list
}

func drawSweep(ctx context.Context, j *job) (*Drawing, error) {
	s, err := newSweep(j)
	if err != nil {
		return nil, err
	}
	set, judged, what := j.data, j.data.X, words.Plural(j.data.Rows(), "row")
	if spec := j.text("corrupt"); spec != "" {
		dirty, dirt, err := corrupt.Apply(set, spec, j.seed)
		if err != nil {
			return nil, badInput(paramsField+"corrupt", err, "inlier data corrupt lists the kinds of dirt")
		}
		var clean []int
		for i := range set.Rows() {
			if !dirt.Rows[i] {
				clean = append(clean, i)
			}
		}
		if len(clean) == 0 {
			return nil, usage(paramsField+"corrupt", "leave some rows clean", "--corrupt %s hits every row", spec)
		}
		judged, set = set.Subset(clean).X, dirty
		what = fmt.Sprintf("%s that stayed clean when %s dirtied the data", words.Plural(len(clean), "row"), spec)
	}
	settings := s.settings()
	for k, m := range s.methods {
		for i, values := range settings {
			at := Progress{Label: m.Name + settingText(s.axes, values), Done: k*len(settings) + i, Total: len(s.methods) * len(settings)}
			p, err := s.fit(ctx, m, values, set, judged, catalog.Run{Seed: j.seed, OnStep: j.observer(at)})
			if err != nil {
				return nil, s.failure(at.Label, err)
			}
			s.points = append(s.points, *p)
		}
	}
	return s.drawing(words.Base(set.Name), what), nil
}

// observer tells of a fit and returns what sees its steps; nil when nobody looks.
func (j *job) observer(at Progress) func(irls.Step) {
	if j.observe == nil {
		return nil
	}
	j.observe(at)
	return func(s irls.Step) {
		now := at
		now.Step = &s
		j.observe(now)
	}
}

// fit fits one setting and measures how far rows are from their reconstruction.
func (s *sweepJob) fit(ctx context.Context, m *catalog.Method, values map[string]string, set *dataset.Set, judged *mat.Dense, run catalog.Run) (*sweepPoint, error) {
	began := time.Now()
	made, err := m.Fit(ctx, set.Source(), s.params(m, values), run)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	p := &sweepPoint{Method: m.Name, Values: values, Seconds: report.Number(time.Since(began).Seconds())}
	t, ok := made.(catalog.Transformer)
	if !ok {
		return nil, fmt.Errorf("%s models do not reconstruct", m.Name)
	}
	back, err := t.Reconstruct(ctx, judged)
	if err != nil {
		return nil, err
	}
	n, _ := judged.Dims()
	distances := make([]float64, n)
	mean, squared := 0.0, 0.0
	for i := range distances {
		d := distance(judged.RawRowView(i), back.RawRowView(i))
		distances[i] = d
		mean += d / float64(n)
		squared += d * d / float64(n)
	}
	slices.Sort(distances)
	p.Mean, p.Squared, p.Median = report.Number(mean), report.Number(squared), report.Number((distances[(n-1)/2]+distances[n/2])/2)
	return p, nil
}

// failure says at which setting a fit failed, and where the parameter that it could not use was given.
func (s *sweepJob) failure(setting string, err error) error {
	var own *catalog.UsageError
	if !errors.As(err, &own) {
		return fmt.Errorf("%s: %w", setting, err)
	}
	name, field := strings.TrimPrefix(own.Parameter, catalog.ParametersField), ""
	var value *refusal.ParameterError
	var rank *refusal.RankError
	switch {
	case errors.As(err, &value):
		name = value.Name
	case errors.As(err, &rank):
		name = rank.Name
	}
	if slices.ContainsFunc(s.axes, func(a tune.Axis) bool { return a.Name == name }) {
		field = paramsField + "grid"
	} else if _, fixed := s.fixed[name]; fixed {
		field = paramsField + "set"
	}
	return &catalog.UsageError{Parameter: field, Problem: setting + ": " + own.Problem, Hint: own.Hint}
}

// settingText is " alpha=1 beta=2".
func settingText(axes []tune.Axis, values map[string]string) string {
	text := ""
	for _, axis := range axes {
		text += " " + axis.Name + "=" + values[axis.Name]
	}
	return text
}
