// Package plot is every kind of picture that Inlier draws of models, of what they make of
// data, of methods over their parameters, and of losses.
//
// A [Kind] is data: its name, what it shows, which models have it, its parameters, what it
// needs. Faces of the program make flags, forms and lists of that. [Kind.Draw] turns
// models, data and parameters into a [Drawing]: charts with text, a table, and the numbers
// behind them; [Drawing.Encode] makes a file of it.
//
//	kind, err := plot.Lookup("outlier-map")
//	drawing, err := kind.Draw(ctx, plot.Input{Models: []plot.Model{{Model: model}}, Data: set})
//	svg, err := drawing.Encode("svg", "")
//
// The words of a kind and its errors call a parameter --name and another job of the
// program `inlier job`; a face may put its own words there.
//
// A new kind is a file with a function that returns its Kind, and a line in the table of
// [Kinds].
package plot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/suggest"
	"github.com/inlier-ml/inlier/internal/words"
)

// table lists the kinds in the order in which they are shown.
var table = []func() Kind{
	components, centers, strips, residualMap, cellMap, sweep, monitor,
	convergence, weights, scree,
	decisionGraph, similarity,
	outlierMap, residuals, function, roc, confusion, reliability,
	lossCurves, lossSurface,
}

// Kind is one kind of picture.
type Kind struct {
	Name    string  `json:"name"`
	Shows   string  `json:"shows"` // one line
	Of      string  `json:"of"`    // which models, methods or losses have it
	About   string  `json:"about,omitempty"`
	Needs   Needs   `json:"needs"`
	Params  []Param `json:"params,omitempty"`
	Example Example `json:"example"`

	fits    func(m *fitted) bool // whether a model has such a picture; nil: it takes no model
	check   func(j *job) error   // what else can be refused before data are read; may be nil
	missing func(j *job) bool    // whether data may have missing values where no model tells; may be nil
	draw    func(ctx context.Context, j *job) (*Drawing, error)
}

// Subject is what a picture is of.
type Subject string

// The subjects. Models come fitted, methods and losses by their names.
const (
	OfModels  Subject = "model"
	OfMethods Subject = "method"
	OfLosses  Subject = "loss"
)

// Needs is what a picture is made from.
type Needs struct {
	Subject Subject `json:"subject"`
	Several bool    `json:"several,omitempty"` // more than one in a picture
	Data    bool    `json:"data,omitempty"`    // a table; for models with the columns they were fitted to
	Checks  bool    `json:"checks,omitempty"`  // a model may be that of a check, or the folder that it stands in
	Along   bool    `json:"along,omitempty"`   // fits along the scale of a loss, which the job makes
	Truth   bool    `json:"truth,omitempty"`   // the table with the target that the models have learned
}

// Example is a picture to begin with, in words.
type Example struct {
	Of   string      `json:"of"`             // files, methods or losses, then data
	With [][2]string `json:"with,omitempty"` // parameters of the picture and options of the data: name, value
	Out  string      `json:"out"`            // file of the picture
}

// Kinds lists every kind of picture.
func Kinds() []Kind {
	list := make([]Kind, len(table))
	for i, kind := range table {
		list[i] = kind()
	}
	return list
}

// For lists the kinds of picture that a model has.
func For(m catalog.Model) []Kind {
	subject := newFitted(Model{Model: m})
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return k.fits == nil || !k.fits(subject) })
}

// Lookup finds a kind by name. The error names the nearest known one.
func Lookup(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	hint := "inlier plot list tells which there are"
	if near := suggest.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return Kind{}, usage("kind", hint, "there is no picture of kind %q", name)
}

// Fits tells whether a model has such a picture.
func (k Kind) Fits(m catalog.Model) bool { return k.fits != nil && k.fits(newFitted(Model{Model: m})) }

// Check refuses, before data are read, what cannot be drawn: parameters out of their
// range, too many or too few models, and models that have no such picture.
func (k Kind) Check(in Input) error {
	_, err := k.prepare(in)
	return err
}

// AllowsMissing tells whether the data of a picture may have missing values.
func (k Kind) AllowsMissing(in Input) bool {
	j, err := k.prepare(in)
	switch {
	case err != nil:
		return false
	case len(j.models) > 0:
		return j.models[0].about.Parameters["missing"] == "fit"
	}
	return k.missing != nil && k.missing(j)
}

// Draw makes the picture.
func (k Kind) Draw(ctx context.Context, in Input) (*Drawing, error) {
	ctx = given.Context(ctx)
	j, err := k.prepare(in)
	if err != nil {
		return nil, err
	}
	if k.Needs.Data {
		switch {
		case in.Data == nil:
			return nil, usage("data", "give a table", "a picture of kind %q needs data", k.Name)
		case len(j.models) > 0 && in.Data.Dim() != j.models[0].about.Columns:
			return nil, usage("columns", "--columns and --drop choose columns", "%s has %s, but the model was fitted to %d", in.Data.Name, words.Plural(in.Data.Dim(), "column"), j.models[0].about.Columns)
		case in.Data.Rows() == 0:
			return nil, usage("data", "give a table with rows", "%s has no rows", in.Data.Name)
		}
	}
	return k.draw(ctx, j)
}

// prepare checks what a picture is asked for.
func (k Kind) prepare(in Input) (*job, error) {
	j := &job{kind: k, names: in.Names, data: in.Data, params: in.Params, along: in.Along, seed: in.Seed, observe: in.Observe}
	if err := checkParams(k, in.Params); err != nil {
		return nil, err
	}
	given := len(in.Names)
	if k.Needs.Subject == OfModels {
		given = len(in.Models)
	}
	switch {
	case given == 0:
		return nil, usage(k.named(), "give one", "a picture of kind %q needs a %s", k.Name, k.Needs.Subject)
	case given > 1 && !k.Needs.Several:
		return nil, usage(k.named(), "draw them one by one", "a picture of kind %q takes one %s, not %d", k.Name, k.Needs.Subject, given)
	}
	for _, m := range in.Models {
		subject := newFitted(m)
		if k.Needs.Subject == OfModels && !k.fits(subject) {
			return nil, k.refuse(subject)
		}
		j.models = append(j.models, subject)
	}
	label(j.models)
	if k.Needs.Data && len(j.models) > 1 {
		if err := sameColumns(j.models); err != nil {
			return nil, err
		}
	}
	if k.check != nil {
		return j, k.check(j)
	}
	return j, nil
}

// refuse says which pictures a model has.
func (k Kind) refuse(m *fitted) error {
	var fitting []string
	for _, other := range For(m.Model) {
		fitting = append(fitting, other.Name)
	}
	return usage("kind", "this model has "+strings.Join(fitting, ", "), "%s: %s models have no picture of kind %q", m.name, m.about.Method, k.Name)
}

// paramsField stands before the name of a picture's parameter where a mistake names its field.
const paramsField = "params."

// usage is a mistake in a field of the request.
func usage(field, hint, format string, args ...any) error {
	return &catalog.UsageError{Parameter: field, Problem: fmt.Sprintf(format, args...), Hint: hint}
}

// about is the same mistake, said of another field of the request.
func about(field string, err error) error {
	var own *catalog.UsageError
	if !errors.As(err, &own) {
		return err
	}
	said := *own
	said.Parameter = field
	return &said
}

// badInput marks an error of another package as a mistake in a field.
func badInput(field string, err error, hint string) error {
	return &catalog.UsageError{Parameter: field, Problem: err.Error(), Hint: hint, Cause: err}
}

// named is the field that holds what pictures of a kind are of.
func (k Kind) named() string {
	if k.Needs.Subject == OfModels {
		return "models"
	}
	return "names"
}
