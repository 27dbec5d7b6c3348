package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/linalg"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "The version, and the matrix kernel in use on this machine",
		Example: "  inlier version --json",
		Args:    arguments(),
		RunE: func(*cobra.Command, []string) error {
			result := struct {
				Version string `json:"version"`
				Backend string `json:"backend"`
				Threads int    `json:"threads"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{version.String(), linalg.Backend(), linalg.Threads(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if a.json {
				return a.printJSON(result)
			}
			_, err := fmt.Fprintf(a.out, "inlier %s\nbackend %s, %d threads, %s, %s\n",
				result.Version, result.Backend, result.Threads, result.Go, result.System)
			return err
		},
	}
}
