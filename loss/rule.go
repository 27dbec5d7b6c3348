package loss

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/refusal"
)

// RuleKind is a way to choose a bandwidth.
type RuleKind uint8

const (
	// None is the rule of losses that have no bandwidth.
	None RuleKind = iota
	// Fixed takes the rule's Value.
	Fixed
	// Auto takes a robust scale of the residuals: sigma^2 = kappa*median(s).
	Auto
	// Silverman is eq. (30) of the KMPE paper, from the spread of the squared residuals.
	Silverman
)

// String is the kind's name in text forms.
func (k RuleKind) String() string {
	switch k {
	case None:
		return "none"
	case Fixed:
		return "fixed"
	case Auto:
		return "auto"
	case Silverman:
		return "silverman"
	}
	return fmt.Sprintf("RuleKind(%d)", k)
}

// Rule tells how a bandwidth is chosen. The zero Rule is None.
type Rule struct {
	Kind  RuleKind
	Value float64 // of Fixed only
}

// FixedAt is the rule that takes this number.
func FixedAt(value float64) Rule { return Rule{Kind: Fixed, Value: value} }

// String is the text form that ParseRule reads: a number, auto, silverman or none.
func (r Rule) String() string {
	if r.Kind == Fixed {
		return number(r.Value)
	}
	return r.Kind.String()
}

// Check refuses a rule of no known kind, and a bandwidth that is no number above 0.
func (r Rule) Check() error {
	switch {
	case r.Kind > Silverman:
		return refusal.Setting("bandwidth", "loss: %v is no rule for a bandwidth", r.Kind)
	case r.Kind == Fixed && !(r.Value > 0):
		return refusal.Setting("bandwidth", "loss: the bandwidth is %g; it must be a number above 0", r.Value)
	}
	return nil
}

// ParseRule reads a rule: auto, silverman, none, or a number between MinScale and MaxScale.
func ParseRule(text string) (Rule, error) {
	r, err := readRule(text)
	if err != nil {
		return r, fmt.Errorf("loss: %w", err)
	}
	return r, nil
}

// readRule is ParseRule with errors that do not name the package yet.
func readRule(text string) (Rule, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, k := range []RuleKind{None, Auto, Silverman} {
		if text == k.String() {
			return Rule{Kind: k}, nil
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Rule{}, refusal.Setting("bandwidth", "%q is no bandwidth; it must be auto, silverman or a number from %v to %v", text, MinScale, MaxScale)
	}
	if !(v >= MinScale && v <= MaxScale) {
		return Rule{}, refusal.Setting("bandwidth", "bandwidth %s is out of range; it must be auto, silverman or a number from %v to %v", text, MinScale, MaxScale)
	}
	return FixedAt(v), nil
}
