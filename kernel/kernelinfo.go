package kernel

import (
	"context"
	"runtime"
	"strings"

	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/msg"
)

// kernelInfo describes the kernel to a client.
func (s *Server) kernelInfo(_ context.Context, r *request) error {
	info := s.cfg.Info
	features := msg.List[string]{"kernel subshells"}
	_, debugger := s.cfg.Evaluator.(evaluator.Debugger)
	if debugger {
		features = append(features, "debugger")
	}
	language := info.LanguageVersion
	if language == "" {
		language = strings.TrimPrefix(runtime.Version(), "go")
	}
	s.reply(r, "kernel_info_reply", msg.KernelInfoReply{
		Status:                msg.OK,
		ProtocolVersion:       msg.Version,
		Implementation:        info.Implementation,
		ImplementationVersion: info.Version,
		LanguageInfo: msg.LanguageInfo{
			Name:          "go",
			Version:       language,
			Mimetype:      "text/x-go",
			FileExtension: ".go",
			Pygments:      "go",
			CodeMirror:    "go",
			NBConvert:     "script",
		},
		Banner:    info.Banner,
		HelpLinks: info.HelpLinks,

		SupportedFeatures: features,
		Debugger:          debugger,
	})
	return nil
}
