package main

import "github.com/spf13/cobra"

func completionCommand(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print the completion script of a shell",
		Long: `Print a script that teaches a shell to complete commands, methods, losses, generators and flags.

bash:  source <(inlier completion bash)
zsh:   inlier completion zsh > "${fpath[1]}/_inlier"
fish:  inlier completion fish > ~/.config/fish/completions/inlier.fish`,
		Example:   "  source <(inlier completion bash)",
		ValidArgs: shells,
		Args:      arguments("SHELL"),
		RunE: func(c *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(a.out, true)
			case "zsh":
				return c.Root().GenZshCompletion(a.out)
			case "fish":
				return c.Root().GenFishCompletion(a.out, true)
			}
			return usage("there are bash, zsh and fish", "no completion for shell %q", args[0])
		},
	}
}
