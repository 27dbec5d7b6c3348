package experiment

import "math"

// rankAgreement is Kendall's tau-b between the printed order of the methods and ours,
// averaged over the lines of the judged tables that have three methods or more; NaN when
// there is none.
func rankAgreement(tables []PublishedTable, r *results) float64 {
	sum, count := 0.0, 0
	for _, t := range tables {
		if !t.Judged {
			continue
		}
		for _, row := range t.Rows {
			var printed, ours []float64
			for k, method := range t.Methods {
				mean, _ := row.at(k)
				own := r.stat(row.Data, method, t.score(row))
				if !math.IsNaN(mean) && own.N > 0 {
					printed, ours = append(printed, mean), append(ours, own.Mean)
				}
			}
			if len(printed) >= 3 {
				if tau := Kendall(printed, ours); !math.IsNaN(tau) {
					sum += tau
					count++
				}
			}
		}
	}
	if count == 0 {
		return math.NaN()
	}
	return sum / float64(count)
}

// Kendall is the rank correlation tau-b of two lists: 1 for the same order, -1 for the
// reverse, 0 for no relation. Ties count for neither. It is NaN when one list is constant.
func Kendall(a, b []float64) float64 {
	agree, inA, inB := 0.0, 0.0, 0.0
	for i := range a {
		for j := range i {
			x, y := sign(a[i]-a[j]), sign(b[i]-b[j])
			agree += x * y
			inA += x * x
			inB += y * y
		}
	}
	if inA == 0 || inB == 0 {
		return math.NaN()
	}
	return agree / math.Sqrt(inA*inB)
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
