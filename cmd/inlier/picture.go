package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/plot"
	"github.com/inlier-ml/inlier/report"
)

// pictureFormat is the form of a picture by the ending of its name: svg, png, pdf, html.
func pictureFormat(path string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
}

// plansPicture is plans for a picture.
func (a *app) plansPicture(flag, path string) error {
	if path == "" {
		return nil
	}
	if !slices.Contains(plot.Formats(), pictureFormat(path)) {
		return usage("the name ends in .svg, .png, .pdf or .html", "%s %s: no picture has this ending", flag, path)
	}
	return a.plans(flag, path, pictureFile(path))
}

// render makes the bytes of a picture file: the charts on one sheet, or the page.
func render(path string, page *report.Page, charts ...*report.Chart) ([]byte, error) {
	return plot.Encode(pictureFormat(path), page, charts...)
}

// curves draws how a model does on data with known truth and returns the file's bytes.
func curves(ctx context.Context, path string, m catalog.Model, set *dataset.Set, metrics []metric) ([]byte, error) {
	var list []judge.Metric
	for _, x := range metrics {
		list = append(list, judge.Metric{Name: x.Name, Value: report.Number(x.Value), Text: x.Text})
	}
	d, err := plot.Curves(ctx, m, set, list)
	if err != nil {
		return nil, err
	}
	return d.Encode(pictureFormat(path), "inlier score --plot")
}

// shortName is the name of data without its folder, for titles.
func shortName(name string) string { return words.Base(name) }
