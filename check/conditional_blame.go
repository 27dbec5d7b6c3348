package check

import "math"

// farCell is the transformed value from which on a cell's own distance counts when blame is given.
const farCell = 4

// Two cells whose squared partial correlation is above mutual predict each other; where they are off by about as much, up to
// the factor evenly, the one farther from the middle is to blame.
const mutual, evenly = 0.95, 0.8

// worst is the cell that fits worst of those beyond the cut which were not replaced yet, -1 for none, and by how much.
func (c *conditional) worst(z, v []float64, gone []bool) (worst int, most float64) {
	worst = -1
	few, root, shift, scale, usual := c.few[:len(v)], c.root[:len(v)], c.shift[:len(v)], c.scale[:len(v)], c.usual[:len(v)]
	for j := range v {
		if v[j] > usual[j].low && v[j] < usual[j].high || few[j] || gone[j] {
			continue
		}
		u := math.Abs(v[j]/root[j]-shift[j]) / scale[j]
		if u <= cut {
			continue
		}
		u *= farther(z[j])
		blamed := u > most
		if worst >= 0 && min(u, most) > evenly*max(u, most) && c.mutual(j, worst) {
			blamed = math.Abs(z[j]) > math.Abs(z[worst])
		}
		if blamed {
			worst, most = j, u
		}
	}
	return worst, most
}

// farther is by how much more a cell is to blame for what does not fit: where columns bend each other the far cell is rather than one that follows it.
func farther(z float64) float64 { return max(1, math.Abs(z)/farCell) }

// nearlyWorst adds the cells that fit worse than so much, as many as there is room for: a row of which that many are wrong already is wrong everywhere,
// and which of its cells comes first does not matter.
func (c *conditional) nearlyWorst(z, v []float64, least float64, replaced []int, gone []bool) []int {
	for j := range v {
		if len(replaced) == cap(replaced) {
			break
		}
		if c.few[j] || gone[j] {
			continue
		}
		if u := math.Abs(v[j]/c.root[j]-c.shift[j]) / c.scale[j]; u > cut && u*farther(z[j]) >= least {
			replaced, gone[j] = append(replaced, j), true
		}
	}
	return replaced
}

// mutual says that two features predict each other.
func (c *conditional) mutual(j, k int) bool {
	w := c.omega[j*c.d+k]
	return w*w > mutual*c.diag[j]*c.diag[k]
}
