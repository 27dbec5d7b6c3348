package plot

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

func scree() Kind {
	return Kind{
		Name: "scree", Needs: Needs{Subject: OfModels, Several: true},
		Shows:   "the variance that each component explains, and the first ones together",
		Of:      "models of the PCA family; tensor models mode by mode",
		Example: Example{Of: "pca.npz robust.npz", Out: "scree.svg"},
		fits:    func(m *fitted) bool { return m.factors() != nil || len(Spectrum(m.Model, "").Values) > 0 },
		draw:    func(_ context.Context, j *job) (*Drawing, error) { return drawScree(j.models), nil },
	}
}

func drawScree(models []*fitted) *Drawing {
	type line struct {
		Model     string          `json:"model"`
		Mode      string          `json:"mode,omitempty"`
		Variances []report.Number `json:"variances"`
	}
	var spectra []report.Spectrum
	var lines []line
	text := "Shares are of all variance of the regular rows."
	for _, m := range models {
		if m.factors() == nil {
			s := Spectrum(m.Model, m.label)
			spectra, lines = append(spectra, s), append(lines, line{m.label, "", report.Numbers(s.Values)})
			continue
		}
		for k, v := range m.factors().Variances {
			mode := fmt.Sprintf("mode %d", k+1)
			spectra = append(spectra, report.Spectrum{Name: m.label + ", " + mode, Values: v})
			lines = append(lines, line{m.label, mode, report.Numbers(v)})
		}
		text = "Shares of modes are of the variance that the model keeps."
	}
	title := "Variance explained"
	return &Drawing{Title: title, Sections: []Section{{text, report.Scree(title, spectra...)}}, Result: lines}
}

// Spectrum is the variance of each component of a model, or of the reduction that is its
// first step, and of all variance there is where the model tells; empty where it has no
// components.
func Spectrum(m catalog.Model, name string) report.Spectrum {
	r := (&fitted{Model: m}).reduction()
	s := report.Spectrum{Name: name, Values: r.State().Arrays["eigenvalues"].Data}
	sum := 0.0
	for _, v := range s.Values {
		sum += v
	}
	numbers := r.Describe().Numbers
	share, ok := numbers["explained_variance_robust"].(float64)
	if each, tells := numbers["explained_by_component"].([]float64); !ok && tells {
		share = floats.Sum(each)
	}
	if share > 0 && share <= 1+1e-9 {
		s.Total = sum / share
	}
	return s
}
