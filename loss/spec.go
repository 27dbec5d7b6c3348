package loss

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/refusal"
)

// Spec is a loss whose bandwidth may still be open. It is a comparable value: two Specs
// are equal exactly when they name the same loss with the same parameters and rule. The
// zero Spec is the square loss. It is a Loss itself: at its fixed bandwidth, or at 1 where
// the bandwidth is open.
type Spec struct {
	family uint8 // place in families
	values values
	rule   Rule
	// own is the loss of a program's own that takes the place of the family, and wide its
	// bandwidth that belongs to a Welsch loss with sigma = 1.
	own  Loss
	wide float64
}

// Name is the loss's name, never an alias; "own:" and what it calls itself for one that
// is not Inlier's.
func (s Spec) Name() string {
	if s.own != nil {
		return ownPrefix + nameOf(s.own)
	}
	return families[s.family].Name
}

// Info describes the loss.
func (s Spec) Info() Info {
	if s.own != nil {
		return Info{Name: s.Name(), Summary: "a loss of the program's own", Parameters: []Parameter{bandwidthParameter("width", "bandwidth, in units of r")}}
	}
	return Losses()[s.family]
}

// Rho is the loss at its bandwidth, 1 where that is open.
func (s Spec) Rho(squared float64) float64 { return s.At(s.width()).Rho(squared) }

// Weight is the weight at its bandwidth, 1 where that is open.
func (s Spec) Weight(squared float64) float64 { return s.At(s.width()).Weight(squared) }

// Slope is that of the loss at its bandwidth, 1 where that is open.
func (s Spec) Slope() float64 { return s.At(s.width()).Slope() }

func (s Spec) width() float64 {
	if s.rule.Kind == Fixed {
		return s.rule.Value
	}
	return 1
}

// unit is a squared residual of usual size for a loss of a program's own, as it is written.
func (s Spec) unit() float64 {
	if s.wide == 0 {
		return 1
	}
	return 1 / (s.wide * s.wide)
}

// factor is the bandwidth that belongs to a Welsch loss with sigma = 1; 0 for losses
// without one.
func (s Spec) factor() float64 {
	if s.own != nil {
		return s.wide
	}
	return families[s.family].wide
}

// Rule is how the bandwidth is chosen; its kind is None exactly for losses without one.
func (s Spec) Rule() Rule { return s.rule }

// WithRule returns the same loss with another rule for its bandwidth. A loss without
// bandwidth stays as it is; Rule{} and a number that is NaN give the default, auto. A
// number outside [MinScale, MaxScale] is moved there.
func (s Spec) WithRule(r Rule) Spec {
	switch {
	case s.factor() == 0:
		s.rule = Rule{}
	case r.Kind == Fixed && !math.IsNaN(r.Value):
		s.rule = FixedAt(clampScale(r.Value))
	case r.Kind == Silverman:
		s.rule = Rule{Kind: Silverman}
	default:
		s.rule = Rule{Kind: Auto}
	}
	return s
}

// Value returns a parameter other than the bandwidth by name, and whether there is one.
func (s Spec) Value(name string) (float64, bool) {
	if s.own != nil {
		return 0, false
	}
	k := 0
	for _, p := range families[s.family].Parameters {
		if p.Bandwidth {
			continue
		}
		if p.Name == name {
			return s.values[k], true
		}
		k++
	}
	return 0, false
}

// With returns the same loss with one parameter set from its text form, such as
// With("p", "4") or With("sigma", "auto").
func (s Spec) With(name, text string) (Spec, error) {
	f := families[s.family]
	text = strings.TrimSpace(text)
	if s.own != nil {
		f = &family{Info: s.Info()}
	}
	k := 0
	var names []string
	for _, p := range f.Parameters {
		if p.Name != name {
			names = append(names, p.Name)
			if !p.Bandwidth {
				k++
			}
			continue
		}
		if p.Bandwidth {
			r, err := readRule(text)
			if err == nil && r.Kind == None {
				err = refusal.Setting("loss", "none is for losses without bandwidth; it must be %s", p.Range())
			}
			if err != nil {
				return s, fmt.Errorf("loss: %s: parameter %s: %w", f.Name, name, err)
			}
			return s.WithRule(r), nil
		}
		if p.Auto > 0 && text == Auto.String() {
			s.values[k] = 0
			return s, nil
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return s, refusal.Setting("loss", "loss: %s: parameter %s: %q is not a number; it must be %s", f.Name, name, text, p.Range())
		}
		if !(v >= p.Min && v <= p.Max) {
			return s, refusal.Setting("loss", "loss: %s: parameter %s = %s is out of range; it must be %s", f.Name, name, text, p.Range())
		}
		s.values[k] = v
		return s, nil
	}
	if len(names) == 0 {
		return s, refusal.Setting("loss", "loss: %s has no parameters, so none is called %q", f.Name, name)
	}
	return s, refusal.Setting("loss", "loss: %s has no parameter %q%s; it has %s",
		f.Name, name, suggestion(name, names), strings.Join(names, ", "))
}

// Resolve returns the same loss with parameters that are still open and in units of the
// data, the floor of l1 and lp and the shift of gm, set from the median of squared
// residuals, so that no result depends on the unit. The rule of a bandwidth stays: see
// Bandwidth. Where nothing is open it returns s.
func (s Spec) Resolve(squared, prior []float64) Spec {
	if s.own != nil {
		if s.wide == 0 && s.values[0] == 0 && unbounded(s.own) {
			s.values[0] = clampScale(floorParameter.Auto * math.Sqrt(medianOrTiny(squared, prior)))
		}
		return s
	}
	k := 0
	for _, p := range families[s.family].Parameters {
		if p.Bandwidth {
			continue
		}
		if p.Auto > 0 && s.values[k] == 0 {
			unit := medianOrTiny(squared, prior)
			if p.Root {
				unit = math.Sqrt(unit)
			}
			s.values[k] = min(max(p.Auto*unit, p.Min), p.Max)
		}
		k++
	}
	return s
}

// medianOrTiny is the median squared residual, and a trace of the others where it is 0.
func medianOrTiny(squared, prior []float64) float64 {
	sample := sortedSample(squared, prior)
	unit := sample.quantile(0.5)
	if unit == 0 {
		unit = sample.tiny() * sample.tiny()
	}
	return unit
}

// At makes the loss with this bandwidth, whatever the rule. Losses without bandwidth
// ignore it; what Resolve has not set is as for residuals of size 1. A bandwidth outside [MinScale, MaxScale] is moved there; NaN stays NaN.
func (s Spec) At(scale float64) Scaled {
	f := families[s.family]
	if s.factor() == 0 {
		if s.own != nil {
			return newOwn(named{spec: s})
		}
		return f.build(named{spec: s}, s.values)
	}
	scale = clampScale(scale)
	s.rule = FixedAt(scale)
	if s.own != nil {
		return newOwn(named{spec: s, scale: scale})
	}
	return f.build(named{spec: s, scale: scale}, s.values)
}

// Concave tells whether the loss is concave in s at its parameters, whatever its
// bandwidth: then every plain reweighting step lowers the objective.
// For a loss of a program's own the weight is looked at over 24 decades.
func (s Spec) Concave() bool {
	if s.own != nil {
		return neverRises(s.own, s.unit())
	}
	return families[s.family].concave(s.values)
}

// Order is the q with which the loss behaves like |e|^q near residual 0; for a loss of a
// program's own it comes from its weights there.
func (s Spec) Order() float64 {
	switch {
	case s.own != nil:
		return orderOf(s.own, s.unit())
	case families[s.family].order != nil:
		return families[s.family].order(s.values)
	}
	return 2
}

// Pulls tells whether a single residual can pull without bound, as with Huber's loss and
// powers of the residual: its weight falls more slowly than the squared residual grows.
// Least squares, which makes no difference between residuals, is not meant.
func (s Spec) Pulls() bool {
	if s.own != nil {
		return pulls(s.own, s.unit())
	}
	return families[s.family].pulls
}

// String is the text form that Parse reads back: the name, then every parameter.
func (s Spec) String() string {
	if s.own != nil {
		switch {
		case s.wide == 0 && s.values[0] > 0:
			return s.Name() + ownFloor + number(s.values[0])
		case s.wide == 0:
			return s.Name()
		}
		return s.Name() + ownWidth + s.rule.String()
	}
	f := families[s.family]
	parts := make([]string, 0, len(f.Parameters))
	k := 0
	for _, p := range f.Parameters {
		if p.Bandwidth {
			parts = append(parts, p.Name+"="+s.rule.String())
			continue
		}
		if v := s.values[k]; !p.Quiet || v != p.Default {
			parts = append(parts, p.Name+"="+p.text(v))
		}
		k++
	}
	if len(parts) == 0 {
		return f.Name
	}
	return f.Name + ":" + strings.Join(parts, ",")
}

// clampScale moves a bandwidth into [MinScale, MaxScale] and leaves NaN alone.
func clampScale(scale float64) float64 {
	if math.IsNaN(scale) {
		return scale
	}
	return min(max(scale, MinScale), MaxScale)
}

// number is the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
