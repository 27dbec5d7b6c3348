package jobs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// ordersFile writes orders as they are written somewhere.
func ordersFile(t *testing.T, writing string) (path string, made *synthetic.Generated) {
	t.Helper()
	made, err := synthetic.Generate("orders", map[string]string{"n": "300", "words": "0", "writing": writing}, 5)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := made.Sheet.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path, made
}

// A repair changes the listed cells and nothing else, and writes them as their neighbours are written.
func TestRepairKeepsTheWriting(t *testing.T) {
	path, _ := ordersFile(t, "europe")
	r, err := inlier.Check{Paths: []string{path}, Repair: true, Seed: 1}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	changes := r.Changes()
	if len(changes) < 4 {
		t.Fatalf("%d changes", len(changes))
	}
	var text bytes.Buffer
	if err := r.WriteRepaired(&text); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(string(before), "\r\n")
	is := strings.Split(text.String(), "\r\n")
	if len(was) != len(is) {
		t.Fatalf("%d lines became %d", len(was), len(is))
	}
	touched := map[int]bool{}
	for _, c := range changes {
		touched[c.Row] = true
		if c.Is != "" && strings.HasSuffix(c.Was, " €") && (!strings.HasSuffix(c.Is, " €") || !strings.Contains(c.Is, ",")) {
			t.Errorf("%s: %q became %q", c.Column, c.Was, c.Is)
		}
	}
	for i := range was {
		a, b := strings.Split(was[i], ";"), strings.Split(is[i], ";")
		if len(a) != len(b) || !touched[i] && was[i] != is[i] {
			t.Fatalf("line %d: %q became %q", i+1, was[i], is[i])
		}
		for j := range a {
			changed := slices.ContainsFunc(changes, func(c inlier.Change) bool { return c.Row == i && c.Was == a[j] && c.Is == b[j] })
			if a[j] != b[j] && !changed {
				t.Errorf("line %d: %q became %q, which is not listed", i+1, a[j], b[j])
			}
		}
	}
}

// A batch of another format, with other columns in another order, is read as what was learned is written, and repaired as it is.
func TestRepairOfABatch(t *testing.T) {
	folder := t.TempDir()
	save := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var text strings.Builder
	text.WriteString("day;net;vat;total;heat\n")
	for i := range 200 {
		net := 1000*(i%37+1) + i
		fmt.Fprintf(&text, "%02d/%02d/2024;%d,%03d;%d,%03d;%d,%03d;%d,5\n", i%28+1, i%12+1, net*5/1000, net*5%1000, net/1000, net%1000, net*6/1000, net*6%1000, i%13)
	}
	learned, err := inlier.Check{Paths: []string{save("learned.csv", text.String())}, Seed: 1}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(folder, "model.npz")
	if err := learned.Model.Save(model); err != nil {
		t.Fatal(err)
	}
	r, err := inlier.Check{Paths: []string{save("batch.json", `[{"note": "a", "total": "12,012", "net": "10,010", "day": "05/03/2024"}, {"note": "b", "total": "24,024", "net": "200,200", "day": "04/03/2024"}]`)}, Against: model, Repair: true}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if day := r.Table.Columns[0].Values[0]; day != 19787*86400 { // the 5th of March
		t.Errorf("the day is %g", day/86400)
	}
	if net := r.Table.Columns[1].Values[0]; net != 10.01 {
		t.Errorf("net is %g", net)
	}
	var repaired strings.Builder
	if err := r.WriteRepaired(&repaired); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(repaired.String(), "note,total,net,day\na,\"12,012\",\"10,010\",05/03/2024\nb,") {
		t.Errorf("%s", repaired.String())
	}
	_, err = inlier.Check{Paths: []string{filepath.Join(folder, "batch.json")}, Against: model, Target: "net"}.Run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "target net") {
		t.Errorf("another target: %v", err)
	}
}

// A model that was stored and read again judges as the one that was learned.
func TestStoredCheckJudgesAlike(t *testing.T) {
	path, _ := ordersFile(t, "us")
	ctx := context.Background()
	r, err := inlier.Check{Paths: []string{path}, Seed: 1}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "model.npz")
	if err := r.Model.Save(file); err != nil {
		t.Fatal(err)
	}
	restored, err := check.Load(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	aligned, lacking, _ := restored.Align(r.Table)
	if lacking != nil {
		t.Fatal(lacking)
	}
	again, err := restored.Judge(ctx, aligned)
	if err != nil {
		t.Fatal(err)
	}
	fresh, lacking, _ := r.Model.Align(r.Table) // another table of the same rows, as the stored model sees it
	if lacking != nil {
		t.Fatal(lacking)
	}
	want, err := r.Model.Judge(ctx, fresh)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Wrong, want.Wrong) || !slices.Equal(again.P, want.P) {
		t.Error("the stored model judges otherwise")
	}
	if drift := restored.Drift(aligned); len(drift) == 0 || drift[0].Distance > 1e-9 {
		t.Errorf("a table drifts from itself: %+v", drift)
	}
}

// The page is one small file that names its guilty cells, whatever stands in the data.
func TestCheckPage(t *testing.T) {
	path, made := ordersFile(t, "us")
	r, err := inlier.Check{Paths: []string{path}, Seed: 1}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Page(context.Background()).HTML()
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 1<<20 || !bytes.Contains(text, []byte(`class="badge bad"`)) || !bytes.Contains(text, []byte("What was not looked at")) {
		t.Errorf("a page of %d bytes", len(text))
	}
	found := 0
	for _, row := range r.WrongRows {
		if made.Truth.Outlier[row-1] {
			found++
		}
	}
	if 2*found < len(r.WrongRows) {
		t.Errorf("%d of %d rows called wrong are", found, len(r.WrongRows))
	}
}

// A check tells how far it has come, also while it judges, and never falls back.
func TestCheckProgress(t *testing.T) {
	path, _ := ordersFile(t, "us")
	last, judged := 0.0, 0
	_, err := inlier.Check{Paths: []string{path}, Seed: 1}.Run(context.Background(), func(e inlier.Event) {
		if e.Phase != "check" {
			return
		}
		if e.Part < last || e.Part > 1 {
			t.Errorf("%s: part %g after %g", e.Label, e.Part, last)
		}
		if last = e.Part; e.Label == "judge" {
			judged++
		}
	})
	if err != nil || judged < 5 || last != 1 {
		t.Errorf("%d steps of judging up to %g: %v", judged, last, err)
	}
}
