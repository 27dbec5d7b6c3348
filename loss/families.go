package loss

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/refusal"
)

// families lists every loss of Inlier's; a program's own ones are in own.go. The first one is the zero Spec.
var families = []*family{
	&squareFamily,
	&kmpeFamily,
	&gkmpeFamily,
	&gcorrFamily,
	&welschFamily,
	&gmFamily,
	&lpFamily,
	&l1Family,
	&huberFamily,
	&cauchyFamily,
	&tukeyFamily,
}

// maxValues is the largest number of parameters of a loss beside its bandwidth.
const maxValues = 2

// values are the parameters of a loss beside its bandwidth, in the order of the
// family's table.
type values [maxValues]float64

// family is one loss with open parameters.
type family struct {
	Info
	// wide is the bandwidth that belongs to a Welsch loss with sigma = 1: the factor
	// that makes bandwidth rules comparable. 0 for losses without bandwidth.
	wide float64
	// order is the q with which rho is like |e|^q near 0; nil: 2.
	order func(v values) float64
	// pulls: a single residual can pull without bound.
	pulls bool
	// concave tells whether rho is concave in s at these parameters.
	concave func(v values) bool
	// build makes the loss; n.scale is the bandwidth.
	build func(n named, v values) Scaled
}

// Info describes a loss for people: one entry of the table behind `inlier losses`.
type Info struct {
	Name       string      `json:"name"`
	Aliases    []string    `json:"aliases,omitempty"`
	Summary    string      `json:"summary"`
	Rho        string      `json:"rho"`    // formula of the loss in s = r^2
	Weight     string      `json:"weight"` // formula of the weight
	Parameters []Parameter `json:"parameters,omitempty"`
	Descends   string      `json:"descends"` // when plain reweighting never rises
	Paper      string      `json:"paper"`
	Notes      []string    `json:"notes,omitempty"` // special cases and limits
}

// Parameter describes one parameter of a loss.
type Parameter struct {
	Name     string
	Meaning  string
	Default  float64 // not used for a bandwidth, whose default is auto; 0 with Auto: open
	Min, Max float64
	// Bandwidth marks the scale of the loss: a number, auto or silverman.
	Bandwidth bool
	// Quiet parameters are left out of text forms while they have their default.
	Quiet bool
	// Auto is, for parameters in units of the data, the default in units of the residuals:
	// times the median squared residual, or its root where Root says so. The value 0, auto in
	// texts, stands for it until Spec.Resolve has seen residuals.
	Auto float64
	Root bool
}

// MarshalJSON writes name, meaning, default and range; the default as the text that
// Parse reads, because that of a bandwidth is no number.
func (p Parameter) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name      string  `json:"name"`
		Meaning   string  `json:"meaning"`
		Default   string  `json:"default"`
		Min       float64 `json:"min"`
		Max       float64 `json:"max"`
		Bandwidth bool    `json:"bandwidth"`
	}{p.Name, p.Meaning, p.DefaultText(), p.Min, p.Max, p.Bandwidth})
}

// Range is the allowed range as text.
func (p Parameter) Range() string {
	text := fmt.Sprintf("from %v to %v", p.Min, p.Max)
	switch {
	case p.Bandwidth:
		return "auto, silverman or a number " + text
	case p.Auto > 0:
		return "auto or a number " + text
	}
	return text
}

// DefaultText is the default as text.
func (p Parameter) DefaultText() string {
	if p.Bandwidth {
		return Auto.String()
	}
	return p.text(p.Default)
}

// text is a value as Parse reads it.
func (p Parameter) text(v float64) string {
	if p.Auto > 0 && v == 0 {
		return Auto.String()
	}
	return number(v)
}

// or is a value with an open one replaced by what Auto is where residuals are of size 1.
func (p Parameter) or(v float64) float64 {
	if v == 0 {
		return p.Auto
	}
	return v
}

// Losses describes every loss, the plainest first.
func Losses() []Info {
	out := make([]Info, len(families))
	for i, f := range families {
		out[i] = f.Info
		out[i].Aliases = slices.Clone(f.Aliases)
		out[i].Parameters = slices.Clone(f.Parameters)
		out[i].Notes = slices.Clone(f.Notes)
	}
	return out
}

// Lookup describes the loss of this name or alias; its error lists the known losses
// and suggests the nearest.
func Lookup(name string) (Info, error) {
	i, err := find(name)
	if err != nil {
		return Info{}, err
	}
	return Losses()[i], nil
}

// find returns the place of a name or alias in families.
func find(name string) (int, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	var known, all []string
	for i, f := range families {
		if name == f.Name || slices.Contains(f.Aliases, name) {
			return i, nil
		}
		known = append(known, f.Name)
		all = append(append(all, f.Name), f.Aliases...)
	}
	return 0, refusal.Setting("loss", "loss: unknown loss %q%s; known losses: %s",
		name, suggestion(name, all), strings.Join(known, ", "))
}

// bandwidthParameter is the entry that most losses share.
func bandwidthParameter(name, meaning string) Parameter {
	return Parameter{Name: name, Meaning: meaning, Min: MinScale, Max: MaxScale, Bandwidth: true}
}

// always is the concavity of losses that are concave at every parameter.
func always(values) bool { return true }
