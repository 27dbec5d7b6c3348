package compare

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/tune"
)

// Learners is a comparison of methods that learn a target: in every repeat all of them
// learn from the same training rows and are judged on the same test rows.
type Learners struct {
	Methods []string          // names; none: those that suit the task
	Shared  map[string]string // parameters of every method that has them
	Corrupt string            // dirt for the training rows, such as label:0.2
	Repeats int               // random divisions
	Test    float64           // share of the rows to test on
	Rules   dataset.SplitRules
	Metric  string // what ranks; empty: what suits the task
	Tune    bool   // choose every method's parameters by cross-validation on the training rows
	Seed    uint64
	Observe func(tune.Progress) // may be nil
}

// Check refuses methods that there are not.
func (l Learners) Check() error { _, err := lookupAll(l.Methods); return err }

// Run holds the contest on a table with a target.
func (l Learners) Run(ctx context.Context, set *dataset.Set) (*Standing, error) {
	ctx = given.Context(ctx)
	named, err := lookupAll(l.Methods)
	if err != nil {
		return nil, err
	}
	task, err := contestTask(named, l.Shared, set)
	if err != nil {
		return nil, err
	}
	contest := tune.Contest{Task: task, Repeats: l.Repeats, TestShare: l.Test, Corrupt: l.Corrupt, Tune: l.Tune, Seed: l.Seed, Rules: l.Rules, OnProgress: l.Observe}
	if contest.Metric, err = tune.MetricFor(l.Metric, task); err != nil {
		return nil, err
	}
	if contest.Entrants, err = entrantsFor(named, l.Shared, task); err != nil {
		return nil, err
	}
	switch {
	case contest.Repeats < 1:
		return nil, usage("repeats", "at least 1 is needed", "--repeats %d is not allowed", contest.Repeats)
	case !(contest.TestShare > 0 && contest.TestShare < 1):
		return nil, usage("test", "it is a share above 0 and below 1", "--test %g is not allowed", contest.TestShare)
	}
	standing, err := contest.Run(ctx, set)
	if err != nil {
		return nil, err
	}
	return newStanding(standing, contest, set), nil
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
		return "", usage("target", "--target names it", "%s: there is no column to learn", set.Name)
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
			return "", usage("methods", "compare methods of one kind; --task says what the target is", "method %s does not %s, but %s does", m.Name, task, named[0].Name)
		}
	}
	return task, nil
}

// entrantsFor are the methods to compare with their variants; every shared
// parameter must be known to one of them.
func entrantsFor(named []*catalog.Method, shared map[string]string, task catalog.Task) ([]tune.Entrant, error) {
	var list []tune.Entrant
	add := func(method, label string, own map[string]string) {
		m, err := catalog.Lookup(method)
		if err != nil || !slices.Contains(m.Tasks, task) {
			return
		}
		params := map[string]string{}
		for name, value := range own {
			if _, given := shared[name]; given {
				return // a variant of what is given for all would be the same method twice
			}
			params[name] = value
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
	for _, m := range named {
		add(m.Name, m.Name, nil)
	}
	if len(named) == 0 {
		for _, e := range catalog.Learners(task) {
			add(e.Method, e.Label, e.Params)
		}
	}
	if len(list) == 0 {
		return nil, usage("task", "inlier methods lists them", "there is no method that can %s", task)
	}
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		if !slices.ContainsFunc(list, func(e tune.Entrant) bool { _, ok := e.Params[name]; return ok }) {
			return nil, usage(catalog.ParametersField+name, "inlier methods lists the parameters", "none of the compared methods has a parameter %q", name)
		}
	}
	for _, e := range list {
		if _, err := e.Method.Check(e.Params); err != nil {
			return nil, err
		}
	}
	return list, nil
}
