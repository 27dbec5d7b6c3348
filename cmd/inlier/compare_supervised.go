package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/tune"
)

// contestFlags are what `compare --target` takes beside the flags of compare.
type contestFlags struct {
	repeats  int
	test     float64
	group    string
	metric   string
	together bool
	tune     bool
}

func (r *contestFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.IntVar(&r.repeats, "repeats", 10, "with --target: random divisions into training and test rows")
	f.Float64Var(&r.test, "test", 0.25, "with --target: share of the rows to test on")
	f.StringVar(&r.group, "group", "", "with --target: column whose equal values stay on one side; it is not learned from")
	f.BoolVar(&r.together, "together", false, "with --target: keep rows with the same numbers on one side")
	f.StringVar(&r.metric, "metric", "", "with --target: what ranks: "+metricNames())
	f.BoolVar(&r.tune, "tune", false, "with --target: choose every method's parameters by cross-validation on the training rows")
}

// aboutContest is for the help text of compare.
const aboutContest = `With --target, methods that learn the target are compared instead: in every repeat all of them learn
from the same training rows and are judged on the same test rows; --corrupt dirties the training
rows only. The table has mean and spread over the repeats, mean ranks, and a paired test against the
best with the correction of Nadeau and Bengio for overlapping training rows, adjusted for the number of
methods (Holm). Classifiers are also tried with columns clipped by median and MAD.`

// learns tells whether the comparison is about methods that learn the target. Methods
// that reduce rows are compared with the target set apart, when they alone are named.
func (r *compareRequest) learns() bool {
	if t := r.data.Target; t == "" || t == "none" {
		return false
	}
	for _, name := range r.methods {
		if m, err := catalog.Lookup(strings.TrimSpace(name)); err != nil || m.Family != "pca" {
			return true
		}
	}
	return len(r.methods) == 0
}

func (a *app) compareSupervised(ctx context.Context, path string, r compareRequest) error {
	shared, err := r.check(a, path)
	if err != nil {
		return err
	}
	named, err := lookupAll(r.methods)
	if err != nil {
		return err
	}
	set, groups, err := a.loadGrouped(ctx, path, r.data, r.contest.group)
	if err != nil {
		return err
	}
	task, err := contestTask(named, shared, set)
	if err != nil {
		return err
	}
	contest := tune.Contest{Task: task, Repeats: r.contest.repeats, TestShare: r.contest.test, Corrupt: r.corrupt, Tune: r.contest.tune, Seed: a.seed,
		Rules: dataset.SplitRules{Groups: groups, Together: r.contest.together}}
	if contest.Metric, err = tune.MetricFor(r.contest.metric, task); err != nil {
		return err
	}
	if contest.Entrants, err = supervisedEntrants(named, shared, task); err != nil {
		return err
	}
	switch {
	case contest.Repeats < 1:
		return usage("at least 1 is needed", "--repeats %d is not allowed", contest.Repeats)
	case !(contest.TestShare > 0 && contest.TestShare < 1):
		return usage("it is a share above 0 and below 1", "--test %g is not allowed", contest.TestShare)
	}
	var bar *progress.Bar
	if _, ok := terminal(a.err); ok && !a.quiet {
		bar = progress.New(a.err, "compare", nil, a.colour(a.err))
		contest.OnProgress = func(p tune.Progress) { bar.Count(p.Done, p.All, fmt.Sprintf("%d of %d fits", p.Done, p.All)) }
	}
	standing, err := contest.Run(ctx, set)
	bar.Close()
	if err != nil {
		return err
	}
	return a.printContest(ctx, newContestResult(standing, contest, set), r.out)
}

func lookupAll(names []string) ([]*catalog.Method, error) {
	var list []*catalog.Method
	for _, name := range names {
		m, err := catalog.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// contestTask is what the target is learned as: the task that the first named method
// would choose, and without names classes where there are some.
func contestTask(named []*catalog.Method, shared map[string]string, set *dataset.Set) (catalog.Task, error) {
	if set.Target == nil {
		return "", usage("--target names it", "%s: there is no column to learn", set.Name)
	}
	if len(named) == 0 {
		if set.Target.Labels != nil {
			return catalog.Classify, nil
		}
		return catalog.Regress, nil
	}
	task, err := tune.TaskOf(named[0], shared, set)
	if err != nil {
		return "", err
	}
	for _, m := range named[1:] {
		if !slices.Contains(m.Tasks, task) {
			return "", usage("compare methods of one kind; --task says what the target is", "method %s does not %s, but %s does", m.Name, task, named[0].Name)
		}
	}
	return task, nil
}

// supervisedEntrants are the methods to compare with their variants; every shared
// parameter must be known to one of them.
func supervisedEntrants(named []*catalog.Method, shared map[string]string, task catalog.Task) ([]tune.Entrant, error) {
	var list []tune.Entrant
	add := func(method, label string, more ...string) {
		m, err := catalog.Lookup(method)
		if err != nil || !slices.Contains(m.Tasks, task) {
			return
		}
		params := map[string]string{}
		for i := 0; i+1 < len(more); i += 2 {
			if _, given := shared[more[i]]; given {
				return // a variant of what is given for all would be the same method twice
			}
			params[more[i]] = more[i+1]
		}
		for name, value := range shared {
			if _, ok := m.Param(name); ok || name == "loss" && m.Loss {
				params[name] = value
			}
		}
		if _, ok := m.Param("task"); ok {
			params["task"] = string(task)
		}
		list = append(list, tune.Entrant{Label: label, Method: m, Params: params})
	}
	switch {
	case len(named) > 0:
		for _, m := range named {
			add(m.Name, m.Name)
			if clip, ok := m.Param("clip"); ok && clip.Default == "off" {
				add(m.Name, m.Name+"+clip", "clip", "auto")
			}
		}
	case task == catalog.Regress:
		add("linear-robust", "least squares", "loss", "square", "start", "classic")
		add("linear-robust", "huber", "loss", "huber", "start", "classic")
		for _, name := range []string{"linear-robust", "elm", "relm", "elm-rcc"} {
			add(name, name)
		}
		add("elm-kmpe", "elm-kmpe+p=4", "p", "4") // with p=2 it is elm-rcc
	default:
		machines := []string{"square", "hinge", "logistic", "regmaxcem"}
		for _, name := range machines {
			add(name, name)
		}
		for _, name := range machines[:3] { // regmaxcem does so by itself
			add(name, name+"+clip", "clip", "auto")
		}
		for _, name := range machines {
			add(name, name+"+rbf", "kernel", "rbf")
		}
		add("relm", "relm")
		add("elm-kmpe", "elm-kmpe")
	}
	if len(list) == 0 {
		return nil, usage("inlier methods lists them", "there is no method that can %s", task)
	}
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		if !slices.ContainsFunc(list, func(e tune.Entrant) bool { _, ok := e.Params[name]; return ok }) {
			return nil, usage("inlier methods lists the parameters", "none of the compared methods has a parameter %q", name)
		}
	}
	for _, e := range list {
		if _, err := e.Method.Check(e.Params); err != nil {
			return nil, err
		}
	}
	return list, nil
}
