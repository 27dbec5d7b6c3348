package papers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/experiment"
)

var subspaceFindings = []experiment.Finding{
	{What: "\"The parameter is set at 10\" reads as m_r = 10", Theirs: "Yale, 25 dummies, m = 100: PCA 442, PCA-KMPE with m_r = 10 319, PCA of the inliers 226; without m_r worse than PCA at 70 components and more", Needs: []string{"kmpe-figures-2-6"},
		Why: "The dummies are other draws, so numbers differ.",
		Check: func(view viewOf) (string, bool) {
			e := func(m string) float64 { return view("kmpe-figures-2-6").Stat("25 dummies", m, at("error", 100)).Mean }
			plain, ten, all, clean := e("pca"), e("pca-kmpe"), e(plainFaces), e(cleanFaces)
			return fmt.Sprintf("PCA %.0f, m_r = 10 %.0f, inliers %.0f; without m_r %.0f with the paper's plain steps, %.0f with controlled ones", plain, ten, clean, all, e("pca-kmpe, m_r = m")), clean < ten && ten < plain && all > plain
		}},
	{What: "PCA-KMPE with p = 10 and plain steps cycles", Theirs: "as said", Needs: []string{"beyond-as-printed"},
		Check: func(view viewOf) (string, bool) {
			s := view("beyond-as-printed").Stat(printedGroups[1].data[0], "p = 10, bandwidth kept, plain", convergedScore)
			return fmt.Sprintf("converged in %.0f %% of %d draws", 100*s.Mean, s.N), s.Mean < 0.5
		}},
	{What: "With a bandwidth in every step the objective seldom falls throughout", Theirs: "in 14 to 25 % of the runs", Needs: []string{"beyond-as-printed"},
		Check: func(view viewOf) (string, bool) {
			v, d := view("beyond-as-printed"), printedGroups[1].data[0]
			ten, two := 1-v.Stat(d, "as printed: p = 10, every step, plain", roseScore).Mean, 1-v.Stat(d, "p = 2, every step, plain", roseScore).Mean
			return fmt.Sprintf("in %.0f %% (p = 10) and %.0f %% (p = 2)", 100*ten, 100*two), ten <= 0.25 && two <= 0.25
		}},
	{What: "PCA-GM's printed delta seldom reaches its own optimum, a lowered one mostly does", Theirs: "8.5 % and 74 %", Needs: []string{"beyond-as-printed"},
		Why: "The order holds. Theirs does not say for which power and data; ours is Algorithm 1 on the paper's first toy, and the share grows with p.",
		Check: func(view viewOf) (string, bool) {
			v := view("beyond-as-printed")
			var parts []string
			holds := true
			for _, d := range printedGroups[2].data {
				p, l := v.Stat(d, "as printed: constant delta", optimumScore).Mean, v.Stat(d, "delta lowered", optimumScore).Mean
				parts = append(parts, fmt.Sprintf("%s %.0f and %.0f %%", strings.TrimPrefix(d, "toy mean, "), 100*p, 100*l))
				holds = holds && p < 0.5 && l > 0.5
			}
			return strings.Join(parts, "; "), holds
		}},
	{What: "The direction of Fig. 2's inliers is 48.6 degrees, not 45", Theirs: "48.6", Needs: []string{"pca-gm-figure-2"},
		Check: func(view viewOf) (string, bool) {
			a := view("pca-gm-figure-2").Stat("toy", "pca-robust (default)", "angle")
			return fmt.Sprintf("the default finds %.1f on average", a.Mean), near(a.Mean, 48.6, 0.5)
		}},
	{What: "Clustered outliers: every method of the papers is lost from 10 % on, a spherical start survives 10 %, PcaHubert all", Theirs: "90 degrees; PcaHubert 2 to 3 up to 49 %", Needs: []string{"beyond-breakdown"},
		Check: func(view viewOf) (string, bool) {
			a := func(m string, share float64) float64 {
				return view("beyond-breakdown").Stat(breakdownName("clustered", share), m, "angle").Mean
			}
			least := math.Inf(1)
			for _, m := range []string{"pca", "pca-l1", "r1-pca", "hq-pca", "pca-gm", "pca-kmpe"} {
				for _, share := range breakdownShares[1:] {
					least = math.Min(least, a(m, share))
				}
			}
			text := fmt.Sprintf("at least %.0f degrees; spherical start %.1f at 10 %%; default %.1f at 45 %%", least, a("spherical start", 0.1), a("pca-robust (default)", 0.45))
			hubert := a(hubertName, 0.45)
			if !math.IsNaN(hubert) {
				text += fmt.Sprintf(", PcaHubert %.1f", hubert)
			}
			return text, least > 80 && a("spherical start", 0.1) < 10 && !(hubert > 5)
		}},
	{What: "Clusterings of kmpe's Tables IX and X and of pca-gm's Table 1: no method differs from PCA by more than the spread", Theirs: "as said", Needs: []string{"kmpe-table-9", "kmpe-table-10", "pca-gm-table-1"},
		Check: func(view viewOf) (string, bool) {
			var parts []string
			holds := true
			for _, c := range []struct {
				id, data string
				ms       []float64
			}{{"kmpe-table-9", "digits", []float64{50, 100, 150, 200, 250, 300}}, {"kmpe-table-10", "whole pictures", []float64{20, 40, 60, 80, 100}}, {"pca-gm-table-1", "digits", []float64{50, 100, 200}}} {
				v := view(c.id)
				most := 0.0 // difference over standard deviation
				for _, m := range c.ms {
					base := v.Stat(c.data, "pca", at("accuracy", m))
					for _, method := range v.Methods() {
						if s := v.Stat(c.data, method, at("accuracy", m)); s.N > 1 {
							most = math.Max(most, math.Abs(s.Mean-base.Mean)/s.SD)
						}
					}
				}
				parts = append(parts, fmt.Sprintf("%s at most %.2f", c.id, most))
				holds = holds && most < 1
			}
			return strings.Join(parts, ", ") + " standard deviations", holds
		}},
}

var imageFindings = []experiment.Finding{
	{What: "corr-tensor's beta = 0.8 needs pictures divided by their mean norm", Theirs: "with pixels from 0 to 1 a handful of pictures have all the weight", Needs: []string{"corr-tensor-figures-5-6"},
		Why: "It depends on the rank. With 20 x 20 x 3 numbers the faces' own residuals are beyond 0.8 and the method fails as they say; with 40 x 40 x 3 they are below it and the dummies' above, and the printed unit is the right one. In mean norms 0.8 is beyond both, so nothing is weighed down.",
		Check: func(view viewOf) (string, bool) {
			e := func(m string, k float64) float64 {
				v := view("corr-tensor-figures-5-6")
				return math.Sqrt(v.Stat(colourData, m, at("error", k)).Mean / v.Stat(colourData, cleanColour, at("error", k)).Mean)
			}
			const printed, norms = "corr-tensor, paper", "corr-tensor, paper, in mean norms"
			return fmt.Sprintf("error over that of clean faces: k = 20 %.2f as printed, %.2f in mean norms; k = 40 %.2f and %.2f", e(printed, 20), e(norms, 20), e(printed, 40), e(norms, 40)),
				e(norms, 20) < e(printed, 20) && e(norms, 40) < e(printed, 40)
		}},
	{What: "MNIST Table I: the Frobenius norm is better, the printed numbers fit the spectral one", Theirs: "0.81 to 0.82 with the Frobenius norm; clean 2DSVD 0.817, with the spectral norm 0.74; 2DSVD with unweighted centers 0.256", Needs: []string{"corr-tensor-table-1"},
		Check: func(view viewOf) (string, bool) {
			a := func(m, s string) float64 { return view("corr-tensor-table-1").Stat("500 x 10", m, s).Mean }
			two, four := a("alpha = 2", byFrobenius), a("alpha = 4", byFrobenius)
			clean, spectral, raw := a("2dsvd of clean digits", byFrobenius), a("2dsvd of clean digits", bySpectral), a("2dsvd", byFrobenius)
			return fmt.Sprintf("alpha = 2 %.3f, alpha = 4 %.3f; clean %.3f and %.3f; unweighted %.3f", two, four, clean, spectral, raw),
				near(two, 0.815, 0.015) && near(four, 0.815, 0.015) && near(clean, 0.817, 0.015) && near(spectral, 0.74, 0.015) && raw < 0.5
		}},
	{What: "LFW Table II: all methods lie below the largest class", Theirs: "0.465", Needs: []string{"corr-tensor-table-2"},
		Check: func(view viewOf) (string, bool) {
			v := view("corr-tensor-table-2")
			best, who := 0.0, ""
			for _, share := range peopleShares {
				for _, m := range []string{"2dpca", "l1-2dpca", "2dsvd", "r1-2dsvd", "n-2dnpp", "s-2dnpp", "alpha = 2", "alpha = 2.7", colourAlpha2, colourAlpha7} {
					for _, s := range []string{bySpectral, byFrobenius} {
						if x := v.Stat(peopleData(share), m, s).Mean; x > best {
							best, who = x, m
						}
					}
				}
			}
			largest := v.Stat(peopleData(0.7), majority, bySpectral).Mean
			return fmt.Sprintf("the best, %s, has %.3f; the largest class %.3f", who, best, largest), best < largest
		}},
	{What: "Weights are better learned at a smaller rank", Theirs: "Yale 64 x 64, 30 dummies, error over that of the inliers: at 50 x 50 1.109 at the full rank, 1.001 at a smaller one, 2DSVD 2.20", Needs: []string{"corr-tensor-figures-2-4"},
		Check: func(view viewOf) (string, bool) {
			v := view("corr-tensor-figures-2-4")
			e := func(m string, k float64) float64 {
				return math.Sqrt(v.Stat("30 dummies", m, at("error", k)).Mean / v.Stat("30 dummies", cleanImages, at("error", k)).Mean)
			}
			const small = "corr-2dsvd (default)"
			return fmt.Sprintf("100 x 100: at 70 x 70 %.3f at the full rank, %.3f at a smaller one, 2DSVD %.2f; at 90 x 90 %.3f, %.3f and %.2f", e(corrFullRank, 70), e(small, 70), e("2dsvd", 70), e(corrFullRank, 90), e(small, 90), e("2dsvd", 90)),
				e(small, 70) <= e(corrFullRank, 70) && e(small, 90) <= e(corrFullRank, 90) && e(small, 70) < 1.05
		}},
	{What: "ORL Table III depends on the start of k-means more than on the method", Theirs: "as said", Needs: []string{"corr-tensor-table-3"},
		Why: "Both move the accuracy alike here: with the start fixed, methods differ as much as starts do with the method fixed.",
		Check: func(view viewOf) (string, bool) {
			start, method := orlSpans(view("corr-tensor-table-3"))
			return fmt.Sprintf("k = 50: the start moves the accuracy of a method by %.2f, the method at a given start by %.2f", start, method), start > method
		}},
	{What: "ORL Table III: accuracies at k = 30", Theirs: "alpha = 4 0.95, 2DSVD 0.83", Needs: []string{"corr-tensor-table-3"},
		Why: "2DSVD agrees. For alpha = 4 we see 0.95 in single draws only, with another reading of the start; other readings give it to 2DSVD, R1-2DSVD and alpha = 2, and the one judged here gives it to 2DSVD of clean faces.",
		Check: func(view viewOf) (string, bool) {
			v := view("corr-tensor-table-3")
			four, plain := orlReadings(v, "alpha = 4", 30), orlReadings(v, "2dsvd", 30)
			most := 0.0
			for i := range orlStarts {
				most = max(most, slices.Max(v.Values(orlData, "alpha = 4", orlScore(i, 30))))
			}
			return fmt.Sprintf("alpha = 4 %.2f (%.2f to %.2f over the readings, %.2f in the best single draw), 2DSVD %.2f (%.2f to %.2f)", four[0], slices.Min(four), slices.Max(four), most, plain[0], slices.Min(plain), slices.Max(plain)),
				near(four[0], 0.95, 0.03) && near(plain[0], 0.83, 0.03)
		}},
}
