package check

import (
	"context"
	"testing"
)

// A model stays as it is while it judges the table that it was learned from: many may ask it at the same time.
func TestJudgingLeavesTheModelAlone(t *testing.T) {
	table := cleanTable("normal", 100, 9, 3)
	m, err := Learn(context.Background(), table, Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Judge(context.Background(), table); err != nil {
		t.Fatal(err)
	}
	if m.view.relations != nil || m.view.obeyed != nil {
		t.Error("judging wrote into the model")
	}
}
