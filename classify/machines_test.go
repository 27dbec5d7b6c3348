package classify

import (
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/loss"
)

// studyMachine builds a machine by name; words after a colon are changes to the default.
func studyMachine(name string, o Options) machine {
	name, rest, _ := strings.Cut(name, ":")
	m := RegMaxCEM{Options: o}
	multiclass, power := MulticlassAuto, 0
	for _, word := range strings.Split(rest, ";") {
		key, value, _ := strings.Cut(word, "=")
		number, _ := strconv.ParseFloat(value, 64)
		switch key {
		case "sigma":
			if m.Sigma = number; value == "cv" {
				m.Rule = SigmaByFolds
			}
		case "anneal":
			m.Anneal = number
		case "two":
			m.TwoSided = true
		case "variant":
			m.Variant = Variant(value)
		case "clip":
			m.Clip = number
		case "scale":
			m.Scaling = Scaling(value)
		case "loss":
			m.Loss = loss.MustParse(value)
		case "multiclass":
			multiclass = Multiclass(value)
		case "power":
			power = int(number)
		case "balanced":
			m.ClassWeights = Balanced
		}
	}
	switch name {
	case "square":
		return Square{m.Options}
	case "hinge":
		return Hinge{Options: m.Options, Power: power}
	case "logistic":
		return Logistic{Options: m.Options, Multiclass: multiclass}
	}
	filled, err := m.filled()
	if err != nil {
		panic(err)
	}
	return filled
}
