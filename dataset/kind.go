package dataset

// Kind is what a column holds.
type Kind string

// The kinds of columns.
const (
	Number Kind = "number"
	Text   Kind = "text"
)
