// No Go code: this file makes the folder a module of its own, so that those who download
// Inlier's module do not download the records too.
module github.com/inlier-ml/inlier/docs/replication/records

go 1.26.0
