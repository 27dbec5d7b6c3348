package papers

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
)

// tunedRecords are runs of the sinc family in which the three losses have given errors, with
// noise that is common to all and a little of their own.
func tunedRecords(errors map[string]float64, own float64) []experiment.Record {
	f := tuningFamilies[3]
	var out []experiment.Record
	for _, set := range f.sets {
		for method, e := range errors {
			for repeat := range 20 {
				common := 0.05 * math.Sin(float64(repeat))
				noise := own * math.Sin(float64(repeat*len(method)*7))
				out = append(out, experiment.Record{Data: f.data(set, f.dirt[0]), Method: tunedName(method), Repeat: repeat, Scores: map[string]experiment.Number{"rmse": experiment.Number(e + common + noise)}})
			}
		}
	}
	return out
}

func TestOverviewOfLosses(t *testing.T) {
	specs, err := experiment.Find([]string{"beyond-equal-tuning"})
	if err != nil {
		t.Fatal(err)
	}
	if tuningFamilies[3].name != "sinc" {
		t.Fatal("the test means the sinc family")
	}
	ask := func(records []experiment.Record) *experiment.Overview {
		v := experiment.NewView(specs[0], &experiment.Env{}, records)
		return lossOverview(func(string) *experiment.View { return v })
	}
	clear := ask(tunedRecords(map[string]float64{"relm": 0.3, "elm-rcc": 0.2, "elm-kmpe": 0.1}, 0.001))
	for _, want := range []string{"**KMPE over correntropy**: better in 1 of 1", "**correntropy over square**: better in 1 of 1", "over 20 draws", "all 3 comparisons"} {
		if !strings.Contains(clear.Text, want) {
			t.Errorf("%q is not in %q", want, clear.Text)
		}
	}
	if table := clear.Markdown(); !strings.Contains(table, "+0.1000 (+0.09") || !strings.Contains(table, "0.3") {
		t.Errorf("no gain with its interval:\n%s", table)
	}
	for _, table := range clear.Tables { // beyond, gains had to be scrolled to
		if wide := reading(table); wide > 850 {
			t.Errorf("%s takes some %d of the 850 pixels of a page", table.Title, wide)
		}
	}
	worse := ask(tunedRecords(map[string]float64{"relm": 0.1, "elm-rcc": 0.1001, "elm-kmpe": 0.2}, 0.01))
	for _, want := range []string{"**KMPE over correntropy**: better in 0 of 1 tasks, undecided in 0, worse in 1", "**correntropy over square**: better in 0 of 1 tasks, undecided in 1"} {
		if !strings.Contains(worse.Text, want) {
			t.Errorf("%q is not in %q", want, worse.Text)
		}
	}
	if ask(nil) != nil {
		t.Error("an overview of nothing")
	}
}

// reading is about how many pixels wide a table is: cells of up to 28 letters are not broken.
func reading(t *report.Table) int {
	wide := 0
	for k, c := range t.Columns {
		most := len(c.Name)
		for _, row := range t.Rows {
			if text, ok := row[k].(string); ok && len(text) <= 28 {
				most = max(most, len(text))
			}
		}
		wide += 28 + 7*most
	}
	return wide
}

// The overview of the committed records can be made, and the first page shows it.
func TestOverviewFollowsFromRecords(t *testing.T) {
	needRecords(t)
	view := recorded(&experiment.Site{Dir: committed, Env: &experiment.Env{}})
	v, err := view("beyond-equal-tuning")
	if err != nil {
		t.Fatal(err)
	}
	made := lossOverview(func(string) *experiment.View { return v })
	readme := readText(t, committed+"/README.md")
	if made == nil || !strings.Contains(readme, made.Text) || !strings.Contains(readme, made.Markdown()) {
		t.Error("the first page does not show the overview that the records make; inlier replicate --all --pages --out docs/replication writes it")
	}
}
