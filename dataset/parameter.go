package dataset

// Parameter describes one parameter of a recipe or of a corruption, for lists.
type Parameter struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Range   string `json:"range"` // such as "[0, 1)" or "uniform | sine"
	Text    string `json:"meaning"`
}
