// Package cluster finds groups of rows, also when some rows belong to none.
//
// [KMeans] moves centers to the means of the rows nearest to them until nothing changes
// (Lloyd's iteration). A center is a mean, so a few far rows can carry it away or keep it
// for themselves. Two remedies share the same starts and the same passes:
//
//	KMeans{Clusters: 3, Trim: 0.1}                        the tenth of the rows that fits worst has no vote
//	KMeans{Clusters: 3, Loss: loss.MustParse("welsch")}   any loss of package loss, by reweighting
//
// [DensityPeaks] needs no iteration: centers are rows with many neighbours that are far
// from every row with more of them (Rodriguez and Laio 2014). Its decision graph shows how
// many such rows there are.
//
// Where k-means starts decides where it ends. The starts, named by [Start]:
//
//	auto           kmeans++; for a robust fit also the density peaks
//	kmeans++       rows drawn with probability proportional to their squared distance
//	               from the centers drawn before (Arthur and Vassilvitskii 2007)
//	random         rows drawn evenly
//	farthest       the two rows furthest apart, then the row with the largest sum of
//	               distances to those chosen before (the PCA-GM paper, section 4)
//	density-peaks  the peaks of the decision graph (the corr-tensor paper, section V-C)
//
// Results depend on the seed, never on the number of threads. A fitted [Model] is
// immutable and safe for use by many goroutines.
package cluster
