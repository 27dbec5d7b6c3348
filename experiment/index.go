package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/report"
)

// contents are the experiments of a folder that have a page.
type contents struct {
	lines   []Line
	views   map[string]*View
	records []Record
	absent  []string
}

// contents reads all records and judges them.
func (s *Site) contents() (*contents, error) {
	c := &contents{views: map[string]*View{}}
	for _, spec := range Specs() {
		if _, err := os.Stat(s.pagePath(spec.ID)); err != nil {
			c.absent = append(c.absent, fmt.Sprintf("%s, %s: %s (`inlier replicate %s`)", spec.Paper, spec.Item, spec.Title, spec.ID))
			continue
		}
		view, err := s.View(spec)
		if err != nil {
			return nil, err
		}
		l := NewLine(view)
		if l.Records, err = s.hash(spec.ID); err != nil {
			return nil, err
		}
		c.views[spec.ID] = view
		c.lines, c.records = append(c.lines, l), append(c.records, view.Records...)
	}
	return c, nil
}

// index writes index.html, verdicts.json, README.md and records.parquet for all experiments
// whose page is there.
func (s *Site) index() error {
	c, err := s.contents()
	if err != nil {
		return err
	}
	overview := makeOverview(func(id string) *View { return c.views[id] })
	changes, err := s.changes(c)
	if err != nil {
		return err
	}
	page, err := s.indexPage(c, overview, changes)
	if err != nil {
		return err
	}
	if err := page.Save(s.IndexPath()); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(s.Dir, "verdicts.json"), func(w io.Writer) error {
		return writeVerdicts(w, s.Origin.of(c.records), c.lines)
	}); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(s.Dir, "README.md"), func(w io.Writer) error { return s.summary(w, c, overview, changes) }); err != nil {
		return err
	}
	if len(c.records) == 0 {
		return nil
	}
	return file.WriteTableFile(context.Background(), filepath.Join(s.Dir, "records.parquet"), Columns(c.records))
}

// writeVerdicts writes what verdicts.json holds, one line per experiment.
func writeVerdicts(w io.Writer, o Origin, lines []Line) error {
	head, err := json.Marshal(map[string]any{"machine": o.Machine, "version": o.Version, "seed": o.Seed})
	if err != nil {
		return err
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		text, err := json.Marshal(l)
		if err != nil {
			return err
		}
		texts[i] = string(text)
	}
	_, err = fmt.Fprintf(w, "%s,\n\"experiments\":[\n%s\n]}\n", bytes.TrimSuffix(head, []byte("}")), strings.Join(texts, ",\n"))
	return err
}

// indexPage is the first page.
func (s *Site) indexPage(c *contents, overview *Overview, changes *changes) (*report.Page, error) {
	page := &report.Page{
		Title: "Replication",
		Lead: "Tables and figures of five papers on robust learning with correntropy and its relatives, computed again: the paper's number, ours, the spread, and verdicts that follow from a rule. " +
			"Studies of our own stand at the end: where the methods break down, how they find outliers, which loss suits which model.",
	}
	counts, forms := map[Outcome]int{}, map[string]int{}
	sections := map[string]*report.Table{}
	for _, l := range c.lines {
		counts[l.Outcome]++
		forms[l.Form]++
		if sections[l.Paper] == nil {
			sections[l.Paper] = &report.Table{Columns: indexColumns(l.Paper)}
		}
		sections[l.Paper].Add(l.cells(neighbours.Page(l.ID))...)
	}
	page.Footer = fmt.Sprintf("%s Forms: %s.", s.Origin.line(c.records), count(forms))
	for _, o := range []Outcome{Reproduced, RankingOnly, CannotTell, NotReproduced, NoData, Unjudged} {
		page.Facts = append(page.Facts, report.Fact{Name: string(o), Value: fmt.Sprint(counts[o])})
	}
	if overview != nil {
		page.Add(overview.Title, overview.text(neighbours), overview.blocks()...)
	}
	for _, paper := range paperOrder {
		if table := sections[paper]; table != nil {
			text := ""
			if paper != "beyond" {
				text = PaperTitle(paper)
			}
			page.Add(paperHeadings[paper], text, table)
		}
	}
	if len(c.absent) > 0 {
		page.Add("Not run here", bullets(c.absent))
	}
	if len(c.lines) > 0 && len(findings) > 0 {
		agreed, of, err := s.writeFindings(c.views, c.records)
		if err != nil {
			return nil, err
		}
		page.Add("An earlier re-computation", fmt.Sprintf("[Findings of an earlier re-computation](%s): %d of %d hold here.", neighbours.Page(findingsPage), agreed, of))
	}
	if changes != nil {
		if err := s.writeChanges(changes, c.records); err != nil {
			return nil, err
		}
		page.Add(changesTitle, changes.sentence(neighbours.Page(changesPage)))
	}
	page.Add("How verdicts are computed", Rule)
	page.Add("Make it again", "The records of every run are in `records/`, one line each; the command writes them together as `records.parquet` too.", report.Code("inlier replicate --all --data DATA --out site"))
	return page, nil
}

// indexColumns are the columns of the index; studies of our own have no verdict.
func indexColumns(paper string) []report.Column {
	c := []report.Column{{Name: "experiment"}}
	if paper != "beyond" {
		c = append(c, report.Column{Name: "numbers"}, report.Column{Name: "conclusions"}, report.Column{Name: "why"})
	}
	return append(c, report.Column{Name: "repeats", Align: report.Right})
}

// cells are those of indexColumns, with a link to the page.
func (l Line) cells(page string) []any {
	row := []any{report.Link{Text: l.Item + ": " + l.Title, Target: page}}
	if l.Paper != "beyond" {
		var conclusion any
		if l.Conclusion != "" {
			conclusion = report.Badge{Kind: conclusionKinds[l.Conclusion], Text: string(l.Conclusion)}
		}
		row = append(row, report.Badge{Kind: outcomeKinds[l.Outcome], Text: string(l.Outcome)}, conclusion, l.Reason)
	}
	repeats := fmt.Sprint(l.Repeats)
	if l.Form != "full" {
		repeats += " (" + l.Form + ")"
	}
	return append(row, repeats)
}

// count lists how often each word occurs.
func count(words map[string]int) string {
	var out []string
	for _, w := range slices.Sorted(maps.Keys(words)) {
		out = append(out, fmt.Sprintf("%s %d", w, words[w]))
	}
	return strings.Join(out, ", ")
}

// summary is the index as Markdown, for readers of the folder itself.
func (s *Site) summary(w io.Writer, c *contents, overview *Overview, changes *changes) error {
	t := &report.Table{Columns: []report.Column{{Name: "paper"}, {Name: "item"}, {Name: "numbers"}, {Name: "conclusions"}, {Name: "why"}, {Name: "repeats"}, {Name: "form"}}}
	for _, l := range c.lines {
		t.Add(l.Paper, report.Link{Text: l.Item + ": " + l.Title, Target: s.Page(l.ID)}, string(l.Outcome), string(l.Conclusion), l.Reason, l.Repeats, l.Form)
	}
	lead := "Open `" + s.Page(indexPage) + "` for pages with tables and figures."
	if s.apart() {
		lead += " The pages are a Go module of their own: the repository has them, a download of the module around them has not."
	}
	text := fmt.Sprintf("# Replication\n\n%s %s\n\n", lead, s.Origin.line(c.records))
	if overview != nil {
		text += fmt.Sprintf("## %s\n\n%s\n\n%s\n", overview.Title, overview.text(s), overview.Markdown())
	}
	text += fmt.Sprintf("## Verdicts\n\n%s\n", t.Markdown())
	if changes != nil {
		text += fmt.Sprintf("## %s\n\n%s\n\n%s\n", changesTitle, changes.sentence(s.Page(changesPage)), changes.table(s).Markdown())
	}
	_, err := fmt.Fprintf(w, "%s## How verdicts are computed\n\n%s\n", text, Rule)
	return err
}
