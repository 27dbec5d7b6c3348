package loss

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/inlier-ml/inlier/refusal"
)

// What a loss of one's own may tell beside Rho and Weight. Where it does not, the fall-back
// named is used; a method of one of these names with other arguments is refused.

// LogWeighted knows its log-weight. Otherwise it is log(Weight), which is -Inf where Weight
// underflows: a fit in which no row has a weight then widens the bandwidth.
type LogWeighted interface{ LogWeight(s float64) float64 }

// Sloped has a weight that is dRho/ds divided by Slope. Otherwise the slope is 1.
type Sloped interface{ Slope() float64 }

// Tuned knows the bandwidth, in standard deviations of Gaussian residuals and in units of
// the bandwidth it is written with, at which it is to be used when the bandwidth is open:
// as a rule the one with 95 % efficiency (2.385 for Cauchy's). Otherwise that is computed;
// 0 says that it has no bandwidth.
type Tuned interface{ Tuning() float64 }

// Specify makes a Spec of any loss; nil gives otherwise. A Spec stays what it is, and a
// loss that a Spec made becomes that Spec again.
//
// A loss of one's own is taken for a shape: its bandwidth is open, and at bandwidth c its
// loss is c^2 Rho(s/c^2) and its weight Weight(s/c^2), so that it does not matter in which
// units it was written and results follow the unit of the data. The rule auto gives it 95 %
// efficiency on Gaussian residuals, or the most it can have. To use it exactly as written,
// fix the bandwidth at 1:
//
//	spec, err := loss.Specify(mine, loss.Spec{})
//	spec = spec.WithRule(loss.FixedAt(1))
//
// Powers of the residual have no bandwidth, because their efficiency does not depend on it.
// A weight that is infinite at 0 is replaced by the tangent at a millionth of the
// bandwidth. What a loss may tell beside Rho and Weight: [LogWeighted], [Sloped], [Tuned]
// and String for its name. Whether weights ever rise ([Spec.Concave]), how the loss behaves
// near 0 and whether single residuals pull without bound is seen from its weights.
func Specify(l Loss, otherwise Spec) (Spec, error) {
	switch l := l.(type) {
	case nil:
		return otherwise, nil
	case Spec:
		return l, nil
	case *Spec:
		return *l, nil
	case interface{ specification() Spec }:
		return l.specification(), nil
	}
	if err := mistyped(l); err != nil {
		return Spec{}, err
	}
	if err := lawless(l); err != nil {
		return Spec{}, err
	}
	s := Spec{own: l}
	if t, ok := l.(Tuned); ok {
		if s.wide = t.Tuning() / welschEfficient; !(s.wide >= 0 && s.wide <= math.MaxFloat64) {
			return Spec{}, refusal.Setting("loss", "loss: %s: Tuning is %g; it must be a positive number, or 0 for a loss without bandwidth", nameOf(l), t.Tuning())
		}
	} else {
		c, err := tuning(l)
		if err != nil {
			return Spec{}, err
		}
		s.wide = c / welschEfficient
	}
	return s.WithRule(Rule{}), nil
}

const (
	ownPrefix = "own:"
	ownWidth  = ",width="
	ownFloor  = ",floor=" // of a loss without bandwidth
)

// registered holds the losses that Parse may find, by name.
var registered sync.Map

// Register makes Parse find a loss of the program's own as "own:" and its name: what its String method says, or its
// type, such as main.Mine, where it has none. Call it before a model is loaded that was learned with the loss. The same
// name again takes the place of the first.
func Register(l Loss) { registered.Store(nameOf(l), l) }

// parseOwn reads what stands behind "own:".
func parseOwn(text string) (Spec, error) {
	name, width, has := cutLast(text, ownWidth)
	name, floor, floored := cutLast(name, ownFloor)
	l, ok := registered.Load(name)
	if !ok {
		return Spec{}, &refusal.LossError{Name: name}
	}
	s, err := Specify(l.(Loss), Spec{})
	if err == nil && floored && s.wide == 0 {
		v, wrong := strconv.ParseFloat(floor, 64)
		if wrong != nil || !(v >= MinScale && v <= MaxScale) {
			return s, refusal.Setting("loss", "loss: %s: floor %q must be a number from %v to %v", name, floor, MinScale, MaxScale)
		}
		s.values[0] = v
	}
	if err != nil || !has {
		return s, err
	}
	r, err := ParseRule(width)
	return s.WithRule(r), err
}

// cutLast is strings.Cut at the last place.
func cutLast(text, at string) (before, after string, found bool) {
	if k := strings.LastIndex(text, at); k >= 0 {
		return text[:k], text[k+len(at):], true
	}
	return text, "", false
}

// nameOf is what a loss calls itself, or its type.
func nameOf(l Loss) string {
	if s, ok := l.(fmt.Stringer); ok {
		return s.String()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", l), "*")
}

// mistyped finds methods that look like a capability and are none. Their names stand here as constants: a look at all
// methods of a type by reflection would make the linker keep every method of every type in the host's program.
func mistyped(l Loss) error {
	t := reflect.TypeOf(l)
	pointer := t
	if t.Kind() != reflect.Pointer {
		pointer = reflect.PointerTo(t)
	}
	for _, c := range []struct {
		is    reflect.Type
		want  string
		found []string
	}{
		{reflect.TypeFor[LogWeighted](), "LogWeight(float64) float64", []string{called(pointer.MethodByName("LogWeight")), called(pointer.MethodByName("Logweight"))}},
		{reflect.TypeFor[Sloped](), "Slope() float64", []string{called(pointer.MethodByName("Slope"))}},
		{reflect.TypeFor[Tuned](), "Tuning() float64", []string{called(pointer.MethodByName("Tuning"))}},
		{reflect.TypeFor[fmt.Stringer](), "String() string", []string{called(pointer.MethodByName("String"))}},
	} {
		name := strings.Join(c.found, "")
		switch {
		case name == "" || t.Implements(c.is):
		case pointer.Implements(c.is):
			return refusal.Setting("loss", "loss: %s has its method %s on the pointer; hand over &%s", t, name, t.Name())
		default:
			return refusal.Setting("loss", "loss: %s has a method %s that is not %s", t, cmp.Or(c.found...), c.want)
		}
	}
	return nil
}

// called is the name of a method that a type has; empty where it has none.
func called(m reflect.Method, has bool) string {
	if !has {
		return ""
	}
	return m.Name
}

// own is a program's own loss at a bandwidth.
type own struct {
	named
	l             Loss
	log           LogWeighted // nil: by way of Weight
	slope         float64
	unit          float64 // c^2, the s at which l sees 1
	floor         float64 // of s/unit, below which the tangent is used; 0: none
	rhoAtFloor    float64
	weightAtFloor float64
}

func newOwn(n named) *own {
	o := &own{named: n, l: n.spec.own, slope: 1, unit: n.scale * n.scale}
	if n.spec.wide == 0 {
		o.unit = 1
	}
	o.log, _ = o.l.(LogWeighted)
	if s, ok := o.l.(Sloped); ok {
		o.slope = s.Slope()
	}
	if unbounded(o.l) {
		o.floor = floorRatio
		if floor := n.spec.values[0]; n.spec.wide == 0 && floor > 0 {
			o.floor = floor * floor
		}
		o.rhoAtFloor, o.weightAtFloor = o.l.Rho(o.floor), o.l.Weight(o.floor)
	}
	return o
}

// unbounded tells whether the weight at 0 is infinite, or 0/0.
func unbounded(l Loss) bool { return !(l.Weight(0) <= math.MaxFloat64) }

func (o *own) Slope() float64 { return o.slope }

func (o *own) Rho(s float64) float64 {
	t := saturate(domain(s) / o.unit)
	if t < o.floor {
		return saturate(o.unit * (o.rhoAtFloor + o.slope*(t-o.floor)*o.weightAtFloor))
	}
	return saturate(o.unit*o.l.Rho(t) + 0*t)
}

func (o *own) Weight(s float64) float64 {
	t := saturate(domain(s) / o.unit)
	if t < o.floor {
		return o.weightAtFloor
	}
	return saturate(o.l.Weight(t) + 0*t)
}

func (o *own) LogWeight(s float64) float64 {
	t := saturate(domain(s) / o.unit)
	if t < o.floor {
		t = o.floor
	}
	return logWeight(o.l, o.log, t) + 0*t
}

// logWeight is the log-weight that a loss tells or that follows from its weight.
func logWeight(l Loss, log LogWeighted, s float64) float64 {
	if log != nil {
		return log.LogWeight(s)
	}
	return math.Log(l.Weight(s))
}
