package beam

import (
	"context"
	"fmt"
	"net"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/hooks"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	workers "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// Serve is a pool of workers at a port of this machine's localhost, until the context ends: every machine on which a runner
// makes tasks has one. Workers live in this process, so that what one has replayed of a fit serves all.
func Serve(ctx context.Context, port int) error {
	sdk.Init()
	p, err := newPool(ctx, port)
	if err != nil {
		return err
	}
	<-ctx.Done()
	p.stop()
	return nil
}

// pool starts workers when a runner asks for them. Several processes of a runner on one machine number theirs alike, so that
// numbers mean nothing here; a worker ends when the one who asked for it closes its connection.
type pool struct {
	workers.UnimplementedBeamFnExternalWorkerPoolServer
	address string
	server  *grpc.Server
	life    context.Context
	end     context.CancelFunc
}

// newPool listens at a port; 0: any that is free.
func newPool(ctx context.Context, port int) (*pool, error) {
	at, err := net.Listen("tcp", fmt.Sprintf("localhost:%d", port))
	if err != nil {
		return nil, err
	}
	hooks.DisableHook(harness.DefaultRemoteLoggingHook) // what workers tell, this process tells
	p := &pool{address: at.Addr().String(), server: grpc.NewServer()}
	p.life, p.end = context.WithCancel(ctx)
	workers.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	go p.server.Serve(at)
	return p, nil
}

func (p *pool) stop() {
	p.end()
	p.server.Stop()
}

// StartWorker is asked by a runner.
func (p *pool) StartWorker(_ context.Context, r *workers.StartWorkerRequest) (*workers.StartWorkerResponse, error) {
	logging, control := r.GetLoggingEndpoint(), r.GetControlEndpoint()
	if logging == nil || control == nil || logging.Authentication != nil || control.Authentication != nil {
		return &workers.StartWorkerResponse{Error: "a worker needs places to log and to be told, both without a password"}, nil
	}
	ctx := grpcx.WriteWorkerID(p.life, r.GetWorkerId())
	go func() {
		if err := harness.MainWithOptions(ctx, logging.GetUrl(), control.GetUrl(), harness.Options{}); err != nil && p.life.Err() == nil {
			log.Warnf(ctx, "worker %s has ended: %v", r.GetWorkerId(), err)
		}
	}()
	return &workers.StartWorkerResponse{}, nil
}

// StopWorker has nothing to do.
func (p *pool) StopWorker(context.Context, *workers.StopWorkerRequest) (*workers.StopWorkerResponse, error) {
	return &workers.StopWorkerResponse{}, nil
}
