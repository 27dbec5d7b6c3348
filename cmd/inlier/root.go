package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/linalg"
)

// The groups of the help text.
const (
	groupStart = "start"
	groupFit   = "fit"
	groupData  = "data"
	groupMore  = "more"
)

// newRoot puts the commands together.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "inlier",
		Short: "Robust learning: fit models to dirty data, find the outliers, see why",
		Long: `Inlier fits models to data of which a part is wrong, tells which rows are wrong and why.

A robust loss turns every residual into a weight; rows that do not fit lose their vote.

` + aboutOutputs,
		Example: `  inlier demo
  inlier check orders.csv
  inlier fit pca-robust sales.csv --out sales.npz
  inlier outliers sales.npz sales.csv --why`,
		Version:       version.String(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if a.threads < 0 {
				return usage("0 means all cores", "--threads %d is not allowed", a.threads)
			}
			if a.threads > 0 {
				n := min(a.threads, runtime.NumCPU()) // each one more costs memory, and a million of them all of it
				runtime.GOMAXPROCS(n)
				linalg.SetThreads(n)
			}
			return nil
		},
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetVersionTemplate("inlier {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{problem: flagProblem(err.Error()), hint: c.CommandPath() + " --help shows the flags"}
	})
	f := root.PersistentFlags()
	f.Uint64Var(&a.seed, "seed", 1, "seed of everything random")
	f.IntVar(&a.threads, "threads", 0, "cores to use; 0: all (results never depend on it)")
	f.BoolVar(&a.json, "json", false, "print the result as JSON")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no remarks on standard error")
	f.BoolVar(&a.force, "force", false, "replace files that are there, also those that are no outputs of the same kind; inputs never")
	f.BoolVar(&a.noColor, "no-color", false, "no colours (also: environment variable NO_COLOR)")

	root.AddGroup(
		&cobra.Group{ID: groupStart, Title: "Start here:"},
		&cobra.Group{ID: groupFit, Title: "Fit and use models:"},
		&cobra.Group{ID: groupData, Title: "Data:"},
		&cobra.Group{ID: groupMore, Title: "More:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add(groupStart, checkCommand(a), serveCommand(a), demoCommand(a), methodsCommand(a), lossesCommand(a))
	add(groupFit, fitCommand(a), transformCommand(a), reconstructCommand(a), outliersCommand(a),
		predictCommand(a), scoreCommand(a), inspectCommand(a), compareCommand(a), tuneCommand(a), plotCommand(a), exportCommand(a))
	add(groupData, dataCommand(a))
	add(groupMore, replicateCommand(a), versionCommand(a), benchCommand(a), completionCommand(a), workerCommand(a))
	root.SetHelpCommandGroupID(groupMore)
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = helpTopic
		}
	}
	return root
}

// flagProblem is what is wrong with a flag, without the words of the library that found it.
func flagProblem(text string) string {
	if at := strings.Index(text, ": strconv."); at >= 0 {
		last := text[strings.LastIndex(text, ": "):]
		if last == ": invalid syntax" {
			last = ": it is not of the right kind"
		}
		return text[:at] + last
	}
	return text
}

// arguments insists on the named arguments. A trailing one in brackets may be left out, one that ends in dots repeated.
func arguments(names ...string) cobra.PositionalArgs {
	least, repeated := 0, false
	for _, n := range names {
		repeated = repeated || strings.HasSuffix(n, "...")
		if !strings.HasPrefix(n, "[") {
			least++
		}
	}
	return func(c *cobra.Command, args []string) error {
		hint := "inlier " + strings.TrimPrefix(c.CommandPath(), "inlier ") + " --help shows how"
		switch {
		case len(args) < least:
			return usage(hint, "%s needs %s", c.CommandPath(), strings.ReplaceAll(strings.Join(names, " "), "DATA...", "DATA"))
		case repeated:
		case len(args) > len(names) && len(names) == 0:
			return usage(hint, "%s takes no argument, but got %q", c.CommandPath(), args[0])
		case len(args) > len(names):
			return usage(hint, "%s takes %s, but got %q as well", c.CommandPath(), strings.Join(names, " "), args[len(names)])
		}
		return nil
	}
}

// helpTopic refuses to explain words that are no command.
func helpTopic(c *cobra.Command, args []string) error {
	topic, rest, err := c.Root().Find(args)
	if err == nil && topic.HasSubCommands() {
		return noSuchCommand(topic, rest)
	}
	return err
}

// strayWord refuses a word that is no command before flags are looked at: they are those of the command that was meant, and
// help for another would not tell that there is none.
func strayWord(root *cobra.Command, args []string) error {
	c, rest, err := root.Find(args)
	if err != nil || !c.HasSubCommands() || c.Args == nil {
		return nil // which executing it tells
	}
	for k := 0; k < len(rest); k++ {
		word := rest[k]
		if !strings.HasPrefix(word, "-") {
			if strings.HasPrefix(word, "__") { // of completion
				return nil
			}
			return c.Args(c, []string{word})
		}
		name, _, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch flag := root.PersistentFlags().Lookup(name); {
		case flag == nil && len(name) > 1 && name != "help":
			return nil // a flag that there is not
		case flag != nil && flag.NoOptDefVal == "" && !given:
			k++ // its value
		}
	}
	return nil
}

// noSuchCommand refuses words that are no command, and names the nearest.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	hint := c.CommandPath() + " --help lists the commands"
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q? %s", near[0], hint)
	}
	return usage(hint, "there is no command %q", strings.TrimPrefix(c.CommandPath()+" "+args[0], "inlier "))
}
