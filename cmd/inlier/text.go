package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/inlier-ml/inlier/internal/console"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Words for people, shared with pages and pictures.
var (
	short     = words.Short
	shortened = words.Shortened
	plural    = words.Plural
	size      = words.Size
	seconds   = words.Seconds
	ranges    = words.Ranges
	named     = words.Named
	shorten   = words.List
	shapeText = words.Shape
	numbers   = report.Numbers
	calm      = console.Calm
	knowsUTF8 = console.KnowsUTF8
	terminal  = console.Terminal
)

type number = report.Number

// width is the number of columns that text on standard output may take.
func (a *app) width() int {
	if w, ok := terminal(a.out); ok {
		return w
	}
	return 100
}

// bold marks a heading where colours are allowed.
func (a *app) bold(text string) string {
	if !a.colour(a.out) {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// paragraph prints text wrapped to the width, indented.
func (a *app) paragraph(indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > a.width() {
			fmt.Fprintln(a.out, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	if strings.TrimSpace(line) != "" {
		fmt.Fprintln(a.out, line)
	}
}

// pairs prints names and values below each other.
func (a *app) pairs(list ...string) {
	widest := 0
	for i := 0; i < len(list); i += 2 {
		widest = max(widest, uniseg.StringWidth(list[i]))
	}
	for i := 0; i+1 < len(list); i += 2 {
		if list[i+1] != "" {
			fmt.Fprintf(a.out, "%s  %s\n", pad(list[i], widest), calm(list[i+1]))
		}
	}
}

// pad fills a text with blanks up to a width on the terminal, where a character may take
// two places or none.
func pad(text string, width int) string {
	text = calm(text)
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
}

func isNaN(n number) bool { return math.IsNaN(float64(n)) }
