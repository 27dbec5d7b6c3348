package inlier

import "github.com/inlier-ml/inlier/catalog"

// MethodInfo is what there is to know of a method before it is used.
type MethodInfo struct {
	Name       string          `json:"name"`
	Class      string          `json:"class"` // its name in languages that have classes
	Family     string          `json:"family"`
	Tasks      []catalog.Task  `json:"tasks"`
	Title      string          `json:"title"`
	About      string          `json:"about"`
	Paper      string          `json:"paper"`
	TakesLoss  bool            `json:"takes_loss"`
	Loss       string          `json:"default_loss,omitempty"`
	Missing    bool            `json:"missing_values"`
	Proba      bool            `json:"probabilities"` // classifiers tell them
	Parameters []ParameterInfo `json:"parameters"`
}

// ParameterInfo is a parameter with its range in words.
type ParameterInfo struct {
	catalog.Param
	Range string `json:"range"`
}

// Methods tells of every method, in the order of the catalog.
func Methods() []MethodInfo {
	list := []MethodInfo{}
	for _, m := range catalog.Methods() {
		list = append(list, AboutMethod(m))
	}
	return list
}

// AboutMethod tells of one method.
func AboutMethod(m *catalog.Method) MethodInfo {
	about := MethodInfo{Name: m.Name, Class: m.Class(), Family: m.Family, Tasks: m.Tasks, Title: m.Title, About: m.About, Paper: m.Paper,
		TakesLoss: m.Loss, Loss: m.Default, Missing: m.Missing, Proba: m.Proba, Parameters: []ParameterInfo{}}
	for _, p := range m.Params {
		about.Parameters = append(about.Parameters, ParameterInfo{p, p.Range()})
	}
	return about
}
