package tune

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// Standing is how a contest ended.
type Standing struct {
	Task        catalog.Task
	Metric      Metric
	Metrics     []Metric // all that were computed, the ranking one first
	Repeats     int
	Train, Test int     // rows of the first repeat
	Dirty       float64 // training rows that were dirtied, mean over the repeats
	Lines       []Line  // best first
	Parts       []dataset.Partition
}

// Line is one entrant's result.
type Line struct {
	Entrant
	Scores   map[string][]float64 // by metric and repeat
	Mean, SD float64              // of the ranking metric
	MeanRank float64              // over the repeats; equal scores share the mean of their ranks
	Versus   *Difference          // to the best; nil for the best itself, for a single repeat, and without spread
	Flagged  float64              // share of the training rows that the model calls outliers; NaN: it does not tell
	Found    float64              // share of the dirtied rows that are among them; NaN: none were dirtied
	False    float64              // share of the other rows that are among them
	Seconds  float64              // of a fit, mean
	Failure  string
	Tuned    map[string]string // parameters chosen in the first repeat
	First    *Example          // of the first repeat
}

// Example is a fit of the first repeat, for pictures.
type Example struct {
	Model       catalog.Model
	Prediction  *catalog.Prediction // of the test rows
	Train, Test *dataset.Set
}

// summarise puts an entrant's repeats together.
func summarise(e Entrant, bouts []bout, metrics []Metric) (Line, error) {
	l := Line{Entrant: e, Scores: map[string][]float64{}, Mean: math.NaN(), SD: math.NaN(), Tuned: bouts[0].tuned, First: bouts[0].example}
	n := float64(len(bouts))
	for k, b := range bouts {
		if b.err != nil {
			l.Failure = fmt.Sprintf("repeat %d: %s", k+1, strings.Join(strings.Fields(b.err.Error()), " "))
			l.Flagged, l.Found, l.False, l.Seconds = math.NaN(), math.NaN(), math.NaN(), math.NaN()
			return l, b.err
		}
		for _, m := range metrics {
			l.Scores[m.Name] = append(l.Scores[m.Name], b.scores[m.Name])
		}
		l.Flagged += b.flagged / n
		l.Found += b.found / n
		l.False += b.lies / n
		l.Seconds += b.seconds / n
	}
	main := l.Scores[metrics[0].Name]
	l.Mean = mean(main)
	l.SD = deviation(main)
	return l, nil
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// settle ranks the lines and compares each with the best.
func (s *Standing) settle() {
	name := s.Metric.Name
	for k := range s.Repeats {
		var scores []float64
		for i := range s.Lines {
			v := math.NaN()
			if s.Lines[i].Failure == "" {
				v = s.Lines[i].Scores[name][k]
			}
			scores = append(scores, v)
		}
		for i, r := range s.Metric.ranks(scores) {
			s.Lines[i].MeanRank += r / float64(s.Repeats)
		}
	}
	slices.SortStableFunc(s.Lines, func(a, b Line) int { return s.Metric.order(a.Mean, b.Mean) })
	if s.Repeats < 2 {
		return
	}
	best := s.Lines[0].Scores[name]
	var tests []*Difference
	for i := 1; i < len(s.Lines); i++ {
		if s.Lines[i].Failure != "" {
			continue
		}
		if d, err := resampled(s.Lines[i].Scores[name], best, float64(s.Test)/float64(s.Train)); err == nil {
			s.Lines[i].Versus = d
			tests = append(tests, d)
		}
	}
	holm(tests)
}

// ranks are 1 for the best; equal scores share the mean of their ranks, failures come
// last.
func (m Metric) ranks(scores []float64) []float64 {
	out := make([]float64, len(scores))
	for i, a := range scores {
		better, equal := 0, 0
		for _, b := range scores {
			switch m.order(b, a) {
			case -1:
				better++
			case 0:
				equal++ // itself too
			}
		}
		out[i] = float64(better) + float64(equal+1)/2
	}
	return out
}
