package jobs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// startMoto starts a server of objects that we did not write (pip install 'moto[server]'), as INLIER_MOTO or the path names it.
func startMoto(t *testing.T) string {
	program := os.Getenv("INLIER_MOTO")
	if program == "" {
		found, err := exec.LookPath("moto_server")
		if err != nil {
			t.Skip("moto_server is not installed and INLIER_MOTO does not name it")
		}
		program = found
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := fmt.Sprint(free.Addr().(*net.TCPAddr).Port)
	free.Close()
	server := exec.Command(program, "-H", "127.0.0.1", "-p", port)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	at := "http://127.0.0.1:" + port
	for range 600 {
		if answer, err := http.Get(at + "/moto-api/"); err == nil {
			answer.Body.Close()
			return at
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("moto does not answer")
	return ""
}

// TestObjects fits and checks objects of a store, all formats, in memory and in blocks: the results are those of the files.
func TestObjects(t *testing.T) {
	at := startMoto(t)
	for name, v := range map[string]string{"AWS_ENDPOINT_URL": at, "AWS_ENDPOINT_URL_S3": "", "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "", "AWS_REGION": "us-east-1"} {
		t.Setenv(name, v)
	}
	put := func(name string, data []byte) {
		r, err := http.NewRequest("PUT", at+"/data"+name, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(name, answer, err)
		}
		answer.Body.Close()
	}
	put("", nil)
	random := rand.New(rand.NewPCG(1, 1))
	set := &dataset.Set{X: mat.NewDense(12000, 6, nil), Columns: []string{"a", "b", "c", "d", "e", "f"}}
	for i := range 12000 {
		z := random.NormFloat64()
		for j := range 6 {
			set.X.Set(i, j, z*float64(j)+random.NormFloat64())
		}
	}
	folder := t.TempDir()
	for _, ending := range []string{"csv", "parquet", "npy"} {
		for part := range 2 {
			half := *set
			half.X = set.X.Slice(6000*part, 6000*(part+1), 0, 6).(*mat.Dense)
			path := filepath.Join(folder, fmt.Sprintf("part %d.%s", part, ending))
			if err := file.Write(path, &half, file.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			put(fmt.Sprintf("/in/part%%20%d.%s", part, ending), data)
		}
		for _, memory := range []int64{0, 400 << 10} {
			var ends [2]float64
			for k, path := range []string{filepath.Join(folder, "*."+ending), "s3://data/in/*." + ending} {
				result, err := inlier.Fit{Method: "pca-robust", Data: inlier.Data{Path: path, Memory: memory}}.Run(t.Context(), nil)
				if err != nil {
					t.Fatal(ending, memory, err)
				}
				ends[k] = float64(result.Objective)
			}
			if ends[0] != ends[1] || ends[0] == 0 {
				t.Error(ending, memory, ends)
			}
		}
		result, err := inlier.Check{Paths: []string{"s3://data/in/*." + ending}}.Run(t.Context(), nil)
		if err != nil || result.Rows != 12000 {
			t.Fatal(ending, err)
		}
		result.Close()
	}
}
