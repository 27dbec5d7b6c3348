package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// called is a table whose rows have names, some of them the same; one row in twenty lacks a number, and row 41 is off.
func called() string {
	var b strings.Builder
	b.WriteString("who,a,b\n")
	for i := range 60 {
		a, y := fmt.Sprint(i%13), 2*float64(i%13)+0.01*float64(i*i%7)
		if i%20 == 3 {
			a = ""
		}
		if i == 40 || i == 50 {
			y = 500
		}
		fmt.Fprintf(&b, "k%d,%s,%g\n", i/20, a, y)
	}
	return b.String()
}

// Rows of a fit are called by their numbers in the file, also where some were left out and the others have names.
func TestNumbersOfRowsWithNames(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=called.csv", called(), &u)
	var fits []string
	for _, id := range []string{"who", ""} {
		var j server.Job
		c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "b", ID: id, Tolerant: true}}, &j)
		j = c.ended(j.ID)
		var found struct {
			Rows   []int `json:"outlier_rows"`
			Points struct {
				Columns []struct{ Kind string }
			}
		}
		_, text, _ := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/result.json", "", nil)
		if err := json.Unmarshal(text, &found); err != nil {
			t.Fatal(err, string(text))
		}
		if !slices.Equal(found.Rows, []int{41, 51}) || !slices.Contains(found.Points.Columns, struct{ Kind string }{"row"}) {
			t.Errorf("named by %q: %+v", id, found)
		}
		fits = append(fits, j.ID)
	}
	p.goes(c.at + "/#/job/" + fits[0])
	p.waitsFor(".linked[data-shown]")
	p.waits("document.querySelector('main').innerText.includes('Rows that are outliers: 41 (k2), 51 (k2)')")
	p.clicks("Select outliers")
	p.waits("[...document.querySelectorAll('.chosen tbody tr')].map(r => r.cells[0].textContent).join() === '41,51'")
	p.goes(c.at + "/#/beside/" + fits[0] + "/" + fits[1])
	p.waits("document.querySelector('main').innerText.includes('2 of 57 rows are outliers to the first') && document.querySelector('main').innerText.includes('2 to both')")
	if problems := sees[[]string](p, "problems"); len(problems) > 0 {
		t.Error(problems)
	}
}

// Rows that the figures of a fit name are called as its outliers are: by their numbers in the file.
func TestFiguresNameRowsOfTheFile(t *testing.T) {
	_, c := began(t, server.Options{})
	text := "a,b\n"
	for k := range 60 {
		near := 20 * (k / 30)
		switch {
		case k > 1 && k < 10: // rows that are left out
			text += ",1\n"
		case k == 50:
			text += "18,-500\n"
		default:
			text += fmt.Sprintf("%d,%d\n", near+k*7%11%5, near+k*5%13%5)
		}
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=t.csv", text, &u)
	for method, name := range map[string]string{"density-peaks": "peak_rows", "linear-robust": "near_zero_weight_rows"} {
		data := server.Table{Upload: u.ID, Tolerant: true}
		if method == "linear-robust" {
			data.Target = "b"
		}
		var j server.Job
		c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: method, Data: data}, &j)
		var found struct{ Numbers map[string]any }
		c.must(200, "GET", "/api/v1/jobs/"+c.ended(j.ID).ID+"/files/result.json", nil, &found)
		if got, want := fmt.Sprint(found.Numbers[name]), map[string]string{"peak_rows": "[32]", "near_zero_weight_rows": "[51]"}[name]; got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}
