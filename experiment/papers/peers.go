package papers

import (
	"bytes"
	"context"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Other programs take part where they are installed: Python with scikit-learn (the
// environment variable INLIER_PYTHON names the interpreter; otherwise python3) and R with
// rrcov. Their scripts are part of this program.

//go:embed peers
var peerScripts embed.FS

// pythonPath is the interpreter, or empty when scikit-learn is not there.
var pythonPath = sync.OnceValue(func() string {
	name := os.Getenv("INLIER_PYTHON")
	if name == "" {
		name = "python3"
	}
	if exec.Command(name, "-c", "import sklearn, numpy").Run() != nil {
		return ""
	}
	return name
})

// hasHubert tells whether R has rrcov.
var hasHubert = sync.OnceValue(func() bool {
	return exec.Command("Rscript", "-e", "suppressMessages(library(rrcov))").Run() == nil
})

// runPeer writes the script to a file and runs it with the rows as CSV on its input.
func runPeer(ctx context.Context, program, script string, x *mat.Dense, args ...string) ([]byte, error) {
	text, err := peerScripts.ReadFile("peers/" + script)
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "inlier-*-"+script)
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(text); err != nil {
		f.Close()
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	var rows bytes.Buffer
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			if j > 0 {
				rows.WriteByte(',')
			}
			rows.WriteString(strconv.FormatFloat(x.At(i, j), 'g', -1, 64))
		}
		rows.WriteByte('\n')
	}
	c := exec.CommandContext(ctx, program, append([]string{f.Name()}, args...)...)
	c.Stdin = &rows
	// One thread each: several run at a time, and the threads of OpenBLAS wait by spinning.
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	var problem bytes.Buffer
	c.Stderr = &problem
	out, err := c.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(problem.String()), "\n")
		return nil, fmt.Errorf("%s: %w: %s", script, err, lines[len(lines)-1])
	}
	return out, nil
}

// detectorScores are the outlier scores of one of scikit-learn's detectors.
func detectorScores(ctx context.Context, name string, x *mat.Dense, seed uint64) ([]float64, error) {
	out, err := runPeer(ctx, pythonPath(), "detect.py", x, name, strconv.FormatUint(seed, 10))
	if err != nil {
		return nil, err
	}
	var scores []float64
	if err := json.Unmarshal(out, &scores); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return scores, nil
}

// hubertBasis is ROBPCA's subspace, d x k.
func hubertBasis(ctx context.Context, x *mat.Dense, k int, seed uint64) (*mat.Dense, error) {
	out, err := runPeer(ctx, "Rscript", "hubert.R", x, strconv.Itoa(k), strconv.FormatUint(seed, 10))
	if err != nil {
		return nil, err
	}
	records, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		return nil, err
	}
	rows := make([][]float64, len(records))
	for i, r := range records {
		for _, text := range r {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], v)
		}
	}
	return columnsOf(rows)
}

// covarianceBasis is the leading subspace of scikit-learn's minimum covariance determinant.
func covarianceBasis(ctx context.Context, x *mat.Dense, k int, seed uint64) (*mat.Dense, error) {
	out, err := runPeer(ctx, pythonPath(), "detect.py", x, "mcd-pca", strconv.FormatUint(seed, 10), strconv.Itoa(k))
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	if err := json.Unmarshal(out, &rows); err != nil {
		return nil, err
	}
	return columnsOf(rows)
}

func columnsOf(rows [][]float64) (*mat.Dense, error) {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, fmt.Errorf("no components were returned")
	}
	out := mat.NewDense(len(rows[0]), len(rows), nil)
	for j, r := range rows {
		out.SetCol(j, r)
	}
	return out, nil
}
