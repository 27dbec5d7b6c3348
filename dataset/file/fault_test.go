package file

import (
	"context"
	"errors"
	"testing"
)

// A panic in a goroutine of a reader is an error of the caller, wherever it happens.
func TestFaultsOfWorkers(t *testing.T) {
	ctx := context.Background()
	fault := errors.New("a fault")
	one := func(emit func(int) error) error { return emit(1) }
	rows := func(int) (*chunk, error) { return &chunk{rows: 1}, nil }
	accept := func(*chunk) error { return nil }
	for name, run := range map[string]func() error{
		"worker": func() error {
			return inOrder(ctx, func(emit func(int) error) error {
				for i := range 100 {
					if err := emit(i); err != nil {
						return err
					}
				}
				return nil
			}, func(i int) (*chunk, error) {
				if i == 3 {
					panic(fault)
				}
				return &chunk{rows: 1}, nil
			}, accept)
		},
		"producer":   func() error { return inOrder(ctx, func(func(int) error) error { panic(fault) }, rows, accept) },
		"background": func() error { return ahead(ctx, func(*chunk, int) (int, error) { panic(fault) }, accept) },
		"division": func() error {
			zero := 0
			err := inOrder(ctx, one, func(i int) (*chunk, error) { return &chunk{rows: i / zero}, nil }, accept)
			if err == nil {
				return nil
			}
			return fault
		},
	} {
		if err := run(); !errors.Is(err, fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
