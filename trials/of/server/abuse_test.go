package server

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/server"
	"gonum.org/v1/gonum/mat"
)

// refused is an answer that is none of a fault: 4xx with a reason, or what was asked for.
func refused(t *testing.T, what string, code int, text []byte) {
	t.Helper()
	var said struct{ Detail string }
	if code >= 500 {
		t.Errorf("%s: %d %.300s", what, code, text)
	} else if code >= 400 && (json.Unmarshal(text, &said) != nil || said.Detail == "") {
		t.Errorf("%s: %d without a reason: %.200s", what, code, text)
	}
}

// operation is one of the description.
type operation struct {
	Parameters []struct{ Name, In string }
	Body       *struct{ Content map[string]any } `json:"requestBody"`
}

// described are the operations of a server, by their path and method.
func described(t *testing.T, c *client) map[string]map[string]operation {
	t.Helper()
	var d struct {
		Paths map[string]map[string]operation `json:"paths"`
	}
	if c.must(200, "GET", "/api/v1/openapi.json", nil, &d); len(d.Paths) < 20 {
		t.Fatalf("%d paths", len(d.Paths))
	}
	for path, of := range d.Paths {
		for method, o := range of {
			if named := slices.DeleteFunc(slices.Clone(o.Parameters), func(p struct{ Name, In string }) bool { return p.In != "path" }); len(named) != strings.Count(path, "{") {
				t.Errorf("%s %s: %d of its names are described", method, path, len(named))
			}
			if path != "/api/v1/openapi.json" && strings.Contains(path, "models/{id}/") && method == "post" && o.Body == nil {
				t.Errorf("%s %s: its body is not described", method, path)
			}
		}
	}
	return d.Paths
}

// Every operation of the description meets bodies, names and types that it does not expect: the answer is a refusal
// with a reason, never a fault.
func TestHostileRequests(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID, Drop: []string{"order", "kind"}}}, &j)
	j = c.ended(j.ID)
	deep := strings.Repeat(`{"a":[`, 2000)
	bodies := []string{"", "{", "null", "[]", "[[[]]]", `"x"`, "1e999", `{"rows":1}`, `{"rows":[]}`, `{"rows":[[1,2,3]]}`, `{"rows":[["a",null,{}]]}`, `{"rows":[{}]}`, `{"rows":[[],[]],"columns":[]}`,
		`{"rows":[[1e308,-1e308,1]],"columns":["a","a","a"]}`, `{"rows":[[1e999,1,1]]}`, `{"rows":[[null,null,null]]}`, `{"rows":[[1,2,3],[4]]}`, `{"rows":[[1,2,3]],"rows":7}`, `{"columns":[1],"rows":[[1]]}`,
		`{"upload":"` + u.ID + `","expect":7}`, `{"upload":"../../etc/passwd"}`, `{"upload":"0000000000000000"}`, `{"upload":7}`, `{"upload":"` + u.ID + `","choices":[{"row":-1,"choice":"burn"}]}`,
		`{"data":{"upload":"` + u.ID + `","path":"/etc/passwd"}}`, `{"data":{"upload":"` + u.ID + `","limit":-5}}`, `{"data":{"upload":"` + u.ID + `"},"parameters":{"components":"-1"}}`, `{"data":{"upload":"` + u.ID + `"},"parameters":{"components":[{}]},"loss":"(((("}`,
		`{"data":{"upload":"` + u.ID + `"},"methods":["x"],"repeats":1000000000}`, `{"data":{"upload":"` + u.ID + `","columns":[""],"shape":"-1x9999999999"},"seed":-1}`, `{"upload":"` + u.ID + `","as":{"net":"elephant"}}`, `{"upload":"` + u.ID + `","against":"` + j.ID + `"}`,
		`{"row":-1,"choice":"drop"}`, `{"row":1e99,"choice":"drop"}`, `{"rows":[` + strings.Repeat("1,", 20000) + `1],"choice":"drop"}`, `{"token":{}}`, deep, "\x00\xff\xfe"}
	names := []string{j.ID, j.Model, u.ID, "x", "..%2f..%2fetc", "%00", "0000000000000000", strings.Repeat("a", 5000)}
	queries := []string{"", "?rows=1,x,,&upload=x&target=y&sheet=-1&header=maybe&decimal=x&encoding=ebcdic&delimiter=ab", "?upload=" + u.ID + "&target=nowhere&rows=99999999999999999999", "?upload=%00&rows=%ff&name=..%2f..%2fx%00"}
	kinds := []string{"application/json", "text/csv", "application/octet-stream", "", "application/json; charset=utf-16", "multipart/form-data", "\tx/;;"}
	asked := 0
	for path, operations := range described(t, c) {
		for method := range operations {
			if path == "/api/v1/events" {
				continue
			}
			for _, name := range names {
				if method == "delete" && (name == j.ID || name == j.Model || name == u.ID) {
					continue
				}
				at := strings.NewReplacer("{id}", name, "{name}", "..%2fjournal.jsonl", "{column}", "-1", "{other}", name).Replace(path)
				for n, content := range bodies {
					if method == "get" && n >= len(queries) {
						break
					}
					kind, query := kinds[(asked+n)%len(kinds)], queries[n%len(queries)]
					if n%2 == 0 {
						kind = "application/json"
					}
					asked++
					code, text, _ := c.do(strings.ToUpper(method), at+query, kind, []byte(content))
					refused(t, fmt.Sprintf("%s %.80s%s %s %.60q", method, at, query, kind, content), code, text)
				}
				if !strings.Contains(path, "{id}") {
					break
				}
			}
		}
	}
	t.Logf("%d requests", asked)
}

// hostileFiles are files that lie about their sizes or are broken.
func hostileFiles(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"empty.npy": []byte("\x93NUMPY"), "parquet of nothing": []byte("PAR1PAR1"), "zip of nothing": []byte("PK\x03\x04"), "gzip of nothing": []byte("\x1f\x8b\x08")}
	for k, head := range []string{"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 1000), }", "{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775807, 9223372036854775807), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3), }", "{'descr': '|O', 'fortran_order': False, 'shape': (3, 3), }", "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }",
		"{'descr': '<U999999999', 'fortran_order': False, 'shape': (3,), }", "{'descr': [('a', '<f8')], 'shape': ((((", "{'descr': '<f8', 'fortran_order': False, 'shape': (40000000, 3), }", strings.Repeat("(", 60000)} {
		npy := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(head)))...)
		out[fmt.Sprintf("%d.npy", k)] = append(append(npy, head...), "\n1234567812345678"...)
	}
	for _, size := range []uint32{0, 1, 8, 1 << 20, 1 << 31, 1<<32 - 1} {
		out[fmt.Sprintf("footer of %d.parquet", size)] = append(binary.LittleEndian.AppendUint32([]byte("PAR1\x15\x00\x15\x00"), size), "PAR1"...)
	}
	all := os.Getenv("INLIER_CONFORMANCE") == "all"
	if all {
		bombs(t, out)
	}
	out["paths.txt"] = []byte("/etc/hostname.png\n../../journal.jsonl\n/proc/self/environ\n")
	out["deep.json"] = []byte(strings.Repeat("[", 100000))
	out["idx"] = []byte{0, 0, 8, 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3}
	out["libsvm"] = []byte("1 999999999999:1\n-1 2147483647:3 1:2\n")
	// Whole files of which some bytes are others.
	draw := rand.New(rand.NewPCG(3, 3))
	numbers := make([]float64, 300)
	for k := range numbers {
		numbers[k] = draw.NormFloat64()
	}
	for _, ending := range []string{".parquet", ".npy", ".npz"} {
		path := filepath.Join(t.TempDir(), "x"+ending)
		if err := file.Write(path, &dataset.Set{Name: "x", X: mat.NewDense(100, 3, numbers), Columns: []string{"net", "tax", "total"}}, file.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out["whole"+ending] = whole
		most := 4
		if all {
			most = 600
		}
		for k := range most {
			broken := bytes.Clone(whole)
			for range 1 + draw.IntN(3) {
				at := draw.IntN(len(broken))
				if ending == ".parquet" && draw.IntN(2) == 0 { // what describes it stands at the end
					at = len(broken) - 1 - draw.IntN(min(len(broken), 700))
				}
				broken[at] = byte(draw.Uint32())
			}
			if draw.IntN(4) == 0 {
				broken = broken[:draw.IntN(len(broken))]
			}
			out[fmt.Sprintf("broken %d%s", k, ending)] = broken
		}
	}
	return out
}

// bombs are files that unfold to far more than they are.
func bombs(t *testing.T, out map[string][]byte) {
	t.Helper()
	zeros := make([]byte, 1<<20)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for range 300 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	out["300 MB of nothing.csv.gz"] = packed.Bytes()
	var bomb bytes.Buffer
	archive := zip.NewWriter(&bomb)
	for _, name := range []string{"xl/workbook.xml", "xl/worksheets/sheet1.xml", "X.npy"} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			_, _ = w.Write(zeros)
		}
	}
	_ = archive.Close()
	out["bomb.xlsx"], out["bomb.npz"] = bomb.Bytes(), bomb.Bytes()
	out["wide.csv"] = []byte(strings.Repeat("a,", 200000) + "b\n" + strings.Repeat("1,", 200000) + "1\n")
}

// Files that lie are refused wherever a file is taken: as an upload that is looked at and checked, as rows for a model, as a model.
func TestHostileFiles(t *testing.T) {
	s, c := began(t, server.Options{Limits: server.Limits{Waiting: 100000}})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}}, &j)
	j = c.ended(j.ID)
	jobs := map[string]string{}
	files := hostileFiles(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name]
		for _, path := range []string{"/models/" + j.Model + "/judge", "/models/" + j.Model + "/transform", "/models", "/uploads?name=" + strings.ReplaceAll(name, " ", "_")} {
			began := time.Now()
			code, text, _ := c.do("POST", "/api/v1"+path, "application/octet-stream", content)
			refused(t, path+" "+name, code, text)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%s %s takes %s", path, name, took)
			}
			if strings.Contains(string(text), s.Folder) {
				t.Errorf("%s %s: a place on this machine: %s", path, name, text)
			}
			if code == 201 && strings.HasPrefix(path, "/uploads") {
				var sent server.Upload
				if err := json.Unmarshal(text, &sent); err != nil {
					t.Fatal(err)
				}
				code, text, _ = c.do("GET", "/api/v1/uploads/"+sent.ID+"/preview", "", nil)
				refused(t, "preview of "+name, code, text)
				for path, in := range map[string]any{"/api/v1/checks": server.CheckRequest{Upload: sent.ID}, "/api/v1/fits": server.FitRequest{Data: server.Table{Upload: sent.ID}}} {
					var asked server.Job
					c.must(202, "POST", path, in, &asked)
					jobs[asked.ID] = path + " " + name
				}
			}
		}
	}
	for id, what := range jobs {
		if j := c.ended(id); j.State == server.Failed && (strings.Contains(j.Problem.Detail, "fault") || j.Problem.Detail == "" || strings.Contains(j.Problem.Detail, s.Folder)) {
			t.Errorf("%s: %+v", what, j.Problem)
		}
	}
	left, err := filepath.Glob(filepath.Join(s.Folder, "jobs", "rows-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	t.Logf("%d files", len(files))
}
