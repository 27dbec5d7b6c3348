// No Go code: this file makes the folder a module of its own, so that those who download
// Inlier's module do not download guide, measurements, verdicts and records too.
module github.com/inlier-ml/inlier/docs

go 1.26.0
