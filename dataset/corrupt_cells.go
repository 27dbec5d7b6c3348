package dataset

import "math"

// chooseCells picks the cells to hit, as row*columns+column, and notes them and their
// rows. Rows are noted in order.
func (j *corruptJob) chooseCells(amount corruptAmount) ([]int, error) {
	n, d := j.set.Rows(), j.set.Dim()
	count, err := amount.of(n * d)
	if err != nil {
		return nil, j.errorf("%w cells of %s", err, j.set.Name)
	}
	// The first count places of a shuffled deck of all cells; only the cards that moved
	// are kept.
	moved := make(map[int]int, 2*count)
	card := func(at int) int {
		if v, ok := moved[at]; ok {
			return v
		}
		return at
	}
	cells := make([]int, count)
	seen := make(map[int]bool)
	for k := range cells {
		other := k + j.r.IntN(n*d-k)
		cells[k] = card(other)
		moved[other] = card(k)
		i := cells[k] / d
		j.markCell(i, cells[k]%d)
		j.dirt.Rows[i] = true
		if !seen[i] {
			seen[i] = true
			j.step.Rows = append(j.step.Rows, i)
		}
	}
	return cells, nil
}

// corruptFeature replaces single cells by outlying values.
type corruptFeature struct{ Size float64 }

func (c *corruptFeature) fields() []genField {
	return []genField{genFloatField("size", &c.Size, genAtLeast(0), "how far above or below the median, in robust standard deviations of the column")}
}

func (c *corruptFeature) apply(job *corruptJob, amount corruptAmount) error {
	median, scale := corruptScales(job.set)
	cells, err := job.chooseCells(amount)
	if err != nil {
		return err
	}
	d := job.set.Dim()
	for _, cell := range cells {
		i, j := cell/d, cell%d
		away := scale[j] * c.Size * genUniform(job.r, 0.8, 1.2)
		if job.r.IntN(2) == 0 {
			away = -away
		}
		job.set.X.Set(i, j, median[j]+away)
	}
	return nil
}

// corruptMissing makes single cells missing.
type corruptMissing struct{}

func (c *corruptMissing) fields() []genField { return nil }

func (c *corruptMissing) apply(job *corruptJob, amount corruptAmount) error {
	cells, err := job.chooseCells(amount)
	if err != nil {
		return err
	}
	d := job.set.Dim()
	for _, cell := range cells {
		job.set.X.Set(cell/d, cell%d, math.NaN())
	}
	return nil
}
