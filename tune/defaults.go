package tune

import (
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// mostDefault is about the largest number of candidates of a default grid.
const mostDefault = 40

// DefaultAxes are the parameters worth varying for a method on such data, with values
// that suit most: penalties in steps of the logarithm, sizes up to what the rows allow,
// bandwidths around the spread of the target. A word that is the parameter's default,
// such as auto, is among the values. The most telling parameters come first, and later
// ones are left out where the grid would become large. Parameters that are fixed, or
// that do not matter under the fixed ones (gamma without kernel=rbf), are left alone.
func DefaultAxes(m *catalog.Method, fixed map[string]string, set *dataset.Set, task catalog.Task) []Axis {
	axes := []Axis{} // not nil: a method may have nothing to vary
	size := 1
	for _, rule := range defaultRules {
		p, ok := paramOf(m, fixed, rule.name)
		if _, given := fixed[rule.name]; !ok || given || (rule.needs != nil && !rule.needs(m, fixed)) {
			continue
		}
		a := Axis{Name: p.Name, Integer: p.Kind == catalog.Integer, Log: rule.log}
		values := rule.values(m, set, task)
		if numbers := ascending(values); len(numbers) > 2 {
			a.Low, a.High = numbers[0], numbers[len(numbers)-1]
		}
		if rule.usual {
			values = append([]string{p.Default}, values...)
			if slices.Contains(p.Choices, p.Default) {
				a.Low, a.High = 0, 0 // words cannot be drawn from a range
			}
		}
		for _, v := range values {
			if p.Check(v) == nil && !slices.Contains(a.Values, v) {
				a.Values = append(a.Values, v)
			}
		}
		if len(a.Values) < 2 || size*len(a.Values) > mostDefault {
			continue
		}
		size *= len(a.Values)
		axes = append(axes, a)
	}
	if _, given := fixed["loss"]; m.Loss && !given && size*3 <= mostDefault {
		loss := Axis{Name: "loss", Values: []string{m.Default}}
		for _, name := range []string{"huber", "welsch"} {
			if !slices.Contains(loss.Values, name) && buildable(m, map[string]string{"loss": name}) == nil {
				loss.Values = append(loss.Values, name)
			}
		}
		if len(loss.Values) > 1 {
			axes = append(axes, loss)
		}
	}
	return axes
}

// defaultRule gives the values of one parameter by its name.
type defaultRule struct {
	name   string
	log    bool
	usual  bool // the parameter's default is one of the values
	needs  func(m *catalog.Method, fixed map[string]string) bool
	values func(m *catalog.Method, set *dataset.Set, task catalog.Task) []string
}

// defaultRules in the order of importance.
var defaultRules = []defaultRule{
	{name: "lambda", log: true, usual: true, values: func(m *catalog.Method, _ *dataset.Set, _ catalog.Task) []string {
		switch m.Family {
		case "classify": // beside a mean of losses near 1; auto, the default, is what RBF machines want of clean rows
			return []string{"0.0001", "0.001", "0.01", "0.1"}
		case "elm": // beside a sum; auto, the default, is rarely beaten
			return []string{"0.0001", "1"}
		}
		return []string{"0.001", "0.1", "10"}
	}},
	{name: "hidden", usual: true, values: func(_ *catalog.Method, set *dataset.Set, _ catalog.Task) []string {
		var out []string
		for _, h := range []int{50, 200} {
			if h <= max(50, set.Rows()/2) {
				out = append(out, strconv.Itoa(h))
			}
		}
		return out
	}},
	{name: "kernel", values: func(*catalog.Method, *dataset.Set, catalog.Task) []string { return []string{"linear", "rbf"} }},
	{name: "p", usual: true, values: func(*catalog.Method, *dataset.Set, catalog.Task) []string { return []string{"1", "2", "4"} }},
	{name: "components", values: componentCounts},
	{name: "reduce", usual: true, needs: func(m *catalog.Method, _ map[string]string) bool {
		// Methods that measure distances gain by fewer columns. Those with a penalty or a
		// layer of their own have better means to vary.
		_, penalty := m.Param("lambda")
		_, layer := m.Param("hidden")
		return !penalty && !layer
	}, values: func(*catalog.Method, *dataset.Set, catalog.Task) []string {
		return []string{catalog.Lineups()[0].Classical, catalog.Default()}
	}},
	{name: "reduce.components", needs: func(m *catalog.Method, fixed map[string]string) bool {
		p, _ := m.Param("reduce")
		step := p.Default
		if given, ok := fixed["reduce"]; ok {
			step = given
		}
		return step != "none"
	}, values: componentCounts},
	{name: "gamma", log: true, usual: true, needs: func(m *catalog.Method, fixed map[string]string) bool {
		_, has := m.Param("kernel")
		return !has || fixed["kernel"] == "rbf"
	}, values: func(_ *catalog.Method, set *dataset.Set, _ catalog.Task) []string {
		// For columns of unit variance one over the number of columns is the usual value.
		return multiples(1/float64(set.Dim()), 0.1, 0.3, 1, 3)
	}},
	{name: "sigma", log: true, usual: true, values: func(_ *catalog.Method, set *dataset.Set, task catalog.Task) []string {
		if task == catalog.Classify { // targets are +1 and -1
			return []string{"1", "2", "3"}
		}
		return multiples(spread(set.Target.Values), 0.1, 0.3, 1)
	}},
}

// componentCounts are numbers of components that the columns allow.
func componentCounts(_ *catalog.Method, set *dataset.Set, _ catalog.Task) []string {
	var out []string
	for _, k := range []int{1, 2, 3, 5, 10, 20} {
		if k <= set.Dim() {
			out = append(out, strconv.Itoa(k))
		}
	}
	return out
}

// multiples of a unit as short texts.
func multiples(unit float64, factors ...float64) []string {
	var out []string
	for _, f := range factors {
		out = append(out, strconv.FormatFloat(f*unit, 'g', 2, 64))
	}
	return out
}

// spread is 1.4826 times the median absolute deviation, or the standard deviation where
// that is zero.
func spread(v []float64) float64 {
	if _, s := univariate.Deviation(slices.Clone(v)); s > 0 {
		return s
	}
	return deviation(v)
}

// ascending are those values that are numbers.
func ascending(values []string) []float64 {
	var out []float64
	for _, v := range values {
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}
