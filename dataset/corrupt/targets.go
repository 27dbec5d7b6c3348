package corrupt

import (
	"slices"

	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// relabel gives the chosen rows another class.
func (j *job) relabel(amount quantity, other func(label, classes int) int) error {
	t := j.set.Target
	if t == nil || t.Labels == nil {
		return j.errorf("%s has no class labels", j.set.Name)
	}
	classes := len(t.Classes)
	if classes < 2 {
		return j.errorf("%s has %d class and must have at least 2", j.set.Name, classes)
	}
	rows, err := j.chooseRows(amount)
	if err != nil {
		return err
	}
	// Numeric values that stand for the classes follow their labels.
	var valueOf map[int]float64
	if t.Values != nil {
		valueOf = make(map[int]float64, classes)
		for i, label := range t.Labels {
			valueOf[label] = t.Values[i]
		}
	}
	for _, i := range rows {
		t.Labels[i] = other(t.Labels[i], classes)
		if v, ok := valueOf[t.Labels[i]]; ok {
			t.Values[i] = v
		}
	}
	j.step.Targets += len(rows)
	return nil
}

// label changes labels to any other class.
type label struct{}

func (c *label) fields() []setting.Field { return nil }

func (c *label) apply(job *job, amount quantity) error {
	return job.relabel(amount, func(label, classes int) int { return random.Other(job.r, label, classes) })
}

// labelPair changes labels to the next class, the last to the first.
type labelPair struct{}

func (c *labelPair) fields() []setting.Field { return nil }

func (c *labelPair) apply(job *job, amount quantity) error {
	return job.relabel(amount, func(label, classes int) int { return (label + 1) % classes })
}

// target moves numeric targets far up or down.
type target struct{ Size float64 }

func (c *target) fields() []setting.Field {
	return []setting.Field{setting.Float("size", &c.Size, setting.AtLeast(0), "how far, in robust standard deviations of the target, give or take a fifth")}
}

func (c *target) apply(job *job, amount quantity) error {
	t := job.set.Target
	if t == nil || t.Values == nil {
		return job.errorf("%s has no numeric target", job.set.Name)
	}
	rows, err := job.chooseRows(amount)
	if err != nil {
		return err
	}
	_, scale := locate(slices.Clone(t.Values))
	for _, i := range rows {
		away := scale * c.Size * random.Uniform(job.r, 0.8, 1.2)
		if job.r.IntN(2) == 0 {
			away = -away
		}
		t.Values[i] += away
	}
	job.step.Targets += len(rows)
	return nil
}
