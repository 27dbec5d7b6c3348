package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A list of choices that were all taken back is an empty list, not null, which pages and programs cannot go through.
func TestAllChoicesTakenBack(t *testing.T) {
	c := visit(t, server.Options{})
	j := c.waits("/api/v1/checks", map[string]any{"upload": c.sends("t.csv", squares(200, false))})
	for _, choice := range []string{"drop", ""} {
		c.asks("POST", "/api/v1/jobs/"+j.ID+"/choices", map[string]any{"rows": []int{3, 4}, "choice": choice}, nil)
	}
	if _, _, text := c.asks("GET", "/api/v1/jobs/"+j.ID+"/choices", nil, nil); strings.TrimSpace(text) != "[]" {
		t.Errorf("choices that were taken back: %s", text)
	}
}

// A repair of an empty list of choices changes nothing: no list would set every wrong cell right. Its command finds the list.
func TestNothingIsChosen(t *testing.T) {
	c := visit(t, server.Options{})
	table := squares(200, false)
	id := c.sends("t.csv", table)
	for choices, want := range map[string]string{`"choices": []`: "choices.csv", `"seed": 1`: "--repair"} {
		var request map[string]any
		_ = json.Unmarshal([]byte(`{"repair": true, `+choices+`, "upload": "`+id+`"}`), &request)
		j := c.waits("/api/v1/checks", request)
		_, _, made := c.asks("GET", "/api/v1/jobs/"+j.ID+"/files/repaired.csv", nil, nil)
		chosen := slices.Contains(j.Files, "choices.csv")
		if !strings.Contains(j.Command, want) || chosen != (want == "choices.csv") || (made == table) != chosen {
			t.Errorf("%s: %s, files %v, the same file: %v", choices, j.Command, j.Files, made == table)
		}
	}
}

// Lists and events tell of jobs without what was asked for, which may be long; the job itself has it.
func TestListsAndEventsAreShort(t *testing.T) {
	c := visit(t, server.Options{})
	stream, err := http.Get(c.at + "/api/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	upload := c.sends("t.csv", squares(200, false))
	j := c.waits("/api/v1/checks", map[string]any{"upload": upload})
	if j.Upload != upload || !strings.Contains(string(j.Request), upload) {
		t.Errorf("the job is about %q: %s", j.Upload, j.Request)
	}
	if _, _, text := c.asks("GET", "/api/v1/jobs", nil, nil); strings.Contains(text, `"request"`) || !strings.Contains(text, `"upload":"`+upload) {
		t.Errorf("the list: %s", text)
	}
	events := 0
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		line, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if events++; strings.Contains(line, `"request"`) || !strings.Contains(line, upload) {
			t.Errorf("an event: %s", line)
		}
		if strings.Contains(line, `"state":"done"`) {
			break
		}
	}
	if events < 2 {
		t.Errorf("%d events", events)
	}
}

// Names of columns with commas and quotation marks come back out of the command that does the same.
func TestListsInCommands(t *testing.T) {
	c := visit(t, server.Options{})
	j := c.waits("/api/v1/fits", map[string]any{"method": "pca", "data": map[string]any{"upload": c.sends("t.csv", squares(200, false)), "columns": []string{"a, left", `b "right"`}}})
	if want := `inlier fit pca t.csv --columns '"a, left","b ""right"""'`; j.Command != want || j.State != server.Done {
		t.Errorf("%s: %s instead of %s", j.State, j.Command, want)
	}
}

// A fit of a table that was read tolerantly tells how many rows and which columns were left out, and why.
func TestFitsTellWhatWasLeftOut(t *testing.T) {
	c := visit(t, server.Options{})
	table := strings.Replace(squares(200, true), "\n", ",word\n", 1)
	lines := strings.Split(strings.TrimSpace(table), "\n")
	for i := range lines[1:] {
		lines[i+1] += "," + []string{"x", "y"}[i%2]
	}
	j := c.waits("/api/v1/fits", map[string]any{"method": "pca-robust", "data": map[string]any{"upload": c.sends("t.csv", strings.Join(lines, "\n")+"\n"), "tolerant": true}})
	var found struct {
		Rows    int
		Remarks []struct{ Text string }
		Read    []struct {
			Name    string
			LeftOut string `json:"left_out"`
		} `json:"read_columns"`
	}
	c.asks("GET", "/api/v1/jobs/"+j.ID+"/files/result.json", nil, &found)
	if found.Rows != 199 || len(found.Remarks) == 0 || !strings.HasPrefix(found.Remarks[0].Text, "1 row with missing") {
		t.Errorf("%d rows, remarks %v", found.Rows, found.Remarks)
	}
	if len(found.Read) != 4 || found.Read[3].LeftOut == "" || found.Read[0].LeftOut != "" {
		t.Errorf("columns: %+v", found.Read)
	}
}

// Refusals that pass say when to come back.
func TestRefusalsThatPass(t *testing.T) {
	c := visit(t, server.Options{Limits: server.Limits{Waiting: 1}})
	upload := c.sends("t.csv", squares(4000, false))
	for range 200 {
		if status, head, text := c.asks("POST", "/api/v1/checks", map[string]any{"upload": upload}, nil); status == 429 {
			if head.Get("Retry-After") == "" {
				t.Errorf("%v: %s", head, text)
			}
			return
		}
	}
	t.Error("200 jobs were taken where one may wait")
}

// A preview says that it has seen all rows where it has.
func TestPreviewsOfAllRows(t *testing.T) {
	c := visit(t, server.Options{})
	for rows, whole := range map[int]bool{19999: true, 20000: true, 20001: false} {
		var seen server.Preview
		c.asks("GET", "/api/v1/uploads/"+c.sends("t.csv", squares(rows, false))+"/preview", nil, &seen)
		if seen.Whole != whole || seen.Rows != min(rows, 20000) {
			t.Errorf("%d rows: %d, whole %v", rows, seen.Rows, seen.Whole)
		}
	}
}

// A cell that holds a book is cut where people see it: the report stays small, and so do preview and result.
func TestCellsThatHoldABook(t *testing.T) {
	c := visit(t, server.Options{})
	var b strings.Builder
	b.WriteString("id,x,note\n")
	for i := range 200 {
		x, note := fmt.Sprint(i*i%23), "short"
		if i%20 == 3 {
			note = strings.Repeat("long word ", 100_000)
		}
		if i == 43 {
			x = "900"
		}
		fmt.Fprintf(&b, "%d,%s,%s\n", i, x, note)
	}
	upload := c.sends("t.csv", b.String())
	if _, _, text := c.asks("GET", "/api/v1/uploads/"+upload+"/preview", nil, nil); len(text) > 20_000 || !strings.Contains(text, "long word") {
		t.Errorf("the preview has %d bytes", len(text))
	}
	j := c.waits("/api/v1/checks", map[string]any{"upload": upload})
	for _, name := range []string{"report.html", "result.json"} {
		if _, _, text := c.asks("GET", "/api/v1/jobs/"+j.ID+"/files/"+name, nil, nil); len(text) > 500_000 || !strings.Contains(text, "long word") {
			t.Errorf("%s has %d bytes", name, len(text))
		}
	}
}
