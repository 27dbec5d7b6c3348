package catalog

import "strings"

// classes are the names of methods in languages that have classes, where the rule of Class would make poor ones.
var classes = map[string]string{
	"pca": "PCA", "pca-l1": "PCAL1", "r1-pca": "R1PCA", "hq-pca": "HQPCA", "pca-gm": "PCAGM", "pca-kmpe": "PCAKMPE", "pca-robust": "RobustPCA", "pca-cell": "CellPCA",
	"correntropy-pca": "CorrentropyPCA", "regmaxcem": "MaxCorrentropyClassifier", "square": "SquareClassifier", "hinge": "HingeClassifier", "logistic": "LogisticClassifier",
	"2dpca": "TwoDPCA", "l1-2dpca": "L1TwoDPCA", "2dsvd": "TwoDSVD", "r1-2dsvd": "R1TwoDSVD", "n-2dnpp": "NTwoDNPP", "s-2dnpp": "STwoDNPP", "corr-2dsvd": "CorrTwoDSVD",
	"kmeans": "KMeans", "kmeans-robust": "RobustKMeans",
}

// Class is the method's name in languages that have classes: elm-kmpe is ElmKmpe, elm-robust RobustElm.
func (m *Method) Class() string {
	if name := classes[m.Name]; name != "" {
		return name
	}
	name, robust := strings.CutSuffix(m.Name, "-robust")
	if robust {
		name = "robust-" + name
	}
	var out strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}
