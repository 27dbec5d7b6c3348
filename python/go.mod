// A module of its own, so that those who download Inlier's module for Go do not download the package for Python.
module github.com/inlier-ml/inlier/python

go 1.26.0
