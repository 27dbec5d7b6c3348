package main

import (
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/plot"
)

// The endings that names of outputs may have, as the help and the hints list them: whatever
// formats there are.
var (
	dataNames    = strings.Join(file.UsualEndings(false), " ")
	resultNames  = words.Or(append(file.UsualEndings(true), ".json"))
	reportNames  = words.Or(append([]string{".html"}, append(file.UsualEndings(true), ".json")...))
	pictureNames = words.Or(pictureEndings())
	sheetNames   = words.Or(sheetEndings())
)

// pictureEndings are those of pictures and of pages that hold them.
func pictureEndings() []string {
	var endings []string
	for _, f := range plot.Formats() {
		endings = append(endings, "."+f)
	}
	return endings
}

// sheetEndings are those of pictures alone.
func sheetEndings() []string {
	return slices.DeleteFunc(pictureEndings(), func(e string) bool { return e == ".html" })
}
