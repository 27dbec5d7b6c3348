package catalog

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/scaling"
)

// scalingParam is the parameter that names how columns are brought to a common size.
func scalingParam(kind scaling.Kind) Param {
	p := Param{
		Name: "scaling", Kind: Choice, Default: string(kind),
		Meaning: "columns before the fit: by median and absolute deviation, to [0,1], by mean and standard deviation, or as they are",
	}
	for _, k := range scaling.Kinds {
		p.Choices = append(p.Choices, string(k))
	}
	return p
}

// leftOut is the remark on rows that a fit left out because of their inputs; none without.
func leftOut(left *scaling.Left, data *dataset.Set) []string {
	if left == nil {
		return nil
	}
	const most = 3
	var names []string
	for _, j := range left.Columns[:min(most, len(left.Columns))] {
		names = append(names, strconv.Quote(columnName(data.Columns, j)))
	}
	if more := len(left.Columns) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return []string{fmt.Sprintf("%d of %d rows were left out of the fit, because they are far outside all others in %s; clip=off keeps them", left.Rows, data.Rows(), strings.Join(names, ", "))}
}

// storeScaling adds a scaling to the arrays of a model file.
func storeScaling(arrays map[string]Array, s scaling.Scaling) {
	arrays["input_offset"], arrays["input_scale"] = Vector(s.Offset), Vector(s.Scale)
	if s.Low != nil {
		arrays["input_low"], arrays["input_high"] = Vector(s.Low), Vector(s.High)
	}
}

// scaling reads what storeScaling wrote for rows of d columns. Files of old marked constant
// columns by a scale of 0.
func (r *reader) scaling(d int) scaling.Scaling {
	s := scaling.Scaling{Offset: r.vector("input_offset"), Scale: slices.Clone(r.vector("input_scale"))}
	if r.has("input_low") {
		s.Low, s.High = r.vector("input_low"), r.vector("input_high")
	}
	for j, v := range s.Scale {
		if v == 0 {
			s.Scale[j] = math.Inf(1)
		}
	}
	if r.err == nil && !s.Valid(d) {
		r.err = fmt.Errorf("the input scaling of %d and %d columns does not fit a model of %d, or holds a number that is none", len(s.Offset), len(s.Scale), d)
	}
	return s
}
