package papers

import "github.com/inlier-ml/inlier/experiment"

// Why verdicts are not those of the run before.
func init() {
	joint := "Cells are judged by the joint standard error of both means, no longer by one printed deviation, which let almost anything agree"
	paired := "The order is tested in pairs over the same draws, no longer counted from means"
	kwak := "PCA-L1 has Kwak's own components at every m, no longer rotated ones that were nearly PCA's"
	experiment.RegisterReasons(map[string]string{
		"kmpe-figures-2-6":         paired + ". " + kwak + ".",
		"kmpe-table-2":             "The printed numbers are single draws: the limit is the 95 % prediction interval of our draws, no longer one deviation, which a third of perfect replications misses.",
		"kmpe-table-7":             joint + ".",
		"kmpe-table-8":             joint + ". ELM is the pseudo-inverse where nodes saturate too, which moves Glass with the row number and Wdbc.",
		"kmpe-table-9":             "Agreement must tell more than a constant does: with printed deviations of six points and methods that are alike, one number for all cells agrees as well. " + kwak + ".",
		"kmpe-table-10":            "The 64 x 64 crop of the faces that the paper used cannot be had, so that its numbers are not compared.",
		"corr-tensor-figures-2-4":  paired + ".",
		"corr-tensor-figures-5-6":  paired + ".",
		"corr-tensor-table-1":      joint + ". The nearest center is found by the elementwise reading of (30), over 20 draws, with every 2DNPP cell.",
		"corr-tensor-table-2":      joint + ". The nearest center is found by the elementwise reading of (30).",
		"corr-tensor-table-3":      joint + ". Images are brought to the median centred norm.",
		"pca-gm-figure-1":          paired + ".",
		"pca-gm-figure-2":          "The figure was misread: 48.9 degrees is where the objective is smallest, 32.1 the first step from 30 degrees, about 60 PCA; those are judged now.",
		"pca-gm-figure-9":          paired + ".",
		"pca-gm-figures-4-6":       paired + ". " + kwak + ". R1-PCA keeps the sample mean, as the paper says.",
		"pca-gm-table-1":           "The printed numbers are single draws: the limit is the 95 % prediction interval of our draws, in which two numbers prove little.",
		"regmaxcem-figure-1":       paired + ".",
		"regmaxcem-figure-2":       "The areas are of other data, so that they are not compared; before, their cells were counted.",
		"correntropy-pca-examples": paired + ".",
	})
}
