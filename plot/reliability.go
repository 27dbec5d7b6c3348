package plot

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

func reliability() Kind {
	return curveKind("reliability", "how often probabilities come true", "classifiers with probabilities", catalog.Classify, reliabilityCurve)
}

func reliabilityCurve(_ context.Context, a *answers) ([]Section, error) {
	if a.made.Probabilities == nil {
		return nil, nil
	}
	c := calibration(a.made, a.labels)
	c.Name = a.about.Method
	text := "How often the class with the highest probability is right, against that probability. On the diagonal probabilities mean what they say."
	if len(a.about.Classes) == 2 {
		text = fmt.Sprintf("How often rows are \"%s\", against the probability given. On the diagonal probabilities mean what they say.", report.Literal(a.about.Classes[1]))
	}
	return []Section{{text, report.Reliability("Reliability of the probabilities", c)}}, nil
}

// calibration sorts the rows into ten bins by probability: of the second of two classes,
// otherwise of the class with the highest one.
func calibration(made *catalog.Prediction, labels []int) report.Calibration {
	const bins = 10
	var sum, right, count [bins]float64
	_, classes := made.Probabilities.Dims()
	for i, l := range labels {
		row := made.Probabilities.RawRowView(i)
		k := 1
		if classes != 2 {
			k = floats.MaxIdx(row)
		}
		if math.IsNaN(row[k]) {
			continue
		}
		b := min(max(int(row[k]*bins), 0), bins-1)
		sum[b] += row[k]
		count[b]++
		if l == k {
			right[b]++
		}
	}
	var c report.Calibration
	for b := range bins {
		if count[b] > 0 {
			c.Predicted = append(c.Predicted, sum[b]/count[b])
			c.Observed = append(c.Observed, right[b]/count[b])
			c.Count = append(c.Count, count[b])
		}
	}
	return c
}
