package judging

import (
	"fmt"
	"math"
)

// Lone tells whether one row makes up nearly all of a sum of squares: methods in which every row has the same say then follow that one.
type Lone struct{ All, Most float64 }

// Add takes in a square; Join those of others.
func (l *Lone) Add(square float64) { l.Join(Lone{square, square}) }

func (l *Lone) Join(o Lone) { l.All, l.Most = l.All+o.All, math.Max(l.Most, o.Most) }

// Warn adds a remark where so many rows are told by one.
func (l Lone) Warn(warnings []string, rows float64, of string) []string {
	const few, nearly = 20, 0.9
	if rows < few || !(l.Most > nearly*l.All) {
		return warnings
	}
	return append(warnings, fmt.Sprintf("one row makes up %.4g %% of the %s, and the fit follows it: leave it out, or take a robust method", 100*l.Most/l.All, of))
}
