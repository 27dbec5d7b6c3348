package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/report"
)

// Site is a folder with one page per experiment, an index, the verdicts and all records.
type Site struct {
	Dir    string
	Env    *Env
	Origin Origin
}

// RecordsPath is the file of an experiment's records.
func (s *Site) RecordsPath(id string) string { return filepath.Join(s.Dir, "records", id+".jsonl") }

// Line is one experiment as verdicts.json and the index show it.
type Line struct {
	ID      string `json:"id"`
	Paper   string `json:"paper"`
	Item    string `json:"item"`
	Title   string `json:"title"`
	Runs    int    `json:"runs"`
	Repeats int    `json:"repeats"`
	Verdict
	RankShown *float64 `json:"rank_correlation,omitempty"`
}

// NewLine summarises an experiment.
func NewLine(v *View) Line {
	s := v.Spec
	l := Line{ID: s.ID, Paper: s.Paper, Item: s.Item, Title: s.Title, Runs: len(v.Records), Repeats: v.repeats(), Verdict: v.Verdict}
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
		records, err := s.records(spec.ID)
		if err != nil {
			return nil, err
		}
		v := NewView(spec, s.Env, records)
		page, err := v.build(ctx, s.Origin)
		if err != nil {
			return nil, err
		}
		if err := page.Save(filepath.Join(s.Dir, spec.ID+".html")); err != nil {
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
// page stands in the folder.
func (s *Site) index() error {
	page := &report.Page{
		Title: "Replication",
		Lead: "Tables and figures of five papers on robust learning with correntropy and its relatives, computed again: the paper's number, ours, the spread, and a verdict that follows from a rule. " +
			"Studies of our own stand at the end: where the methods break down, how they find outliers, which loss suits which model.",
		Footer: s.Origin.line(),
	}
	var lines []Line
	var all []Record
	counts := map[Outcome]int{}
	sections := map[string][]string{}
	for _, spec := range Specs() {
		if _, err := os.Stat(filepath.Join(s.Dir, spec.ID+".html")); err != nil {
			continue
		}
		records, err := s.records(spec.ID)
		if err != nil {
			return err
		}
		l := NewLine(NewView(spec, s.Env, records))
		lines, all = append(lines, l), append(all, records...)
		counts[l.Outcome]++
		sections[spec.Paper] = append(sections[spec.Paper], fmt.Sprintf("[%s: %s](%s.html) — **%s**: %s", spec.Item, spec.Title, spec.ID, l.Outcome, l.Reason))
	}
	for _, o := range []Outcome{Reproduced, RankingOnly, NotReproduced, NoData} {
		page.Facts = append(page.Facts, report.Fact{Name: string(o), Value: fmt.Sprint(counts[o])})
	}
	for _, paper := range paperOrder {
		if list := sections[paper]; len(list) > 0 {
			heading := paper
			if paper == "beyond" {
				heading = "beyond the papers"
			}
			text := bullets(list)
			if paper != "beyond" {
				text = PaperTitle(paper) + "\n\n" + text
			}
			page.Add(strings.ToUpper(heading[:1])+heading[1:], text)
		}
	}
	page.Add("Not computed yet", "Of corr-tensor: Figs. 5-6 (colour faces), Table I and Fig. 7 (digits), Table II and Fig. 8 (faces by name), Table III and Figs. 9-11 (clustering of faces). "+
		"What changes when all methods are tuned alike is not studied either.")
	page.Add("How verdicts are computed", Rule)
	page.Add("Make it again", "The records of every run are in `records/`, one line each, and together in `records.parquet`.", report.Code("inlier replicate --all --data DATA --out site"))
	if err := page.Save(filepath.Join(s.Dir, "index.html")); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(s.Dir, "verdicts.json"), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(map[string]any{"machine": s.Origin.Machine, "version": s.Origin.Version, "form": s.Origin.Form, "seed": s.Origin.Seed, "experiments": lines})
	}); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(s.Dir, "README.md"), func(w io.Writer) error { return s.summary(w, lines) }); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	return dataset.WriteTableFile(filepath.Join(s.Dir, "records.parquet"), Columns(all))
}

// summary is the index as Markdown, for readers of the folder itself.
func (s *Site) summary(w io.Writer, lines []Line) error {
	t := &report.Table{Columns: []report.Column{{Name: "paper"}, {Name: "item"}, {Name: "verdict"}, {Name: "why"}, {Name: "repeats"}}}
	for _, l := range lines {
		t.Add(l.Paper, l.Item+": "+l.Title, string(l.Outcome), l.Reason, l.Repeats)
	}
	_, err := fmt.Fprintf(w, "# Replication\n\nOpen `index.html` for pages with tables and figures. %s\n\n%s\n## How verdicts are computed\n\n%s\n", s.Origin.line(), t.Markdown(), Rule)
	return err
}
