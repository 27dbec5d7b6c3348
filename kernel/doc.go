// Package kernel compares rows by kernels and turns kernels into features.
//
// A [Kernel] is a small value: its kind and its parameters, with a text form.
//
//	k, err := kernel.Parse("rbf:gamma=auto")
//	k, err = k.Resolve(x, seed)     // fills in an open gamma from the data
//	gram, err := k.Gram(x, y)       // every row of x against every row of y
//
// The matrix of all pairs serves a few thousand rows. For more, a [Map] takes rows to
// a space in which plain inner products approximate the kernel, so that every linear method becomes
// a kernel method: [NewNystrom] learns one from a sample of the rows, [NewFourier]
// draws one at random. [Through] puts a map in front of a table that is read in blocks.
package kernel
