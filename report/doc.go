// Package report turns plain numbers into things people look at: charts, tables
// and one-file HTML pages.
//
// It knows nothing of models, file formats or the command line. Everything goes
// in as slices and small structs, so any part of the program can use it:
//
//	chart := report.OutlierMap("Outlier map", report.Distances{
//		Score: sd, Orthogonal: od, ScoreCut: 2.7, OrthogonalCut: 1.9,
//	})
//	err := chart.Save("map.svg") // or .png, .pdf
//
//	table := &report.Table{
//		Columns: []report.Column{{Name: "method"}, {Name: "angle", Unit: "deg", Format: "%.2f", Best: report.Lowest}},
//		Rows:    [][]any{{"pca", 41.7}, {"pca-kmpe", 1.3}},
//	}
//	fmt.Print(table.Text(report.TextOptions{Width: 80}))
//
//	page := &report.Page{Title: "A day with dirty data"}
//	page.Add("What happened", "Half of the rows were wrong.", chart, table)
//	err = page.Save("report.html")
//
// # How a chart is drawn
//
// A constructor ([Lines], [Scatter], [OutlierMap], ...) stores the data in a
// [Chart]. Rendering lays the chart out for a width, so the same chart serves a
// desktop page, a phone and a printed sheet. A chart is a legend and a grid of
// panels; a panel is two axes and layers (points, lines, bands, bars, cells)
// that draw through a frame, the map from data to paper. Layers skip values that
// are not finite, and thin themselves so that a million rows still give a small
// file.
//
// The same drawing calls go to SVG, PNG or PDF. In SVG every colour of the theme
// is a CSS variable with a fallback: stand-alone files are light, and inside a
// page they follow the reader's light or dark setting. The same input gives the
// same bytes, except for letters that the built-in font lacks (Chinese, Arabic,
// emoji): SVG leaves them to the reader's fonts, PNG and PDF take them from the fonts of
// the machine, and where none has them draw a box with the code point.
//
// Ranges come from the bulk of the data: a value of 1e300, a zero or rounding noise on a
// logarithmic axis stand at the edge, and the picture says how many do.
package report
