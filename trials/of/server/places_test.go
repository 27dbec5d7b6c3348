package server

import (
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// Nothing that is answered tells where the work is kept, also where a check is held against an earlier one.
func TestPlacesAreNotTold(t *testing.T) {
	folder := t.TempDir()
	_, c := began(t, server.Options{Folder: folder})
	var u, other server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	c.must(201, "POST", "/api/v1/uploads?name=other.csv", "a,b\n"+strings.Repeat("1,2\n3,4\n5,7\n", 30), &other)
	var first, same, foreign server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &first)
	c.ended(first.ID)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID, Against: first.ID}, &same)
	if same = c.ended(same.ID); same.State != server.Done {
		t.Fatalf("%+v", same.Problem)
	}
	for _, name := range same.Files {
		if _, text, _ := c.do("GET", "/api/v1/jobs/"+same.ID+"/files/"+name, "", nil); strings.Contains(string(text), folder) {
			t.Errorf("%s tells where the work is kept", name)
		}
	}
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: other.ID, Against: first.ID}, &foreign)
	if foreign = c.ended(foreign.ID); foreign.Problem == nil || foreign.Problem.Detail != `other.csv: column "order" of the model of orders.csv is not there` {
		t.Errorf("%+v", foreign.Problem)
	}
}

// What needs a file that was removed says so at once.
func TestRemovedFiles(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	c.ended(j.ID)
	c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/choices", map[string]any{"row": 11, "choice": "drop"}, nil)
	c.must(204, "DELETE", "/api/v1/uploads/"+u.ID, nil, nil)
	for path, in := range map[string]any{"again": nil, "carry-out": nil, "selected": []int{1}} {
		var p struct{ Detail string }
		if c.must(404, "POST", "/api/v1/jobs/"+j.ID+"/"+path, in, &p); p.Detail != "the file orders.csv was removed: send it again" {
			t.Errorf("%s: %s", path, p.Detail)
		}
	}
}
