// Command inlier fits robust models to dirty data and tells which rows are outliers and
// why. Start with
//
//	inlier demo
//	inlier help
//
// Each command is one file of this folder; app.go holds what they share, root.go puts
// them together, failure.go decides on messages and exit codes. What the methods are
// and can do comes from package catalog: nothing here knows a method by name.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
