package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/report"
)

// lossKinds are pictures of losses.
func lossKinds() []plotKind {
	flags := func(c *cobra.Command, r *plotRequest) {
		c.Flags().Float64Var(&r.reach, "range", 0, "residuals from minus to plus this (default: three bandwidths)")
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return lossNames(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	const long = "A loss is written as `inlier losses` tells. A bandwidth that is not given is the one that `auto` takes for normal\nresiduals of standard deviation 1: then losses can be compared."
	return []plotKind{
		{
			name: "loss", takes: []string{"LOSS..."}, shows: "losses and the weights they give, against the residual",
			of: "any losses", long: long, flags: flags,
			example: "inlier plot loss square huber:c=1.345 welsch tukey --out losses.svg",
			draw: func(_ context.Context, _ *app, r *plotRequest, args []string) (*drawing, error) {
				list, err := parseLosses(args, r)
				if err != nil {
					return nil, err
				}
				return lossCurves(list, r.reach), nil
			},
		},
		{
			name: "loss-surface", takes: []string{"LOSS..."}, shows: "the mean loss of two residuals at once, as a surface with contours",
			of: "any losses", long: long + " Fig. 1 of the corr-tensor paper\nis that of gcorr:alpha=1,beta=0.8 and alpha=2 and 5.", flags: flags,
			example: "inlier plot loss-surface gcorr:alpha=1,beta=0.8 gcorr:alpha=2,beta=0.8 gcorr:alpha=5,beta=0.8 --range 3 --out surfaces.svg",
			draw: func(_ context.Context, _ *app, r *plotRequest, args []string) (*drawing, error) {
				list, err := parseLosses(args, r)
				if err != nil {
					return nil, err
				}
				return lossSurfaces(list, r.reach), nil
			},
		},
	}
}

// mostLosses bounds the losses of one picture: so many colours can be told apart.
const mostLosses = 8

// typicalSquare is the median of the square of a standard normal residual.
const typicalSquare = 0.454936423119572

// namedLoss is a loss with its name in legends.
type namedLoss struct {
	loss.Loss
	name, family string
}

// parseLosses reads the losses, finds bandwidths that were left open, and chooses the
// range of residuals where that is left open.
func parseLosses(texts []string, r *plotRequest) ([]namedLoss, error) {
	if len(texts) > mostLosses {
		return nil, usage("draw some of them", "%d losses in one picture; the most is %d", len(texts), mostLosses)
	}
	if r.reach < 0 || math.IsNaN(r.reach) || math.IsInf(r.reach, 0) {
		return nil, usage("it is a positive residual", "--range %g is not allowed", r.reach)
	}
	var list []namedLoss
	narrowest, widest := math.Inf(1), 0.0
	for _, text := range texts {
		spec, err := loss.Parse(text)
		if err != nil {
			return nil, badInput(err, "inlier losses lists the losses")
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
	if r.reach == 0 {
		r.reach = math.Max(3*narrowest, 1.5*widest)
	}
	return list, nil
}

// lossCurve is one loss in numbers.
type lossCurve struct {
	Loss     string   `json:"loss"`
	Residual []number `json:"residual"`
	Rho      []number `json:"rho"`
	Weight   []number `json:"weight"`
}

// highestWeight is where curves of weights are cut: those of L_p norms with p < 2 are
// without bound at 0.
const highestWeight = 3

func lossCurves(list []namedLoss, reach float64) *drawing {
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
		result = append(result, lossCurve{l.String(), numbers(x), numbers(y), numbers(w)})
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
	return &drawing{title: title, result: result, sections: []curveSection{
		{text, report.Lines("Loss", x, y, rho...)},
		{"What vote a row with this residual has in the next weighted least-squares step.", report.Lines("Weight", x, wy, weight...)},
	}}
}

func lossSurfaces(list []namedLoss, reach float64) *drawing {
	const side = 121
	title := "Mean loss of two residuals"
	out := &drawing{title: title, lead: "The mean loss of two residuals a1 and a2: a bounded loss is a pit in a plain, and a residual far out costs no more than one that is merely large."}
	type surface struct {
		Loss string `json:"loss"`
		Far  number `json:"at_the_corner"`
		Half number `json:"one_residual_large"`
	}
	var result []surface
	for _, l := range list {
		axis := func(label string) report.Axis { return report.Axis{Label: label, Min: -reach, Max: reach} }
		g := report.Grid{X: axis("a1"), Y: axis("a2"), Contours: 7, Key: "loss"}
		one := make([]float64, side) // the loss of a single residual, by place
		for i := range side {
			a := reach * (2*float64(i)/(side-1) - 1)
			one[i] = l.Rho(a * a)
		}
		for i := range side {
			row := make([]float64, side)
			for j := range row {
				row[j] = (one[side-1-i] + one[j]) / 2
			}
			g.Values = append(g.Values, row)
		}
		heading := l.name
		if len(list) == 1 {
			heading = fmt.Sprintf("%s: %s", title, l.name)
		}
		out.sections = append(out.sections, curveSection{"", report.HeatMap(heading, g)})
		result = append(result, surface{l.String(), number(one[0]), number((one[0] + one[side/2]) / 2)})
	}
	out.result = result
	return out
}
