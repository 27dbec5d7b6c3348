package linalg

import (
	"cmp"
	"math"
	"slices"
)

// join is one step of the divide and conquer method: the eigenvalues and eigenvectors
// of diag(d) + rho u u', where d are the eigenvalues of two neighbouring pieces.
type join struct {
	*divider
	from, middle, to int
	rho              float64
	u                []float64 // by index - from; length one
	kind             []int     // by index - from: which columns of the eigenvector are not zero
	kept             []int     // indices that the correction changes, d ascending
}

// Kinds of eigenvectors of the halves: most are zero outside their own half.
const (
	lowerHalf = iota
	bothHalves
	upperHalf
)

// project fills u, the coordinates of the correction in the eigenvectors: entries at
// the cut, the second with the sign of the coupling, divided by sqrt 2.
func (j *join) project(order []int, sign float64) {
	j.u = make([]float64, j.to-j.from)
	j.kind = make([]int, j.to-j.from)
	for _, i := range order {
		if i < j.middle {
			j.u[i-j.from] = j.z[i*j.n+j.middle-1] / math.Sqrt2
			j.kind[i-j.from] = lowerHalf
		} else {
			j.u[i-j.from] = sign * j.z[i*j.n+j.middle] / math.Sqrt2
			j.kind[i-j.from] = upperHalf
		}
	}
}

// deflate finds the eigenvectors that the correction does not change: those with a
// negligible entry of u, and one of each pair of nearly equal eigenvalues after a
// rotation of the pair has made its entry zero.
func (j *join) deflate(order []int) {
	largest := 0.0
	for _, i := range order {
		largest = max(largest, math.Abs(j.d[i]), j.rho*math.Abs(j.u[i-j.from]))
	}
	negligible := 8 * epsilon * largest
	last := -1 // candidate, kept unless its neighbour is too close
	for _, i := range order {
		ui := &j.u[i-j.from]
		if j.rho*math.Abs(*ui) <= negligible {
			continue
		}
		if last >= 0 {
			ul := &j.u[last-j.from]
			length := math.Hypot(*ul, *ui)
			c, s := *ui/length, -*ul/length
			if gap := j.d[i] - j.d[last]; math.Abs(gap*c*s) <= negligible {
				*ui, *ul = length, 0
				j.rotate(last, i, c, s)
				dl, di := j.d[last], j.d[i]
				j.d[last] = dl*c*c + di*s*s
				j.d[i] = dl*s*s + di*c*c
				if j.kind[i-j.from] != j.kind[last-j.from] {
					j.kind[i-j.from] = bothHalves
				}
			} else {
				j.kept = append(j.kept, last)
			}
		}
		last = i
	}
	if last >= 0 {
		j.kept = append(j.kept, last)
	}
}

// rotate turns the plane of two eigenvectors.
func (j *join) rotate(a, b int, c, s float64) {
	x := j.z[a*j.n+j.from : a*j.n+j.to]
	y := j.z[b*j.n+j.from : b*j.n+j.to]
	for i, p := range x {
		q := y[i]
		x[i] = c*p + s*q
		y[i] = c*q - s*p
	}
}

// roots solves the secular equation for the kept indices, sets their eigenvalues and
// returns the matrix of gaps: row i holds d_j - (new eigenvalue i) for the old d_j.
func (j *join) roots() []float64 {
	k := len(j.kept)
	eq := &secular{d: make([]float64, k), z: make([]float64, k), rho: j.rho}
	for a, i := range j.kept {
		eq.d[a], eq.z[a] = j.d[i], j.u[i-j.from]
	}
	gaps := make([]float64, k*k)
	chunks := chunksFor(k, k)
	values := make([]float64, k)
	Parallel(chunks, func(chunk int) {
		for i := chunk * k / chunks; i < (chunk+1)*k/chunks; i++ {
			values[i] = eq.root(i, gaps[i*k:(i+1)*k])
		}
	})
	// The computed roots are the exact ones for a slightly different u, given by
	// Loewner's formula; with that u the eigenvectors are orthogonal (Gu, Eisenstat).
	Parallel(chunks, func(chunk int) {
		from, to := chunk*k/chunks, (chunk+1)*k/chunks
		product := make([]float64, to-from)
		for a := range product {
			product[a] = gaps[(from+a)*k+from+a]
		}
		for i := range k {
			row, di := gaps[i*k+from:i*k+to], eq.d[i]
			for a := range product {
				if i != from+a {
					product[a] *= row[a] / (eq.d[from+a] - di)
				}
			}
		}
		for a, p := range product {
			j.u[j.kept[from+a]-j.from] = math.Copysign(math.Sqrt(math.Abs(p)), eq.z[from+a])
		}
	})
	for a, i := range j.kept {
		j.d[i] = values[a]
	}
	return gaps
}

// chunksFor returns into how many pieces to cut work on rows of the given length: none
// so small that handing it out would take longer than doing it.
func chunksFor(rows, length int) int {
	const entries = 1 << 13
	return max(1, min(rows, 64, rows*length/entries))
}

// update replaces the kept eigenvectors by their combinations.
func (j *join) update(gaps []float64, wanted int) {
	k := len(j.kept)
	// columns of the combination, so that those with the same zeros are neighbours
	columns := make([]int, k)
	for a := range columns {
		columns[a] = a
	}
	kindOf := func(a int) int { return j.kind[j.kept[a]-j.from] }
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(kindOf(a), kindOf(b)) })
	var counts [3]int
	for a := range k {
		counts[kindOf(a)]++
	}
	rows := k - min(k, wanted) // first kept eigenvector that may be needed

	combination := make([]float64, (k-rows)*k)
	chunks := chunksFor(k-rows, k)
	Parallel(chunks, func(chunk int) {
		m := k - rows
		for r := chunk * m / chunks; r < (chunk+1)*m/chunks; r++ {
			out, gap := combination[r*k:(r+1)*k], gaps[(rows+r)*k:(rows+r+1)*k]
			for c, a := range columns {
				out[c] = j.u[j.kept[a]-j.from] / gap[a]
			}
			normalise(out)
		}
	})
	lower, upper := counts[lowerHalf]+counts[bothHalves], counts[bothHalves]+counts[upperHalf]
	j.combine(combination, rows, k, columns[:lower], 0, j.from, j.middle)
	j.combine(combination, rows, k, columns[k-upper:], k-upper, j.middle, j.to)
}

// combine overwrites columns from to to-1 of the kept eigenvectors by the combination
// of those listed in used, whose coefficients begin at column offset.
func (j *join) combine(combination []float64, rows, k int, used []int, offset, from, to int) {
	width := to - from
	old := make([]float64, len(used)*width)
	for a, c := range used {
		i := j.kept[c]
		copy(old[a*width:(a+1)*width], j.z[i*j.n+from:i*j.n+to])
	}
	fresh := make([]float64, (k-rows)*width)
	gemm(Threads(), false, false, k-rows, width, len(used), 1, combination[offset:], k, old, width, 0, fresh, width)
	for r := range k - rows {
		i := j.kept[rows+r]
		copy(j.z[i*j.n+from:i*j.n+to], fresh[r*width:(r+1)*width])
	}
}
