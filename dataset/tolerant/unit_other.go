package tolerant

import (
	"math"
	"strings"
)

// elsewhere are units of other countries, as those of measures.
var elsewhere = map[string]struct {
	of   string
	size float64
}{
	"lb": {"mass", 453592.37}, "lbs": {"mass", 453592.37}, "oz": {"mass", 28349.523125},
	"in": {"length", 25.4}, "ft": {"length", 304.8}, "yd": {"length", 914.4}, "mi": {"length", 1609344},
	"°C": {"temperature", 1}, "°F": {"temperature", 1}, "K": {"temperature", 1},
}

// plainer brings signs that look alike together.
var plainer = strings.NewReplacer("º", "°", "° ", "°", "℃", "°C", "℉", "°F")

// OtherUnit reads a number that stands with another unit than those of its column: what it is in the column's own, NaN where that is not known. 98.6 °F
// are 37 °C; what $20 are in € nobody can say. It is for what a cell may have meant: tables are read with what is sure alone.
func (c *Column) OtherUnit(text string) (v float64, unit string, ok bool) {
	d, is := undress(trim([]byte(text)))
	if !is || len(d.unit) == 0 || sameUnit(d.unit, []byte(c.Unit)) {
		return math.NaN(), "", false
	}
	unit = plainer.Replace(string(d.unit))
	from, known := measures[unit]
	if !known {
		from, known = elsewhere[unit]
	}
	if !known && !isMoney(d.unit) {
		return math.NaN(), "", false
	}
	to, can := measures[plainer.Replace(c.Unit)]
	if !can {
		to, can = elsewhere[plainer.Replace(c.Unit)]
	}
	v, _, is = d.read(marking{comma: c.Comma})
	switch {
	case !is || !known || !can || from.of != to.of:
		return math.NaN(), unit, true
	case from.of == "temperature":
		return degrees(v, unit, plainer.Replace(c.Unit)), unit, true
	case from.size >= to.size: // whole factors, so that digits stay
		return v * (from.size / to.size), unit, true
	}
	return v / (to.size / from.size), unit, true
}

// degrees turns a temperature.
func degrees(v float64, from, to string) float64 {
	switch from {
	case "°F":
		v = (v - 32) / 1.8
	case "K":
		v -= 273.15
	}
	switch to {
	case "°F":
		return v*1.8 + 32
	case "K":
		return v + 273.15
	}
	return v
}
