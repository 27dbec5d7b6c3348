package beam

import (
	"context"
	"sync"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/inlier-ml/inlier"
)

func init() {
	register.DoFn2x0[[]byte, func(int, int)](&deal{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int, int), error](&part{})
	register.Emitter2[int, int]()
	register.Iter1[int]()
}

// pipeline is a pass: tasks, merges of what they find, merges of these, up to one.
func pipeline(p inlier.SharedPass) *sdk.Pipeline {
	out, s := sdk.NewPipelineWithRoot()
	nodes := sdk.ParDo(s, &deal{Tasks: p.Tasks}, sdk.Impulse(s))
	for level := range p.Levels() {
		nodes = sdk.ParDo(s, &part{Pass: p, Level: level}, sdk.GroupByKey(s, nodes))
	}
	return out
}

// deal lists the tasks, each by its number as the key, so that grouping spreads them.
type deal struct{ Tasks int }

// ProcessElement is called once.
func (d *deal) ProcessElement(_ []byte, emit func(int, int)) {
	for k := range d.Tasks {
		emit(k, k)
	}
}

// part makes a node of a level, when all below it are made, and tells its parent.
type part struct {
	Pass  inlier.SharedPass
	Level int
}

// ProcessElement makes a node.
func (t *part) ProcessElement(ctx context.Context, node int, _ func(*int) bool, emit func(int, int)) error {
	h, err := helper(t.Pass.Folder)
	if err != nil {
		return err
	}
	if err := h.Make(ctx, t.Pass, t.Level, node); err != nil {
		return err
	}
	emit(t.Pass.Parent(node), node)
	return nil
}

// helpers are those of the fits at hand, so that a worker replays each once.
var helpers struct {
	sync.Mutex
	of    map[string]*inlier.Helper
	order []string // oldest first
}

// mostHelpers is how many fits are remembered.
const mostHelpers = 4

func helper(folder string) (*inlier.Helper, error) {
	helpers.Lock()
	defer helpers.Unlock()
	if h := helpers.of[folder]; h != nil {
		return h, nil
	}
	h, err := inlier.Help(folder)
	if err != nil {
		return nil, err
	}
	if helpers.of == nil {
		helpers.of = map[string]*inlier.Helper{}
	}
	helpers.of[folder] = h
	helpers.order = append(helpers.order, folder)
	if len(helpers.order) > mostHelpers {
		old := helpers.order[0]
		go helpers.of[old].Close() // when what it does is done
		delete(helpers.of, old)
		helpers.order = helpers.order[1:]
	}
	return h, nil
}
