// Package words writes counts, sizes, times and lists for people, the same in every place
// that speaks to them.
package words

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Short writes a number with six significant digits.
func Short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Percent writes a share as a percentage with one decimal, and a smaller one with its first digit: few are not none.
func Percent(share float64) string {
	decimals := 1
	for p := 100 * share; p > 0 && p < 0.05 && decimals < 8; p *= 10 {
		decimals++
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*share, 'f', decimals, 64), ".0")
}

// Value writes a number of a table with so many significant digits, and with all that stand before the point: whole
// numbers such as 20250131 are dates and names of customers, which rounding would make alike.
func Value(v float64, digits int) string {
	if size := math.Abs(v); size >= math.Pow10(digits) && size < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// longNumber is a number of more digits than people read.
var longNumber = regexp.MustCompile(`\d+\.\d{5,}(?:e[+-]?\d+)?`)

// Shortened rounds the numbers in a text: "tukey:c=0.548411".
func Shortened(text string) string {
	return longNumber.ReplaceAllStringFunc(text, func(n string) string {
		if v, err := strconv.ParseFloat(n, 64); err == nil {
			return Short(v)
		}
		return n
	})
}

// Plural writes a count with its noun: "1 row", "3 rows".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Size writes a number of bytes, in units that [ParseSize] reads.
func Size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.2f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Seconds writes a duration in seconds.
func Seconds(s float64) string {
	switch {
	case s >= 100:
		return fmt.Sprintf("%.0f s", s)
	case s >= 1:
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.1f ms", 1000*s)
}

// Named writes rows with their names as "3 (c17), 9 (c20)", at most so many; a name that is the number is not said twice.
func Named(rows []int, names []string, most int) string {
	var parts []string
	for i, row := range rows {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(rows)-i))
			break
		}
		text := strconv.Itoa(row)
		if names[i] != text {
			text += " (" + names[i] + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// Column is the name of a column, or its number from 1 where it has none.
func Column(columns []string, j int) string {
	if j < len(columns) && columns[j] != "" {
		return columns[j]
	}
	return "column " + strconv.Itoa(j+1)
}

// List joins names and leaves out the middle of long lists.
func List(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, ..., %s (%d)", strings.Join(names[:most-1], ", "), names[len(names)-1], len(names))
}

// Shape writes a shape as 64x64x3.
func Shape(shape []int) string {
	if len(shape) == 0 {
		return "single number"
	}
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, "x")
}

// Base is the name of data without its folder, for titles.
func Base(name string) string {
	if name = strings.TrimRight(name, `/\`); name == "" {
		return "data"
	}
	return name[strings.LastIndexAny(name, `/\`)+1:]
}
