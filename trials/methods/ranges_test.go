package methods

import (
	"context"
	"errors"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
)

// A number is used as it was given or refused by name: never replaced by something else
// without a word.
func TestNumbersAreUsedOrRefused(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		data := generate(e.world, 30, 1)
		for _, p := range e.method.Params {
			if p.Kind != catalog.Number && p.Kind != catalog.Integer {
				continue
			}
			for _, value := range []float64{-1, 1e-200, 1e-10, 1e10, 1e200} {
				text := strconv.FormatFloat(value, 'g', -1, 64)
				given := maps.Clone(e.params)
				given[p.Name] = text
				if _, err := e.method.Check(given); err == nil && p.Kind == catalog.Integer && value > 1e6 {
					continue // a large count is a long wait, not a mistake
				}
				tried := e
				tried.params = given
				m, err := tried.attempt(context.Background(), data, catalog.Run{Seed: 1})
				var usage *catalog.UsageError
				if err != nil {
					if !errors.As(err, &usage) || !strings.Contains(usage.Problem+usage.Hint, p.Name) {
						t.Errorf("%s=%s: %v", p.Name, text, err)
					}
					continue
				}
				used := m.Describe().Parameters[p.Name]
				if got, err := strconv.ParseFloat(used, 64); err != nil || math.Abs(got-value) > 1e-5*math.Abs(value) {
					if warned := strings.Join(m.Describe().Warnings, "; "); !strings.Contains(warned, p.Name+"="+text) {
						t.Errorf("%s=%s was taken as %s", p.Name, text, used)
					}
				}
			}
		}
	})
}

// A parameter's name of old is still understood, and described by the name it has now.
func TestNamesOfOld(t *testing.T) {
	m, err := catalog.Lookup("pca-robust")
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Check(map[string]string{"m_r": "7"})
	if err != nil || v.Int("learn-rank") != 7 || v.Text("m_r") != "" {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := m.Check(map[string]string{"m_r": "-7"}); err == nil {
		t.Error("a name of old has no range")
	}
	if _, err := m.Check(map[string]string{"m_r": "7", "learn-rank": "7"}); err == nil {
		t.Error("a parameter was set twice by two names")
	}
}
