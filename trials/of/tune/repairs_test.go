package tune

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/tune"
)

// Numbers of repeats that no memory holds are the user's to mend.
func TestRepeatsAreBounded(t *testing.T) {
	m := new(ridgeline).method()
	set := lineData(60, 1)
	var wrong *catalog.UsageError
	for _, repeats := range []int{1000000000, 10001, -1} {
		_, err := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=0,1")}, Repeats: repeats}.Run(context.Background(), set)
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "--repeats") {
			t.Errorf("%d repeats: %v", repeats, err)
		}
		_, err = tune.Contest{Entrants: []tune.Entrant{{Label: "a", Method: m}}, Task: catalog.Regress, Repeats: repeats}.Run(context.Background(), set)
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "--repeats") {
			t.Errorf("a contest of %d repeats: %v", repeats, err)
		}
	}
	_, err := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=0,1")}, Folds: 1000000000}.Run(context.Background(), set)
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "--folds") {
		t.Error(err)
	}
}

// Two searches with one journal: the second is refused and the first ends as if alone.
func TestOneSearchPerJournal(t *testing.T) {
	m := new(ridgeline).method()
	set := lineData(60, 1)
	s := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=0,1,2")}, Folds: 4, Journal: filepath.Join(t.TempDir(), "journal")}
	tried := false
	s.OnProgress = func(tune.Progress) {
		if tried {
			return
		}
		tried = true
		second := s
		second.OnProgress = nil
		var wrong *catalog.UsageError
		if _, err := second.Run(context.Background(), set); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "another run") {
			t.Errorf("not refused: %v", err)
		}
	}
	if _, err := s.Run(context.Background(), set); err != nil || !tried {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.Journal)
	if err != nil || strings.Count(string(text), "\n") != 13 {
		t.Errorf("%d lines of 13, %v", strings.Count(string(text), "\n"), err)
	}
	again, err := s.Run(context.Background(), set)
	if err != nil || again.Fits != 0 || again.Reused != 12 {
		t.Errorf("%d fits again, %v", again.Fits, err)
	}
}
