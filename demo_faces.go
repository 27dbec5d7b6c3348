package inlier

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/compare"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// FacesDemo is the third part: images.
type FacesDemo struct {
	Images     int         `json:"images"`
	Spoiled    int         `json:"spoiled"`
	Components int         `json:"components"`
	Methods    []FacesLine `json:"methods"`

	shape []int
	shown []int // images in the picture
	rows  map[string]*mat.Dense
}

// FacesLine is how one method did.
type FacesLine struct {
	Method  string  `json:"method"`
	Intact  float64 `json:"intact_error"`  // mean distance of intact images from their reconstruction
	Spoiled float64 `json:"spoiled_error"` // mean distance of the originals from the reconstruction of the spoiled images
}

const (
	facesSpec       = "occlusion:0.25,smallest=0.35,largest=0.6"
	facesComponents = 20
	facesShown      = 6
)

func runFaces(ctx context.Context, seed uint64) (*FacesDemo, error) {
	recipe := synthetic.DefaultFaces()
	recipe.Size, recipe.Max = []int{48, 48}, 1
	made, err := recipe.Generate(seed)
	if err != nil {
		return nil, err
	}
	dirty, dirt, err := corrupt.Apply(made.Set, facesSpec, seed)
	if err != nil {
		return nil, err
	}
	demo := &FacesDemo{Images: dirty.Rows(), Spoiled: dirt.RowCount(), Components: facesComponents, shape: dirty.Shape,
		rows: map[string]*mat.Dense{"original": made.Set.X, "spoiled": dirty.X}}
	var intact, spoiled []int
	for i, hit := range dirt.Rows {
		if hit {
			spoiled = append(spoiled, i)
		} else {
			intact = append(intact, i)
		}
	}
	for k := range facesShown {
		demo.shown = append(demo.shown, spoiled[k*len(spoiled)/facesShown])
	}
	for _, e := range []catalog.Entrant{{Label: classical, Method: classical}, {Label: catalog.Default(), Method: catalog.Default()}} {
		f, err := compare.Enter(ctx, e, dirty, map[string]string{"components": fmt.Sprint(facesComponents)}, catalog.Run{Seed: seed})
		if err != nil {
			return nil, err
		}
		line, err := demo.measure(ctx, f, made.Set, dirty, intact, spoiled)
		if err != nil {
			return nil, err
		}
		demo.Methods = append(demo.Methods, *line)
	}
	return demo, nil
}

func (d *FacesDemo) measure(ctx context.Context, f *compare.Fitted, original, dirty *dataset.Set, intact, spoiled []int) (*FacesLine, error) {
	line := &FacesLine{Method: f.Label}
	var err error
	if line.Intact, _, err = f.ErrorOn(ctx, original.Subset(intact).X); err != nil {
		return nil, err
	}
	back, err := f.Model.(catalog.Transformer).Reconstruct(ctx, dirty.X)
	if err != nil {
		return nil, err
	}
	d.rows[f.Label] = back
	line.Spoiled, err = score.ReconstructionError(original.Subset(spoiled).X, (&dataset.Set{X: back}).Subset(spoiled).X)
	return line, err
}

func (d *FacesDemo) Table() *report.Table {
	t := &report.Table{
		Title: fmt.Sprintf("Faces: %d pictures, %d of them partly covered, %d components", d.Images, d.Spoiled, d.Components),
		Columns: []report.Column{{Name: "method"}, {Name: "error, intact", Format: "%.3f", Best: report.Lowest},
			{Name: "error, covered", Format: "%.3f", Best: report.Lowest}},
		Notes: []string{"error: mean distance between the original pictures and their reconstructions, for intact and for covered pictures."},
	}
	for _, m := range d.Methods {
		t.Add(m.Method, m.Intact, m.Spoiled)
	}
	return t
}

// chart shows originals, what was given to the methods, and what they made of it.
func (d *FacesDemo) chart() *report.Chart {
	g := report.Gallery{Shape: d.shape, Min: 0, Max: 1}
	for _, name := range []string{"original", "spoiled", classical, catalog.Default()} {
		var cells [][]float64
		for _, i := range d.shown {
			cells = append(cells, append([]float64(nil), d.rows[name].RawRowView(i)...))
		}
		g.Cells = append(g.Cells, cells)
		g.RowNames = append(g.RowNames, name)
	}
	return report.Images("Invented faces, partly covered, and reconstructed", g)
}
