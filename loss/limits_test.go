package loss

var decades = []float64{1e-6, 1e-3, 0.1, 0.5, 1, 2, 7, 30, 100}
