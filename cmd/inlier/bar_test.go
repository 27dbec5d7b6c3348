package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/irls"
)

func TestBarShowsTheObjective(t *testing.T) {
	var out bytes.Buffer
	b := newBar(&out, "fit", false)
	b.show(0.5, inlier.Event{Step: &irls.Step{Number: 3, Objective: 0.125}}.Text())
	b.close()
	if !strings.Contains(out.String(), "objective 0.125") {
		t.Errorf("the bar shows %q", out.String())
	}
	var none *bar
	none.close() // a bar that was never begun
}
