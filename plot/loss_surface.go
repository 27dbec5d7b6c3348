package plot

import (
	"fmt"

	"github.com/inlier-ml/inlier/report"
)

func lossSurface() Kind {
	k := lossKind("loss-surface", "the mean loss of two residuals at once, as a surface with contours", drawSurfaces)
	k.About += " Fig. 1 of the corr-tensor paper\nis that of gcorr:alpha=1,beta=0.8 and alpha=2 and 5."
	k.Example = Example{Of: "gcorr:alpha=1,beta=0.8 gcorr:alpha=2,beta=0.8 gcorr:alpha=5,beta=0.8", With: [][2]string{{"range", "3"}}, Out: "surfaces.svg"}
	return k
}

func drawSurfaces(list []namedLoss, reach float64) *Drawing {
	const side = 121
	title := "Mean loss of two residuals"
	out := &Drawing{Title: title, Lead: "The mean loss of two residuals a1 and a2: a bounded loss is a pit in a plain, and a residual far out costs no more than one that is merely large."}
	type surface struct {
		Loss string        `json:"loss"`
		Far  report.Number `json:"at_the_corner"`
		Half report.Number `json:"one_residual_large"`
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
		out.Sections = append(out.Sections, Section{"", report.HeatMap(heading, g)})
		result = append(result, surface{l.String(), report.Number(one[0]), report.Number((one[0] + one[side/2]) / 2)})
	}
	out.Result = result
	return out
}
