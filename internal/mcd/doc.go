// Package mcd finds where the bulk of some points lies: centre and scatter by the reweighted
// minimum covariance determinant (Rousseeuw and Van Driessen 1999). Of all halves of the
// points it looks for the one whose scatter has the smallest determinant, by concentration
// steps from many starts ([Points.Search]) or one good one ([Points.LeastOutlying], then
// [Points.Densest]). Points near that half count in the end ([Points.Reweighted]).
//
// The result moves along when the points are shifted, scaled or mixed. Points may have
// weights; an integer weight acts like repeated points.
package mcd
