package check

import (
	"math"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

func TestSlipsAreNamed(t *testing.T) {
	number := &tolerant.Column{Kind: tolerant.Number}
	warmth := &tolerant.Column{Kind: tolerant.Number, Name: "temperature"}
	date := &tolerant.Column{Kind: tolerant.Date}
	at := func(y int, m time.Month, d int) float64 {
		return float64(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix())
	}
	day := 86400.0
	for _, c := range []struct {
		column                     *tolerant.Column
		value, expected, low, high float64
		want                       string
	}{
		{number, 823, 82, 75, 90, "ten times too large"},
		{number, 0.83, 82, 75, 90, "a hundred times too small"},
		{number, -82.1, 82, 75, 90, "the sign is wrong"},
		{number, -999, 82, 75, 90, "stands for a missing value"},
		{number, 175 / 2.54, 175, 170, 180, ""},
		{&tolerant.Column{Kind: tolerant.Number, Name: "height"}, 175 / 2.54, 175, 170, 180, "inches and centimetres mixed up"},
		{number, 80 * 0.45359237, 80, 79, 81, "pounds and kilograms mixed up"},
		{warmth, 68, 20, 18.5, 21.5, "degrees Fahrenheit instead of Celsius"},
		{number, 1324, 1234, 1232, 1236, "two digits exchanged"},
		{number, 80, 82, 75, 90, ""},       // nothing wrong
		{number, 300, 82, 75, 90, ""},      // no slip leads there
		{number, 823, 82, -400, 600, ""},   // anything would
		{number, math.NaN(), 82, 1, 2, ""}, //
		{number, 1e300, 82, 75, 90, ""},
		{date, at(2024, 3, 5), at(2024, 5, 3), at(2024, 5, 1), at(2024, 5, 6), "day and month exchanged"},
		{date, at(2023, 5, 3), at(2024, 5, 3), at(2024, 5, 1), at(2024, 5, 6), "the year is off by one"},
		{date, at(2023, 1, 30), at(2024, 5, 3), at(2024, 5, 3) - day, at(2024, 5, 3) + day, ""},
	} {
		if got := slip(c.column, c.value, c.expected, c.low, c.high); got != c.want {
			t.Errorf("%g for %g in [%g, %g]: %q, want %q", c.value, c.expected, c.low, c.high, got, c.want)
		}
	}
}

// Wrong values of any size are explained by a slip now and then, not often.
func TestSlipsByChance(t *testing.T) {
	r := random.New(1, "slips")
	number := &tolerant.Column{Kind: tolerant.Number, Decimals: 2}
	named := 0
	const n = 4000
	for range n {
		expected := 10 + 90*r.Float64()
		half := expected * 0.1
		value := math.Round(100*expected*math.Exp(3*r.NormFloat64())) / 100
		if slip(number, value, expected, expected-half, expected+half) != "" {
			named++
		}
	}
	if share := float64(named) / n; share > 0.1 {
		t.Errorf("%.2f of random values have a slip", share)
	}
}
