package report

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis     Axis
		min, max float64
		n        int
		want     string
	}{
		{Axis{}, 0, 10, 5, "0 2 4 6 8 10"},
		{Axis{}, -0.03, 1.03, 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{}, -60000, 60000, 4, "−60,000 −40,000 −20,000 0 20,000 40,000 60,000"},
		{Axis{}, 0, 3e6, 3, "0 1×10⁶ 2×10⁶ 3×10⁶"},
		{Axis{}, 0, 4e-7, 4, "0 1×10⁻⁷ 2×10⁻⁷ 3×10⁻⁷ 4×10⁻⁷"},
		{Axis{Whole: true}, 0.9, 3.1, 8, "1 2 3"},
		{Axis{Log: true}, 0.5, 2000, 6, "1 10 100 1,000"},
		{Axis{Log: true}, 1e-8, 1, 5, "10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² 10⁰"},
		{Axis{Log: true}, 1, 12, 6, "1 2 5 10"},
		{Axis{Names: []string{"a", "b"}}, -0.5, 1.5, 2, "a b"},
	} {
		var got []string
		for _, k := range (scale{min: c.min, max: c.max, log: c.axis.Log}).ticks(c.axis, c.n) {
			got = append(got, k.label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v to %v: ticks %s, want %s", c.min, c.max, s, c.want)
		}
	}
}

// TestTicksLaws: whatever the data, ticks are few, rise, lie on the axis and read
// differently.
func TestTicksLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Axis{Log: rapid.Bool().Draw(t, "log"), Zero: rapid.Bool().Draw(t, "zero"), Whole: rapid.Bool().Draw(t, "whole")}
		e := extent{log: a.Log}
		e.addAll(rapid.SliceOf(rapid.Float64()).Draw(t, "values"))
		s := a.fit(e)
		if !(s.min < s.max) || a.Log && s.min <= 0 {
			t.Fatalf("scale from %v to %v", s.min, s.max)
		}
		n := rapid.IntRange(2, 12).Draw(t, "n")
		last := math.Inf(-1)
		list := s.ticks(a, n)
		seen := map[string]bool{}
		if len(list) > 4*n+4 {
			t.Fatalf("%d ticks where %d were asked for", len(list), n)
		}
		for _, k := range list {
			if u := s.unit(k.at); !(u >= -1e-6 && u <= 1+1e-6) {
				t.Fatalf("tick %v at %v of the axis from %v to %v", k.at, u, s.min, s.max)
			}
			if k.at <= last {
				t.Fatalf("tick %v after %v", k.at, last)
			}
			if seen[k.label] {
				t.Fatalf("two ticks from %v to %v read %q", s.min, s.max, k.label)
			}
			seen[k.label] = true
			last = k.at
		}
	})
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 2.5: "2.5", -2.5: "−2.5", 0.05: "0.05", 1234: "1,234", 216.162129: "216", 3.14159: "3.14",
		1e9: "1.0×10⁹", -2e-7: "−2.0×10⁻⁷", math.Inf(1): "∞", 62.25: "62.2"} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %s, want %s", v, got, want)
		}
	}
	if fixed(-0.001, 1) != "0.0" {
		t.Errorf("minus zero reads %s", fixed(-0.001, 1))
	}
}

// Values by R 4: qnorm.
func TestQuantilesAgreeWithR(t *testing.T) {
	for p, want := range map[float64]float64{0.975: 1.959963984540054, 0.75: 0.6744897501960817, 0.01: -2.3263478740408408} {
		if got := normalQuantile(p); math.Abs(got-want) > 1e-12 {
			t.Errorf("normal quantile %v is %v, R says %v", p, got, want)
		}
	}
}

// Counts by R 4: hist(c(1,1.5,2,2,3,10), breaks=c(0,2,4,6,8,10), right=FALSE)$counts.
func TestBinCountsAgreeWithR(t *testing.T) {
	got := binCounts([]float64{1, 1.5, 2, 2, 3, 10, math.NaN(), 11}, []float64{0, 2, 4, 6, 8, 10})
	for i, want := range []float64{2, 3, 0, 0, 1} {
		if got[i] != want {
			t.Errorf("counts are %v", got)
			break
		}
	}
}

// TestBinsHoldEverything: every value falls into exactly one bin or is counted as beyond,
// and only few are beyond.
func TestBinsHoldEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 50).Draw(t, "values")
		edges := binEdges([][]float64{values})
		sum := 0.0
		h := newHistogram(values, edges, ink)
		for _, n := range h.counts {
			sum += n
		}
		if int(sum)+h.beyond != len(values) || h.beyond < 0 || h.beyond > len(values)/2 {
			t.Fatalf("%v of %d values are in bins %v, %d beyond", sum, len(values), edges, h.beyond)
		}
	})
}

// TestContoursLieOnTheLevel: on a linear surface every crossing satisfies the
// equation of the level exactly.
func TestContoursLieOnTheLevel(t *testing.T) {
	z := make([][]float64, 6)
	for i := range z {
		z[i] = make([]float64, 7)
		for j := range z[i] {
			z[i][j] = 2*float64(i) - 3*float64(j)
		}
	}
	n := 0
	for i := range 5 {
		for j := range 6 {
			for _, s := range crossings(z, i, j, -4.25) {
				n++
				for k := 0; k < 4; k += 2 {
					if v := 2*s[k] - 3*s[k+1]; math.Abs(v+4.25) > 1e-12 {
						t.Errorf("a crossing at value %v", v)
					}
				}
			}
		}
	}
	if n == 0 {
		t.Error("no crossings")
	}
	saddle := [][]float64{{1, 0}, {0, 1}}
	if got := len(crossings(saddle, 0, 0, 0.5)); got != 2 {
		t.Errorf("a saddle has %d segments, want 2", got)
	}
}

func TestThinnedLineKeepsExtremes(t *testing.T) {
	line := make([]vg.Point, 200_000)
	for i := range line {
		line[i] = vg.Point{X: vg.Length(i) / 300, Y: vg.Length(math.Sin(float64(i)))}
	}
	line[123_456].Y, line[77_777].Y = 50, -50
	kept := thinLine(line, 1000)
	low, high := kept[0].Y, kept[0].Y
	for i, p := range kept {
		low, high = min(low, p.Y), max(high, p.Y)
		if i > 0 && p.X < kept[i-1].X {
			t.Fatal("the line turns back")
		}
	}
	if len(kept) > 1100 || low != -50 || high != 50 || kept[0] != line[0] || kept[len(kept)-1] != line[len(line)-1] {
		t.Errorf("%d points from %v to %v", len(kept), low, high)
	}
}

// TestTickLabelsDiffer: neighbours read differently however far from zero, narrow or
// large the range is, and what is written is where the tick stands.
func TestTickLabelsDiffer(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string // of one label, or of the offset
	}{
		{1e6, 1e6 + 1, "1,000,000.2"},
		{1234567, 1234568, "1,234,567.2"},
		{-1234568, -1234567, "−1,234,567.2"},
		{20240101, 20240131, "20,240,110"},
		{1.7e9, 1.7e9 + 3600, "1,700,001,000"},
		{1.7e9, 1.7e9 + 1e-3, "counted from 1,700,000,000"},
		{1.7e12, 1.7e12 + 50, "counted from 1,700,000,000,000"},
		{1e-9, 1e-9 + 1e-14, "counted from 1×10⁻⁹"},
		{2e-9, 9e-9, "4×10⁻⁹"},
		{-5e-9, 5e-9, "0"},
		{1e300, 1.00001e300, "counted from 1×10³⁰⁰"},
		{-1e300, 1e300, "−5.0×10²⁹⁹"},
		{1e15, 1e15 + 2, "counted from 1,000,000,000,000,000"},
		{5e-324, 1e-310, ""},
	} {
		for _, a := range []Axis{{}, {Log: true}, {Whole: true}} {
			if a.Log && c.low <= 0 {
				continue
			}
			for _, n := range []int{3, 6, 12} {
				s := scale{min: c.low, max: c.high, log: a.Log}
				seen := map[string]bool{}
				for _, k := range s.ticks(a, n) {
					if seen[k.label] {
						t.Errorf("%v to %v, %+v: two ticks read %q", c.low, c.high, a, k.label)
					}
					seen[k.label] = true
				}
				if !a.Log && !a.Whole && n == 6 && c.want != "" && !seen[c.want] && !strings.HasPrefix(s.offsetText(a), c.want) {
					t.Errorf("%v to %v: no label %q among %v (%s)", c.low, c.high, c.want, seen, s.offsetText(a))
				}
			}
		}
	}
	// The picture says from where it counts, with and without a label of its own.
	c := Lines("t", Axis{Label: "time"}, Axis{}, Series{X: []float64{1.7e12, 1.7e12 + 9}, Y: []float64{3 + 1e-11, 3}})
	_, text := elements(t, svgOf(t, c))
	for _, want := range []string{"time, counted from 1,700,000,000,000", "↑ counted from 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
}
