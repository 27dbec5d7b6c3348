package experiment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/inlier-ml/inlier/report"
)

const (
	// BeforeFile has the verdicts of the run before, as verdicts.json had them: who keeps it
	// beside the records gets a page of what has changed.
	BeforeFile   = "records/before.json"
	changesPage  = "changes"
	changesTitle = "Verdicts before and after"
)

var reasons = map[string]string{}

// RegisterReasons says, by the names of experiments, why their verdicts changed since the
// run before; it is called at start-up.
func RegisterReasons(why map[string]string) {
	for id, text := range why {
		reasons[id] = text
	}
}

// Change is an experiment with its verdict before and now.
type Change struct {
	Before, Now Line
	Reason      string // why it changed; empty where nobody says
}

// Differs tells whether the verdict on numbers or conclusions has another word, or another
// count of cells. A run whose conclusions were not judged apart has none that could differ.
func (c Change) Differs() bool {
	return c.Before.Outcome != c.Now.Outcome || c.Before.Conclusion != "" && c.Before.Conclusion != c.Now.Conclusion || c.Before.Agree != c.Now.Agree || c.Before.Judged != c.Now.Judged
}

// changes are the papers' experiments of two runs.
type changes struct {
	list    []Change
	version string // of the program that judged before
}

// changes compares with the verdicts of the run before; nil when the folder has none.
func (s *Site) changes(c *contents) (*changes, error) {
	text, err := os.ReadFile(filepath.Join(s.Dir, BeforeFile))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	var before struct {
		Version     string
		Experiments []Line
	}
	if err := json.Unmarshal(text, &before); err != nil {
		return nil, fmt.Errorf("experiment: %s: %w", BeforeFile, err)
	}
	return &changes{Compare(before.Experiments, c.lines), before.Version}, nil
}

// Compare puts the verdicts of two runs side by side, in the order of the later one; studies
// of our own have none.
func Compare(before, now []Line) []Change {
	old := map[string]Line{}
	for _, l := range before {
		old[l.ID] = l
	}
	var out []Change
	for _, l := range now {
		if l.Paper != "beyond" {
			out = append(out, Change{Before: old[l.ID], Now: l, Reason: reasons[l.ID]})
		}
	}
	return out
}

// sentence sums them up.
func (c *changes) sentence(page string) string {
	differ := 0
	for _, one := range c.list {
		if one.Differs() {
			differ++
		}
	}
	return fmt.Sprintf("%d of %d verdicts differ from those of the run before (version %s): [what each was, what it is now, and why](%s).", differ, len(c.list), c.version, page)
}

// table lists before, now and why.
func (c *changes) table(s *Site) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "experiment"}, {Name: "before"}, {Name: "now"}, {Name: "why it changed"}}}
	for _, one := range c.list {
		why := "unchanged"
		if one.Differs() {
			why = cmp.Or(one.Reason, "not said")
		}
		if one.Before.Records == one.Now.Records {
			why += " (the same runs)"
		}
		t.Add(report.Link{Text: one.Now.Paper + ", " + one.Now.Item, Target: s.Page(one.Now.ID)}, verdictOf(one.Before), verdictOf(one.Now), why)
	}
	t.Notes = append(t.Notes, "Runs are new but for those that are called the same.")
	return t
}

// verdictOf are both verdicts of a line in words.
func verdictOf(l Line) string {
	text := cmp.Or(string(l.Outcome), "not judged") + counted(l)
	if l.Conclusion != "" {
		text += "; conclusions " + string(l.Conclusion)
	}
	return text
}

// counted is how many cells agree, where cells were judged.
func counted(l Line) string {
	if l.Judged == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d cells)", l.Agree, l.Judged)
}

// writeChanges writes the page.
func (s *Site) writeChanges(c *changes, all []Record) error {
	page := &report.Page{
		Title: changesTitle,
		Lead:  "Every verdict of the run before beside the one of this run, with the reason where it is another one: a rule that was mended, a method that was, data that are not the paper's after all.",
	}
	page.Add("Verdicts", "", c.table(neighbours))
	page.Add("How verdicts are computed", Rule)
	page.Footer = s.Origin.line(all) + " [All experiments](index.html)"
	return page.Save(s.pagePath(changesPage))
}
