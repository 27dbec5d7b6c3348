package refusal

import "fmt"

// Parameter refuses a parameter for its value: "share=2 must be between 0 and 1".
func Parameter(name string, value any, problem string, args ...any) error {
	return &ParameterError{Name: name, Value: fmt.Sprint(value), Problem: fmt.Sprintf(problem, args...)}
}

// Setting refuses a parameter, or several that do not go together, in a sentence of its own.
func Setting(name, problem string, args ...any) error {
	return &ParameterError{Name: name, Problem: fmt.Sprintf(problem, args...)}
}

// Weights refuses weights of rows.
func Weights(problem string, args ...any) error { return Setting("weights", problem, args...) }

// Few refuses a table of fewer rows than the least.
func Few(rows, least int, problem string, args ...any) error {
	return &SizeError{Rows: rows, Least: least, Problem: fmt.Sprintf(problem, args...)}
}

// Columns refuses rows that have other columns than the model wants.
func Columns(columns, want int) error { return &ColumnsError{Columns: columns, Want: want} }

// Target refuses a target or labels.
func Target(problem string, args ...any) error {
	return &TargetError{Problem: fmt.Sprintf(problem, args...)}
}

// Data refuses data as a whole.
func Data(problem string, args ...any) error {
	return &DataError{Problem: fmt.Sprintf(problem, args...)}
}
