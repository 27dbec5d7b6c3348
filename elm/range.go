package elm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
)

// beyondRange is how far beyond the smallest and largest value that a machine learned from a
// column may lie, in parts of the distance between the two, before the row counts as outside.
// New rows of the same kind are there once in some thousand columns.
const beyondRange = 0.25

// span is from where to where the columns of the rows that counted lie.
type span struct{ least, most []float64 }

// learnSpan learns it from rows of weight w (nil: ones), within the limits to which inputs are
// pulled in.
func (in *inputs) learnSpan(x *mat.Dense, w []float64) {
	n, d := x.Dims()
	s := span{make([]float64, d), make([]float64, d)}
	for j := range d {
		s.least[j], s.most[j] = math.MaxFloat64, -math.MaxFloat64
	}
	for i := range n {
		if (weighting{w: w, k: 1}).at(i, 0) == 0 {
			continue
		}
		for j, v := range x.RawRowView(i) {
			if in.scaling.Low != nil {
				v = min(max(v, in.scaling.Low[j]), in.scaling.High[j])
			}
			s.least[j], s.most[j] = min(s.least[j], v), max(s.most[j], v)
		}
	}
	in.span = s
}

// beyond tells whether a value of column j is outside. A column that never changed has no say.
func (s span) beyond(j int, v float64) bool {
	margin := beyondRange*s.most[j] - beyondRange*s.least[j]
	return margin > 0 && (v < s.least[j]-margin || v > s.most[j]+margin)
}

// Outside tells which rows of x lie far outside the range of the rows that the machine learned
// from, in any column: what it says of them is a guess. It is nil where no row does, and where
// the range is not known, as in files of old and where inputs were learned as they are.
func (m *Model) Outside(x *mat.Dense) []bool {
	s := m.inputs.span
	n, d := x.Dims()
	if s.least == nil || d != len(s.least) {
		return nil
	}
	var out []bool
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if s.beyond(j, v) {
				if out == nil {
					out = make([]bool, n)
				}
				out[i] = true
				break
			}
		}
	}
	return out
}

// store adds the range to the arrays of a model file.
func (s span) store(arrays map[string]archive.Array) {
	if s.least != nil {
		arrays["input_least"], arrays["input_most"] = archive.Vector(s.least), archive.Vector(s.most)
	}
}

// restoreSpan reads what store wrote for rows of d columns.
func restoreSpan(r *archive.Reader, d int) span {
	if !r.Has("input_least") {
		return span{}
	}
	s := span{r.Vector("input_least"), r.Vector("input_most")}
	if r.Err() == nil && (len(s.least) != d || len(s.most) != d) {
		r.Fail("ranges of %d and %d columns in a model of %d", len(s.least), len(s.most), d)
	}
	return s
}
