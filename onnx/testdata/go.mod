// No Go code: this file makes the folder a module of its own, so that those who download
// Inlier's module do not download what its tests compare with.
module github.com/inlier-ml/inlier/onnx/testdata

go 1.26.0
