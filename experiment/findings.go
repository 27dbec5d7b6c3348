package experiment

import (
	"fmt"

	"github.com/inlier-ml/inlier/report"
)

// Finding is what an earlier, independent re-computation of the papers found, to be checked
// against the records of a site.
type Finding struct {
	What   string   // in words
	Theirs string   // its numbers
	Needs  []string // experiments whose records tell
	// Check returns our numbers and whether they bear the finding out.
	Check func(view func(id string) *View) (ours string, agrees bool)
	Why   string // shown where ours differ: the reason
}

var findings []Finding

// RegisterFindings adds to the list; it is called at start-up.
func RegisterFindings(list ...Finding) { findings = append(findings, list...) }

// Checked is a finding with our side of it.
type Checked struct {
	Finding
	Ours    string
	Agrees  bool
	Missing string // the experiment without records, where it could not be checked
}

// CheckFindings holds every finding against the records; view returns an experiment's, or
// nil where there are none.
func CheckFindings(view func(id string) *View) []Checked {
	var out []Checked
	for _, f := range findings {
		c := Checked{Finding: f}
		for _, id := range f.Needs {
			if v := view(id); v == nil || len(v.Records) == 0 {
				c.Missing = id
			}
		}
		if c.Missing == "" {
			c.check(view)
		}
		out = append(out, c)
	}
	return out
}

// check asks the records; those of an interrupted run may lack what is asked for.
func (c *Checked) check(view func(id string) *View) {
	defer func() {
		if recover() != nil {
			c.Missing = c.Needs[0]
		}
	}()
	c.Ours, c.Agrees = c.Check(view)
}

const findingsPage = "findings"

// writeFindings writes the page of the findings; agreed tells how many hold here.
func (s *Site) writeFindings(views map[string]*View, all []Record) (agreed, of int, err error) {
	t := &report.Table{Columns: []report.Column{{Name: "finding"}, {Name: "theirs"}, {Name: "ours"}, {Name: "holds"}, {Name: "records"}}}
	var why []string
	for _, c := range CheckFindings(func(id string) *View { return views[id] }) {
		if c.Missing != "" {
			t.Add(c.What, c.Theirs, "not run here", nil, c.Missing)
			continue
		}
		of++
		so := report.Badge{Kind: "warn", Text: "no"}
		if c.Agrees {
			agreed++
			so = report.Badge{Kind: "good", Text: "yes"}
		} else if c.Why != "" {
			why = append(why, fmt.Sprintf("**%s.** %s", c.What, c.Why))
		}
		t.Add(c.What, c.Theirs, c.Ours, so, report.Link{Text: c.Needs[0], Target: c.Needs[0] + ".html"})
	}
	page := &report.Page{
		Title: "Findings of an earlier re-computation, checked",
		Lead:  "The papers were computed again once before, independently and with other programs. What was found then is held against the records of this site; whether it holds is computed, not typed in.",
		Facts: []report.Fact{{Name: "hold here", Value: fmt.Sprintf("%d of %d", agreed, of)}},
	}
	page.Add("Findings", "", t)
	if len(why) > 0 {
		page.Add("Where ours differ", bullets(why))
	}
	page.Footer = s.Origin.line(all) + " [All experiments](index.html)"
	return agreed, of, page.Save(s.pagePath(findingsPage))
}
