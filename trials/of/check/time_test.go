package check

import (
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// hourly is a column of dates, one an hour.
func hourly(n int) tolerant.Column {
	c := tolerant.Column{Name: "time", Kind: tolerant.Date}
	for i := range n {
		c.Values = append(c.Values, 1.7e9+3600*float64(i))
	}
	return c
}
