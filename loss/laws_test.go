package loss

// everyLoss is a table of losses over shapes and bandwidths that all laws are checked on.
func everyLoss() []Scaled {
	var out []Scaled
	for _, text := range []string{"square", "l1", "l1:floor=1e-3", "lp:p=0.1", "lp:p=0.5", "lp:p=1.5", "lp:p=2", "lp:p=3", "lp:p=6",
		"gm:p=0.1,delta=1e-8", "gm:p=0.4", "gm:p=1", "gm:p=2,delta=3"} {
		out = append(out, MustParse(text).At(0))
	}
	for _, text := range []string{"welsch", "huber", "cauchy", "tukey",
		"kmpe:p=0.3", "kmpe:p=1", "kmpe:p=2", "kmpe:p=2.5", "kmpe:p=4", "kmpe:p=10",
		"gcorr:alpha=0.5", "gcorr:alpha=1", "gcorr:alpha=2", "gcorr:alpha=4", "gcorr:alpha=12", "gcorr:alpha=50",
		"gkmpe:alpha=1,p=4", "gkmpe:alpha=1,p=3", "gkmpe:alpha=4,p=1", "gkmpe:alpha=4,p=0.5", "gkmpe:alpha=3,p=5", "gkmpe:alpha=0.3,p=0.3", "gkmpe:alpha=50,p=4", "gkmpe:alpha=6,p=0.6"} {
		for _, scale := range []float64{1e-6, 0.7, 2, 1e5} {
			out = append(out, MustParse(text).At(scale))
		}
	}
	return out
}
