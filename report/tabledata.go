package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Markdown renders the table in the pipe form of GitHub, the best values bold.
func (t *Table) Markdown() string {
	var out strings.Builder
	if t.Title != "" {
		out.WriteString("**" + markdownText(clean(t.Title)) + "**\n\n")
	}
	for _, c := range t.Columns {
		out.WriteString("| " + markdownText(c.heading()) + " ")
	}
	out.WriteString("|\n")
	for column := range t.Columns {
		switch t.align(column) {
		case Right:
			out.WriteString("|---:")
		case Center:
			out.WriteString("|:---:")
		default:
			out.WriteString("|---")
		}
	}
	out.WriteString("|\n")
	marked := t.best()
	for row := range t.Rows {
		for column, c := range t.Columns {
			v := t.cell(row, column)
			s := cellMarkdown(v, c.text(v))
			if marked[[2]int{row, column}] {
				s = "**" + s + "**"
			}
			out.WriteString("| " + s + " ")
		}
		out.WriteString("|\n")
	}
	for _, note := range t.Notes {
		out.WriteString("\n" + markdownText(clean(note)) + "\n")
	}
	return out.String()
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;")

func markdownText(s string) string { return markdownEscapes.Replace(s) }

// CSV renders the values in full precision. A Spread becomes two columns.
func (t *Table) CSV() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	var head []string
	spreads := make([]bool, len(t.Columns))
	for column, c := range t.Columns {
		head = append(head, c.heading())
		if spreads[column] = t.hasSpread(column); spreads[column] {
			head = append(head, c.heading()+" sd")
		}
	}
	if err := w.Write(head); err != nil {
		return nil, fmt.Errorf("report: writing CSV: %w", err)
	}
	for row := range t.Rows {
		var line []string
		for column := range t.Columns {
			v := t.cell(row, column)
			spread, isSpread := v.(Spread)
			if isSpread {
				v = spread.Value
			}
			line = append(line, rawText(v))
			if spreads[column] {
				deviation := ""
				if isSpread {
					deviation = rawText(spread.Deviation)
				}
				line = append(line, deviation)
			}
		}
		if len(line) == 1 && line[0] == "" { // an empty line is no row
			w.Flush()
			out.WriteString("\"\"\n")
			continue
		}
		if err := w.Write(line); err != nil {
			return nil, fmt.Errorf("report: writing CSV: %w", err)
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

func (t *Table) hasSpread(column int) bool {
	for row := range t.Rows {
		if _, ok := t.cell(row, column).(Spread); ok {
			return true
		}
	}
	return false
}

// rawText writes a value for machines.
func rawText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return clean(fmt.Sprint(v))
}

// MarshalJSON gives the title, the columns, and the rows as objects keyed by
// column name. Numbers that JSON cannot express are null; a Spread is an object
// with value and sd.
func (t *Table) MarshalJSON() ([]byte, error) {
	type column struct {
		Name string `json:"name"`
		Unit string `json:"unit,omitempty"`
	}
	doc := struct {
		Title   string            `json:"title,omitempty"`
		Columns []column          `json:"columns"`
		Rows    []json.RawMessage `json:"rows"`
		Notes   []string          `json:"notes,omitempty"`
	}{Title: t.Title, Columns: []column{}, Rows: []json.RawMessage{}, Notes: t.Notes}
	used := map[string]int{}
	for _, c := range t.Columns {
		name := c.Name
		if used[c.Name]++; used[c.Name] > 1 {
			name += "_" + strconv.Itoa(used[c.Name])
		}
		doc.Columns = append(doc.Columns, column{name, c.Unit})
	}
	for row := range t.Rows {
		var object bytes.Buffer
		object.WriteByte('{')
		for i := range t.Columns {
			key, err := json.Marshal(doc.Columns[i].Name)
			if err != nil {
				return nil, fmt.Errorf("report: writing JSON: %w", err)
			}
			value, err := json.Marshal(jsonValue(t.cell(row, i)))
			if err != nil {
				return nil, fmt.Errorf("report: column %q: writing JSON: %w", t.Columns[i].Name, err)
			}
			if i > 0 {
				object.WriteByte(',')
			}
			object.Write(key)
			object.WriteByte(':')
			object.Write(value)
		}
		object.WriteByte('}')
		doc.Rows = append(doc.Rows, object.Bytes())
	}
	return json.Marshal(doc)
}

func jsonValue(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case float32:
		return jsonValue(float64(v))
	case Spread:
		return map[string]any{"value": jsonValue(v.Value), "sd": jsonValue(v.Deviation)}
	case fmt.Stringer:
		return v.String()
	}
	return v
}

// Cells with text of up to briefCell letters stay on one line; those with longCell or more have
// room enough not to become towers of single words.
const (
	briefCell = 28
	longCell  = 100
)

// HTML renders the table as an element for the body of a page. The best values
// are strong; cells carry their number for sorting.
func (t *Table) HTML() string {
	var out strings.Builder
	out.WriteString(`<div class="scroll" tabindex="0" role="group"`)
	if t.Title != "" {
		fmt.Fprintf(&out, ` aria-label="%s"`, html.EscapeString(clean(t.Title)))
	}
	out.WriteString("><table>")
	if t.Title != "" {
		fmt.Fprintf(&out, "<caption>%s</caption>", html.EscapeString(clean(t.Title)))
	}
	out.WriteString("<thead><tr>")
	classes := make([]string, len(t.Columns))
	for column, c := range t.Columns {
		switch t.align(column) {
		case Right:
			classes[column] = ` class="num"`
		case Center:
			classes[column] = ` class="mid"`
		}
		fmt.Fprintf(&out, `<th scope="col"%s>%s`, classes[column], html.EscapeString(clean(c.Name)))
		if c.Unit != "" {
			fmt.Fprintf(&out, ` <span class="unit">%s</span>`, html.EscapeString(clean(c.Unit)))
		}
		out.WriteString("</th>")
	}
	out.WriteString("</tr></thead>\n<tbody>\n")
	marked := t.best()
	for row := range t.Rows {
		out.WriteString("<tr>")
		for column, c := range t.Columns {
			v := t.cell(row, column)
			text := c.text(v)
			s := cellHTML(v, text)
			if marked[[2]int{row, column}] {
				s = "<strong>" + s + "</strong>"
			}
			class, sort := classes[column], ""
			switch {
			case class == "" && len(text) <= briefCell:
				class = ` class="brief"`
			case class == "" && len(text) >= longCell:
				class = ` class="long"`
			}
			if f, _, ok := numeric(v); ok && finite(f) {
				sort = ` data-v="` + strconv.FormatFloat(f, 'g', -1, 64) + `"`
			}
			fmt.Fprintf(&out, "<td%s%s>%s</td>", class, sort, s)
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</tbody></table></div>\n")
	for _, note := range t.Notes {
		fmt.Fprintf(&out, `<p class="note">%s</p>`+"\n", html.EscapeString(clean(note)))
	}
	return out.String()
}
