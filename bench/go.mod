// No Go code: this file makes the folder a module of its own, so that those who download
// Inlier's module do not download scripts for other programs too.
module github.com/inlier-ml/inlier/bench

go 1.26.0
