package corrupt

// entry is a line of the table of corruptions.
type entry struct {
	name, text, paper string
	unit, amount      string // what the amount counts, and its default
	fresh             func() method
}

// table holds every kind of corruption. Adding one is a type and a line here.
var table = []entry{
	{"rows", "whole rows replaced by outliers, scattered or in one cluster", "", "rows", "0.1",
		func() method { return &rowOutliers{Size: 10, Kind: "scattered"} }},
	{"scale", "rows multiplied by a factor", "corr-tensor, section VII-C (MNIST, 5 %, factor 50)", "rows", "0.05",
		func() method { return &scaled{Factor: 50} }},
	{"noise", "Gaussian noise added to rows", "", "rows", "0.1",
		func() method { return &noise{SD: 1} }},
	{"feature", "single cells replaced by outlying values", "", "cells", "0.05",
		func() method { return &feature{Size: 10} }},
	{"missing", "single cells made missing", "", "cells", "0.05",
		func() method { return &missing{} }},
	{"mistakes", "what people and loggers do: slipped points, swapped cells, wrong units and signs, impossible values, sentinels", "", "rows", "0.05",
		func() method { return &mistakes{Kind: "mixed"} }},
	{"occlusion", "a rectangle of random black and white pixels at a random place", "kmpe IV-C, pca-gm 4.1, corr-tensor VII-B", "images", "0.2",
		func() method { return &occlusion{Smallest: 0.2, Largest: 0.6} }},
	{"block", "a plain black or white rectangle at a random place", "", "images", "0.2",
		func() method { return &block{Smallest: 0.2, Largest: 0.6, Shade: "black"} }},
	{"dummy", "whole images of random pixels, in place of images or added to them",
		"kmpe IV-C (replace, binary), pca-gm 4.1 (add, binary), corr-tensor VII-B (add, uniform)", "images", "0.1",
		func() method { return &dummy{Mode: "replace", Values: "binary"} }},
	{"label", "labels changed to another class, all equally likely", "regmaxcem", "rows", "0.2",
		func() method { return &label{} }},
	{"label-pair", "labels changed to the next class", "", "rows", "0.2",
		func() method { return &labelPair{} }},
	{"target", "target values moved far up or down", "", "rows", "0.1",
		func() method { return &target{Size: 10} }},
}
