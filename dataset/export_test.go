package dataset

// SplitUnits is for the tests of the splits, which use generated sets.
var SplitUnits = splitUnits
