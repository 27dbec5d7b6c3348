package plot

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/judge"
)

func outlierMap() Kind {
	return Kind{
		Name: "outlier-map", Needs: Needs{Subject: OfModels, Data: true},
		Shows:   "distance within the subspace and from it, with both cut-offs: the kinds of outliers",
		Of:      "models of the PCA family and tensor models",
		Example: Example{Of: "sales.npz sales.csv", Out: "map.svg"},
		fits: func(m *fitted) bool {
			_, ok := m.Model.(catalog.Detector)
			return ok && m.about.Task == catalog.Reduce
		},
		draw: func(ctx context.Context, j *job) (*Drawing, error) {
			v, err := judge.All(ctx, j.models[0].Model.(catalog.Detector), j.data, false)
			if err != nil {
				return nil, err
			}
			return OutlierMap(v)
		},
	}
}

// OutlierMap draws a verdict.
func OutlierMap(v *judge.Verdict) (*Drawing, error) {
	chart, err := v.Map()
	if err != nil {
		return nil, err
	}
	return &Drawing{Title: chart.Title, Sections: []Section{{"", chart}}, Result: v}, nil
}
