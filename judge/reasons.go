package judge

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

// MostReasons is how many columns are named for a row.
const MostReasons = 5

// Reason is one column's part in making a row an outlier.
type Reason struct {
	Column       string         `json:"column"`
	Word         string         `json:"word,omitempty"`     // one that the model has not learned
	Value        report.Number  `json:"value"`              // what the row has there
	Expected     *report.Number `json:"expected,omitempty"` // what the model expects there: a prediction, a center
	Contribution report.Number  `json:"contribution"`       // how far that is from what the model expects, in units of the column
	Share        report.Number  `json:"share"`              // of the squared distance, or of what speaks against a label
	Typical      []Typical      `json:"typical,omitempty"`  // of classes
}

// Typical is the median of a class in a column.
type Typical struct {
	Class string        `json:"class"`
	Value report.Number `json:"value"`
}

// explainer finds for outliers the columns that make them so:
//
//   - rows far from a subspace or a center: the columns of the difference;
//   - regression: the target beside its prediction, and for leverage points the columns
//     that are far from what the others let expect;
//   - classification: the columns in which the row is more like the suggested class than
//     like the given one, by the medians of the classes in the data.
type explainer struct {
	model    catalog.Detector
	about    catalog.Description
	whole    *dataset.Set // all rows, which the medians of classes come from
	set      *dataset.Set // the rows at hand
	centers  *mat.Dense   // of a clustering of the input columns
	leverage *leverageOf
	classes  map[string][]typicalOf // by class and column; nil until needed
	mute     bool                   // the model does not tell
	silent   bool                   // reasons are left out

	judged   *verdict.Rows
	expected *catalog.Prediction // of the block
}

func newExplainer(m catalog.Detector) *explainer {
	e := &explainer{model: m, about: m.Describe()}
	arrays := m.State().Arrays
	if a, ok := arrays["centers"]; ok && e.about.Task == catalog.Cluster {
		if c, err := a.Dense(); err == nil {
			if _, d := c.Dims(); d == e.about.Columns {
				e.centers = c
			}
		}
	}
	e.leverage = newLeverageOf(arrays, e.about.Columns)
	return e
}

// block prepares rows.
func (e *explainer) block(ctx context.Context, set *dataset.Set, o *verdict.Rows) error {
	e.set, e.judged, e.expected = set, o, nil
	p, predicts := e.model.(catalog.Predictor)
	if predicts && (e.about.Task == catalog.Regress || e.centers != nil) && slices.Contains(o.Outlier, true) {
		var err error
		if e.expected, err = p.Predict(ctx, set.X); err != nil {
			return err
		}
	}
	tells := o.Contributions != nil || e.expected != nil || o.Suggested != nil
	e.mute = e.mute || !tells && slices.Contains(o.Outlier, true)
	return nil
}

// row is why row i of the block is an outlier.
func (e *explainer) row(i int) []Reason {
	o, x := e.judged, e.set.X.RawRowView(i)
	var list []Reason
	switch {
	case e.expected != nil && e.expected.Values != nil && e.set.Target != nil && e.set.Target.Values != nil:
		if math.Abs(o.Residual[i]) > o.ResidualCutoff {
			y, expected := e.set.Target.Values[i], report.Number(e.expected.Values[i])
			list = append(list, Reason{Column: e.set.Target.Name, Value: report.Number(y), Expected: &expected, Contribution: report.Number(y) - expected, Share: 1})
		}
		if o.ScoreDistance != nil && o.ScoreCutoff > 0 && o.ScoreDistance[i] > o.ScoreCutoff && e.leverage != nil {
			list = append(list, e.leverage.reasons(x, e.set.Columns)...)
		}
	case e.expected != nil && e.centers != nil && e.expected.Labels[i] >= 0:
		center := e.centers.RawRowView(e.expected.Labels[i])
		difference := make([]float64, len(x))
		for j := range difference {
			difference[j] = x[j] - center[j]
		}
		list = reasons(x, difference, 0, e.set.Columns, MostReasons)
		for k := range list {
			expected := list[k].Value - list[k].Contribution
			list[k].Expected = &expected
		}
	case o.Suggested != nil:
		list = e.against(x, e.given(i), o.Suggested[i])
	case o.Cells != nil && o.Kind[i] != verdict.GoodLeverage:
		list = cellReasons(x, o.Cells, i, e.set.Columns)
	}
	if len(list) == 0 && o.Contributions != nil {
		list = reasons(x, o.Contributions.RawRowView(i), Distance(o, i), e.set.Columns, MostReasons)
	}
	return list
}

// given is the label that a row came with; "" when there is none.
func (e *explainer) given(i int) string {
	if t := e.set.Target; t != nil && t.Labels != nil {
		return t.Class(i)
	}
	return ""
}

// typicalOf is the median and the robust spread of a class in a column.
type typicalOf struct{ median, spread float64 }

// learnClasses takes the medians of the classes from the data.
func (e *explainer) learnClasses() {
	e.classes = map[string][]typicalOf{}
	t := e.whole.Target
	if t == nil || t.Labels == nil {
		return
	}
	const fewest = 3 // rows of a class whose median means something
	rows := make([][]int, len(t.Classes))
	for i, k := range t.Labels {
		if k >= 0 { // else it has none
			rows[k] = append(rows[k], i)
		}
	}
	for k, members := range rows {
		if len(members) < fewest {
			continue
		}
		columns := make([]typicalOf, e.whole.Dim())
		values := make([]float64, 0, len(members))
		for j := range columns {
			values = values[:0]
			for _, i := range members {
				if v := e.whole.X.At(i, j); !math.IsNaN(v) {
					values = append(values, v)
				}
			}
			columns[j] = typicalOf{math.NaN(), math.NaN()}
			if len(values) > 0 {
				columns[j].median, columns[j].spread = univariate.Deviation(values)
			}
		}
		e.classes[t.Classes[k]] = columns
	}
}

// against lists the columns in which a row is less like the class it came with than like
// the suggested one; where both are the same, those in which it is least like it.
func (e *explainer) against(x []float64, given, suggested string) []Reason {
	if e.classes == nil {
		e.learnClasses()
	}
	own, other := e.classes[given], e.classes[suggested]
	if own == nil || other == nil {
		return nil
	}
	type speech struct {
		column int
		weight float64
	}
	var list []speech
	total := 0.0
	for j, v := range x {
		unit := (own[j].spread + other[j].spread) / 2
		if unit == 0 { // most rows of both classes have the same value
			unit = math.Abs(own[j].median - other[j].median)
		}
		weight := math.Abs(v-own[j].median) / unit
		if given != suggested {
			weight -= math.Abs(v-other[j].median) / unit
		}
		if weight > 0 && !math.IsInf(weight, 0) {
			list = append(list, speech{j, weight})
			total += weight
		}
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].weight > list[b].weight })
	var out []Reason
	explained := 0.0
	for _, s := range list[:min(len(list), MostReasons)] {
		if explained >= 0.9*total {
			break
		}
		explained += s.weight
		expected := report.Number(own[s.column].median)
		r := Reason{Column: words.Column(e.set.Columns, s.column), Value: report.Number(x[s.column]), Expected: &expected,
			Contribution: report.Number(x[s.column]) - expected, Share: report.Number(s.weight / total), Typical: []Typical{{given, expected}}}
		if given != suggested {
			r.Typical = append(r.Typical, Typical{suggested, report.Number(other[s.column].median)})
		}
		out = append(out, r)
	}
	return out
}

// reasons returns the columns that contribute most to the distance of a row, largest
// first: at most so many, and none after nine tenths of its square are explained. A
// distance of 0 or less stands for the root of the contributions' squares.
func reasons(row, contributions []float64, distance float64, columns []string, most int) []Reason {
	order := make([]int, len(contributions))
	largest := 0.0
	for j, v := range contributions {
		order[j] = j
		largest = math.Max(largest, math.Abs(v))
	}
	if largest == 0 || math.IsNaN(largest) {
		return nil
	}
	square := func(v float64) float64 { v /= largest; return v * v } // of numbers up to 1e300
	total := 0.0
	for _, v := range contributions {
		total += square(v)
	}
	if distance > 0 {
		total = square(distance)
	}
	sort.SliceStable(order, func(i, j int) bool {
		return math.Abs(contributions[order[i]]) > math.Abs(contributions[order[j]])
	})
	var list []Reason
	explained := 0.0
	for _, j := range order {
		v := contributions[j]
		if len(list) == most || v == 0 || explained >= 0.9*total {
			break
		}
		explained += square(v)
		list = append(list, Reason{Column: words.Column(columns, j), Value: report.Number(row[j]), Contribution: report.Number(v), Share: report.Number(math.Min(1, square(v)/total))})
	}
	return list
}

// Distance is the distance that a row's contributions explain: from the subspace when
// it lies beyond that cut-off; 0, for their own sum, otherwise.
func Distance(o *verdict.Rows, i int) float64 {
	if o.OrthogonalDistance != nil && o.OrthogonalCutoff > 0 && o.OrthogonalDistance[i] > o.OrthogonalCutoff {
		return o.OrthogonalDistance[i]
	}
	return 0
}

// ReasonText writes reasons in one cell: "pressure=14.2 (-37.5, 98 %)", "price=3
// (expected 300, -297)", "length=1.4 (rose 4.2, tulip 1.5)", "price is missing".
func ReasonText(list []Reason) string {
	parts := make([]string, len(list))
	digits := func(n report.Number) string { return words.Value(float64(n), 5) }
	for i, r := range list {
		about := fmt.Sprintf("%+.4g, %.0f %%", float64(r.Contribution), 100*float64(r.Share))
		switch {
		case r.Typical != nil:
			var classes []string
			for _, t := range r.Typical {
				classes = append(classes, t.Class+" "+digits(t.Value))
			}
			about = strings.Join(classes, ", ")
		case r.Expected != nil:
			about = fmt.Sprintf("expected %s, %+.4g", digits(*r.Expected), float64(r.Contribution))
		}
		parts[i] = fmt.Sprintf("%s=%s (%s)", r.Column, digits(r.Value), about)
		if math.IsNaN(float64(r.Value)) && math.IsNaN(float64(r.Contribution)) {
			parts[i] = r.Column + " is missing"
		}
		if r.Word != "" {
			parts[i] = fmt.Sprintf("%s=%q is not among the training rows", r.Column, r.Word)
		}
	}
	return strings.Join(parts, "; ")
}
