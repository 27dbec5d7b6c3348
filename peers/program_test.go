package peers

import (
	"testing"

	"github.com/inlier-ml/inlier/report"
)

// What programs print is read, and what is none of it is refused.
func TestAnswers(t *testing.T) {
	product := func(text string) (*said, error) { return productOf([]byte(text), "square", said{}) }
	script := func(text string) (*said, error) { return answerOf([]byte(text), said{}) }
	fit := func(text string) (*said, error) { return fitOf([]byte(text), false) }
	reading := func(text string) (*said, error) { return fitOf([]byte(text), true) }
	for _, c := range []struct {
		read    func(string) (*said, error)
		text    string
		seconds float64 // 0: refused
	}{
		{script, `{"seconds": 1.5, "processor": 2, "steps": 3, "peak": 4}`, 1.5},
		{script, "warning: {\n" + `{"seconds": 1.5, "processor": 2}` + "\n\n", 1.5},
		{script, `{"seconds": -1, "processor": 2}`, 0}, {script, `{}`, 0}, {script, `NaN`, 0}, {script, ``, 0}, {script, `{"seconds": "1"}`, 0},
		{fit, `{"read_seconds": 2, "fit_seconds": 1.5}`, 1.5}, {reading, `{"read_seconds": 2, "fit_seconds": 1.5}`, 2}, {fit, `inlier: no`, 0}, {reading, `{"read_seconds": 2, "reads": 3}`, 0},
		{product, `[{"product": "square 8", "kernel": "gonum", "seconds": 1}, {"product": "square 8", "kernel": "a", "seconds": 3}, {"product": "square 8", "kernel": "b", "seconds": 2}]`, 2},
		{product, `[{"product": "thin", "kernel": "a", "seconds": 3}]`, 0},
	} {
		got, err := c.read(c.text)
		if c.seconds == 0 && err == nil || c.seconds > 0 && (err != nil || got.Seconds != c.seconds) {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
	if got, err := script(`{"missing": "polars"}`); err != nil || got.Missing != "polars" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Of errors the smaller leads, of shares the one that misses less; other measures do not compare.
func TestLead(t *testing.T) {
	line := func(measure string, v float64) Line { return Line{Measure: measure, Accuracy: report.Number(v)} }
	if l := lead(line(measureAngle, 1), line(measureAngle, 3)); l != 3 {
		t.Error(l)
	}
	if l := lead(line(measureAUC, 0.9), line(measureAUC, 0.95)); l < 0.49 || l > 0.51 {
		t.Error(l)
	}
	if l := lead(line(measureAUC, 0.9), line("", 0)); l != 1 {
		t.Error(l)
	}
}
