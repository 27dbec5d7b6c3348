package inlier

// SmallParts has tables read in parts of so many numbers until the function it returns is called.
func SmallParts(cells int) (restore func()) {
	before := readCells
	readCells = cells
	return func() { readCells = before }
}
