package score

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ReconstructionError is the mean over the rows of ||original - reconstructed||, eq. (34)
// of the KMPE paper and (14) of the PCA-GM paper: the norm is not squared. The original
// is the clean row; the reconstruction, mean + W W'(x - mean) for PCA, may come from a
// dirty copy x of it.
func ReconstructionError(original, reconstructed *mat.Dense) (float64, error) {
	distances, err := rowDistances("ReconstructionError", original, reconstructed)
	if err != nil {
		return 0, err
	}
	var sum float64
	for _, d := range distances {
		sum += d / float64(len(distances))
	}
	return sum, nil
}

// SquaredReconstructionError is the mean over the rows of ||original - reconstructed||^2,
// eq. (27) of the corr-tensor paper.
func SquaredReconstructionError(original, reconstructed *mat.Dense) (float64, error) {
	distances, err := rowDistances("SquaredReconstructionError", original, reconstructed)
	if err != nil {
		return 0, err
	}
	var sum float64
	for _, d := range distances {
		sum += d / float64(len(distances)) * d
	}
	return sum, nil
}

func rowDistances(name string, original, reconstructed *mat.Dense) ([]float64, error) {
	if original == nil || reconstructed == nil || original.IsEmpty() || reconstructed.IsEmpty() {
		return nil, fmt.Errorf("score: %s: nothing to compare", name)
	}
	n, d := original.Dims()
	if m, e := reconstructed.Dims(); m != n || e != d {
		return nil, fmt.Errorf("score: %s: %d x %d originals but %d x %d reconstructions", name, n, d, m, e)
	}
	out := make([]float64, n)
	for i := range out {
		r := reconstructed.RawRowView(i)
		var sum, top float64
		for j, x := range original.RawRowView(i) {
			if !finite(x) || !finite(r[j]) {
				return nil, fmt.Errorf("score: %s: row %d, column %d: %v and %v cannot be compared", name, i+1, j+1, x, r[j])
			}
			sum += (x - r[j]) * (x - r[j])
			top = max(top, math.Abs(x/2-r[j]/2))
		}
		if out[i] = math.Sqrt(sum); top > 1e150 || top < 1e-150 && top > 0 { // squares overflow or vanish
			sum = 0
			for j, x := range original.RawRowView(i) {
				e := (x/2 - r[j]/2) / top
				sum += e * e
			}
			out[i] = top * math.Sqrt(sum) * 2
		}
	}
	return out, nil
}
