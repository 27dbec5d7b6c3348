package plot

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/report"
)

func lossCurves() Kind {
	k := lossKind("loss", "losses and the weights they give, against the residual", drawLosses)
	k.Example = Example{Of: "square huber:c=1.345 welsch tukey", Out: "losses.svg"}
	return k
}

// lossKind is a kind that draws losses against residuals up to reach.
func lossKind(name, shows string, draw func(list []namedLoss, reach float64) *Drawing) Kind {
	return Kind{
		Name: name, Shows: shows, Of: "any losses", Needs: Needs{Subject: OfLosses, Several: true},
		About: "A loss is written as `inlier losses` tells. A bandwidth that is not given is the one that `auto` takes for normal\nresiduals of standard deviation 1: then losses can be compared.",
		Params: []Param{{Name: "range", Kind: catalog.Number, Range: "it is a positive residual", Default: "three bandwidths",
			Meaning: "residuals from minus to plus this"}},
		check: func(j *job) error {
			_, _, err := parseLosses(j.names)
			return err
		},
		draw: func(_ context.Context, j *job) (*Drawing, error) {
			list, usual, err := parseLosses(j.names)
			if err != nil {
				return nil, err
			}
			return draw(list, j.number("range", usual)), nil
		},
	}
}

// mostLosses bounds the losses of one picture: so many colours can be told apart.
const mostLosses = 8

// typicalSquare is the median of the square of a standard normal residual.
const typicalSquare = 0.454936423119572

// namedLoss is a loss with its name in legends.
type namedLoss struct {
	loss.Scaled
	name, family string
}

// parseLosses reads the losses, finds bandwidths that were left open, and the range of
// residuals that shows them.
func parseLosses(texts []string) (list []namedLoss, reach float64, err error) {
	if len(texts) > mostLosses {
		return nil, 0, usage("names", "draw some of them", "%d losses in one picture; the most is %d", len(texts), mostLosses)
	}
	narrowest, widest := math.Inf(1), 0.0
	for _, text := range texts {
		spec, err := loss.Parse(text)
		if err != nil {
			return nil, 0, badInput("names", err, "inlier losses lists the losses")
		}
		l := namedLoss{spec.At(spec.Bandwidth([]float64{typicalSquare}, nil, loss.KappaScalar)), text, spec.Name()}
		if k := spec.Rule().Kind; k == loss.Auto || k == loss.Silverman {
			l.name = spec.WithRule(loss.FixedAt(math.Round(1000*l.Scale()) / 1000)).String()
		}
		list = append(list, l)
		if scale := l.Scale(); scale > 0 {
			narrowest, widest = math.Min(narrowest, scale), math.Max(widest, scale)
		}
	}
	if widest == 0 {
		narrowest, widest = 1, 1
	}
	return list, math.Max(3*narrowest, 1.5*widest), nil
}

// lossCurve is one loss in numbers.
type lossCurve struct {
	Loss     string          `json:"loss"`
	Residual []report.Number `json:"residual"`
	Rho      []report.Number `json:"rho"`
	Weight   []report.Number `json:"weight"`
}

// highestWeight is where curves of weights are cut: those of L_p norms with p < 2 are
// without bound at 0.
const highestWeight = 3

func drawLosses(list []namedLoss, reach float64) *Drawing {
	const points = 401
	// Losses of different families have different heights for the same weights, so they
	// are brought to the height at which their slope is the weight.
	same := true
	for _, l := range list {
		same = same && l.family == list[0].family
	}
	label := "loss"
	if !same {
		label = "loss / slope"
	}
	var rho, weight []report.Series
	var result []lossCurve
	least, most, heaviest := math.Inf(1), 0.0, 0.0
	for _, l := range list {
		unit := 1.0
		if !same {
			unit = l.Slope()
		}
		var x, y, w []float64
		for i := range points {
			r := reach * (2*float64(i)/(points-1) - 1)
			x, y, w = append(x, r), append(y, l.Rho(r*r)/unit), append(w, l.Weight(r*r))
			heaviest = math.Max(heaviest, w[i])
		}
		end := y[points-1]
		least, most = math.Min(least, end), math.Max(most, end)
		rho = append(rho, report.Series{Name: l.name, X: x, Y: y})
		weight = append(weight, report.Series{Name: l.name, X: x, Y: w})
		result = append(result, lossCurve{l.String(), report.Numbers(x), report.Numbers(y), report.Numbers(w)})
	}
	// Unbounded losses beside bounded ones end at the upper edge.
	top := math.Min(most, 3*least)
	x, y := report.Axis{Label: "residual"}, report.Axis{Label: label, Min: -0.03 * top, Max: 1.05 * top}
	wy := report.Axis{Label: "weight", Zero: true}
	if heaviest > highestWeight {
		wy.Min, wy.Max = -0.03*highestWeight, highestWeight
	}
	text := "What a residual costs."
	if !same {
		text += " Each loss is divided by its slope, so that all give the same weight to small residuals where their weight is 1 there."
	}
	title := "Losses and weights"
	if len(list) == 1 {
		title = "Loss and weight of " + list[0].name
	}
	return &Drawing{Title: title, Result: result, Sections: []Section{
		{text, report.Lines("Loss", x, y, rho...)},
		{"What vote a row with this residual has in the next weighted least-squares step.", report.Lines("Weight", x, wy, weight...)},
	}}
}
