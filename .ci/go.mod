// No Go code: this file makes the folder a module of its own, so that those who download
// Inlier's module do not download its checks too.
module github.com/inlier-ml/inlier/ci

go 1.26.0
