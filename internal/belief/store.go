package belief

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
)

// Store adds rule and memory to the arrays of a model file; nothing for nil.
func (r *Rule) Store(arrays map[string]archive.Array, known *Known) {
	if r == nil {
		return
	}
	r.store(arrays, "")
	if r.Apart != nil {
		r.Apart.store(arrays, apart)
	}
	if len(known.Rows) > 0 {
		arrays["held_out_rows"] = keys(known.Rows)
	}
	if len(known.Doubtful) > 0 {
		arrays["doubtful_rows"], arrays["doubtful_class"], arrays["doubtful_margin"] = keys(known.Doubtful), archive.Integers(known.Label), archive.Vector(known.Margin)
	}
}

// apart begins the names of what labels are doubted by where that is not the rule of probabilities.
const apart = "doubt_"

// store adds the rule under names that begin so.
func (r *Rule) store(arrays map[string]archive.Array, begin string) {
	arrays[begin+"probability_curve"] = archive.Vector([]float64{r.Slope, r.Wrong, r.Limit, r.Spread})
	arrays[begin+"probability_shift"], arrays[begin+"wrong_labels"], arrays[begin+"label_confidence"] = archive.Vector(r.Shift), archive.Vector(r.Flips), archive.Vector(r.Confidence)
	if r.Mix != nil {
		arrays[begin+"probability_mix"] = archive.Matrix(mat.NewDense(len(r.Shift), len(r.Shift), r.Mix))
	}
}

// Restore reads what Store wrote for a model of so many classes; nil where a file has none.
func Restore(from *archive.Reader, classes int) (*Rule, Known) {
	var known Known
	if !from.Has("probability_curve") {
		return nil, known
	}
	r := restore(from, "", classes)
	if r != nil && from.Has(apart+"probability_curve") {
		r.Apart = restore(from, apart, classes)
	}
	if from.Err() != nil {
		return nil, known
	}
	if from.Has("held_out_rows") {
		known.Rows = restoreKeys(from, "held_out_rows")
	}
	if from.Has("doubtful_rows") {
		known.Doubtful, known.Label, known.Margin = restoreKeys(from, "doubtful_rows"), from.Integers("doubtful_class"), from.Vector("doubtful_margin")
		if n := len(known.Doubtful); from.Err() == nil && (len(known.Label) != n || len(known.Margin) != n) {
			from.Fail("%d doubtful rows with %d classes and %d margins", n, len(known.Label), len(known.Margin))
		}
		for _, l := range known.Label {
			if l < 0 || l >= classes {
				from.Fail("class %d of a doubtful row; there are %d classes", l, classes)
			}
		}
	}
	return r, known
}

// restore reads the rule whose names begin so; nil where that fails.
func restore(from *archive.Reader, begin string, classes int) *Rule {
	curve := from.Vector(begin + "probability_curve")
	r := &Rule{Curve: Curve{Shift: from.Vector(begin + "probability_shift"), Flips: from.Vector(begin + "wrong_labels")}, Confidence: from.Vector(begin + "label_confidence")}
	if from.Err() != nil {
		return nil
	}
	if len(curve) == 2 { // files of old doubt every unlikely label
		curve = append(curve, mostChance)
	}
	if len(curve) == 3 {
		curve = append(curve, min(curve[1], mostMixed))
	}
	if len(curve) != 4 || len(r.Shift) != classes || len(r.Flips) != classes || len(r.Confidence) != classes {
		from.Fail("probabilities of %d classes for a model of %d", len(r.Shift), classes)
		return nil
	}
	if r.Slope, r.Wrong, r.Limit, r.Spread = curve[0], curve[1], curve[2], curve[3]; r.Slope < 0 || r.Wrong < 0 || r.Wrong > 1 || r.Limit < 0 || r.Limit > 1 || r.Spread < 0 || r.Spread > 1 {
		from.Fail("a curve of probabilities with slope %g, a share of %g wrong labels, %g spread and doubt up to %g", r.Slope, r.Wrong, r.Spread, r.Limit)
	}
	if from.Has(begin + "probability_mix") {
		mix := from.Matrix(begin + "probability_mix")
		if from.Err() != nil {
			return nil
		}
		if rows, columns := mix.Dims(); rows != classes || columns != classes || classes > mostMixedClasses {
			from.Fail("scores of %d x %d classes are mixed for a model of %d", rows, columns, classes)
			return nil
		}
		r.Mix = mix.RawMatrix().Data
	}
	return r
}

func keys(v []uint64) archive.Array {
	out := make([]float64, len(v))
	for i, k := range v {
		out[i] = float64(k)
	}
	return archive.Vector(out)
}

func restoreKeys(from *archive.Reader, name string) []uint64 {
	v := from.Vector(name)
	out := make([]uint64, len(v))
	for i, k := range v {
		if !(k >= 0 && k < 1<<52) || k != math.Trunc(k) || i > 0 && v[i-1] >= k {
			from.Fail("%s are not marks of rows in ascending order", name)
			return nil
		}
		out[i] = uint64(k)
	}
	return out
}
