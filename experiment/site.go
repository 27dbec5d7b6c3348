package experiment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/inlier-ml/inlier/internal/given"
)

// Site is a folder with one page per experiment, an index, the verdicts and all records.
//
// Pages stand in the folder itself, unless that has a folder "pages" that is a Go module
// of its own (it has a go.mod), as in the repository of Inlier: then they stand there. The
// module around the site is downloaded without them, but with verdicts and figures.
type Site struct {
	Dir    string
	Env    *Env
	Origin Origin
}

// RecordsPath is the file of an experiment's records.
func (s *Site) RecordsPath(id string) string { return filepath.Join(s.Dir, "records", id+".jsonl") }

// pagesFolder is where pages may stand apart.
const pagesFolder = "pages"

// indexPage is the page of all experiments.
const indexPage = "index"

// neighbours makes links from a page to others.
var neighbours = &Site{Dir: "pages side by side"}

// IndexPath is the file of the page of all experiments.
func (s *Site) IndexPath() string { return s.pagePath(indexPage) }

// Page is the file of an experiment's page as a link from the folder, with slashes.
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

// top is the way from a page to the folder, as the beginning of a link.
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
	ctx = given.Context(ctx)
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
