package report

import "math"

// A Colormap turns numbers into colours.
type Colormap int

const (
	Sequential Colormap = iota // dark violet to yellow (viridis): any quantity
	Diverging                  // blue, white, red: quantities with a meaningful middle
	Grey                       // black to white: pictures
	Intensity                  // white to blue: counts and shares
	Heat                       // black, red, yellow, white: residuals
)

// The anchors of each map, equally spaced. Viridis is by van der Walt and Smith
// (CC0), the diverging map by Brewer (RdBu).
var anchors = map[Colormap][][3]uint8{
	Sequential: {{68, 1, 84}, {72, 40, 120}, {62, 74, 137}, {49, 104, 142}, {38, 130, 142}, {31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {180, 222, 44}, {253, 231, 37}},
	Diverging:  {{33, 102, 172}, {103, 169, 207}, {209, 229, 240}, {247, 247, 247}, {253, 219, 199}, {239, 138, 98}, {178, 24, 43}},
	Grey:       {{0, 0, 0}, {255, 255, 255}},
	Intensity:  {{244, 248, 252}, {206, 224, 241}, {148, 196, 223}, {74, 144, 196}, {16, 88, 150}, {8, 48, 97}},
	Heat:       {{8, 4, 24}, {80, 18, 92}, {176, 42, 78}, {236, 104, 42}, {252, 186, 60}, {252, 252, 220}},
}

// missing is the colour of values that are not numbers.
var missing = tone{"grid", 0xE6, 0xE9, 0xED, 255}

// at is the colour at u in [0, 1].
func (m Colormap) at(u float64) tone {
	if math.IsNaN(u) {
		return missing
	}
	list, ok := anchors[m]
	if !ok {
		list = anchors[Sequential]
	}
	u = min(max(u, 0), 1) * float64(len(list)-1)
	i := min(int(u), len(list)-2)
	f := u - float64(i)
	mix := func(k int) uint8 {
		return uint8(math.Round((1-f)*float64(list[i][k]) + f*float64(list[i+1][k])))
	}
	return tone{"", mix(0), mix(1), mix(2), 255}
}

// onPaper is the colour at u in [0, 1] of a cell that lies on paper: the diverging map fades into the paper at its middle, so that
// what is as expected is as pale by night as by day.
func (m Colormap) onPaper(u float64) tone {
	if m != Diverging || math.IsNaN(u) {
		return m.at(u)
	}
	off := 2*min(max(u, 0), 1) - 1
	end := anchors[m][0]
	if off > 0 {
		end = anchors[m][len(anchors[m])-1]
	}
	return tone{"", end[0], end[1], end[2], uint8(math.Round(255 * math.Abs(off)))}
}

// readable is the colour of text on this one: ink or white, black where ink is too pale.
func (t tone) readable() tone {
	best := tone{"", 0xFF, 0xFF, 0xFF, 255}
	for _, c := range []tone{{"", ink.r, ink.g, ink.b, 255}, {"", 0, 0, 0, 255}} {
		if contrast(best, t) < 4.5 && contrast(c, t) > contrast(best, t) {
			best = c
		}
	}
	return best
}

// share is the position of v in [low, high], NaN for values that are not
// numbers.
func share(v, low, high float64) float64 {
	switch {
	case math.IsNaN(v):
		return v
	case v <= low:
		return 0
	case v >= high:
		return 1
	}
	return (v - low) / (high - low)
}
