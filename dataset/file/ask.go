package file

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// mostUnasked is how many columns a text column may become without being asked about.
const mostUnasked = 50

// ask refuses to code a text column whose categories are probably none, unless the user
// has named it as one with --text: too many of them for a column each, or numbers that
// something was written beside. Nothing of that kind may be expanded silently.
func (p *plan) ask(column string, levels []string, coding Categorical) error {
	if coding == Codes || slices.Contains(p.text, column) {
		return nil
	}
	e := &dataset.InputError{File: p.name, Column: column}
	if example, yes := looksNumeric(levels); yes {
		e.Problem = fmt.Sprintf("texts such as %s look like numbers", quote([]byte(example)))
		return e.WithHint("write them as plain numbers (an empty cell, NA or ? marks a missing value); or {text} %s says that they are categories, and {drop} %s leaves the column out", column, column)
	}
	if coding == OneHot && len(levels) > mostUnasked {
		e.Problem = fmt.Sprintf("%d different texts, such as %s, would become as many columns", len(levels), quote([]byte(levels[0])))
		return e.WithHint("{text} %s says that this is meant, {categorical} ordinal makes one column of them, {drop} %s leaves the column out", column, column)
	}
	return nil
}

// looksNumeric tells whether nearly all texts, those for missing values aside, are numbers
// with something beside them, and gives one of these as an example.
func looksNumeric(texts []string) (example string, yes bool) {
	numbers, words := 0, 0
	for _, text := range texts {
		switch {
		case saysMissing(text):
			if _, kind := cell.Parse([]byte(example)); example == "" || kind == cell.Number {
				example = text
			}
		case isDressedNumber(text):
			if _, kind := cell.Parse([]byte(text)); kind != cell.Number || example == "" {
				example = text // rather one that is dressed
			}
			numbers++
		default:
			words++
		}
	}
	return example, numbers > 0 && numbers >= 9*words
}

// saysMissing tells whether a text stands for a missing value that is not marked as one.
func saysMissing(text string) bool {
	switch strings.ToLower(strings.Trim(text, " #<>()[]-_*")) {
	case "", "n/a", "na", "none", "nil", "missing", "unknown", "undefined", "not available", "tbd":
		return true
	}
	return false
}

// dressings are what people write before or after a number.
var dressings = []string{
	"$", "€", "£", "¥", "₹", "₽", "₩", "¢", "%", "‰", "°",
	"usd", "eur", "gbp", "chf", "jpy", "cny", "inr", "cad", "aud", "sek", "nok", "dkk", "pln", "czk", "kr", "zł", "fr.", "rs.", "us", "ca. ", "~", "<", ">", "=",
}

// isDressedNumber tells whether a text is a number once signs, currencies, percent and
// marks of thousands are taken off: $1,200.50, 12 %, 1.234,5 EUR, (300), 1'000.
func isDressedNumber(text string) bool {
	if len(text) > 64 {
		return false
	}
	text = strings.ToLower(text)
	for again := true; again; {
		again = false
		trimmed := strings.Trim(text, " \u00a0\u202f()+-\u2212")
		for _, d := range dressings {
			trimmed = strings.TrimSuffix(strings.TrimPrefix(trimmed, d), d)
		}
		again, text = trimmed != text, trimmed
	}
	if v, kind := cell.Parse([]byte(text)); text != "" && kind == cell.Number && v == v {
		return true
	}
	for _, marks := range [][2]string{{",", "."}, {".", ","}, {" ", ","}, {" ", "."}, {"'", "."}, {"\u2019", "."}, {"\u00a0", ","}, {"\u202f", ","}, {"_", "."}} {
		if isGrouped(text, marks[0], marks[1]) {
			return true
		}
	}
	return false
}

// isGrouped tells whether digits stand in groups of three after the first, with perhaps a
// fraction behind the point.
func isGrouped(text, mark, point string) bool {
	whole, fraction, _ := strings.Cut(text, point)
	if !areDigits(fraction) {
		return false
	}
	groups := strings.Split(whole, mark)
	for i, g := range groups {
		if g == "" || !areDigits(g) || len(g) > 3 && len(groups) > 1 || i > 0 && len(g) != 3 {
			return false
		}
	}
	return true
}

func areDigits(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
