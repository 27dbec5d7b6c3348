package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tune"
)

func sweepKind() plotKind {
	return plotKind{
		name: "sweep", takes: []string{"METHODS", "DATA"},
		shows: "error of reconstruction against one parameter, or two: components, rank, alpha and beta",
		of:    "methods that reduce rows, several separated by commas",
		long: `Every combination of the --grid values is fitted to the data and measured by how far rows are from their
reconstruction. With --corrupt the data are dirtied first, and only the rows that stayed clean are
measured. One --grid gives a line for each method, two give a table of colours.

A grid is a list, key=a,b,c, or a range: components=5..50:10, beta=0.1..10:9log.`,
		example: "inlier plot sweep corr-2dsvd faces/ --grid alpha=0.5,1,2,5 --grid beta=1..20:5log --set rank=20 --corrupt dummy:30 --out sweep.svg",
		flags: func(c *cobra.Command, r *plotRequest) {
			f := c.Flags()
			f.StringArrayVar(&r.grid, "grid", nil, "values of a parameter, key=a,b,c or key=low..high:count[log]; once or twice")
			f.StringArrayVar(&r.sets, "set", nil, "parameter that stays the same, key=value; may be repeated")
			f.StringVar(&r.loss, "loss", "", "loss of the methods that take one; `inlier losses` lists them")
			f.StringVar(&r.corrupt, "corrupt", "", "dirty the data first, such as rows:0.2; `inlier data corrupt` lists the kinds")
			f.StringVar(&r.measure, "error", "", "what is drawn: mean or median distance, or mean squared distance: squared (default: mean with --corrupt, else median)")
			_ = c.RegisterFlagCompletionFunc("error", cobra.FixedCompletions([]string{"mean", "median", "squared"}, cobra.ShellCompDirectiveNoFileComp))
			c.ValidArgsFunction = completeMethod
		},
		draw: func(ctx context.Context, a *app, r *plotRequest, args []string) (*drawing, error) {
			s, err := r.sweep(args[0])
			if err != nil {
				return nil, err
			}
			return a.sweep(ctx, s, r, args[1])
		},
	}
}

// mostFits bounds the fits of a sweep.
const mostFits = 2000

// sweepPoint is one fit.
type sweepPoint struct {
	Method  string            `json:"method"`
	Values  map[string]string `json:"values"`
	Mean    number            `json:"mean"`
	Median  number            `json:"median"`
	Squared number            `json:"squared"`
	Seconds number            `json:"fit_seconds"`
}

// sweepJob is a sweep before and after its fits.
type sweepJob struct {
	methods []*catalog.Method
	axes    []tune.Axis
	fixed   map[string]string
	measure string
	points  []sweepPoint // methods outside, then the first axis, then the second
}

// sweep checks what can be checked before data are read.
func (r *plotRequest) sweep(names string) (*sweepJob, error) {
	s := &sweepJob{measure: r.measure}
	var err error
	if s.fixed, err = parseSets(r.sets); err != nil {
		return nil, err
	}
	if r.loss != "" {
		if _, err := loss.Parse(r.loss); err != nil {
			return nil, badInput(err, "inlier losses lists the losses")
		}
		s.fixed["loss"] = r.loss
	}
	switch {
	case len(r.grid) == 0:
		return nil, usage("for example --grid components=5,10,20", "a sweep needs a parameter to vary")
	case len(r.grid) > 2:
		return nil, usage("inlier tune searches over more", "a sweep varies one or two parameters, not %d", len(r.grid))
	case r.measure != "" && !slices.Contains([]string{"mean", "median", "squared"}, r.measure):
		return nil, usage("it is mean, median or squared", "--error %s is not known", r.measure)
	}
	if s.measure == "" {
		s.measure = "median"
		if r.corrupt != "" {
			s.measure = "mean"
		}
	}
	for name := range strings.SplitSeq(names, ",") {
		m, err := catalog.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(m.Tasks, catalog.Reduce) {
			return nil, usage("inlier tune --plot draws scores of methods that learn a target", "a sweep takes methods that reduce rows; %s does not", m.Name)
		}
		s.methods = append(s.methods, m)
		var axes []tune.Axis
		for _, text := range r.grid {
			axis, err := tune.ParseAxis(m, s.fixed, text)
			if err != nil {
				return nil, err
			}
			axes = append(axes, axis)
		}
		s.axes = axes
		if err := s.check(m); err != nil {
			return nil, err
		}
	}
	if len(s.axes) == 2 && s.axes[0].Name == s.axes[1].Name {
		return nil, usage("give its values in one --grid", "parameter %s is varied twice", s.axes[0].Name)
	}
	if n := len(s.methods) * len(s.settings()); n > mostFits {
		return nil, usage(fmt.Sprintf("at most %d", mostFits), "the grid asks for %d fits", n)
	}
	return s, nil
}

// check refuses parameters that a method does not know.
func (s *sweepJob) check(m *catalog.Method) error {
	for _, axis := range s.axes {
		if _, twice := s.fixed[axis.Name]; twice {
			return usage("give it once", "parameter %s is varied by --grid and fixed by --set", axis.Name)
		}
	}
	_, err := m.Check(s.params(m, nil))
	return err
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

func (a *app) sweep(ctx context.Context, s *sweepJob, r *plotRequest, path string) (*drawing, error) {
	set, err := a.load(ctx, path, r.data, inlier.Needs{Missing: s.fixed["missing"] == "fit", Varied: true, Method: s.methods[0]})
	if err != nil {
		return nil, err
	}
	judged, what := set.X, plural(set.Rows(), "row")
	if r.corrupt != "" {
		dirty, _, clean, err := a.dirtied(set, r.corrupt)
		if err != nil {
			return nil, err
		}
		judged, set = clean, dirty
		n, _ := clean.Dims()
		what = fmt.Sprintf("%s that stayed clean when %s dirtied the data", plural(n, "row"), r.corrupt)
	}
	if err := a.runSweep(ctx, s, set, judged); err != nil {
		return nil, err
	}
	return s.drawing(shortName(set.Name), what), nil
}

func (a *app) runSweep(ctx context.Context, s *sweepJob, set *dataset.Set, judged *mat.Dense) error {
	var bar *progress.Bar
	if _, ok := terminal(a.err); ok && !a.quiet {
		bar = progress.New(a.err, "sweep", nil, a.colour(a.err))
		defer bar.Close()
	}
	settings := s.settings()
	for k, m := range s.methods {
		for i, values := range settings {
			text := m.Name + settingText(s.axes, values)
			bar.Count(k*len(settings)+i, len(s.methods)*len(settings), text)
			f, err := enter(ctx, entrant{Label: m.Name, Method: m.Name, Params: s.params(m, values)}, set, nil, a.seed)
			if err == nil {
				var p *sweepPoint
				if p, err = measureSweep(ctx, f, judged); err == nil {
					p.Values = values
					s.points = append(s.points, *p)
				}
			}
			if err != nil {
				return namedFailure(text, err)
			}
		}
	}
	return nil
}

// namedFailure says at which setting a fit failed.
func namedFailure(setting string, err error) error {
	var own *catalog.UsageError
	if errors.As(err, &own) {
		return &catalog.UsageError{Problem: setting + ": " + own.Problem, Hint: own.Hint}
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// settingText is " alpha=1 beta=2".
func settingText(axes []tune.Axis, values map[string]string) string {
	text := ""
	for _, axis := range axes {
		text += " " + axis.Name + "=" + values[axis.Name]
	}
	return text
}

func measureSweep(ctx context.Context, f *fitted, judged *mat.Dense) (*sweepPoint, error) {
	distances, err := f.distances(ctx, judged)
	if err != nil {
		return nil, err
	}
	p := &sweepPoint{Method: f.Label, Seconds: number(f.seconds)}
	mean, squared := 0.0, 0.0
	for _, d := range distances {
		mean += d / float64(len(distances))
		squared += d * d / float64(len(distances))
	}
	slices.Sort(distances)
	n := len(distances)
	p.Mean, p.Squared, p.Median = number(mean), number(squared), number((distances[(n-1)/2]+distances[n/2])/2)
	return p, nil
}
