package experiment

import (
	"fmt"
	"strings"

	"github.com/inlier-ml/inlier/report"
)

// Overview is what the first page of a site begins with: tables that answer what a
// reader of the papers wants to know first.
type Overview struct {
	Title, Text string          // the text is Markdown
	Tables      []*report.Table // narrow enough to be read without scrolling
	Detail      string          // experiment that it comes from
}

// text ends with a link to where it comes from.
func (o *Overview) text(s *Site) string {
	return fmt.Sprintf("%s ([%s](%s))", o.Text, registry[o.Detail].Item, s.Page(o.Detail))
}

// blocks are the tables.
func (o *Overview) blocks() []report.Block {
	var out []report.Block
	for _, t := range o.Tables {
		out = append(out, t)
	}
	return out
}

// Markdown is all tables, one below the other.
func (o *Overview) Markdown() string {
	var out []string
	for _, t := range o.Tables {
		out = append(out, t.Markdown())
	}
	return strings.Join(out, "\n")
}

var overviews func(view func(id string) *View) *Overview

// RegisterOverview sets what makes the overview; it is called at start-up. What it makes may
// be nil, where the records of a site do not tell; view returns nil for experiments without.
func RegisterOverview(make func(view func(id string) *View) *Overview) { overviews = make }

// makeOverview asks for it. Records of an interrupted run may lack what is asked for.
func makeOverview(view func(id string) *View) (out *Overview) {
	if overviews == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	return overviews(func(id string) *View {
		if v := view(id); v != nil && len(v.Records) > 0 {
			return v
		}
		return nil
	})
}
