package onnx

import "math"

// Parts are what the outputs of a reduction are made of.
type Parts struct {
	Scores, Kept           Value // of each row: its scores, and itself as far as the reduction keeps it
	Components, Columns    int
	Off                    Value     // distance from what is kept
	Along                  Value     // uncorrelated scores
	Inverse                []float64 // factors that give these variance one
	OffCutoff, ScoreCutoff float64   // distances beyond which a row is an outlier; 0: none
}

// Subspace makes the outputs of a reduction.
func Subspace(g *Graph, p Parts) []Tensor {
	score := g.Length(g.Do("Mul", p.Along, g.Row(p.Inverse)), p.Components)
	off, far := g.Above(p.Off, g.limit(p.OffCutoff)), g.Above(score, g.limit(p.ScoreCutoff))
	return []Tensor{
		{Name: "scores", Value: p.Scores, Columns: []int{p.Components}, Meaning: "coordinates in the subspace, pc1 first"},
		{Name: "reconstruction", Value: p.Kept, Columns: []int{p.Columns}, Meaning: "what the subspace keeps of the row, in input columns"},
		{Name: "orthogonal_distance", Value: p.Off, Meaning: "distance from the subspace"},
		{Name: "score_distance", Value: score, Meaning: "distance from the centre inside the subspace, in standard deviations"},
		{Name: "outlier", Value: g.Do("Or", off, far), Element: Flag, Meaning: "whether a distance is beyond its cut-off, or none can be told"},
	}
}

// limit is a cut-off; above none, 0, is only what is no number.
func (g *Graph) limit(cutoff float64) Value {
	if cutoff == 0 {
		cutoff = math.MaxFloat64
	}
	return g.Number(cutoff)
}

// Classes makes the outputs of a classifier: scores, probabilities (empty: there are none), and the label of the
// class with the largest standing, by number and by name.
func Classes(g *Graph, scores, probabilities, standing Value, count int) []Tensor {
	out := []Tensor{{Name: "scores", Value: scores, Columns: []int{count}, Meaning: "one per class"}}
	if probabilities != "" {
		out = append(out, Tensor{Name: "probabilities", Value: probabilities, Columns: []int{count}, Meaning: "one per class"})
	}
	_, label := g.Largest(standing)
	return append(out, Tensor{Name: LabelIndex, Value: label, Element: Integer, Meaning: "number of the class, from 0"})
}

// LabelIndex is the name of the output that tells the class, or the cluster, by its number from 0.
const LabelIndex = "label_index"

// Complete takes from outputs what they say of rows with a number that is missing or infinite, which clipping and sorting
// would hide: numbers become NaN there, labels -1 or empty, and the row an outlier.
func (g *Graph) Complete(rows Value, columns int, out []Tensor) {
	none := g.Sum(g.Do("Mul", rows, g.Row(make([]float64, columns))), columns) // 0, or NaN
	odd := g.Do("Not", g.Do("LessOrEqual", g.Single(none), g.Number(0)))
	for k, t := range out {
		switch {
		case t.Element == Flag:
			out[k].Value = g.Do("Or", t.Value, odd)
		case t.Element == Integer:
			out[k].Value = g.Do("Where", odd, g.Integers(-1), t.Value)
		case t.Element == Text:
			out[k].Value = g.Do("Where", odd, g.Texts([]string{""}), t.Value)
		case t.Columns == nil:
			out[k].Value = g.Do("Add", t.Value, g.Single(none))
		default:
			out[k].Value = g.Do("Add", t.Value, none)
		}
	}
}
