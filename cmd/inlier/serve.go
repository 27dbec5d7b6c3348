package main

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/internal/console"
	"github.com/inlier-ml/inlier/server"
)

func serveCommand(a *app) *cobra.Command {
	var l server.Listen
	var closed bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Open the workbench in a browser, and answer programs by HTTP",
		Long: `Serve opens a page in the browser: drop a file on it and see which rows are wrong. Programs find the same
under /api/v1; /api/v1/openapi.json describes it. Everything is kept in one folder of plain files.`,
		Example: "  inlier serve\n  inlier serve --addr 127.0.0.1:8080 --data-dir work --no-browser",
		Args:    arguments(),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if l.Folder == "" {
				if l.Folder, err = server.UsualFolder(); err != nil {
					return err
				}
			}
			if !a.quiet {
				l.Log = slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
			}
			a.serves.Store(int64(max(l.Grace, 0) + server.Grace))
			l.Ready = func(address string) {
				fmt.Fprintf(a.out, "The workbench is at %s\nThe work is kept in %s. Ctrl-C stops it.\n", address, l.Folder)
				if !closed {
					console.Browse(c.Context(), address)
				}
			}
			return l.Run(c.Context())
		},
	}
	f := c.Flags()
	f.StringVar(&l.Address, "addr", "127.0.0.1:0", "address; others than this machine need --token")
	f.StringVar(&l.Folder, "data-dir", "", "folder of the work (default: one of the user's own)")
	f.StringVar(&l.Token, "token", "", "what requests must carry")
	f.DurationVar(&l.Grace, "grace", server.Grace, "how long the job under way may go on when the server is stopped; what is not done then is interrupted, and can be run again")
	f.BoolVar(&closed, "no-browser", false, "do not open the browser")
	return c
}
