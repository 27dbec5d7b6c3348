package plot

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

func confusion() Kind {
	return curveKind("confusion", "true against given classes", "classifiers", catalog.Classify, confusionMatrix)
}

func confusionMatrix(_ context.Context, a *answers) ([]Section, error) {
	counts, err := score.Confusion(a.labels, a.made.Labels, len(a.about.Classes))
	if err != nil {
		return nil, err
	}
	return []Section{{"True classes down, given classes across; the colour is the share of the true class.", report.Confusion("Confusion matrix", a.about.Classes, counts)}}, nil
}
