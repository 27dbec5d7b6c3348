package catalog

import (
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
)

func init() {
	filled := missingParam
	filled.Default, filled.Meaning = "fit", "missing values: let them count nothing, or refuse them"
	cellStart := startParam
	cellStart.Meaning = "where the reweighting begins, on a table whose deviating cells are replaced by predictions from the other columns; auto: the least outlying half of the rows, classic: ordinary PCA"
	addCheckedPCA(&Method{
		Name: "pca-cell", Title: "robust PCA that gives up single cells as well as rows",
		Paper: "Rousseeuw, Van den Bossche: Detecting deviating data cells; Hubert, Rousseeuw, Van den Bossche: MacroPCA; Centofanti, Hubert, Rousseeuw: Robust principal components by casewise and cellwise weighting",
		About: "A loss of every cell's deviation, in units of its column, and a loss of each row's mean over them, named by --loss: rows with a few bad cells keep their vote. " +
			"Stands up to a fifth of bad cells in all rows with a tenth of bad rows on top, where methods that weigh rows alone fail at a twentieth. Missing values are welcome. Judges cells too: which one, and what would have been expected.",
		Params: []Param{
			{Name: "cell-loss", Kind: Text, Default: pca.DefaultCellLoss.String(), Meaning: "loss of a cell, written as --loss is; bandwidths are in standard deviations of regular cells; auto: 1.25 times that with 95 % efficiency"},
			rescaleParam, componentsParam, shareParam, cellStart, scatterParam, maxStepsParam, tolParam, controlParam, filled,
		},
		Loss: true, Default: pca.DefaultLoss.String(), Missing: true,
	}, func(v Values) error {
		if _, err := loss.Parse(v.Text("cell-loss")); err != nil {
			return &UsageError{Parameter: ParametersField + "cell-loss", Problem: "cell-loss: " + err.Error(), Hint: "inlier losses lists them"}
		}
		return nil
	}, func(v Values, o pca.Options) pcaFitter {
		spec, err := loss.Parse(v.Text("cell-loss"))
		if err != nil {
			panic("catalog: a loss that was let through: " + err.Error())
		}
		return pca.Cell{Options: o, Loss: v.loss(), CellLoss: spec, Rescale: rescale(v), Whole: !o.Missing}
	})
}
