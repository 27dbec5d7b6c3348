package report

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// TextOptions say what the terminal can show.
type TextOptions struct {
	Width int  // columns of the terminal; 0 = as wide as needed
	ASCII bool // everything in plain ASCII
	Plain bool // rules in plain ASCII, texts as they are
	Color bool // bold and colour by ANSI sequences
}

const columnGap = 2

// Text renders the table for a terminal. Text columns wrap when the terminal is
// narrow; when that is not enough, the columns are dealt out to several blocks that
// each repeat the first column.
func (t *Table) Text(o TextOptions) string {
	if len(t.Columns) == 0 {
		return ""
	}
	g := t.textGrid(o)
	var out strings.Builder
	if t.Title != "" {
		out.WriteString(paintText(g.plain(clean(t.Title)), "1", o.Color) + "\n")
	}
	for i, block := range g.blocks(o.Width) {
		if i > 0 {
			out.WriteByte('\n')
		}
		g.write(&out, block)
	}
	for _, note := range t.Notes {
		out.WriteString(paintText(g.plain(clean(note)), "2", o.Color) + "\n")
	}
	return out.String()
}

// textGrid is the table as strings with the width of every column.
type textGrid struct {
	options  TextOptions
	headings []string
	rows     [][]string
	marked   map[[2]int]bool
	aligns   []Align
	widths   []int
}

func (t *Table) textGrid(o TextOptions) *textGrid {
	g := &textGrid{options: o, marked: t.best()}
	for column, c := range t.Columns {
		g.headings = append(g.headings, g.plain(c.heading()))
		g.aligns = append(g.aligns, t.align(column))
		g.widths = append(g.widths, uniseg.StringWidth(g.headings[column]))
	}
	for row := range t.Rows {
		var line []string
		for column, c := range t.Columns {
			s := g.plain(c.text(t.cell(row, column)))
			if len(g.marked) > 0 && !o.Color && c.Best != NoBest {
				// A mark instead of colour; the others get a blank to stay aligned.
				if g.marked[[2]int{row, column}] {
					s += "*"
				} else {
					s += " "
				}
			}
			line = append(line, s)
			g.widths[column] = max(g.widths[column], uniseg.StringWidth(s))
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// plain keeps to ASCII when asked.
func (g *textGrid) plain(s string) string {
	if !g.options.ASCII {
		return s
	}
	s = asciiForms.Replace(s)
	return strings.Map(func(r rune) rune {
		if r > 126 {
			return '?'
		}
		return r
	}, s)
}

var asciiForms = strings.NewReplacer("±", "+/-", "−", "-", "–", "-", "—", "-", "×", "x", "…", "...", "∞", "inf",
	"≤", "<=", "≥", ">=", "°", " deg", "α", "alpha", "β", "beta", "γ", "gamma", "σ", "sigma", "λ", "lambda", "δ", "delta", "ρ", "rho", "κ", "kappa", "²", "^2", "’", "'", "·", ".")

// blocks fits the columns into the width: first by narrowing text columns, then by
// dealing columns out.
func (g *textGrid) blocks(width int) [][]int {
	all := make([]int, len(g.widths))
	for i := range all {
		all[i] = i
	}
	if width <= 0 || g.total(all) <= width {
		return [][]int{all}
	}
	const narrowest = 14
	natural := slices.Clone(g.widths)
	for g.total(all) > width {
		widest := -1
		for i, w := range g.widths {
			if g.aligns[i] == Left && w > narrowest && (widest < 0 || w > g.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		g.widths[widest]--
	}
	if g.total(all) <= width {
		return [][]int{all}
	}
	var blocks [][]int
	block := []int{0}
	for i := 1; i < len(g.widths); i++ {
		if len(block) > 1 && g.total(append(block[:len(block):len(block)], i)) > width {
			blocks = append(blocks, block)
			block = []int{0}
		}
		block = append(block, i)
	}
	blocks = append(blocks, block)
	for _, block := range blocks { // what was narrowed gets the room that its block has left
		for _, i := range block[1:] {
			g.widths[i] = min(natural[i], g.widths[i]+max(0, width-g.total(block)))
		}
	}
	return blocks
}

func (g *textGrid) total(columns []int) int {
	sum := columnGap * (len(columns) - 1)
	for _, c := range columns {
		sum += g.widths[c]
	}
	return sum
}

// write sets one block of columns.
func (g *textGrid) write(out *strings.Builder, columns []int) {
	line := make([]string, len(g.widths))
	copy(line, g.headings)
	g.writeRow(out, columns, line, func(column int) string { return "1" })
	dash := "─"
	if g.options.ASCII || g.options.Plain {
		dash = "-"
	}
	for i, c := range columns {
		if i > 0 {
			out.WriteString(strings.Repeat(" ", columnGap))
		}
		out.WriteString(paintText(strings.Repeat(dash, g.widths[c]), "2", g.options.Color))
	}
	out.WriteByte('\n')
	for row, cells := range g.rows {
		g.writeRow(out, columns, cells, func(column int) string {
			if g.marked[[2]int{row, column}] {
				return "1;32"
			}
			return ""
		})
	}
}

// writeRow sets one row, over several lines when cells wrap.
func (g *textGrid) writeRow(out *strings.Builder, columns []int, cells []string, style func(column int) string) {
	height := 1
	wrapped := make([][]string, len(columns))
	for i, c := range columns {
		wrapped[i] = wrapText(cells[c], g.widths[c])
		height = max(height, len(wrapped[i]))
	}
	for line := range height {
		var b strings.Builder
		for i, c := range columns {
			if i > 0 {
				b.WriteString(strings.Repeat(" ", columnGap))
			}
			s := ""
			if line < len(wrapped[i]) {
				s = wrapped[i][line]
			}
			room := g.widths[c] - uniseg.StringWidth(s)
			before := 0
			switch g.aligns[c] {
			case Right:
				before = room
			case Center:
				before = room / 2
			}
			b.WriteString(strings.Repeat(" ", max(before, 0)))
			b.WriteString(paintText(s, style(c), g.options.Color))
			b.WriteString(strings.Repeat(" ", max(room-before, 0)))
		}
		out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
}

// wrapText breaks a text into lines of at most width places, words whole where
// possible.
func wrapText(s string, width int) []string {
	if uniseg.StringWidth(s) <= width {
		return []string{s}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		for uniseg.StringWidth(word) > width { // a word longer than the column
			if line != "" {
				lines = append(lines, line)
				line = ""
			}
			head, used := "", 0
			clusters := uniseg.NewGraphemes(word)
			for clusters.Next() && (used == 0 || used+clusters.Width() <= width) {
				head += clusters.Str()
				used += clusters.Width()
			}
			lines = append(lines, head)
			word = word[len(head):]
		}
		switch {
		case line == "":
			line = word
		case uniseg.StringWidth(line)+1+uniseg.StringWidth(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// paintText wraps s into an ANSI sequence.
func paintText(s, code string, on bool) string {
	if !on || code == "" || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
