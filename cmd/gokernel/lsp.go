package main

import (
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/language"
)

func newLSP() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Run the language server for notebooks",
		Long: `Run the language server. Editors usually start it themselves. The server checks the cells
of a notebook as you type, without running them. It reports errors with hints, and offers
completion, documentation, definitions, references, renaming and formatting.

The server speaks the Language Server Protocol 3.17 over standard input and output or, with
--listen, over a TCP socket.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if listen == "" {
				return language.Serve(cmd.InOrStdin(), os.Stdout, version())
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return fmt.Errorf("lsp: %w", err)
			}
			defer l.Close()
			fmt.Fprintln(cmd.ErrOrStderr(), "listening on", l.Addr())
			for {
				conn, err := l.Accept()
				if err != nil {
					return fmt.Errorf("lsp: %w", err)
				}
				go func() {
					defer conn.Close()
					if err := language.Serve(conn, conn, version()); err != nil {
						fmt.Fprintln(cmd.ErrOrStderr(), err)
					}
				}()
			}
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "listen on this `address` (such as 127.0.0.1:4389) instead of standard input")
	cmd.Flags().Bool("stdio", true, "accepted and ignored, because some editors add it")
	if err := cmd.Flags().MarkHidden("stdio"); err != nil {
		panic(err)
	}
	return cmd
}
