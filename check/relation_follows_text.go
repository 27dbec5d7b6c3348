package check

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// write writes the law for a person.
func (f *follows) write(t *tolerant.Table) {
	a, b := words.Clip(t.Columns[f.a].Name), words.Clip(t.Columns[f.b].Name)
	from := map[sourceSort]string{fromHour: "the time of " + a, fromWeekday: "the weekday of " + a, fromOrder: a + " and " + b}[f.sort]
	if from == "" {
		from = a
	}
	f.text = words.Clip(t.Columns[f.word].Name) + " follows from " + from + ":"
	for k, band := range f.rule.list {
		if k > 0 {
			f.text += ","
		}
		for w, c := range f.class {
			if c == band.class {
				if f.text[len(f.text)-1] != ':' && f.text[len(f.text)-1] != ',' {
					f.text += " or"
				}
				f.text += " " + words.Clip(t.Columns[f.word].Levels[w])
			}
		}
		switch {
		case f.sort == fromBeing:
			f.text += []string{" where it is empty", " where it is not"}[k]
		case f.sort == fromOrder:
			how := " = "
			switch last := len(f.rule.list) - 1; {
			case k == 0 && band.last < 0:
				how = " < "
			case k == 0:
				how = " <= "
			case k == last && band.first > 0:
				how = " > "
			case k == last:
				how = " >= "
			}
			f.text += " where " + a + how + b
		case k == 0:
			v, up := f.border(t, k)
			f.text += map[bool]string{true: " up to ", false: " below "}[up] + v
		default:
			v, up := f.border(t, k-1)
			f.text += map[bool]string{true: " above " + v, false: " from " + v + " on"}[up]
		}
	}
}

// border is the roundest number between two bands, and whether it belongs to the lower one.
func (f *follows) border(t *tolerant.Table, k int) (text string, lower bool) {
	low, high := f.rule.list[k].last, f.rule.list[k+1].first
	v := high
	switch f.sort {
	case fromWeekday:
		return []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}[int(high)], false
	case fromHour:
		for _, unit := range []float64{6 * 3600, 3600, 1800, 900, 300, 60, 1} {
			if v = unit * math.Floor(high/unit); v > low {
				break
			}
		}
		return fmt.Sprintf("%02d:%02d", int(v)/3600, int(v)/60%60), false
	}
	v = roundest(low, high)
	return amount(&t.Columns[f.a], v), v == low
}

// roundest is the number with the fewest digits from low to high.
func roundest(low, high float64) float64 {
	for exponent := math.Ceil(math.Log10(max(math.Abs(low), math.Abs(high)))); exponent > -17; exponent-- {
		for _, half := range []float64{1, 2} {
			times := half * math.Pow(10, -exponent)
			if v := math.Floor((high+math.Abs(high)*1e-15)*times) / times; v >= low && v <= high {
				return v
			}
		}
	}
	return high
}
