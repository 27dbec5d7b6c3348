package file

// What a file may grow to in memory. Compressed and sparse files can claim a thousand
// times what they hold, so what they become is held against their size on disk. The
// limits leave room for everything but files made to do harm; Options lifts them.
const (
	// defaultColumns bounds the columns of a table: a name and more belong to each.
	// freeColumns are allowed to a file of any size, beyond them one for each of its bytes.
	defaultColumns = 1 << 20
	freeColumns    = 1 << 16
	// longestName bounds the name of a column and of a category in bytes.
	longestName = 4096
	// defaultCells bounds rows x columns of a set in memory, whatever its file (16 GiB).
	defaultCells = 1 << 31
	// freeCells are allowed to a file of any size (64 MiB in memory); beyond them so many
	// cells for each of its bytes. A sparse table of which 1 in 500 is not zero has 60
	// cells per byte, an image with few colours 50.
	freeCells         = 1 << 23
	cellsPerByte      = 64
	imageCellsPerByte = 128
	// freeBytes may a compressed file of any size unpack to; beyond them so many for each
	// of its bytes. Tables of numbers are compressed 3 to 20 times.
	freeBytes    = 32 << 20
	freePixels   = 64 << 20 // bytes of an unpacked image
	unpackedMost = 100
	// mostStreamed bounds what is copied from a pipe or another stream, which may have no end.
	mostStreamed = 1 << 32
	// bytesPerColumn bounds a line of a text file by the number of columns it may have.
	bytesPerColumn = 32
)

// lift is the hint for a limit.
const lift = "if the file can be trusted, and there is memory for it, {trust} lifts the limit"

func (o *Options) maxColumns() int {
	if o.MaxColumns > 0 {
		return o.MaxColumns
	}
	return defaultColumns
}

// maxRow bounds one line of a text file in bytes.
func (o *Options) maxRow() int { return min(bytesPerColumn*o.maxColumns(), 1<<31-1) }

// maxUnpacked bounds what a compressed file of so many bytes may unpack to.
func (o *Options) maxUnpacked(size, free int64) int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return max(free, unpackedMost*size)
}

// maxCells bounds the cells of a set in memory.
func (o *Options) maxCells() int {
	if o.MaxCells > 0 {
		return o.MaxCells
	}
	return defaultCells
}

// checkColumns refuses a table before anything is made for its columns. A model's columns
// are expected, so that a sparse row may have as many.
func (o *Options) checkColumns(name string, columns int, size int64) error {
	if columns > o.maxColumns() {
		return problem(name, "%d columns are more than the allowed %d", columns, o.maxColumns()).WithHint(lift)
	}
	if most := max(freeColumns, int64(len(o.Columns)), size); int64(columns) > most && o.MaxColumns <= 0 {
		return problem(name, "%d columns are more than a file of %d bytes may have (%d)", columns, size, most).WithHint(lift)
	}
	return nil
}

// checkName refuses a text that is too long to name something.
func checkName(file, name, what string) error {
	if len(name) <= longestName {
		return nil
	}
	return problem(file, "a text of %d bytes (%s) is too long to be the name of a %s", len(name), quote([]byte(name[:64])), what)
}

// checkCells refuses a set before memory is taken for it.
func (o *Options) checkCells(name string, rows, columns int) error {
	if most := o.maxCells(); rows > 0 && columns > most/rows {
		return problem(name, "%d rows of %d columns are more than the allowed %d cells in memory", rows, columns, most).
			WithHint("use fewer rows or columns; " + lift)
	}
	return nil
}

// checkGrowth refuses a table that grows out of all proportion to its file of so many
// bytes.
func (o *Options) checkGrowth(name string, rows, columns int, size, perByte int64) error {
	if o.Limit > 0 {
		rows = min(rows, o.Limit)
	}
	most := max(freeCells, perByte*min(size, 1<<50))
	if o.MaxCells > 0 || rows <= 0 || int64(columns) <= most/int64(rows) {
		return nil
	}
	return problem(name, "%d rows of %d columns are more than a file of %d bytes may grow to (%d cells)", rows, columns, size, most).WithHint(lift)
}
