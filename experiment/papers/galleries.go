package papers

import (
	"context"
	"strconv"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/report"
)

// faceDirt is a way to spoil faces for a picture.
type faceDirt struct {
	name, spec string
	seed       uint64
}

// faceSections add eigenfaces and reconstructions to a page: of invented people, and where
// the reader has asked for it of the people in the data folder.
func faceSections(ctx context.Context, v *experiment.View, eigenfaces string, m int, reconstructions string, list []reducer, dirt []faceDirt, read func(context.Context, *experiment.Env) (*dataset.Set, error)) error {
	recipe := synthetic.DefaultFaces()
	recipe.Size = []int{32, 32}
	made, err := recipe.Generate(1)
	if err != nil {
		return err
	}
	sets, whose := []*dataset.Set{made.Set}, []string{"invented people"}
	if v.Env.Faces && len(v.Env.Missing(v.Spec.Needs)) == 0 {
		set, err := read(ctx, v.Env)
		if err != nil {
			return err
		}
		sets, whose = append(sets, set), append(whose, "the data folder: not for publication")
	}
	for k, set := range sets {
		g := faceGallery{set: set, list: list, m: m}
		var eigen, back []report.Block
		for _, d := range dirt {
			if k == 0 {
				d.seed = 1
			}
			e, r, err := g.draw(ctx, d, reconstructions != "")
			if err != nil {
				return err
			}
			eigen = append(eigen, report.Images(eigenfaces+", "+d.name+": the first ten components (m = "+strconv.Itoa(m)+")", e))
			back = append(back, report.Images(reconstructions+", "+d.name+": seen and reconstructed (m = 50)", r))
		}
		v.Page.Add("Eigenfaces of "+whose[k], "Where outliers got a vote, components show their black and white noise.", eigen...)
		if reconstructions != "" {
			v.Page.Add("Reconstructions of "+whose[k], "The first four pictures of each row are spoiled, the others intact.", back...)
		}
	}
	return nil
}

// faceGallery fits methods to spoiled faces.
type faceGallery struct {
	set  *dataset.Set
	list []reducer
	m    int // components of the eigenfaces
}

// draw makes the pictures of components and, if asked for, of reconstructions with 50 of them.
func (g faceGallery) draw(ctx context.Context, d faceDirt, reconstruct bool) (eigen, back report.Gallery, err error) {
	seen, dirt, err := corrupt.Apply(g.set, d.spec, d.seed)
	if err != nil {
		return eigen, back, err
	}
	eigen = report.Gallery{Shape: g.set.Shape}
	var shown []int
	if reconstruct { // of dirt that keeps the number of rows
		hit, intact := rowsWhere(dirt.Rows, true), rowsWhere(dirt.Rows, false)
		shown = append(append([]int{}, hit[:4]...), intact[0], intact[40], intact[80], intact[120])
		back = report.Gallery{Shape: g.set.Shape, Min: 0, Max: 255, Cells: [][][]float64{pictures(g.set.X, shown), pictures(seen.X, shown)}, RowNames: []string{"original", "seen"}}
	}
	fit := func(r reducer, m int) (catalog.Model, error) {
		entry, err := catalog.Lookup(r.method)
		if err != nil {
			return nil, err
		}
		params := map[string]string{"components": strconv.Itoa(m)}
		for k, p := range r.params {
			params[k] = p
		}
		return entry.Fit(ctx, seen.Source(), params, catalog.Run{Seed: 1})
	}
	for _, r := range g.list {
		model, err := fit(r, g.m)
		if err != nil {
			return eigen, back, err
		}
		rows, err := model.State().Arrays["components"].Dense()
		if err != nil {
			return eigen, back, err
		}
		eigen.Cells = append(eigen.Cells, pictures(rows, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}))
		eigen.RowNames = append(eigen.RowNames, r.name)
		if !reconstruct {
			continue
		}
		if model, err = fit(r, 50); err != nil {
			return eigen, back, err
		}
		kept, err := model.(catalog.Transformer).Reconstruct(ctx, seen.X)
		if err != nil {
			return eigen, back, err
		}
		back.Cells = append(back.Cells, pictures(kept, shown))
		back.RowNames = append(back.RowNames, r.name)
	}
	return eigen, back, nil
}

// digitStrip shows some of the digits of the first draw, where the data folder has them.
func digitStrip(ctx context.Context, v *experiment.View, figure string) error {
	if len(v.Env.Missing(v.Spec.Needs)) > 0 {
		return nil
	}
	digits, err := firstDigits(ctx, v.Env)
	if err != nil {
		return err
	}
	task, err := drawDigits(digits, v.Of("digits", "pca")[0].Seed)
	if err != nil {
		return err
	}
	var rows, strays []int
	for k := range 9 {
		rows, strays = append(rows, k), append(strays, 300+k)
	}
	v.Page.Add(figure+": some of the digits", "", report.Images("Nine inliers and nine outliers of the first draw", report.Gallery{
		Shape: []int{28, 28}, Cells: [][][]float64{pictures(task.learn.X, rows), pictures(task.learn.X, strays)}, RowNames: []string{"inliers", "outliers"},
	}))
	return nil
}
