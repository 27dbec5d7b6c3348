package dataset

// Parameter describes one parameter of a recipe or of a corruption, for lists.
type Parameter struct {
	Name    string
	Default string
	Range   string // such as "[0, 1)" or "uniform | sine"
	Text    string
}
