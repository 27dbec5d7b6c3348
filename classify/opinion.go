package classify

import (
	"context"

	"github.com/inlier-ml/inlier/kernel"
)

// A kernel comes near every label of its own rows, and where classes merely overlap its scores flatten towards their ends, which looks like wrong
// labels; where few rows have many columns it knows less of them than a plane does. So labels of a machine with a kernel are judged by
// the scores of planes where these make held-out labels more probable, wrong ones included.
//
// Chosen on ten kinds of generated sets of 150, 300 and 600 rows: of labels that a weak linear law decides 3.4 in a hundred were doubted with
// 600 rows, 1.3 then; of wrong ones elsewhere .30, .45 and .68 were found with a precision of .82, .81 and .86, then .36, .49 and .72 with .83, .84 and .87.

// judge is who judges labels, with the held-out scores: the machine that was trained or, where they tell more, planes. Planes are asked where labels
// seem wrong or are hard to tell, of so many columns as machines choose by.
func (t *task) judge(ctx context.Context, m machine, parts [][]float64, held *heldOut) (machine, *task, *heldOut, error) {
	if t.o.Kernel.Kind == kernel.Linear || t.rows == nil || len(parts) < 2 || t.rows.RawMatrix().Cols > choosingWidth ||
		!t.doubtful(held) && held.telling() >= t.sureLabels() {
		return m, t, held, nil
	}
	o := t.o
	o.Kernel, o.MaxSteps, o.OnStep = kernel.Kernel{Kind: kernel.Linear}, 0, nil
	g, err := newDesign(t.rows, o)
	if err != nil { // no memory for another table
		return m, t, held, nil
	}
	planes := newTask(g.a, t.labels, t.classes, t.prior, o)
	planes.near = t.near
	planes.o.Lambda = usualLambda(Logistic{}, planes)
	other, err := planes.hold(ctx, Logistic{Options: planes.o}, parts, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	if other.planes = true; other.rule().OfLabels().Evidence() <= held.rule().OfLabels().Evidence() {
		return m, t, held, nil
	}
	return Logistic{Options: planes.o}, planes, other, nil
}
