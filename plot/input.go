package plot

import (
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/irls"
)

// Input is what a picture is drawn from; [Kind.Needs] tells what of it a kind needs.
type Input struct {
	Models  []Model
	Names   []string // of methods, or texts of losses
	Data    *dataset.Set
	Along   *Along         // of the data, where a kind needs it
	Params  Params         // by name; what is not there has its default
	Seed    uint64         // of fits and of dirt
	Observe func(Progress) // sees how far a picture of many fits has come; may be nil
}

// Model is a fitted model and what it is called.
type Model struct {
	catalog.Model
	Name    string // its file, or whatever tells models of one method apart; empty: the method
	Unnamed bool   // its columns have numbers instead of names
}

// Progress tells how many fits of a picture are done.
type Progress struct {
	Label       string // what is being fitted
	Done, Total int
	Step        *irls.Step // of the fit under way; nil between fits
}

// job is a checked request.
type job struct {
	kind    Kind
	models  []*fitted
	names   []string
	data    *dataset.Set
	along   *Along
	params  Params
	seed    uint64
	observe func(Progress)
}

// fitted is a model with what is asked of it again and again.
type fitted struct {
	catalog.Model
	name    string // in messages
	label   string // in legends
	about   catalog.Description
	unnamed bool
}

func newFitted(m Model) *fitted {
	f := &fitted{Model: m.Model, name: m.Name, about: m.Describe(), unnamed: m.Unnamed}
	if f.name == "" {
		f.name = f.about.Method
	}
	return f
}

// reduction is the part of a model that reduces rows: its first step, or itself.
func (m *fitted) reduction() catalog.Model {
	if c, ok := m.Model.(catalog.Chained); ok {
		return c.Reducer()
	}
	return m.Model
}

// learner is the last step of a model.
func (m *fitted) learner() catalog.Model {
	if c, ok := m.Model.(catalog.Chained); ok {
		return c.Learner()
	}
	return m.Model
}

// transforms tells whether a model reduces rows and brings them back.
func (m *fitted) transforms() bool {
	_, ok := m.Model.(catalog.Transformer)
	return ok
}

// label gives models their names in legends: their methods, and where these are equal the
// names of their files, with as many folders as tell them apart: a picture does not show where files are kept.
func label(models []*fitted) {
	methods := map[string]int{}
	for _, m := range models {
		methods[m.about.Method]++
	}
	for _, m := range models {
		if m.label = m.about.Method; methods[m.label] == 1 {
			continue
		}
		m.label = words.Base(m.name)
		for folders := 1; m.label != m.name && slices.ContainsFunc(models, func(o *fitted) bool { return o.name != m.name && tail(o.name, folders-1) == m.label }); folders++ {
			m.label = tail(m.name, folders)
		}
	}
}

// tail is the name of a file with the last so many of its folders.
func tail(path string, folders int) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	if folders >= len(parts) {
		return path
	}
	return strings.Join(parts[len(parts)-1-folders:], "/")
}

// sameColumns refuses models that were not fitted to the same columns.
func sameColumns(models []*fitted) error {
	const hint = "models in one picture are fitted to the same columns"
	first := models[0]
	for _, m := range models[1:] {
		if m.about.Columns != first.about.Columns {
			return usage("models", hint, "%s was fitted to %s, %s to %d", first.name, words.Plural(first.about.Columns, "column"), m.name, m.about.Columns)
		}
		if !m.unnamed && !first.unnamed && !slices.Equal(m.about.ColumnNames, first.about.ColumnNames) {
			return usage("models", hint, "%s and %s were fitted to columns of different names or order", first.name, m.name)
		}
	}
	return nil
}
