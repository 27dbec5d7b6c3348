package tolerant

// measures are units whose factors are exact: what is measured, and how many of its smallest unit here one is. Capitals matter: mW and MW.
var measures = map[string]struct {
	of   string
	size float64
}{
	"mg": {"mass", 1}, "g": {"mass", 1e3}, "kg": {"mass", 1e6}, "t": {"mass", 1e9},
	"mm": {"length", 1}, "cm": {"length", 10}, "m": {"length", 1e3}, "km": {"length", 1e6},
	"ml": {"volume", 1}, "mL": {"volume", 1}, "cl": {"volume", 10}, "l": {"volume", 1e3}, "L": {"volume", 1e3},
	"ms": {"time", 1}, "s": {"time", 1e3}, "min": {"time", 6e4}, "h": {"time", 3.6e6},
	"mW": {"power", 1}, "W": {"power", 1e3}, "kW": {"power", 1e6}, "MW": {"power", 1e9},
	"Wh": {"energy", 1}, "kWh": {"energy", 1e3}, "MWh": {"energy", 1e6},
	"Pa": {"pressure", 1}, "hPa": {"pressure", 100}, "mbar": {"pressure", 100}, "kPa": {"pressure", 1e3}, "bar": {"pressure", 1e5},
	"mV": {"voltage", 1}, "V": {"voltage", 1e3}, "kV": {"voltage", 1e6}, "mA": {"current", 1}, "A": {"current", 1e3},
	"%": {"share", 10}, "‰": {"share", 1},
}

// inUnit is a value in another unit, where both measure the same and the factor is certain.
func inUnit(v float64, from, to []byte) (float64, bool) {
	a, known := measures[string(from)]
	b, also := measures[string(to)]
	if !known || !also || a.of != b.of {
		return v, false
	}
	if a.size >= b.size { // whole factors, so that digits stay
		return v * (a.size / b.size), true
	}
	return v / (b.size / a.size), true
}

// multiplies tells whether a text behind a number stands for thousands or millions, and is no unit.
func multiplies(unit string) bool { return unit == "k" || unit == "K" || unit == "M" || unit == "G" }
