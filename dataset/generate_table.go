package dataset

// genTable holds every recipe. Adding one is a file with its struct and a line here.
var genTable = []genEntry{
	{"low-rank", "rows near a random subspace, with scattered, clustered or own-subspace outliers",
		"breakdown study; the defaults are its set-up", func() Recipe { c := DefaultLowRank(); return &c }},
}
