package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
)

// Requests go through JSON unchanged, and their fields are written in one way.
func TestRequestsAreJSON(t *testing.T) {
	data := inlier.Data{Path: "a.csv", Target: "y", Drop: []string{"b"}, DecimalComma: true, AllowOutside: true, Limit: 7}
	model := inlier.Model{Path: "m.npz"}
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, request := range []any{
		&inlier.Fit{Method: "m", Data: data, Parameters: catalog.Parameters{"components": "3"}, Loss: "huber", Seed: 2},
		&inlier.Judge{Model: model, Data: data, Why: true, Top: 3},
		&inlier.Predict{Model: model, Data: data, Probabilities: true},
		&inlier.Compare{Data: data, Methods: []string{"a"}, Corrupt: "rows:0.1", Repeats: 3, Test: 0.5, Together: true},
		&inlier.Tune{Method: "m", Data: data, Grid: []string{"p=1,2"}, OneSE: true, Folds: 3, Journal: "j"},
		&inlier.Generate{Name: "g", Seed: 3},
		&inlier.Corrupt{Data: data, Spec: "rows:0.1"},
	} {
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		again := reflect.New(reflect.TypeOf(request).Elem()).Interface()
		if err := json.Unmarshal(text, again); err != nil || !reflect.DeepEqual(again, request) {
			t.Errorf("%s comes back as %+v: %v", text, again, err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			if !snake.MatchString(name) {
				t.Errorf("%T has a field %q", request, name)
			}
		}
	}
}

// Every job tells its progress by the same kind of event, and the part that is done never
// falls within a phase.
func TestEventsOfJobs(t *testing.T) {
	ctx := context.Background()
	data := func(target string) inlier.Data {
		return inlier.Data{Reader: strings.NewReader(readings(40)), Target: target}
	}
	for job, run := range map[string]func(inlier.Observer) error{
		"fit": func(o inlier.Observer) error { _, err := inlier.Fit{Data: data("")}.Run(ctx, o); return err },
		"compare": func(o inlier.Observer) error {
			_, err := inlier.Compare{Data: data(""), Parameters: catalog.Parameters{"components": "1"}}.Run(ctx, o)
			return err
		},
		"tune": func(o inlier.Observer) error {
			_, err := inlier.Tune{Method: "relm", Data: data("y"), Grid: []string{"lambda=0.1,1"}, Folds: 3}.Run(ctx, o)
			return err
		},
	} {
		part, phases, sized := map[string]float64{}, map[string]bool{}, false
		err := run(func(e inlier.Event) {
			if e.Job != job || e.Phase == "" || e.Part > 1 || e.Part < part[e.Phase] {
				t.Errorf("%s: %+v after %g", job, e, part[e.Phase])
			}
			part[e.Phase], phases[e.Phase] = e.Part, true
			sized = sized || e.Phase == "read" && e.Rows == 40 && e.Columns > 0
		})
		if err != nil || !phases["fit"] || !sized {
			t.Errorf("%s: phases %v, size told: %v, %v", job, phases, sized, err)
		}
	}
}

// Jobs that read one file or make data tell that they began and that they are done.
func TestEventsOfSmallJobs(t *testing.T) {
	fit, err := inlier.Fit{Data: inlier.Data{Reader: strings.NewReader(readings(40))}}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	see := func(e inlier.Event) { count[e.Job]++ }
	if _, err := (inlier.Inspect{Model: fit.Fitted()}).Run(t.Context(), see); err != nil {
		t.Error(err)
	}
	if _, err := (inlier.Generate{Name: "sinc"}).Run(t.Context(), see); err != nil {
		t.Error(err)
	}
	if _, err := (inlier.KernelTimes{Size: 16}).Run(t.Context(), see); err != nil {
		t.Error(err)
	}
	if count["inspect"] != 2 || count["generate"] != 2 || count["kernel-times"] != 5 {
		t.Errorf("events: %v", count)
	}
}

// A check, and a fit that reads as a check does, take the files of a program.
func TestFilesOfAProgramAreChecked(t *testing.T) {
	files := fstest.MapFS{"in/a.csv": {Data: []byte(readings(40))}}
	found, err := inlier.Check{Paths: []string{"in/*.csv"}, FS: files}.Run(t.Context(), nil)
	if err != nil || found.Rows != 40 {
		t.Errorf("%v, %v", found, err)
	}
	fit, err := inlier.Fit{Data: inlier.Data{Path: "in/a.csv", FS: files, Tolerant: true}}.Run(t.Context(), nil)
	if err != nil || fit.Rows != 40 {
		t.Errorf("%v, %v", fit, err)
	}
}

func TestCancelledJobs(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := inlier.Fit{Data: inlier.Data{Reader: strings.NewReader(readings(40))}}.Run(ctx, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit ends with %v", err)
	}
	if _, ok := inlier.AsError(err); ok {
		t.Error("a cancellation is taken for a mistake of the user's")
	}
}

// readings are a table in memory: y follows x, z follows both, and row 9 is wrong.
func readings(rows int) string {
	var b strings.Builder
	b.WriteString("x,y,z\n")
	for i := range rows {
		x := float64(i) / 2
		wobble := float64((i*7)%5) / 20
		y, z := 3*x+wobble, x-2*wobble
		if i == 8 {
			y = -40
		}
		fmt.Fprintf(&b, "%g,%g,%g\n", x, y, z)
	}
	return b.String()
}
