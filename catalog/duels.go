package catalog

// Peer is what another program does, by the name under which the scripts of package peers know it.
type Peer struct {
	Language string // "python" or "R"
	Name     string
	Label    string // in tables
}

// Duel is work that is timed beside other programs.
type Duel struct {
	Name     string            // by which it is asked for
	Recipe   string            // the generator of the data; DigitsRecipe: of MNIST, if it is there; "": none
	Params   map[string]string // of the generator
	Quick    map[string]string // what is smaller in a quick run
	Cells    float64           // share of the cells that are spoiled afterwards
	Format   string            // of the file: csv or parquet; "": npy
	Asks     string            // what is timed: AskFit, AskRead, AskCheck, AskProduct
	Ours     []Entrant
	Peers    []Peer
	Settings map[string]string // that both sides share: of the methods, and for the scripts
	Judged   string            // how what comes out is judged, see package peers; "": not at all
	Answer   string            // the array of the model that is judged
	Threads  int               // 0: as many as all have
	Axis     string            // the parameter that grows: of the generator, or AxisThreads; "": none
	Values   []int             // that it takes
	Small    []int             // and in a quick run
}

// What duels ask for, and what can be said instead of a generator or a parameter.
const (
	AskFit, AskRead, AskCheck, AskProduct = "fit", "read", "check", "product"
	DigitsRecipe                          = "digits"
	AxisThreads                           = "threads"
)

// Duels are the works of which programs are timed side by side; those with an axis are its growth curves.
func Duels() []Duel {
	python := func(name, label string) Peer { return Peer{"python", name, label} }
	r := func(name, label string) Peer { return Peer{"R", name, label} }
	full, randomized, eigh := python("pca-full", "scikit-learn PCA full"), python("pca-randomized", "scikit-learn PCA randomized"), python("pca-covariance_eigh", "scikit-learn PCA covariance_eigh")
	covariance := python("covariance-eigh", "NumPy covariance + eigh")
	hubert := r("PcaHubert", "rrcov PcaHubert")
	huber := python("huber", "scikit-learn HuberRegressor")
	one := func(name string, list ...string) []Entrant { return []Entrant{{name, name, set(list...)}} }
	plane := func(n string) map[string]string {
		return set("n", n, "d", "20", "test", "0", "outliers", "vertical", "fraction", "0.1", "shift", "50", "noise", "1")
	}
	list := []Duel{
		{Name: "pca-digits", Recipe: DigitsRecipe, Params: set("n", "60000", "d", "784", "m", "50", "sds", "10,3", "fraction", "0"), Quick: set("n", "1000"),
			Ours: Timed(), Peers: []Peer{full, randomized, eigh, covariance}, Judged: "variance", Answer: "components"},
		{Name: "pca-wide", Recipe: "low-rank", Params: set("n", "165", "d", "4096", "m", "30", "sds", "10,3", "fraction", "0"), Quick: set("d", "512"),
			Ours: one("pca"), Peers: []Peer{full, randomized}, Judged: "angle", Answer: "components"},
		{Name: "pca-rows", Recipe: "low-rank", Params: set("n", "1000000", "d", "20", "m", "5", "sds", "10,3", "fraction", "0"), Quick: set("n", "5000"),
			Ours: one("pca"), Peers: []Peer{eigh, covariance}, Judged: "angle", Answer: "components"},
		{Name: "pca-robust", Recipe: "low-rank", Params: set("n", "10000", "d", "200", "m", "5", "sds", "10,3", "outliers", "clustered", "fraction", "0.2"), Quick: set("n", "1000", "d", "40"),
			Ours: one("pca-robust"), Peers: []Peer{hubert, python("ROBPCA", "RobPy ROBPCA"), covariance}, Judged: "angle", Answer: "components"},
		{Name: "pca-cell", Recipe: "low-rank", Params: set("n", "2000", "d", "30", "m", "3", "sds", "10,3", "fraction", "0"), Quick: set("n", "300"), Cells: 0.1,
			Ours: one("pca-cell"), Peers: []Peer{r("MacroPCA", "cellWise MacroPCA"), hubert}, Judged: "angle", Answer: "components"},
		{Name: "linear-robust", Recipe: "plane", Params: plane("100000"), Quick: set("n", "2000"), Ours: one("linear-robust"),
			Peers: []Peer{r("lmrob", "robustbase lmrob"), r("ltsReg", "robustbase ltsReg"), huber}, Judged: "coefficients"},
		{Name: "linear-rows", Recipe: "plane", Params: plane("1000000"), Quick: set("n", "4000"), Ours: one("linear-robust"), Peers: []Peer{huber}, Judged: "coefficients"},
		{Name: "relm", Recipe: "plane", Params: set("n", "100000", "d", "50", "test", "5000", "outliers", "none", "noise", "1"), Quick: set("n", "2000", "test", "500"),
			Ours: one("relm", "lambda", "0.01"), Peers: []Peer{python("relm", "NumPy ridge on a random layer")}, Settings: set("hidden", "500"), Judged: "test"},
		{Name: "kernel-machine", Recipe: "blobs", Params: set("n", "100000", "d", "50", "classes", "10", "label-noise", "0.1", "test", "10000"), Quick: set("n", "2000", "test", "500"),
			Ours: one("regmaxcem", "kernel", "rbf", "approximation", "nystrom", "lambda", "0.001", "calibration", "off"), Peers: []Peer{python("nystroem", "scikit-learn Nystroem + RidgeClassifier")},
			Settings: set("features", "500", "gamma", "0.01"), Judged: "labels"},
		{Name: "kmeans", Recipe: "mixture", Params: set("n", "60000", "d", "50", "components", "10", "separation", "3", "fraction", "0"), Quick: set("n", "2000"),
			Ours: one("kmeans", "restarts", "1"), Peers: []Peer{python("kmeans", "scikit-learn KMeans lloyd")}, Settings: set("clusters", "10", "max-steps", "30", "tol", "0"), Judged: "inertia", Answer: "centers"},
		{Name: "corr-2dsvd", Recipe: "low-rank-tensor", Params: set("n", "1140", "shape", "64x64x3", "rank", "20x20x3"), Quick: set("n", "60", "shape", "16x16x3", "rank", "4x4x2"),
			Ours:  one("corr-2dsvd", "tol", "1e-300", "start", "classic", "control", "off", "rescale", "every-step"),
			Peers: []Peer{python("corr-2dsvd", "NumPy, the same sweeps")}, Settings: set("max-steps", "10"), Judged: "factor", Answer: "factor_0"},
		{Name: "products", Asks: AskProduct, Ours: []Entrant{{Label: "square"}}, Peers: []Peer{python("square", "NumPy matmul")}, Params: set("size", "1024"), Quick: set("size", "256"), Threads: 1},
		{Name: "gram", Asks: AskProduct, Ours: []Entrant{{Label: "weighted Gram"}}, Peers: []Peer{python("gram", "NumPy, roots of the weights")}, Params: set("size", "1024"), Quick: set("size", "256"), Threads: 1},
		{Name: "read-parquet", Asks: AskRead, Format: "parquet", Recipe: "low-rank", Params: set("n", "1000000"), Quick: set("n", "5000"), Ours: one("pca"),
			Peers: []Peer{python("pyarrow-parquet", "pyarrow"), python("polars-parquet", "polars")}},
		{Name: "read-csv", Asks: AskRead, Format: "csv", Recipe: "low-rank", Params: set("n", "1000000"), Quick: set("n", "5000"), Ours: one("pca"),
			Peers: []Peer{python("pyarrow-csv", "pyarrow"), python("polars-csv", "polars"), python("pandas-csv", "pandas")}},
		{Name: "check", Asks: AskCheck, Format: "csv", Recipe: "low-rank", Params: set("n", "50000", "d", "10", "fraction", "0.05"), Quick: set("n", "1000"), Ours: []Entrant{{Label: "check"}},
			Peers: []Peer{python("IsolationForest", "pandas + IsolationForest"), python("LOF", "pandas + LOF")}, Judged: "auc"},
	}
	grows := func(name, axis string, base map[string]string, values, small []int, peers ...Peer) {
		list = append(list, Duel{Name: name, Recipe: "low-rank", Params: base, Quick: set("n", "500", "d", "40"), Axis: axis, Values: values, Small: small,
			Ours: []Entrant{{"pca", "pca", nil}, {Default(), Default(), nil}}, Peers: peers, Judged: "angle", Answer: "components"})
	}
	base := set("n", "20000", "d", "200", "m", "5", "sds", "10,3", "outliers", "clustered", "fraction", "0.2")
	grows("grow-rows", "n", base, []int{4000, 16000, 64000, 256000}, []int{300, 600}, eigh)
	grows("grow-columns", "d", base, []int{50, 100, 200, 400, 800}, []int{20, 40}, eigh)
	grows("grow-components", "m", base, []int{2, 8, 32, 64}, []int{2, 4}, eigh)
	large := set("n", "60000", "d", "784", "m", "20", "sds", "10,3", "outliers", "clustered", "fraction", "0.2")
	grows("grow-threads", AxisThreads, large, []int{1, 2, 4, 8, 16, 32, 64}, []int{1}, eigh)
	threads := func(name, recipe string, params, quick map[string]string, judged string, ours ...Entrant) {
		list = append(list, Duel{Name: "threads-" + name, Recipe: recipe, Params: params, Quick: quick, Axis: AxisThreads, Values: []int{1, 4, 16, 64}, Small: []int{1}, Judged: judged, Ours: ours})
	}
	threads("rows", "low-rank", set("n", "1000000", "m", "5", "sds", "10,3"), set("n", "5000"), "", Entrant{"pca", "pca", nil}, Entrant{Default(), Default(), nil})
	threads("cells", "low-rank", set("n", "20000", "d", "50", "m", "5", "sds", "10,3"), set("n", "300"), "", one("pca-cell")...)
	threads("images", "low-rank-tensor", set("n", "20000", "shape", "28x28", "rank", "10x10"), set("n", "100"), "", one("corr-2dsvd", "rank", "10x10")...)
	threads("lines", "plane", plane("1000000"), set("n", "4000"), "coefficients", one("linear-robust")...)
	threads("machines", "plane", set("n", "20000", "d", "20", "test", "1000", "outliers", "vertical", "fraction", "0.1", "shift", "50", "noise", "1"), set("n", "500"), "test", one("elm-kmpe", "hidden", "300")...)
	blobs := func(n string) map[string]string {
		return set("n", n, "d", "50", "classes", "3", "label-noise", "0.1", "test", "1000")
	}
	threads("classes", "blobs", blobs("40000"), set("n", "500"), "labels", append(one("regmaxcem"), one("logistic")...)...)
	threads("kernels", "blobs", blobs("3000"), set("n", "300"), "labels", one("regmaxcem", "kernel", "rbf")...)
	threads("clusters", "mixture", set("n", "40000", "d", "20", "components", "8", "separation", "3", "fraction", "0.1"), set("n", "500"), "", one("kmeans-robust", "clusters", "8")...)
	for k := range list {
		if list[k].Asks == "" {
			list[k].Asks = AskFit
		}
	}
	return list
}
