package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier/report"
)

// pictureWidth is the width of PNG files in pixels.
const pictureWidth = 1600

// plansPicture is plans for a picture.
func (a *app) plansPicture(flag, path string) error {
	if path == "" {
		return nil
	}
	if !hasAnyEnding(path, ".svg", ".png", ".pdf", ".html") {
		return usage("the name ends in .svg, .png, .pdf or .html", "%s %s: no picture has this ending", flag, path)
	}
	return a.plans(flag, path, pictureFile(path))
}

// render makes the bytes of a picture file: the charts on one sheet, or the page.
func render(path string, page *report.Page, charts ...*report.Chart) ([]byte, error) {
	chart := report.Group(page.Title, charts...)
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html":
		return page.HTML()
	case ".svg":
		return chart.SVG()
	case ".png":
		return chart.PNG(pictureWidth)
	case ".pdf":
		return chart.PDF()
	}
	return nil, fmt.Errorf("%s: no picture has this ending", path)
}
