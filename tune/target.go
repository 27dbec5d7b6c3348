package tune

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// TaskOf tells what a method with such parameters would learn from a target. A target of
// few whole numbers can be read as numbers and as classes; then the classes win where
// the method knows them, unless its parameter task says otherwise.
func TaskOf(m *catalog.Method, params map[string]string, set *dataset.Set) (catalog.Task, error) {
	asked := catalog.Task(params["task"])
	regress := slices.Contains(m.Tasks, catalog.Regress) && asked != catalog.Classify
	classify := slices.Contains(m.Tasks, catalog.Classify) && asked != catalog.Regress
	if !regress && !classify {
		return "", wrongIn("method", "inlier methods tells what each method is for", "method %s does not learn a target", m.Name)
	}
	t := set.Target
	switch {
	case t == nil:
		return "", wrong("--target names it", "method %s needs a column to learn", m.Name)
	case classify && t.Labels != nil:
		return catalog.Classify, nil
	case regress && t.Values != nil:
		return catalog.Regress, nil
	case regress:
		return "", wrongIn("method", "inlier methods lists those that classify", "%s: target %q holds classes, but method %s needs numbers", set.Name, t.Name, m.Name)
	}
	return "", wrong("--task class makes a class of every number", "%s: target %q holds numbers, but method %s needs classes", set.Name, t.Name, m.Name)
}

// focus returns the set with its target as the task sees it and nothing else, and refuses
// targets from which nothing can be learned and validated: constant numbers, a single
// class, classes with a single row.
func focus(set *dataset.Set, task catalog.Task) (*dataset.Set, error) {
	t := set.Target
	if t == nil {
		return nil, wrong("--target names it", "%s: there is no column to learn", set.Name)
	}
	focused, target := *set, *t
	focused.Target = &target
	if task == catalog.Regress {
		target.Labels, target.Classes = nil, nil
		if t.Values == nil {
			return nil, wrong("--target names another column; text can be learned as classes", "%s: target %q holds text, where numbers are needed", set.Name, t.Name)
		}
		if slices.Min(t.Values) == slices.Max(t.Values) {
			return nil, wrong("--target names another column", "%s: target %q is constant: %g in every row", set.Name, t.Name, t.Values[0])
		}
		for i, v := range t.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, wrongIn("target", "leave the row out", "%s: row %d: target %q is %g", set.Name, i+1, t.Name, v)
			}
		}
		return &focused, nil
	}
	target.Values = nil
	if t.Labels == nil {
		return nil, wrong("--task class makes a class of every number", "%s: target %q holds numbers, where classes are needed", set.Name, t.Name)
	}
	count := make([]int, len(t.Classes))
	for _, k := range t.Labels {
		count[k]++
	}
	present := 0
	for k, n := range count {
		if n == 1 {
			return nil, wrongIn("target", "leave the row out, or join the class with another", "%s: class %q of target %q has a single row, so it cannot be both learned and validated", set.Name, t.Classes[k], t.Name)
		}
		if n > 0 {
			present++
		}
	}
	if present < 2 {
		return nil, wrong("--target names another column", "%s: target %q has one class only: %q in every row", set.Name, t.Name, t.Class(0))
	}
	return &focused, nil
}
