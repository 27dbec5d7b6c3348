package check

import "math"

// farCell is the transformed value from which on a cell's own distance counts when blame is given.
const farCell = 4

// Two cells whose squared partial correlation is above mutual predict each other; where they are off by about as much, up to
// the factor evenly, the one farther from the middle is to blame.
const mutual, evenly = 0.95, 0.8

// worst is the cell that fits worst of those beyond the cut which were not replaced yet; -1: none.
func (c *conditional) worst(z, v []float64, replaced []int) int {
	worst, most := -1, 0.0
	few, root, shift, scale, usual := c.few[:len(v)], c.root[:len(v)], c.shift[:len(v)], c.scale[:len(v)], c.usual[:len(v)]
	for j := range v {
		if v[j] > usual[j].low && v[j] < usual[j].high || few[j] || z[j] != z[j] {
			continue
		}
		u := math.Abs(v[j]/root[j]-shift[j]) / scale[j]
		if u <= cut || within(replaced, j) {
			continue
		}
		// Where columns bend each other the far cell is to blame rather than one that follows it.
		u *= max(1, math.Abs(z[j])/farCell)
		blamed := u > most
		if worst >= 0 && min(u, most) > evenly*max(u, most) && c.mutual(j, worst) {
			blamed = math.Abs(z[j]) > math.Abs(z[worst])
		}
		if blamed {
			worst, most = j, u
		}
	}
	return worst
}

// mutual says that two features predict each other.
func (c *conditional) mutual(j, k int) bool {
	w := c.omega[j*c.d+k]
	return w*w > mutual*c.diag[j]*c.diag[k]
}
