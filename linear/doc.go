// Package linear fits a linear regression that most rows agree on, whether or not all of
// them do.
//
// Least squares lets every row pull with the square of its residual, so one wild target
// (a vertical outlier) or one wrong row far out in the columns (a bad leverage point) can
// turn the whole fit. [Robust] works in two stages, Yohai's MM idea (1987):
//
//  1. A start that up to half of the rows cannot spoil: the S-estimate, whose residuals
//     have the smallest robust scale, found from many small random subsets and
//     concentration steps (Salibian-Barrera and Yohai 2006), or least trimmed squares
//     (Rousseeuw and Van Driessen 2006). It yields coefficients and the scale of the noise.
//  2. Reweighted least squares with any loss of package loss at that scale, by default
//     Tukey's biweight with 95 % efficiency on clean normal data.
//
// The fitted [Model] predicts, reports standard errors, t and p values and a robust R2,
// lists the rows it does not believe, and judges rows as regular, vertical outlier, good
// leverage or bad leverage point: see [Model.Judge].
//
// A row that is off the plane need not be wrong: where the relation is curved, the plane
// that most rows agree on leaves the others out. On the yacht resistance data, which bend
// sharply upwards with the Froude number, the fit flags 91 of 308 rows, all with Froude
// numbers of 0.35 and more, and R's lmrob flags the same. A fit that flags more than a
// fifth of its rows says so in [Model.Warnings].
//
// Inside, columns are centred and scaled by median and median absolute deviation, so the
// units of measurement do not matter; coefficients come back in the units of the data.
// Columns that depend on others, and constant ones beside an intercept, get the
// coefficient 0 and are named in [Model.Dropped].
//
//	m, err := linear.Robust{}.Fit(ctx, x, y)
package linear
