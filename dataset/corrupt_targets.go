package dataset

import "slices"

// relabel gives the chosen rows another class.
func (j *corruptJob) relabel(amount corruptAmount, other func(label, classes int) int) error {
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

// corruptLabel changes labels to any other class.
type corruptLabel struct{}

func (c *corruptLabel) fields() []genField { return nil }

func (c *corruptLabel) apply(job *corruptJob, amount corruptAmount) error {
	return job.relabel(amount, func(label, classes int) int { return genOtherClass(job.r, label, classes) })
}

// corruptLabelPair changes labels to the next class, the last to the first.
type corruptLabelPair struct{}

func (c *corruptLabelPair) fields() []genField { return nil }

func (c *corruptLabelPair) apply(job *corruptJob, amount corruptAmount) error {
	return job.relabel(amount, func(label, classes int) int { return (label + 1) % classes })
}

// corruptTarget moves numeric targets far up or down.
type corruptTarget struct{ Size float64 }

func (c *corruptTarget) fields() []genField {
	return []genField{genFloatField("size", &c.Size, genAtLeast(0), "how far, in robust standard deviations of the target, give or take a fifth")}
}

func (c *corruptTarget) apply(job *corruptJob, amount corruptAmount) error {
	t := job.set.Target
	if t == nil || t.Values == nil {
		return job.errorf("%s has no numeric target", job.set.Name)
	}
	rows, err := job.chooseRows(amount)
	if err != nil {
		return err
	}
	_, scale := corruptLocate(slices.Clone(t.Values))
	for _, i := range rows {
		away := scale * c.Size * genUniform(job.r, 0.8, 1.2)
		if job.r.IntN(2) == 0 {
			away = -away
		}
		t.Values[i] += away
	}
	job.step.Targets += len(rows)
	return nil
}
