package words

import "strings"

// rooms are the packages whose names stand before their messages. The user has no use
// for them.
var rooms = []string{
	"archive: ", "atomicfile: ", "catalog: ", "check: ", "classify: ", "cluster: ", "compare: ", "dataset: ", "elm: ", "experiment: ", "fastblas: ", "inlier: ", "irls: ", "judge: ", "kernel: ", "linalg: ",
	"linear: ", "loss: ", "model: ", "nearest: ", "npy: ", "onnx: ", "papers: ", "pca: ", "peers: ", "plot: ", "refusal: ", "report: ", "score: ", "server: ", "tensor: ", "tune: ", "verdict: ", "worker: ",
}

// OneLine is a message without the names of packages and line breaks.
func OneLine(text string) string {
	for again := true; again; {
		again = false
		for _, room := range rooms {
			if rest, ok := strings.CutPrefix(text, room); ok {
				text, again = rest, true
			}
		}
	}
	for _, room := range rooms {
		text = strings.ReplaceAll(text, ": "+room, ": ")
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", "; ")), " ")
}
