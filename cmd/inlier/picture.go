package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier"
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
		return usage("the name ends in "+pictureNames, "%s %s: no picture has this ending", flag, path)
	}
	return a.plans(flag, path, pictureFile(path))
}

// render makes the bytes of a picture file: the charts on one sheet, or the page.
func render(path string, page *report.Page, charts ...*report.Chart) ([]byte, error) {
	return plot.Encode(pictureFormat(path), page, charts...)
}

// curves draws what was measured and returns the file's bytes.
func curves(ctx context.Context, path string, r *inlier.ScoreResult) ([]byte, error) {
	d, err := plot.Curves(ctx, r.Model, r.Set, r.List)
	if err != nil {
		return nil, err
	}
	return d.Encode(pictureFormat(path), "inlier score --plot")
}
