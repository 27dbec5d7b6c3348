// Measured pages are no part of the module that a go get downloads.
module github.com/inlier-ml/inlier/docs/measured

go 1.26.0
