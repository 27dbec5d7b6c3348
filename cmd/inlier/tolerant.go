package main

import (
	"io"
	"strings"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/report"
)

// tolerant completes a request to read a file tolerantly.
func (a *app) tolerant(request *inlier.Data, as []string) error {
	if !request.Tolerant {
		if len(as) > 0 || request.Sheet+request.Decimal+request.Encoding != "" {
			return usage("", "--as, --sheet, --decimal and --encoding need --tolerant")
		}
		return nil
	}
	for _, text := range as {
		column, kind, err := tolerant.ParseAs(text)
		if err != nil {
			return err
		}
		if request.As == nil {
			request.As = map[string]string{}
		}
		request.As[column] = kind.String()
	}
	told := false
	request.OnColumns = func(columns []inlier.ReadColumn, remarks []tolerant.Remark) {
		if !told && !a.quiet {
			told = true
			a.showColumns(columns, remarks)
		}
	}
	return nil
}

// showColumns says on stderr what columns were taken for.
func (a *app) showColumns(columns []inlier.ReadColumn, remarks []tolerant.Remark) {
	t := &report.Table{Columns: []report.Column{{Name: "column"}, {Name: "read as"}, {Name: "missing"}, {Name: "do not fit"}, {Name: "left out because"}, {Name: "becomes"}, {Name: "remarks"}, {Name: "otherwise"}}}
	for j, c := range columns {
		if j == mostColumns {
			t.Notes = append(t.Notes, "and "+plural(len(columns)-j, "column")+" more")
			break
		}
		otherwise := ""
		if c.Override != "" {
			otherwise = "--as " + c.Override
		}
		t.Add(c.Name, c.ReadAs, c.Missing, c.Misfits, c.LeftOut, c.Becomes, strings.Join(c.Remarks, " "), otherwise)
	}
	for _, r := range remarks {
		t.Notes = append(t.Notes, strings.TrimSpace(r.Text+" "+r.Way))
	}
	io.WriteString(a.err, t.Text(report.TextOptions{Width: a.width(), Color: a.colour(a.err), Plain: true, ASCII: !knowsUTF8()}))
}
