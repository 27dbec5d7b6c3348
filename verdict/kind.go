package verdict

// Kind is what a row looks like to a model, in words that people read.
type Kind string

// The kinds of rows. Each family uses some of them, and [Rows.Kinds] tells which.
const (
	Regular Kind = "regular" // as the others are

	GoodLeverage Kind = "good leverage"      // fits the model, far out within it
	Orthogonal   Kind = "orthogonal outlier" // far from the subspace, its foot near the center
	Vertical     Kind = "vertical outlier"   // off the line, its columns among the others
	BadLeverage  Kind = "bad leverage"       // does not fit the model, and far out: the dangerous kind

	BadCells Kind = "bad cells" // fits the model but for single cells

	RareValues    Kind = "rare values"          // unlike most rows, by the scores alone
	FarFromCenter Kind = "far from its center"  // further from the center of its cluster than its rows are
	FarFromClass  Kind = "far from its class"   // further from its class than its rows are
	FarFromAll    Kind = "far from all classes" // claimed by no class
	DoubtfulLabel Kind = "doubtful label"       // carries a label that the model does not believe
	Mislabeled    Kind = "mislabelled"          // far from the class it is given, near to another
	OffSubspace   Kind = "off the subspace"     // regular only because what is strange about it was lost in a reduction

	NewWord Kind = "unknown category" // holds a word that the model has not learned, which is all that is known of it

	// Missing is a row of which too little is known to judge it. Whatever the family, such a
	// row is not regular and has weight 0.
	Missing Kind = "missing"
)

// The kinds of the families, the regular one first.
var (
	// MapKinds are the quarters of the outlier map of Hubert, Rousseeuw and Vanden Branden (2005).
	MapKinds = []Kind{Regular, GoodLeverage, Orthogonal, BadLeverage}
	// CellKinds are those of methods that judge single cells too.
	CellKinds = []Kind{Regular, GoodLeverage, BadCells, Orthogonal, BadLeverage}
	// LineKinds are the quarters of the regression map of Rousseeuw and van Zomeren (1990).
	LineKinds = []Kind{Regular, GoodLeverage, Vertical, BadLeverage}
)
