package plot

import (
	"strings"

	"github.com/inlier-ml/inlier/report"
)

// Drawing is a finished picture.
type Drawing struct {
	Title    string
	Lead     string // what to know first, on a page
	Sections []Section
	Table    *report.Table // may be nil
	Heading  string        // of the table, which stands first then; empty: behind the charts
	Result   any           // the numbers behind it, fit for JSON
}

// Section is a chart with what it shows.
type Section struct {
	Text  string
	Chart *report.Chart
}

// Formats are the forms that a picture can have.
func Formats() []string { return []string{"svg", "png", "pdf", "html"} }

// pictureWidth is the width of PNG files in pixels.
const pictureWidth = 1600

// Encode makes the bytes of a file of one of the Formats. The command that made the
// picture stands at the foot of a page; it may be empty.
func (d *Drawing) Encode(format, command string) ([]byte, error) {
	var charts []*report.Chart
	for _, s := range d.Sections {
		chart := *s.Chart
		charts = append(charts, &chart)
	}
	if len(charts) == 1 && charts[0].Note == "" && d.Heading == "" {
		charts[0].Note = d.Sections[0].Text
	}
	return Encode(format, d.Page(command), charts...)
}

// Page puts the drawing on a page.
func (d *Drawing) Page(command string) *report.Page {
	page := &report.Page{Title: d.Title, Lead: d.Lead}
	if command != "" {
		page.Footer = "Made by `" + command + "`."
	}
	if d.Table != nil && d.Heading != "" {
		page.Add(d.Heading, "", d.Table)
	}
	for _, s := range d.Sections {
		shown, text := *s.Chart, s.Text
		heading := shown.Title
		if d.Heading == "" {
			shown.Title = "" // the section says it
		}
		if heading == d.Title {
			heading = "" // the page says it
		}
		if text == d.Lead {
			text = ""
		}
		page.Add(heading, text, &shown)
	}
	if d.Table != nil && d.Heading == "" {
		page.Add("Numbers", "", d.Table)
	}
	return page
}

// Encode makes the bytes of a file: the charts on one sheet below the title of the page,
// or, for html, the page.
func Encode(format string, page *report.Page, charts ...*report.Chart) ([]byte, error) {
	chart := report.Group(page.Title, charts...)
	switch format {
	case "html":
		return page.HTML()
	case "svg":
		return chart.SVG()
	case "png":
		return chart.PNG(pictureWidth)
	case "pdf":
		return chart.PDF()
	}
	return nil, usage("", "it is "+strings.Join(Formats(), ", "), "no picture has the form %q", format)
}
