package papers

import (
	"fmt"
	"math"
	"strings"

	"github.com/inlier-ml/inlier/experiment"
)

// readmeParts are the parts of README that records decide, by the name in the comment that
// stands before each: <!-- records: NAME -->. They end at the next <!-- end -->.
var readmeParts = map[string]func(view func(id string) (*experiment.View, error)) (string, error){
	"breakdown": breakdownPart,
	"papers":    papersPart,
}

// breakdownPart is the table of angles with clustered outliers.
func breakdownPart(view func(id string) (*experiment.View, error)) (string, error) {
	v, err := view("beyond-breakdown")
	if err != nil {
		return "", err
	}
	head, rule := []string{"share"}, []string{"---"}
	var methods []string
	for _, m := range v.Methods() {
		if m == hubertName || m == mcdName {
			continue
		}
		methods = append(methods, m)
		head, rule = append(head, "`"+strings.ReplaceAll(m, " (default)", "")+"`"), append(rule, "---:")
	}
	lines := []string{"| " + strings.Join(head, " | ") + " |", "|" + strings.Join(rule, "|") + "|"}
	for _, share := range breakdownShares {
		row := []string{fmt.Sprintf("%g %%", 100*share)}
		best := math.Inf(1)
		for _, m := range methods {
			best = min(best, v.Stat(breakdownName("clustered", share), m, "angle").Mean)
		}
		for _, m := range methods {
			mean := v.Stat(breakdownName("clustered", share), m, "angle").Mean
			text := fmt.Sprintf("%.1f", mean)
			if text == fmt.Sprintf("%.1f", best) {
				text = "**" + text + "**"
			}
			row = append(row, text)
		}
		lines = append(lines, "| "+strings.Join(row, " | ")+" |")
	}
	repeats := v.Stat(breakdownName("clustered", 0), "pca", "angle").N
	return fmt.Sprintf("The largest angle, in degrees, between the subspace found and the true one (200 rows, 20 columns, 3 components, mean of %d\ndata sets), outliers in one far cluster:\n\n%s\n", repeats, strings.Join(lines, "\n")), nil
}

// papersPart counts the verdicts on the papers.
func papersPart(view func(id string) (*experiment.View, error)) (string, error) {
	numbers, conclusions := map[experiment.Outcome]int{}, map[experiment.Conclusion]int{}
	of, claims := 0, 0
	for _, s := range experiment.Specs() {
		if s.Paper == "beyond" {
			continue
		}
		v, err := view(s.ID)
		if err != nil {
			return "", err
		}
		of++
		numbers[v.Verdict.Outcome]++
		if v.Verdict.Conclusion != "" && v.Verdict.Outcome != experiment.NoData {
			claims++
			conclusions[v.Verdict.Conclusion]++
		}
	}
	return fmt.Sprintf("Of %d tables and figures of the five papers %d are reproduced, of %d only the ranking is; %d are not reproduced, %d cannot tell one\nmethod from another, and of %d the data are not to be had. What the papers conclude from those with data is confirmed by paired\ntests for %d of %d, partly for %d, contradicted for %d.\n",
		of, numbers[experiment.Reproduced], numbers[experiment.RankingOnly], numbers[experiment.NotReproduced], numbers[experiment.CannotTell], numbers[experiment.NoData],
		conclusions[experiment.Confirmed], claims, conclusions[experiment.Partly], conclusions[experiment.Contradicted]), nil
}

// Readme replaces the parts of a text that records decide; the rest stays.
func Readme(text string, site *experiment.Site) (string, error) {
	view := recorded(site)
	for name, part := range readmeParts {
		mark := "<!-- records: " + name + " -->\n"
		before, rest, ok := strings.Cut(text, mark)
		_, after, ends := strings.Cut(rest, "<!-- end -->")
		if !ok || !ends {
			return "", fmt.Errorf("papers: README has no part %q", name)
		}
		made, err := part(view)
		if err != nil {
			return "", fmt.Errorf("papers: README: %w", err)
		}
		text = before + mark + "\n" + made + "\n<!-- end -->" + after
	}
	return text, nil
}
