package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/words"
)

// Lines of each part of what the terminal shows: some twenty in all.
const (
	shownRows      = 8
	shownColumns   = 5
	shownRelations = 4
)

// showCheck prints the result of a check.
func (a *app) showCheck(r *inlier.CheckResult, folder string) error {
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintln(a.out, a.bold(r.Verdict))
	line := func(format string, args ...any) {
		text := calm(fmt.Sprintf(format, args...))
		if width := a.width(); len([]rune(text)) > width {
			text = string([]rune(text)[:width-1]) + "…"
		}
		fmt.Fprintln(a.out, text)
	}
	for k, row := range r.Worst(shownRows) {
		if k == 0 {
			fmt.Fprintln(a.out)
		}
		name := fmt.Sprintf("row %d", row)
		if id := r.Name(row - 1); id != "" {
			name += " (" + words.Shortened(id) + ")"
		}
		line("  %s: %s", name, r.Why(row-1))
	}
	if left := len(r.WrongRows) - shownRows; left > 0 {
		line("  and %s more", plural(left, "row"))
	}
	fmt.Fprintln(a.out)
	line("Columns: %s", kindsOf(r))
	shown := 0
	for _, c := range r.Columns {
		if len(c.Remarks) > 0 && shown < shownColumns {
			shown++
			line("  %s (%s): %s", c.Name, c.ReadAs, strings.Join(c.Remarks, " "))
		}
	}
	for k, m := range r.Remarks {
		if k < shownColumns-2 {
			line("  %s", m.Text)
		}
	}
	for k, law := range r.Relations {
		if k == shownRelations {
			line("  and %d more relations", len(r.Relations)-k)
			break
		}
		text := law.Text
		if n := len(law.Broken); n > 0 {
			text += fmt.Sprintf("; broken in %s (%s)", plural(n, "row"), words.Ranges(law.Broken, 5))
		}
		line("Relation: %s", text)
	}
	for k, g := range r.Groups {
		if k < shownRelations {
			line("Group: %s", g.Text)
		}
	}
	for _, d := range r.Drift {
		line("Changed since the model was learned: %s: %s", d.Column, d.Why)
	}
	if n := r.FarAlone(); n > 0 {
		line("%s %s far out but in line with the others: not wrong.", plural(n, "row"), words.Are(n))
	}
	line("The page with everything is %s (read %s, checked %s).", filepath.Join(folder, "report.html"), seconds(float64(r.ReadSeconds)), seconds(float64(r.CheckSeconds)))
	return nil
}

// kindsOf counts what the columns were taken for.
func kindsOf(r *inlier.CheckResult) string {
	var order []string
	names := map[string][]string{}
	for _, c := range r.Columns {
		if names[c.ReadAs] == nil {
			order = append(order, c.ReadAs)
		}
		names[c.ReadAs] = append(names[c.ReadAs], c.Name)
	}
	parts := make([]string, len(order))
	for k, kind := range order {
		parts[k] = fmt.Sprintf("%d %s", len(names[kind]), kind)
		if kind != "number" || len(names[kind]) < 5 {
			parts[k] += " (" + words.List(names[kind], 4) + ")"
		}
	}
	return strings.Join(parts, ", ")
}
