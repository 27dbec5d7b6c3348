// Package beam fits tables on clusters: it has the passes of a fit in blocks made by Apache Beam, on prism in this process,
// on Flink, on Spark, or on whatever runs portable pipelines.
//
// A pass is a pipeline. Its elements are the numbers of tasks, ranges of rows that follow from the size of the table; rows
// are read and sums formed by [inlier.Helper], and what is found stands in files of a folder that all machines see. Grouping
// by the numbers of parents orders the merges, so that bits do not depend on the runner, its machines or its retries.
package beam

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	jobs "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/inlier-ml/inlier"
)

// Runner makes passes by Beam. Its zero value is prism in this process. It must not be copied after its first use.
type Runner struct {
	// Endpoint is the job service of a runner, host:port; empty: prism.
	Endpoint string
	// Pool is the address of a pool of workers as each machine of the runner sees it, such as localhost:50000 (see
	// [Serve]); empty: this process does the work, which a runner on one machine alone can reach.
	Pool string
	// Parallelism is how many parts the runner makes at once; 0: as it is configured.
	Parallelism int
	// Told, if it is not nil, is called after each pass.
	Told func(p inlier.SharedPass, seconds float64)

	begin  sync.Once
	failed error
	client jobs.JobServiceClient
	own    *pool
	empty  string // a file, which stands for the program of the workers
	close  []func()
}

// Share is the way of fits whose findings stand in a folder.
func (r *Runner) Share(folder string) *inlier.Share {
	return &inlier.Share{Folder: folder, Make: r.Make}
}

// start connects to the runner.
func (r *Runner) start(ctx context.Context) error {
	r.begin.Do(func() {
		sdk.Init()
		if r.Pool == "" {
			if r.own, r.failed = newPool(context.WithoutCancel(ctx), 0); r.failed != nil {
				return
			}
			r.close = append(r.close, r.own.stop)
		}
		var file *os.File
		if file, r.failed = os.CreateTemp("", "inlier-beam-"); r.failed != nil {
			return
		}
		r.empty = file.Name()
		file.Close()
		r.close = append(r.close, func() { os.Remove(r.empty) })
		if r.Endpoint == "" {
			r.client, r.failed = prism.CreateJobServer(ctx, prism.Options{})
			return
		}
		connection, err := grpcx.Dial(ctx, r.Endpoint, time.Minute)
		if err != nil {
			r.failed = fmt.Errorf("no job service answers at %s: %w", r.Endpoint, err)
			return
		}
		r.client = jobs.NewJobServiceClient(connection)
		r.close = append(r.close, func() { connection.Close() })
	})
	return r.failed
}

// Close ends what the runner has started.
func (r *Runner) Close() {
	for k := len(r.close) - 1; k >= 0; k-- {
		r.close[k]()
	}
	r.close = nil
}

// Make runs the pipeline of a pass; its job is cancelled where the context ends.
func (r *Runner) Make(ctx context.Context, p inlier.SharedPass) error {
	began := time.Now()
	err := r.run(ctx, p)
	if err != nil && ctx.Err() != nil { // which the calls of a service do not tell as such
		return errors.Join(ctx.Err(), err)
	}
	if err == nil && r.Told != nil {
		r.Told(p, time.Since(began).Seconds())
	}
	return err
}

func (r *Runner) run(ctx context.Context, p inlier.SharedPass) error {
	if err := r.start(ctx); err != nil {
		return err
	}
	place := r.Pool
	if r.own != nil {
		place = r.own.address
	}
	edges, _, err := pipeline(p).Build()
	if err != nil {
		return err
	}
	environment, err := graphx.CreateEnvironment(ctx, "beam:env:external:v1", func(context.Context) string { return place })
	if err != nil {
		return err
	}
	proto, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	if err != nil {
		return err
	}
	if err := runnerlib.UpdateGoEnvironmentWorker(r.empty, proto); err != nil {
		return err
	}
	options := &runnerlib.JobOptions{Name: fmt.Sprintf("inlier-pass-%d", p.Number), Worker: r.empty, Parallelism: r.Parallelism, Loopback: r.own != nil}
	prepared, artifacts, session, err := runnerlib.Prepare(ctx, r.client, proto, options)
	if err != nil {
		return err
	}
	token, err := runnerlib.Stage(ctx, prepared, artifacts, r.empty, session)
	if err != nil {
		return err
	}
	id, err := runnerlib.Submit(ctx, r.client, prepared, token)
	if err != nil {
		return err
	}
	err = runnerlib.WaitForCompletion(ctx, r.client, id)
	if ctx.Err() != nil {
		end, done := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer done()
		_, failed := r.client.Cancel(end, &jobs.CancelJobRequest{JobId: id})
		return errors.Join(ctx.Err(), failed)
	}
	return err
}
