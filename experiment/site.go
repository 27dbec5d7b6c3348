package experiment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/report"
)

// Site is a folder with one page per experiment, an index, the verdicts and all records.
//
// Pages stand beside the index, unless the folder has a folder "pages" that is a Go module
// of its own (it has a go.mod), as in the repository of Inlier: then they stand there. The
// module around the site is downloaded without them, but with index, verdicts and figures.
type Site struct {
	Dir    string
	Env    *Env
	Origin Origin
}

// RecordsPath is the file of an experiment's records.
func (s *Site) RecordsPath(id string) string { return filepath.Join(s.Dir, "records", id+".jsonl") }

// pagesFolder is where pages may stand apart.
const pagesFolder = "pages"

// Page is the file of an experiment's page as a link from the index, with slashes.
func (s *Site) Page(id string) string {
	if s.apart() {
		return pagesFolder + "/" + id + ".html"
	}
	return id + ".html"
}

// pagePath is the file of a page.
func (s *Site) pagePath(id string) string {
	return filepath.Join(s.Dir, filepath.FromSlash(s.Page(id)))
}

// top is the way from a page to the index, as the beginning of a link.
func (s *Site) top() string {
	if s.apart() {
		return "../"
	}
	return ""
}

// apart tells whether pages stand in a module of their own.
func (s *Site) apart() bool {
	_, err := os.Stat(filepath.Join(s.Dir, pagesFolder, "go.mod"))
	return err == nil
}

// ReadOrigin tells where the records of a folder come from, as its verdicts.json says.
func ReadOrigin(dir string) (Origin, bool) {
	text, err := os.ReadFile(filepath.Join(dir, "verdicts.json"))
	var o Origin
	if err != nil || json.Unmarshal(text, &o) != nil || o.Machine == "" {
		return Origin{}, false
	}
	return o, true
}

// Line is one experiment as verdicts.json and the index show it.
type Line struct {
	ID      string `json:"id"`
	Paper   string `json:"paper"`
	Item    string `json:"item"`
	Title   string `json:"title"`
	Runs    int    `json:"runs"`
	Repeats int    `json:"repeats"`
	Form    string `json:"form"`
	Failed  int    `json:"failed"`
	Records string `json:"records_sha256,omitempty"` // of the file of records
	Verdict
	RankShown *float64 `json:"rank_correlation,omitempty"`
}

// NewLine summarises an experiment.
func NewLine(v *View) Line {
	s := v.Spec
	l := Line{ID: s.ID, Paper: s.Paper, Item: s.Item, Title: s.Title, Runs: len(v.Records), Repeats: v.repeats(), Form: v.form(), Verdict: v.Verdict}
	_, l.Failed = v.spent()
	if !math.IsNaN(v.Verdict.Rank) {
		rank := round(v.Verdict.Rank, 4)
		l.RankShown = &rank
	}
	return l
}

// Write makes the pages of the given experiments from their records, and the index of
// every experiment that the folder has records of.
func (s *Site) Write(ctx context.Context, specs []*Spec) ([]Line, error) {
	var lines []Line
	for _, spec := range specs {
		v, err := s.View(spec)
		if err != nil {
			return nil, err
		}
		v.top = s.top()
		page, err := v.build(ctx, s.Origin)
		if err != nil {
			return nil, err
		}
		if err := page.Save(s.pagePath(spec.ID)); err != nil {
			return nil, err
		}
		for name, chart := range v.figures {
			if err := os.MkdirAll(filepath.Join(s.Dir, "figures"), 0o755); err != nil {
				return nil, fmt.Errorf("experiment: %w", err)
			}
			if err := chart.Save(filepath.Join(s.Dir, "figures", name+".svg")); err != nil {
				return nil, err
			}
		}
		lines = append(lines, NewLine(v))
	}
	return lines, s.index()
}

// View is one experiment with the records that the folder has of it.
func (s *Site) View(spec *Spec) (*View, error) {
	records, err := s.records(spec.ID)
	if err != nil {
		return nil, err
	}
	return NewView(spec, s.Env, records), nil
}

// records reads what a run has left; no file is no record.
func (s *Site) records(id string) ([]Record, error) {
	text, err := os.ReadFile(s.RecordsPath(id))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	out, err := ReadRecords(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.RecordsPath(id), err)
	}
	return out, nil
}

// index writes index.html, verdicts.json and records.parquet for all experiments whose
// page is there.
func (s *Site) index() error {
	page := &report.Page{
		Title: "Replication",
		Lead: "Tables and figures of five papers on robust learning with correntropy and its relatives, computed again: the paper's number, ours, the spread, and a verdict that follows from a rule. " +
			"Studies of our own stand at the end: where the methods break down, how they find outliers, which loss suits which model.",
	}
	var lines []Line
	var all []Record
	counts, forms := map[Outcome]int{}, map[string]int{}
	var absent []string
	sections, views := map[string]*report.Table{}, map[string]*View{}
	for _, spec := range Specs() {
		if _, err := os.Stat(s.pagePath(spec.ID)); err != nil {
			absent = append(absent, fmt.Sprintf("%s, %s: %s (`inlier replicate %s`)", spec.Paper, spec.Item, spec.Title, spec.ID))
			continue
		}
		records, err := s.records(spec.ID)
		if err != nil {
			return err
		}
		views[spec.ID] = NewView(spec, s.Env, records)
		l := NewLine(views[spec.ID])
		if l.Records, err = s.hash(spec.ID); err != nil {
			return err
		}
		lines, all = append(lines, l), append(all, records...)
		counts[l.Outcome]++
		forms[l.Form]++
		if sections[spec.Paper] == nil {
			sections[spec.Paper] = &report.Table{Columns: indexColumns(spec.Paper)}
		}
		sections[spec.Paper].Add(l.cells(s.Page(l.ID))...)
	}
	page.Footer = fmt.Sprintf("%s Forms: %s.", s.Origin.line(all), count(forms))
	for _, o := range []Outcome{Reproduced, RankingOnly, NotReproduced, NoData, Unjudged} {
		page.Facts = append(page.Facts, report.Fact{Name: string(o), Value: fmt.Sprint(counts[o])})
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
	if len(absent) > 0 {
		page.Add("Not run here", bullets(absent))
	}
	if len(lines) > 0 && len(findings) > 0 {
		agreed, of, err := s.writeFindings(views, all)
		if err != nil {
			return err
		}
		page.Add("An earlier re-computation", fmt.Sprintf("[Findings of an earlier re-computation](%s): %d of %d hold here.", s.Page(findingsPage), agreed, of))
	}
	page.Add("How verdicts are computed", Rule)
	page.Add("Make it again", "The records of every run are in `records/`, one line each; the command writes them together as `records.parquet` too.", report.Code("inlier replicate --all --data DATA --out site"))
	if err := page.Save(filepath.Join(s.Dir, "index.html")); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(s.Dir, "verdicts.json"), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(map[string]any{"machine": s.Origin.Machine, "version": s.Origin.Version, "seed": s.Origin.Seed, "experiments": lines})
	}); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(s.Dir, "README.md"), func(w io.Writer) error { return s.summary(w, lines, all) }); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	return file.WriteTableFile(filepath.Join(s.Dir, "records.parquet"), Columns(all))
}

// indexColumns are the columns of the index; studies of our own have no verdict.
func indexColumns(paper string) []report.Column {
	c := []report.Column{{Name: "experiment"}}
	if paper != "beyond" {
		c = append(c, report.Column{Name: "verdict"}, report.Column{Name: "why"})
	}
	return append(c, report.Column{Name: "repeats", Align: report.Right})
}

// cells are those of indexColumns, with a link to the page.
func (l Line) cells(page string) []any {
	row := []any{report.Link{Text: l.Item + ": " + l.Title, Target: page}}
	if l.Paper != "beyond" {
		row = append(row, report.Badge{Kind: outcomeKinds[l.Outcome], Text: string(l.Outcome)}, l.Reason)
	}
	repeats := fmt.Sprint(l.Repeats)
	if l.Form != "full" {
		repeats += " (" + l.Form + ")"
	}
	return append(row, repeats)
}

// hash is that of an experiment's file of records; empty when there is none.
func (s *Site) hash(id string) (string, error) {
	text, err := os.ReadFile(s.RecordsPath(id))
	if os.IsNotExist(err) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("experiment: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
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
func (s *Site) summary(w io.Writer, lines []Line, all []Record) error {
	t := &report.Table{Columns: []report.Column{{Name: "paper"}, {Name: "item"}, {Name: "verdict"}, {Name: "why"}, {Name: "repeats"}, {Name: "form"}}}
	for _, l := range lines {
		t.Add(l.Paper, report.Link{Text: l.Item + ": " + l.Title, Target: s.Page(l.ID)}, string(l.Outcome), l.Reason, l.Repeats, l.Form)
	}
	lead := "Open `index.html` for pages with tables and figures."
	if s.apart() {
		lead += " The pages are a Go module of their own: the repository has them, a download of the module around them has not."
	}
	_, err := fmt.Fprintf(w, "# Replication\n\n%s %s\n\n%s\n## How verdicts are computed\n\n%s\n", lead, s.Origin.line(all), t.Markdown(), Rule)
	return err
}
