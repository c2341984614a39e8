package debug

import "github.com/google/go-dap"

// The requests that Jupyter adds to the Debug Adapter Protocol.
type (
	debugInfoRequest        struct{ dap.Request }
	inspectVariablesRequest struct{ dap.Request }

	richInspectVariablesRequest struct {
		dap.Request
		Arguments richInspectVariablesArguments `json:"arguments"`
	}
	richInspectVariablesArguments struct {
		VariableName string `json:"variableName"`
		FrameID      int    `json:"frameId"` // 0 for the session
	}

	dumpCellRequest struct {
		dap.Request
		Arguments struct {
			Code string `json:"code"`
		} `json:"arguments"`
	}

	copyToGlobalsRequest struct {
		dap.Request
		Arguments copyToGlobalsArguments `json:"arguments"`
	}
	copyToGlobalsArguments struct {
		SrcVariableName string `json:"srcVariableName"`
		DstVariableName string `json:"dstVariableName"`
		SrcFrameID      int    `json:"srcFrameId"`
	}
)

// The bodies of the responses.
type (
	dumpCellBody struct {
		SourcePath string `json:"sourcePath"`
	}
	debugInfoBody struct {
		IsStarted      bool     `json:"isStarted"`
		HashMethod     string   `json:"hashMethod"`
		HashSeed       uint32   `json:"hashSeed"`
		TmpFilePrefix  string   `json:"tmpFilePrefix"`
		TmpFileSuffix  string   `json:"tmpFileSuffix"`
		Breakpoints    []any    `json:"breakpoints"`
		StoppedThreads []int    `json:"stoppedThreads"`
		RichRendering  bool     `json:"richRendering"`
		ExceptionPaths []string `json:"exceptionPaths"`
		CopyToGlobals  bool     `json:"copyToGlobals"` // whether variables of frames can be copied
	}
	richInspectVariablesBody struct {
		Data     map[string]any `json:"data"`
		Metadata map[string]any `json:"metadata"`
	}
)

// Frontends build the names of cells from the prefix, the Murmur2 hash of the text with the seed,
// and the suffix. JupyterLab shows "Cell [3]" instead of a name that contains ipykernel_, and other
// names unchanged.
const (
	hashSeed      = 0xc70f6907
	tmpFilePrefix = "ipykernel_"
	tmpFileSuffix = ".go"
)

// newCodec returns a codec for the messages of both protocols.
func newCodec() *dap.Codec {
	c := dap.NewCodec()
	for command, request := range map[string]func() dap.Message{
		"debugInfo":            func() dap.Message { return &debugInfoRequest{} },
		"dumpCell":             func() dap.Message { return &dumpCellRequest{} },
		"inspectVariables":     func() dap.Message { return &inspectVariablesRequest{} },
		"richInspectVariables": func() dap.Message { return &richInspectVariablesRequest{} },
		"copyToGlobals":        func() dap.Message { return &copyToGlobalsRequest{} },
	} {
		// The only possible error is that the command is already registered.
		if err := c.RegisterRequest(command, request, func() dap.Message { return &dap.Response{} }); err != nil {
			panic(err)
		}
	}
	return c
}
