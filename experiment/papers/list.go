package papers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
)

// Listed is an experiment: what it computes again, what data it needs, how long it takes.
type Listed struct {
	ID           string   `json:"id"`
	Paper        string   `json:"paper"`
	Item         string   `json:"item"`
	Title        string   `json:"title"`
	Needs        []string `json:"needs"`
	Missing      []string `json:"missing"`
	Quick        int      `json:"quick_repeats"`
	QuickMinutes float64  `json:"quick_minutes"`
	Full         int      `json:"full_repeats"`
	FullMinutes  float64  `json:"full_minutes"`
}

// List is what can be replicated.
type List []Listed

// List tells every experiment, and which of its files are not in the data folder.
func (r Replicate) List() List {
	env := &experiment.Env{Dir: r.Data}
	var list List
	for _, s := range experiment.Specs() {
		list = append(list, Listed{ID: s.ID, Paper: s.Paper, Item: s.Item, Title: s.Title, Needs: s.Needs, Missing: env.Missing(s.Needs),
			Quick: s.Quick.Repeats, QuickMinutes: s.Quick.Minutes, Full: s.Full.Repeats, FullMinutes: s.Full.Minutes})
	}
	return list
}

// Table lays the list out, with the folders that are needed instead of their files.
func (l List) Table() *report.Table {
	t := &report.Table{
		Columns: []report.Column{{Name: "experiment"}, {Name: "what"}, {Name: "needs"}, {Name: "quick", Align: report.Right}, {Name: "full", Align: report.Right}},
		Notes:   []string{"needs: folders of the data folder; --json lists the files. quick, full: repeats and about how many", "minutes on two cores."},
	}
	for _, e := range l {
		needs := strings.Join(topFolders(e.Needs), " ")
		switch {
		case needs == "":
			needs = "nothing"
		case len(e.Missing) > 0:
			needs += " (not there)"
		}
		t.Add(e.ID, e.Item+": "+e.Title, needs, duration(e.Quick, e.QuickMinutes), duration(e.Full, e.FullMinutes))
	}
	return t
}

// topFolders are the folders of the data folder that files stand in: what people need to know.
func topFolders(files []string) []string {
	var out []string
	for _, f := range files {
		folder, _, _ := strings.Cut(f, "/")
		if !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out
}

func duration(repeats int, long float64) string {
	minutes := fmt.Sprintf("%.0f min", long)
	if long < 1 {
		minutes = "< 1 min"
	}
	return fmt.Sprintf("%d x, %s", repeats, minutes)
}
