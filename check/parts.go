package check

// parts are the looks at a table beside the numeric core, in the order in which they are asked.
var parts = []part{unreadable, relations, duplicates, categories, offTheScale, inTime, targets}
