package corrupt

import (
	"math"

	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// chooseCells picks the cells to hit, as row*columns+column, and notes them and their
// rows. Rows are noted in order.
func (j *job) chooseCells(amount quantity) ([]int, error) {
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

// feature replaces single cells by outlying values.
type feature struct{ Size float64 }

func (c *feature) fields() []setting.Field {
	return []setting.Field{setting.Float("size", &c.Size, setting.AtLeast(0), "how far above or below the median, in robust standard deviations of the column")}
}

func (c *feature) apply(job *job, amount quantity) error {
	median, scale := scales(job.set)
	cells, err := job.chooseCells(amount)
	if err != nil {
		return err
	}
	d := job.set.Dim()
	for _, cell := range cells {
		i, j := cell/d, cell%d
		away := scale[j] * c.Size * random.Uniform(job.r, 0.8, 1.2)
		if job.r.IntN(2) == 0 {
			away = -away
		}
		job.set.X.Set(i, j, median[j]+away)
	}
	return nil
}

// missing makes single cells missing.
type missing struct{}

func (c *missing) fields() []setting.Field { return nil }

func (c *missing) apply(job *job, amount quantity) error {
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
