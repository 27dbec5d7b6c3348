package papers

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// GuideHeading is the first line of the guide.
const GuideHeading = "# Which method, which loss"

// WordsOf is the file with the words of a guide, a template that stands beside it.
func WordsOf(guide string) string { return guide + ".tmpl" }

// WriteGuide writes the guide to methods and losses. Its words stand in [WordsOf] it, its
// numbers come from the records of the site, and what it says in words is checked against
// them: a statement that the records do not bear out is an error.
func WriteGuide(path string, site *experiment.Site) error {
	t, err := template.New(filepath.Base(WordsOf(path))).Funcs(guideFuncs(site, path)).ParseFiles(WordsOf(path))
	if err != nil {
		return fmt.Errorf("papers: guide: %w", err)
	}
	var text strings.Builder
	if err := t.Execute(&text, nil); err != nil {
		return fmt.Errorf("papers: guide: %w", err)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	})
}

// recorded finds the view of an experiment; one without records is an error.
func recorded(site *experiment.Site) func(id string) (*experiment.View, error) {
	known := map[string]*experiment.View{}
	return func(id string) (*experiment.View, error) {
		if v := known[id]; v != nil {
			return v, nil
		}
		specs, err := experiment.Find([]string{id})
		if err != nil {
			return nil, err
		}
		v, err := site.View(specs[0])
		if err == nil && len(v.Records) == 0 {
			err = fmt.Errorf("%s has no records; inlier replicate %s makes them", id, id)
		}
		if err == nil {
			known[id] = v
		}
		return v, err
	}
}

// guideFuncs are what the guide's text asks the records.
func guideFuncs(site *experiment.Site, path string) template.FuncMap {
	view := recorded(site)
	folder := func() (string, error) {
		from, err := filepath.Abs(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		to, err := filepath.Abs(site.Dir)
		if err != nil {
			return "", err
		}
		relative, err := filepath.Rel(from, to)
		return filepath.ToSlash(relative), err
	}
	return template.FuncMap{
		// site is the folder of the site as seen from the guide.
		"site": folder,
		// page is an experiment's page as seen from the guide.
		"page": func(id string) (string, error) {
			to, err := folder()
			return to + "/" + site.Page(id), err
		},
		// has tells whether there are records of an experiment.
		"has": func(id string) bool {
			_, err := os.Stat(site.RecordsPath(id))
			return err == nil
		},
		// mean is a score averaged over the repeats of one data set, which may be named by the
		// first words of its name.
		"mean": func(id, data, method, score string) (float64, error) {
			v, err := view(id)
			if err != nil {
				return 0, err
			}
			for _, d := range v.Data() {
				if s := v.Stat(d, method, score); (d == data || strings.HasPrefix(d, data+" (")) && s.N > 0 {
					return s.Mean, nil
				}
			}
			return 0, fmt.Errorf("%s has no %s of %s on %s", id, score, method, data)
		},
		// overall is a score averaged over all data sets.
		"overall": func(id, method, score string) (float64, error) {
			v, err := view(id)
			if err != nil {
				return 0, err
			}
			if m := meanOver(v, method, score); !math.IsNaN(m) {
				return m, nil
			}
			return 0, fmt.Errorf("%s has no %s of %s on every set", id, score, method)
		},
		// labels is the mean accuracy over the sets with so many wrong labels.
		"labels": func(kernel string, noise float64, method string) (float64, error) {
			v, err := view("regmaxcem-figure-1")
			if err != nil {
				return 0, err
			}
			return meanAccuracy(v, kernel, noise, method), nil
		},
		// excess is by how many per cent the error of a loss is above the best one's, at most
		// over the tasks of the grid.
		"excess": func(loss string) (float64, error) {
			v, err := view("beyond-losses-models")
			if err != nil {
				return 0, err
			}
			most := 0.0
			for _, g := range gridModels {
				if least := leastError(v, g.data); least > 0.001 { // a task that some loss solves without an error ranks none by ratios
					most = max(most, v.Stat(g.data, loss, "error").Mean/least)
				}
			}
			return 100 * (most - 1), nil
		},
		// behind names the losses that reject and still fall behind on a task, with their errors.
		"behind": func(data string) (string, error) {
			v, err := view("beyond-losses-models")
			if err != nil {
				return "", err
			}
			return fallenBehind(v, data), nil
		},
		// survives tells whether losses that reject are near the best one in every task with
		// outliers but one.
		"survives": func(but string) (bool, error) {
			v, err := view("beyond-losses-models")
			return err == nil && rejectingSurvive(v, but), err
		},
		// tuned compares the methods of a family when all are tuned, under one kind of dirt.
		"tuned": func(family, dirt string) (string, error) {
			v, err := view("beyond-equal-tuning")
			if err != nil {
				return "", err
			}
			return tunedMeans(v, family, dirt), nil
		},
		// cells is "28 of 28": how many cells of a printed table agree.
		"cells": func(id string, table int) (string, error) {
			v, err := view(id)
			if err != nil {
				return "", err
			}
			agree, of := 0, 0
			for _, c := range v.Verdict.Cells {
				if c.Table == table {
					of++
					if c.Agrees {
						agree++
					}
				}
			}
			return fmt.Sprintf("%d of %d", agree, of), nil
		},
		// learned are the sentences that an experiment computes from its records.
		"learned": func(id string) ([]string, error) {
			v, err := view(id)
			if err != nil {
				return nil, err
			}
			return v.Spec.Learned(v), nil
		},
		// check refuses a statement that the records do not bear out.
		"check": func(holds bool, statement string) (string, error) {
			if !holds {
				return "", fmt.Errorf("the records do not bear out: %s", statement)
			}
			return "", nil
		},
		"list":  func(words ...string) []string { return words },
		"near":  near,
		"minus": func(a, b float64) float64 { return a - b },
		"over":  func(a, b float64) float64 { return a / b },
		"times": func(a, b float64) float64 { return a * b },
		"root":  root,
	}
}
