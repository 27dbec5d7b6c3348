package papers

import (
	"context"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/linalg"
)

// reducer is a PCA method of the papers with its parameters.
type reducer struct {
	name, method string
	params       map[string]string
	// each fits every number of components by itself: the weights depend on it. Otherwise one
	// fit with the most components serves them all, because its components are nested.
	each bool
}

// kmpeReducers are the six methods of section IV-C and IV-D of the kmpe paper. "The parameter
// of HQ-PCA, PCA-GM and PCA-KMPE is set at 10" reads as m_r = 10, the dimension with which
// weights are learned.
func kmpeReducers() []reducer {
	return []reducer{
		{"pca", "pca", nil, false},
		{"r1-pca", "r1-pca", map[string]string{"start": "classic", "mean": "sample"}, true},
		{"pca-l1", "pca-l1", map[string]string{"start": "classic", "starts": "1"}, false},
		{"hq-pca", "hq-pca", map[string]string{"start": "classic", "m_r": "10", "sigma": "silverman", "rescale": "every-step"}, false},
		{"pca-gm", "pca-gm", map[string]string{"start": "classic", "m_r": "10", "p": "0.3", "delta": "paper"}, false},
		{"pca-kmpe", "pca-kmpe", map[string]string{"start": "classic", "m_r": "10", "p": "10", "sigma": "silverman", "rescale": "every-step"}, false},
	}
}

// reducerNames lists names.
func reducerNames(list []reducer) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.name)
	}
	return out
}

// subspace is a centre and orthonormal columns.
type subspace struct {
	mean  []float64
	basis *mat.Dense // d x m
}

// ladder fits a reducer for several numbers of components and calls visit for each.
func (r reducer) ladder(ctx context.Context, b *experiment.Bench, set *dataset.Set, ms []int, visit func(m int, s subspace) error) error {
	fit := func(m int) (subspace, error) {
		params := map[string]string{"components": strconv.Itoa(m)}
		for k, v := range r.params {
			params[k] = v
		}
		model, err := b.Fit(ctx, r.method, params, set)
		if err != nil {
			return subspace{}, err
		}
		basis, err := experiment.Basis(model)
		if err != nil {
			return subspace{}, err
		}
		mean, err := experiment.Mean(model)
		return subspace{mean, basis}, err
	}
	var all subspace
	for _, m := range ms {
		s := all
		var err error
		switch {
		case r.each:
			s, err = fit(m)
		case all.basis == nil:
			all, err = fit(slices.Max(ms))
			s = all
		}
		if err != nil {
			return err
		}
		if _, k := s.basis.Dims(); k > m {
			d, _ := s.basis.Dims()
			s.basis = s.basis.Slice(0, d, 0, m).(*mat.Dense)
		}
		if err := visit(m, s); err != nil {
			return err
		}
	}
	return nil
}

// scores are the coordinates of rows.
func (s subspace) scores(x *mat.Dense) *mat.Dense {
	centred := less(x, s.mean)
	var out mat.Dense
	linalg.Mul(&out, centred, s.basis)
	return &out
}

// reconstructionError is eq. (34) of kmpe and (14) of pca-gm: the mean over rows of
// ||(original - mean) - W W'(seen - mean)||.
func (s subspace) reconstructionError(original, seen *mat.Dense) float64 {
	var kept mat.Dense
	linalg.Mul(&kept, s.scores(seen), s.basis.T())
	n, d := original.Dims()
	sum := 0.0
	for i := range n {
		row, back, e := original.RawRowView(i), kept.RawRowView(i), 0.0
		for j := range d {
			diff := row[j] - s.mean[j] - back[j]
			e += diff * diff
		}
		sum += math.Sqrt(e)
	}
	return sum / float64(n)
}

func less(x *mat.Dense, mean []float64) *mat.Dense {
	out := mat.DenseCopyOf(x)
	n, _ := x.Dims()
	for i := range n {
		row := out.RawRowView(i)
		for j := range row {
			row[j] -= mean[j]
		}
	}
	return out
}

// rowsWhere are the numbers of the rows for which keep holds.
func rowsWhere(marks []bool, keep bool) []int {
	var out []int
	for i, m := range marks {
		if m == keep {
			out = append(out, i)
		}
	}
	return out
}

// at names a score that depends on a number.
func at(name string, x float64) string {
	return name + "@" + strconv.FormatFloat(x, 'g', -1, 64)
}
