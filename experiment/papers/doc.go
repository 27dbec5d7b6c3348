// Package papers holds the experiments: every table and figure of the five papers, and
// studies beyond them. Each file has the specs of one table or figure or of a few that
// belong together; published/ has the numbers that the papers print, as JSON.
//
// Importing the package registers all of them with package experiment.
package papers

import (
	"embed"

	"github.com/inlier-ml/inlier/experiment"
)

//go:embed published
var files embed.FS

// published loads the numbers of a spec; the files are part of the program, so a fault in
// them is a fault of the program.
func published(id string) *experiment.Published {
	p, err := experiment.LoadPublished(files, "published/"+id+".json")
	if err != nil {
		panic(err)
	}
	return p
}
